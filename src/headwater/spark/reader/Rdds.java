package headwater;

import java.util.ArrayDeque;
import java.util.IdentityHashMap;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.Set;
import org.apache.spark.Dependency;
import org.apache.spark.rdd.RDD;
import org.apache.spark.sql.execution.datasources.FilePartition;
import org.apache.spark.sql.execution.datasources.FileScanRDD;
import org.apache.spark.sql.execution.datasources.PartitionedFile;

/** Says what is behind an RDD, as far as its dependencies lead: files that a query has read, or data of the job's own. */
public final class Rdds {
    private static final int NAME_LIMIT = 4096;
    private static final int RDDS_LIMIT = 500;
    private static final int FILES_LIMIT = 1000;

    private Rdds() {}

    /** Appends the folders that are read, the columns read from them, and whether that is all there is. */
    public static void describe(StringBuilder out, RDD root) {
        IdentityHashMap seen = new IdentityHashMap();
        ArrayDeque waiting = new ArrayDeque();
        LinkedHashSet folders = new LinkedHashSet();
        LinkedHashSet columns = new LinkedHashSet();
        boolean known = true;
        waiting.add(root);
        while (!waiting.isEmpty()) {
            RDD rdd = (RDD) waiting.poll();
            if (seen.put(rdd, rdd) != null) {
                continue;
            }
            if (seen.size() > RDDS_LIMIT) {
                known = false;
                break;
            }
            if (rdd instanceof FileScanRDD) {
                known = files((FileScanRDD) rdd, folders, columns) && known;
                continue;
            }
            scala.collection.Seq above = rdd.dependencies();
            known = known && !(above.isEmpty() && !isLocal(rdd));
            for (scala.collection.Iterator i = above.iterator(); i.hasNext();) {
                waiting.add(((Dependency) i.next()).rdd());
            }
        }
        out.append("{\"d\":\"rdd\",\"id\":").append(root.id()).append(",\"known\":").append(known).append(",\"paths\":");
        strings(out, folders);
        out.append(",\"columns\":");
        strings(out, columns);
        out.append('}');
    }

    private static boolean isLocal(RDD rdd) {
        String name = rdd.getClass().getSimpleName();
        return "ParallelCollectionRDD".equals(name) || "EmptyRDD".equals(name);
    }

    /** Adds the folders that are read; false if there is no file that would say where. */
    private static boolean files(FileScanRDD rdd, Set folders, Set columns) {
        int count = 0;
        for (scala.collection.Iterator i = rdd.filePartitions().iterator(); i.hasNext() && count < FILES_LIMIT;) {
            PartitionedFile[] files = ((FilePartition) i.next()).files();
            for (int j = 0; j < files.length && count < FILES_LIMIT; j++) {
                count++;
                folders.add(files[j].toPath().getParent().toString());
            }
        }
        String[] names = rdd.readSchema().fieldNames();
        for (int i = 0; i < names.length; i++) {
            columns.add(names[i]);
        }
        return count > 0;
    }

    private static void strings(StringBuilder out, Set items) {
        out.append('[');
        for (Iterator i = items.iterator(); i.hasNext();) {
            Json.string(out, (String) i.next(), NAME_LIMIT);
            if (i.hasNext()) {
                out.append(',');
            }
        }
        out.append(']');
    }
}
