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
 * Says what is behind an RDD, as far as its dependencies lead: frames that were announced when they became RDDs, files,
 * or data of the job's own.
 *
 * <pre>
 * {"d": "rdd", "id": 7,
 *  "behind": [5],                                                       announced RDDs, which Python knows by number
 *  "reads": [{"d": "files", "paths": […], "columns": ["value"]}, …],    what is read besides
 *  "known": true}                                                       whether that is all there is
 * </pre>
 *
 * The RDDs that a query runs as do not say all that it reads: a broadcast table and a subquery's are not among their
 * dependencies. So a query that was not announced is never all known.
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

    /** Remembers that Python knows what is behind an RDD; the oldest are forgotten. */
    public static void announce(RDD rdd) {
        ANNOUNCED.put(Integer.valueOf(rdd.id()), Boolean.TRUE);
    }

    public static boolean isAnnounced(RDD rdd) {
        return ANNOUNCED.containsKey(Integer.valueOf(rdd.id()));
    }

    /** Nobody knows any more what was announced. */
    public static void forget() {
        ANNOUNCED.clear();
    }

    /** Appends what is behind an RDD. */
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
            above(waiting, rdd);
        }
        out.append("{\"d\":\"rdd\",\"id\":").append(root.id()).append(",\"known\":").append(known)
            .append(",\"behind\":").append(behind).append(",\"reads\":[").append(reads).append("]}");
    }

    /** Adds what an RDD depends on. A union would list the files of all its parts in order to say it. */
    private static void above(ArrayDeque waiting, RDD rdd) {
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

    /** Appends what an RDD reads by itself; false if there may be more than it, or those that it depends on, say. */
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

    /** What a Hadoop format reads, if that is files: the name that Spark gives to such an RDD is the path, too. */
    private static boolean hadoop(StringBuilder reads, Configuration conf, String name) {
        String given = conf == null ? null : conf.get(INPUT);
        String[] paths = given == null || given.isEmpty() ? new String[0] : StringUtils.split(given);
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

    /** The folders that a pattern lists: {a,b}/x is a/x and b/x. Too many of them, or lists in lists, stay a pattern. */
    private static Collection alternatives(String pattern) {
        ArrayDeque waiting = new ArrayDeque();
        ArrayList found = new ArrayList();
        waiting.add(pattern);
        while (!waiting.isEmpty()) {
            if (waiting.size() + found.size() > PATHS_LIMIT) {
                return Collections.singletonList(pattern);
            }
            String path = (String) waiting.poll();
            int open = path.indexOf('{');
            int close = path.indexOf('}', open + 1);
            if (open < 0 || close < 0 || path.indexOf('/', close) < 0) { // of several files in a folder, the folder
                found.add(path);
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
        return found;
    }

    /** The folder that all matches of a pattern lie in; a path that is no pattern is itself. */
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

    /** The place as Hadoop would name it; only a path without a scheme needs to be worked out. */
    public static String qualified(String path, Configuration conf) {
        try {
            Path given = new Path(path);
            if (given.toUri().getScheme() != null) {
                return given.toString();
            }
            return org.apache.hadoop.fs.FileSystem.get(conf).makeQualified(given).toString();
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
