package headwater;

import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.Set;
import org.apache.hadoop.fs.Path;
import org.apache.spark.sql.catalyst.TableIdentifier;
import org.apache.spark.sql.catalyst.catalog.CatalogTable;
import org.apache.spark.sql.execution.QueryExecution;
import org.apache.spark.sql.execution.SparkPlan;
import org.apache.spark.sql.execution.datasources.FilePartition;
import org.apache.spark.sql.execution.datasources.FileScanRDD;
import org.apache.spark.sql.execution.datasources.HadoopFsRelation;
import org.apache.spark.sql.execution.datasources.PartitionedFile;
import org.apache.spark.sql.execution.ui.SparkListenerDriverAccumUpdates;
import org.apache.spark.util.AccumulatorContext;
import org.apache.spark.util.AccumulatorV2;
import scala.Option;

/**
 * Reads the metrics of an execution from the plan that it ran. The plan exists already, since Spark has shown it in the
 * event that announced the execution: nothing is planned or run here.
 *
 * <pre>
 * {"writes": [[rows, bytes, files], …], "scans": [[what was read, rows, bytes, files, partitions or null], …]}
 * partitions: {"table": its name, "places": [the folders of its partitions, …], "known": whether the list is complete}
 * </pre>
 *
 * Unknown values are null. Classes and methods are found by name: they move between versions more than plans do.
 */
public final class Metrics {
    private static final int NODES_LIMIT = 10000;
    private static final int FILES_LIMIT = 20000;
    private static final int PLACES_LIMIT = 2000;
    private static final Set COMMANDS = new HashSet(Arrays.asList(new String[] {
        "DataWritingCommandExec", "ExecutedCommandExec"
    }));
    private static final Set WRITERS = new HashSet(Arrays.asList(new String[] {
        "AppendDataExec", "OverwriteByExpressionExec", "OverwritePartitionsDynamicExec", "ReplaceDataExec",
        "WriteDeltaExec", "WriteToDataSourceV2Exec"
    }));

    private final StringBuilder writes = new StringBuilder();
    private final StringBuilder scans = new StringBuilder();
    private final ArrayDeque waiting = new ArrayDeque();
    private final IdentityHashMap seen = new IdentityHashMap();

    private Metrics() {}

    /** The metrics of a successful execution, as JSON; null if there are none. The metrics that writers have announced
     *  are used if no node of the plan is a writer. */
    public static String read(QueryExecution execution, String announced) {
        Metrics metrics = new Metrics();
        metrics.waiting.add(execution.executedPlan());
        while (!metrics.waiting.isEmpty() && metrics.seen.size() < NODES_LIMIT) {
            Object node = metrics.waiting.poll();
            if (node instanceof SparkPlan && metrics.seen.put(node, node) == null) {
                metrics.visit((SparkPlan) node);
            }
        }
        if (metrics.writes.length() == 0 && announced != null) {
            metrics.writes.append(announced);
        }
        if (metrics.writes.length() == 0 && metrics.scans.length() == 0) {
            return null;
        }
        return "{\"writes\":[" + metrics.writes + "],\"scans\":[" + metrics.scans + "]}";
    }

    /** The metrics that a writer of files announces at its end, as a write; null for other announcements. Delta and
     *  streams have no node for their writing, but write files as all others do. */
    public static String announced(SparkListenerDriverAccumUpdates event) {
        Object rows = null;
        Object bytes = null;
        Object files = null;
        scala.collection.Iterator updates = event.accumUpdates().iterator();
        while (updates.hasNext()) {
            scala.Tuple2 update = (scala.Tuple2) updates.next();
            Option metric = AccumulatorContext.get(((Long) update._1()).longValue());
            String name = metric.isDefined() ? String.valueOf(Reflection.call(metric.get(), "name")) : "";
            if (name.equals("Some(number of output rows)")) {
                rows = update._2();
            } else if (name.equals("Some(written output)")) {
                bytes = update._2();
            } else if (name.equals("Some(number of written files)")) {
                files = update._2();
            }
        }
        return files == null || bytes == null ? null : "[" + rows + "," + bytes + "," + files + "]";
    }

    private void visit(SparkPlan plan) {
        String kind = plan.getClass().getSimpleName();
        if (kind.equals("AdaptiveSparkPlanExec")) {
            waiting.add(Reflection.call(plan, "executedPlan"));
            return;
        }
        if (kind.endsWith("QueryStageExec")) {
            waiting.add(Reflection.call(plan, "plan"));
            return;
        }
        if (kind.equals("CommandResultExec")) {
            waiting.add(Reflection.call(plan, "commandPhysicalPlan"));
            return;
        }
        if (COMMANDS.contains(kind)) {
            wrote(plan, metric(plan, "numOutputRows"));
        } else if (WRITERS.contains(kind)) {
            Long rows = metric(plan, "numOutputRows");
            wrote(plan, rows == null ? committed(Reflection.call(plan, "commitProgress")) : rows);
        } else if (kind.equals("FileSourceScanExec") || kind.equals("RowDataSourceScanExec")) {
            scanned(plan, Reflection.call(plan, "relation"), partitionsOfFiles(plan));
        } else if (kind.equals("BatchScanExec")) {
            scanned(plan, Reflection.call(plan, "table"), null);
        } else if (kind.equals("HiveTableScanExec")) {
            Object table = Reflection.call(Reflection.call(plan, "relation"), "tableMeta");
            scanned(plan, table, partitionsOfHive(plan, table));
        }
        all(plan.children());
        all(plan.subqueries());
    }

    private void all(scala.collection.Seq plans) {
        scala.collection.Iterator each = plans.iterator();
        while (each.hasNext()) {
            waiting.add(each.next());
        }
    }

    private void wrote(SparkPlan plan, Long rows) {
        Long bytes = metric(plan, "numOutputBytes");
        Long files = metric(plan, "numFiles");
        if (rows != null || bytes != null || files != null) {
            writes.append(writes.length() == 0 ? "[" : ",[").append(rows).append(',').append(bytes).append(',')
                .append(files).append(']');
        }
    }

    private void scanned(SparkPlan plan, Object read, String partitions) {
        Long rows = metric(plan, "numOutputRows");
        StringBuilder described = new StringBuilder();
        if (rows == null || read == null || !Datasets.describe(described, read) || described.charAt(0) != '{') {
            return;
        }
        scans.append(scans.length() == 0 ? "[" : ",[").append(described).append(',').append(rows).append(',')
            .append(metric(plan, "filesSize")).append(',').append(metric(plan, "numFiles")).append(',')
            .append(partitions).append(']');
    }

    /** The folders of the files that were read from a partitioned table: a partition may have a location of its own. The
     *  list of files exists if the scan has run; nothing is listed here. */
    private static String partitionsOfFiles(SparkPlan scan) {
        Object table = Reflection.call(scan, "tableIdentifier");
        Object relation = Reflection.call(scan, "relation");
        Object files = Reflection.field(scan, "inputRDD");
        if (!(table instanceof TableIdentifier) || !(relation instanceof HadoopFsRelation)
                || !(files instanceof FileScanRDD) || ((HadoopFsRelation) relation).partitionSchema().isEmpty()) {
            return null;
        }
        LinkedHashSet places = new LinkedHashSet();
        int count = 0;
        scala.collection.Iterator all = ((FileScanRDD) files).filePartitions().iterator();
        while (all.hasNext() && count <= FILES_LIMIT && places.size() <= PLACES_LIMIT) {
            PartitionedFile[] some = ((FilePartition) all.next()).files();
            for (int i = 0; i < some.length && count <= FILES_LIMIT; i++) {
                count++;
                places.add(withoutPartitions(some[i].toPath().getParent()));
            }
        }
        return partitions((TableIdentifier) table, places, count <= FILES_LIMIT);
    }

    /** The same for a table that Hive reads. */
    private static String partitionsOfHive(SparkPlan scan, Object table) {
        Object partitions = Reflection.field(scan, "prunedPartitions");
        if (!(table instanceof CatalogTable) || !(partitions instanceof scala.collection.Seq)) {
            return null;
        }
        LinkedHashSet places = new LinkedHashSet();
        scala.collection.Iterator all = ((scala.collection.Seq) partitions).iterator();
        int count = 0;
        while (all.hasNext() && count++ <= FILES_LIMIT && places.size() <= PLACES_LIMIT) {
            Object place = Reflection.call(all.next(), "getDataLocation");
            if (place instanceof Path) {
                places.add(withoutPartitions((Path) place));
            }
        }
        return partitions(((CatalogTable) table).identifier(), places, count <= FILES_LIMIT);
    }

    /** The folder above all trailing folders named `column=value`: one for all partitions of most tables. */
    private static String withoutPartitions(Path folder) {
        Path place = folder;
        while (place.getParent() != null && place.getName().indexOf('=') > 0) {
            place = place.getParent();
        }
        return place.toString();
    }

    private static String partitions(TableIdentifier table, LinkedHashSet places, boolean known) {
        StringBuilder out = new StringBuilder("{\"table\":");
        Datasets.describe(out, table);
        out.append(",\"places\":[");
        int count = 0;
        for (Iterator i = places.iterator(); i.hasNext() && count < PLACES_LIMIT; count++) {
            out.append(count == 0 ? "" : ",").append(Json.quote((String) i.next()));
        }
        return out.append("],\"known\":").append(known && places.size() <= PLACES_LIMIT).append('}').toString();
    }

    /** Writers of the second data source API count their rows for the streaming progress. */
    private static Long committed(Object progress) {
        Object rows = Reflection.call(progress, "numOutputRows");
        return rows instanceof Long && ((Long) rows).longValue() >= 0 ? (Long) rows : null;
    }

    private static Long metric(SparkPlan plan, String name) {
        Option metric = plan.metrics().get(name);
        // Cast to the superclass: Janino cannot choose between the two methods `value` that Scala generates for a metric.
        return metric.isDefined() ? (Long) ((AccumulatorV2) metric.get()).value() : null;
    }
}
