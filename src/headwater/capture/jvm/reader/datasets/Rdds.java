package headwater;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.util.StringUtils;
import org.apache.spark.Dependency;
import org.apache.spark.rdd.HadoopRDD;
import org.apache.spark.rdd.NewHadoopRDD;
import org.apache.spark.rdd.RDD;
import org.apache.spark.rdd.UnionRDD;
import org.apache.spark.sql.execution.datasources.FilePartition;
import org.apache.spark.sql.execution.datasources.FileScanRDD;
import org.apache.spark.sql.execution.datasources.PartitionedFile;

/**
 * Describes the sources of an RDD, as far as its dependencies lead: frames that were announced when they became RDDs,
 * files, or local data.
 *
 * <pre>
 * {"d": "rdd", "id": 7,
 *  "behind": [5],                                                       announced RDDs, which Python knows by id
 *  "reads": [{"d": "files", "paths": […], "columns": ["value"]}, …],    other inputs
 *  "known": true}                                                       whether that is complete
 * </pre>
 *
 * The RDDs of a query do not name all that it reads: a broadcast table and a subquery's table are not among their
 * dependencies. So a query that was not announced is never completely known.
 */
public final class Rdds {
    private static final int NAME_LIMIT = 4096;
    private static final int RDDS_LIMIT = 10000;
    private static final int FILES_LIMIT = 1000;
    private static final int PATHS_LIMIT = 2000;
    private static final String INPUT = "mapreduce.input.fileinputformat.inputdir";
    private static final String QUERIES = "org.apache.spark.sql.";
    private static final Set LOCAL = new HashSet(Arrays.asList(new String[] {
        "ParallelCollectionRDD", "EmptyRDD", "EmptyRDDWithPartitions", "RandomRDD", "RandomVectorRDD"
    }));
    private static final Map ANNOUNCED = Collections.synchronizedMap(new Recent(1000));

    private Rdds() {}

    /** Remembers that Python knows the sources of an RDD; the oldest are forgotten. */
    public static void announce(RDD rdd) {
        ANNOUNCED.put(Integer.valueOf(rdd.id()), Boolean.TRUE);
    }

    public static boolean isAnnounced(RDD rdd) {
        return ANNOUNCED.containsKey(Integer.valueOf(rdd.id()));
    }

    /** Forgets all announced RDDs. */
    public static void forget() {
        ANNOUNCED.clear();
    }

    /** Appends the sources of an RDD. */
    public static void describe(StringBuilder out, RDD root) {
        IdentityHashMap seen = new IdentityHashMap();
        ArrayDeque waiting = new ArrayDeque();
        ArrayList behind = new ArrayList();
        StringBuilder reads = new StringBuilder();
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
            if (isAnnounced(rdd)) {
                behind.add(Integer.valueOf(rdd.id()));
                continue;
            }
            try {
                known = leaf(reads, rdd) && known;
            } catch (Throwable t) {
                known = false;
            }
            addDependencies(waiting, rdd);
        }
        out.append("{\"d\":\"rdd\",\"id\":").append(root.id()).append(",\"known\":").append(known)
            .append(",\"behind\":").append(behind).append(",\"reads\":[").append(reads).append("]}");
    }

    /** Adds the dependencies of an RDD. Asking a union for them would list the files of all its parts. */
    private static void addDependencies(ArrayDeque waiting, RDD rdd) {
        if (rdd instanceof UnionRDD && ((UnionRDD) rdd).rdds() != null) {
            for (scala.collection.Iterator i = ((UnionRDD) rdd).rdds().iterator(); i.hasNext();) {
                waiting.add(i.next());
            }
            return;
        }
        for (scala.collection.Iterator i = rdd.dependencies().iterator(); i.hasNext();) {
            waiting.add(((Dependency) i.next()).rdd());
        }
    }

    /** Appends what an RDD itself reads; false if there may be more than it and its dependencies tell. */
    private static boolean leaf(StringBuilder reads, RDD rdd) {
        if (rdd instanceof FileScanRDD) {
            scanned(reads, (FileScanRDD) rdd);
            return false;
        }
        if (rdd instanceof HadoopRDD) {
            return hadoop(reads, (Configuration) Reflection.call(rdd, "getJobConf"), rdd.name());
        }
        if (rdd instanceof NewHadoopRDD) {
            return hadoop(reads, ((NewHadoopRDD) rdd).getConf(), rdd.name());
        }
        String name = rdd.getClass().getName();
        if (LOCAL.contains(name.substring(name.lastIndexOf('.') + 1))) {
            return true;
        }
        return rdd instanceof UnionRDD || (!name.startsWith(QUERIES) && !rdd.dependencies().isEmpty());
    }

    private static void scanned(StringBuilder reads, FileScanRDD rdd) {
        LinkedHashSet folders = new LinkedHashSet();
        int count = 0;
        for (scala.collection.Iterator i = rdd.filePartitions().iterator(); i.hasNext() && count < FILES_LIMIT;) {
            PartitionedFile[] files = ((FilePartition) i.next()).files();
            for (int j = 0; j < files.length && count < FILES_LIMIT; j++) {
                count++;
                folders.add(files[j].toPath().getParent().toString());
            }
        }
        files(reads, folders, Arrays.asList(rdd.readSchema().fieldNames()));
    }

    /** Appends the files that a Hadoop format reads; Spark also names such an RDD by its path. */
    private static boolean hadoop(StringBuilder reads, Configuration conf, String name) {
        String input = conf == null ? null : conf.get(INPUT);
        String[] paths = input == null || input.isEmpty() ? new String[0] : StringUtils.split(input);
        if (paths.length == 0 && name != null && name.indexOf('/') >= 0) {
            paths = new String[] {name};
        }
        LinkedHashSet folders = new LinkedHashSet();
        boolean all = true;
        for (int i = 0; i < paths.length && all; i++) {
            for (Iterator j = alternatives(StringUtils.unEscapeString(paths[i])).iterator(); j.hasNext() && all;) {
                String path = qualified(fixed((String) j.next()), conf);
                all = folders.size() < PATHS_LIMIT || folders.contains(path);
                if (all) {
                    folders.add(path);
                }
            }
        }
        files(reads, folders, Arrays.asList(new String[] {"value"}));
        return paths.length > 0 && all;
    }

    /** The folders that a pattern lists: {a,b}/x is a/x and b/x. Too many of them, or nested lists, stay a pattern. */
    private static Collection alternatives(String pattern) {
        ArrayDeque waiting = new ArrayDeque();
        ArrayList folders = new ArrayList();
        waiting.add(pattern);
        while (!waiting.isEmpty()) {
            if (waiting.size() + folders.size() > PATHS_LIMIT) {
                return Collections.singletonList(pattern);
            }
            String path = (String) waiting.poll();
            int open = path.indexOf('{');
            int close = path.indexOf('}', open + 1);
            if (open < 0 || close < 0 || path.indexOf('/', close) < 0) { // for several files of a folder, the folder
                folders.add(path);
                continue;
            }
            String[] listed = path.substring(open + 1, close).split(",", -1);
            if (path.lastIndexOf('{', close) > open || listed.length > PATHS_LIMIT) {
                return Collections.singletonList(pattern);
            }
            for (int i = 0; i < listed.length; i++) {
                waiting.add(path.substring(0, open) + listed[i] + path.substring(close + 1));
            }
        }
        return folders;
    }

    /** The folder that contains all matches of a pattern; a path that is not a pattern is returned as it is. */
    private static String fixed(String path) {
        int special = path.length();
        for (int i = 0; i < path.length(); i++) {
            if ("*?[{".indexOf(path.charAt(i)) >= 0) {
                special = i;
                break;
            }
        }
        if (special == path.length()) {
            return path;
        }
        int slash = path.lastIndexOf('/', special);
        return slash > 0 ? path.substring(0, slash) : path;
    }

    /** The path qualified by Hadoop; a path with a scheme is qualified already. */
    public static String qualified(String path, Configuration conf) {
        try {
            Path parsed = new Path(path);
            if (parsed.toUri().getScheme() != null) {
                return parsed.toString();
            }
            return org.apache.hadoop.fs.FileSystem.get(conf).makeQualified(parsed).toString();
        } catch (Throwable t) {
            return path;
        }
    }

    private static void files(StringBuilder reads, Collection folders, Collection columns) {
        if (folders.isEmpty()) {
            return;
        }
        reads.append(reads.length() == 0 ? "" : ",").append("{\"d\":\"files\",\"paths\":");
        strings(reads, folders);
        reads.append(",\"columns\":");
        strings(reads, columns);
        reads.append('}');
    }

    private static void strings(StringBuilder out, Collection items) {
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
