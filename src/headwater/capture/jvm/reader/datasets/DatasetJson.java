package headwater;

import java.net.URI;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import org.apache.hadoop.fs.Path;
import org.apache.spark.sql.types.StructType;

/** The parts that descriptions of datasets are made of: names, locations, texts, schemas. */
public final class DatasetJson {
    public static final int NAME_LIMIT = 4096;
    private static final int QUERY_LIMIT = 1000000;
    private static final int PATHS_LIMIT = 2000;

    private DatasetJson() {}

    public static void text(StringBuilder out, String key, Object value) {
        if (value != null) {
            out.append(",\"").append(key).append("\":");
            Json.string(out, value.toString(), QUERY_LIMIT);
        }
    }

    public static void names(StringBuilder out, List parts) {
        out.append('[');
        for (Iterator i = parts.iterator(); i.hasNext();) {
            Json.string(out, i.next().toString(), NAME_LIMIT);
            if (i.hasNext()) {
                out.append(',');
            }
        }
        out.append(']');
    }

    /** The locations that are read, and whether there are too many to list. */
    public static void paths(StringBuilder out, Iterator items) {
        out.append(",\"paths\":[");
        for (int count = 0; items.hasNext() && count < PATHS_LIMIT; count++) {
            if (count > 0) {
                out.append(',');
            }
            Json.string(out, items.next().toString(), NAME_LIMIT);
        }
        out.append(']');
        if (items.hasNext()) {
            out.append(",\"known\":false");
        }
    }

    public static Iterator javaIterator(scala.collection.Iterator items) {
        ArrayList first = new ArrayList();
        while (items.hasNext() && first.size() <= PATHS_LIMIT) {
            first.add(items.next());
        }
        return first.iterator();
    }

    public static void schema(StringBuilder out, Object schema) {
        if (schema instanceof StructType) {
            out.append(",\"schema\":").append(((StructType) schema).json());
        }
    }

    /** A catalog keeps locations as URIs, with %20 for a blank; everywhere else they are written as paths. */
    public static String place(Object uri) {
        return uri instanceof URI ? new Path((URI) uri).toString() : String.valueOf(uri);
    }
}
