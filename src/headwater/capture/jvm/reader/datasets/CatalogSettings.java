package headwater;

import java.util.Arrays;
import java.util.HashSet;
import java.util.Iterator;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.apache.spark.sql.internal.SessionState;

/** The settings of a session's catalogs that say where they keep their tables. Each session may have others. */
public final class CatalogSettings {
    private static final String PREFIX = "spark.sql.catalog.";
    private static final Set SETTINGS = new HashSet(Arrays.asList(new String[] {
        "", "type", "catalog-impl", "warehouse", "uri", "url"
    }));

    private CatalogSettings() {}

    /** Appends {@code "catalogs": {"lake": {"": the class, "type": …, "warehouse": …}, …}}, unless there are none. */
    public static void append(StringBuilder out, SessionState session) {
        TreeMap catalogs = new TreeMap();
        scala.collection.Iterator settings = session.conf().getAllConfs().iterator();
        while (settings.hasNext()) {
            scala.Tuple2 setting = (scala.Tuple2) settings.next();
            String key = String.valueOf(setting._1());
            if (!key.startsWith(PREFIX)) {
                continue;
            }
            int dot = key.indexOf('.', PREFIX.length());
            String name = dot < 0 ? key.substring(PREFIX.length()) : key.substring(PREFIX.length(), dot);
            String inside = dot < 0 ? "" : key.substring(dot + 1);
            if (SETTINGS.contains(inside)) {
                if (!catalogs.containsKey(name)) {
                    catalogs.put(name, new TreeMap());
                }
                ((Map) catalogs.get(name)).put(inside, setting._2());
            }
        }
        if (!catalogs.isEmpty()) {
            out.append(",\"catalogs\":");
            object(out, catalogs);
        }
    }

    private static void object(StringBuilder out, Map entries) {
        char before = '{';
        for (Iterator i = entries.entrySet().iterator(); i.hasNext(); before = ',') {
            Map.Entry entry = (Map.Entry) i.next();
            out.append(before);
            Json.string(out, String.valueOf(entry.getKey()), DatasetJson.NAME_LIMIT);
            out.append(':');
            if (entry.getValue() instanceof Map) {
                object(out, (Map) entry.getValue());
            } else {
                Json.string(out, String.valueOf(entry.getValue()), DatasetJson.NAME_LIMIT);
            }
        }
        out.append('}');
    }
}
