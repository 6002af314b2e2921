package headwater;

import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import org.apache.hadoop.fs.Path;
import org.apache.spark.rdd.RDD;
import org.apache.spark.sql.catalyst.TableIdentifier;
import org.apache.spark.sql.catalyst.catalog.CatalogTable;
import org.apache.spark.sql.connector.catalog.CatalogPlugin;
import org.apache.spark.sql.connector.catalog.Identifier;
import org.apache.spark.sql.connector.catalog.Table;
import org.apache.spark.sql.execution.datasources.HadoopFsRelation;
import org.apache.spark.sql.sources.BaseRelation;
import org.apache.spark.sql.sources.DataSourceRegister;
import scala.Option;

/**
 * Says what names a dataset: the values in a plan's leaves and sinks that are neither plans nor expressions.
 * Options and properties are never copied whole: they hold secrets.
 */
public final class Datasets {
    private static final int NAME_LIMIT = 4096;
    private static final int PATHS_LIMIT = 1000;

    private Datasets() {}

    /** Appends a description of {@code value} and returns true, or returns false if it names no dataset. */
    public static boolean describe(StringBuilder out, Object value) {
        if (value instanceof Path) {
            Json.string(out, value.toString(), NAME_LIMIT);
        } else if (value instanceof CatalogTable) {
            catalogTable(out, (CatalogTable) value);
        } else if (value instanceof TableIdentifier) {
            names(out, identifier((TableIdentifier) value));
        } else if (value instanceof HadoopFsRelation) {
            files(out, (HadoopFsRelation) value);
        } else if (value instanceof BaseRelation) {
            kind(out, "relation", value);
        } else if (value instanceof Identifier) {
            Identifier id = (Identifier) value;
            ArrayList parts = new ArrayList();
            String[] namespace = id.namespace();
            for (int i = 0; i < namespace.length; i++) {
                parts.add(namespace[i]);
            }
            parts.add(id.name());
            names(out, parts);
        } else if (value instanceof CatalogPlugin) {
            Json.string(out, ((CatalogPlugin) value).name(), NAME_LIMIT);
        } else if (value instanceof Table) {
            v2Table(out, (Table) value);
        } else if (value instanceof DataSourceRegister) {
            Json.string(out, ((DataSourceRegister) value).shortName(), NAME_LIMIT);
        } else if (value instanceof RDD) {
            Rdds.describe(out, (RDD) value);
        } else {
            return false;
        }
        return true;
    }

    private static void catalogTable(StringBuilder out, CatalogTable table) {
        out.append("{\"d\":\"table\",\"name\":");
        names(out, identifier(table.identifier()));
        Option location = table.storage().locationUri();
        if (location.isDefined()) {
            out.append(",\"location\":");
            Json.string(out, location.get().toString(), NAME_LIMIT);
        }
        if (table.provider().isDefined()) {
            out.append(",\"provider\":");
            Json.string(out, (String) table.provider().get(), NAME_LIMIT);
        }
        out.append(",\"type\":");
        Json.string(out, table.tableType().name(), NAME_LIMIT);
        out.append('}');
    }

    private static List identifier(TableIdentifier id) {
        ArrayList parts = new ArrayList();
        Option catalog = catalogOf(id);
        if (catalog != null && catalog.isDefined()) {
            parts.add(catalog.get());
        }
        if (id.database().isDefined()) {
            parts.add(id.database().get());
        }
        parts.add(id.table());
        return parts;
    }

    /** Spark 3.3 gave TableIdentifier a catalog; asked by name so that a Spark without it still compiles this. */
    private static Option catalogOf(TableIdentifier id) {
        try {
            Method catalog = TableIdentifier.class.getMethod("catalog", new Class[0]);
            return (Option) catalog.invoke(id, new Object[0]);
        } catch (Exception e) {
            return null;
        }
    }

    private static void files(StringBuilder out, HadoopFsRelation relation) {
        out.append("{\"d\":\"files\",\"format\":");
        Object format = relation.fileFormat();
        if (format instanceof DataSourceRegister) {
            Json.string(out, ((DataSourceRegister) format).shortName(), NAME_LIMIT);
        } else {
            Json.string(out, format.getClass().getSimpleName(), NAME_LIMIT);
        }
        out.append(",\"paths\":[");
        scala.collection.Iterator paths = relation.location().rootPaths().iterator();
        int count = 0;
        while (paths.hasNext() && count < PATHS_LIMIT) {
            if (count++ > 0) {
                out.append(',');
            }
            Json.string(out, paths.next().toString(), NAME_LIMIT);
        }
        out.append("]}");
    }

    private static void v2Table(StringBuilder out, Table table) {
        out.append("{\"d\":\"v2\",\"class\":");
        Json.string(out, table.getClass().getName(), NAME_LIMIT);
        out.append(",\"name\":");
        Json.string(out, String.valueOf(table.name()), NAME_LIMIT);
        property(out, table, "location");
        property(out, table, "provider");
        out.append('}');
    }

    private static void property(StringBuilder out, Table table, String key) {
        Object value = table.properties() == null ? null : table.properties().get(key);
        if (value != null) {
            out.append(",\"").append(key).append("\":");
            Json.string(out, value.toString(), NAME_LIMIT);
        }
    }

    private static void kind(StringBuilder out, String kind, Object value) {
        out.append("{\"d\":\"").append(kind).append("\",\"class\":");
        Json.string(out, value.getClass().getName(), NAME_LIMIT);
        out.append('}');
    }

    private static void names(StringBuilder out, List parts) {
        out.append('[');
        for (Iterator i = parts.iterator(); i.hasNext();) {
            Json.string(out, String.valueOf(i.next()), NAME_LIMIT);
            if (i.hasNext()) {
                out.append(',');
            }
        }
        out.append(']');
    }
}
