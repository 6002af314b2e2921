package headwater;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Iterator;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/** The options of a source or sink that name a dataset, or narrow what is overwritten. Others may contain secrets. */
public final class DatasetOptions {
    /** Options that identify a dataset, in lower case. */
    private static final Set NAMING = new HashSet(Arrays.asList(new String[] {
        "path", "url", "dbtable", "table", "topic", "subscribe", "assign", "subscribepattern", "kafka.bootstrap.servers",
        "project", "dataset", "sfurl", "sfdatabase", "sfschema", "branch", "tag", "snapshot-id", "as-of-timestamp"
    }));

    /** Options by which an overwriting writer replaces only a part of the table, in lower case. */
    private static final Set NARROWING = new HashSet(Arrays.asList(new String[] {
        "replacewhere", "replaceon", "replaceusing", "partitionoverwritemode", "overwrite-mode"
    }));

    private DatasetOptions() {}

    public static boolean nameSomething(Object value) {
        if (value instanceof scala.collection.Map) {
            for (scala.collection.Iterator i = ((scala.collection.Map) value).keysIterator(); i.hasNext();) {
                String key = String.valueOf(i.next()).toLowerCase(Locale.ROOT);
                if (NAMING.contains(key) || NARROWING.contains(key)) {
                    return true;
                }
            }
        }
        return false;
    }

    public static void describe(StringBuilder out, scala.collection.Map options) {
        ArrayList entries = new ArrayList();
        for (scala.collection.Iterator i = options.iterator(); i.hasNext();) {
            scala.Tuple2 entry = (scala.Tuple2) i.next();
            entries.add(new java.util.AbstractMap.SimpleEntry(entry._1(), entry._2()));
        }
        describe(out, entries.iterator());
    }

    public static void describe(StringBuilder out, Iterator entries) {
        out.append("{\"d\":\"options\"");
        while (entries.hasNext()) {
            Map.Entry entry = (Map.Entry) entries.next();
            String key = String.valueOf(entry.getKey()).toLowerCase(Locale.ROOT);
            if (NAMING.contains(key)) {
                DatasetJson.text(out, key, entry.getValue());
            } else if (NARROWING.contains(key)) {
                // A condition may contain data, and only its existence matters; a mode is a word.
                DatasetJson.text(out, key, key.endsWith("mode") ? entry.getValue() : "given");
            }
        }
        out.append('}');
    }
}
