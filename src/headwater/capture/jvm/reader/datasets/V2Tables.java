package headwater;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import org.apache.spark.sql.catalyst.TableIdentifier;
import org.apache.spark.sql.catalyst.catalog.CatalogTable;
import org.apache.spark.sql.connector.catalog.Table;
import org.apache.spark.sql.execution.datasources.jdbc.JDBCOptions;

/** Tables of the second data source API: those of Iceberg, Delta and other catalogs, and the source of Delta's CLONE. */
public final class V2Tables {
    private V2Tables() {}

    public static void describe(StringBuilder out, Table table) {
        String kind = table.getClass().getSimpleName();
        if (kind.equals("RowLevelOperationTable") && Reflection.call(table, "table") instanceof Table) {
            describe(out, (Table) Reflection.call(table, "table"));
            return;
        }
        Object timeTravel = Reflection.call(table, "timeTravelOpt"); // Delta's, if it is not the latest version
        Object version = timeTravel == null
            ? Reflection.call(table, "snapshotId") : Reflection.call(timeTravel, "version");
        Object schema = timeTravel == null ? null : latestSchema(Reflection.call(table, "deltaLog"));
        Object known = Reflection.call(table, "v1Table");
        if (known instanceof CatalogTable) {
            V1Tables.describe(out, (CatalogTable) known, timeTravel == null ? null : version, schema);
            return;
        }
        Object options = Reflection.call(table, "jdbcOptions");
        if (options instanceof JDBCOptions) {
            JdbcRelations.describe(out, (JDBCOptions) options, null);
            return;
        }
        out.append("{\"d\":\"v2\",\"class\":");
        Json.string(out, table.getClass().getName(), DatasetJson.NAME_LIMIT);
        DatasetJson.text(out, "name", Reflection.call(table, "name"));
        DatasetJson.schema(out, schema);
        iceberg(out, table);
        if (Streams.isTelling(kind)) {
            DatasetJson.text(out, "text", table.toString());
        }
        Map properties = (Map) Reflection.call(table, "properties");
        if (properties != null) {
            DatasetJson.text(out, "location", properties.get("location"));
            DatasetJson.text(out, "provider", properties.get("provider"));
            DatasetJson.text(out, "namespace", properties.get("openlineage.dataset.namespace"));
            DatasetJson.text(out, "identity", properties.get("openlineage.dataset.name"));
            DatasetJson.text(out, "query", properties.get("openlineage.dataset.query"));
            if ("true".equalsIgnoreCase((String) properties.get("write.wap.enabled"))) {
                out.append(",\"staging\":true");
            }
        }
        if (version == null && properties != null && properties.get("current-snapshot-id") != null) {
            version = "none".equals(properties.get("current-snapshot-id")) ? null : properties.get("current-snapshot-id");
        }
        DatasetJson.text(out, "version", version);
        DatasetJson.text(out, "branch", Reflection.call(table, "branch"));
        Object paths = Reflection.call(table, "paths");
        if (paths instanceof scala.collection.Seq) {
            DatasetJson.paths(out, DatasetJson.javaIterator(((scala.collection.Seq) paths).iterator()));
        }
        out.append('}');
    }

    /** What Iceberg offers beside a table's rows: metadata tables, with columns of their own, and its changes. */
    private static void iceberg(StringBuilder out, Table table) {
        Object changed = table.getClass().getSimpleName().equals("SparkChangelogTable")
            ? Reflection.field(table, "icebergTable") : null;
        if (changed != null) {
            DatasetJson.text(out, "place", Reflection.call(changed, "location"));
            return;
        }
        Object inside = Reflection.call(table, "table");
        if (inside == null || !isAbout(inside.getClass())) {
            return;
        }
        out.append(",\"about\":[");
        Object columns = Reflection.call(Reflection.call(Reflection.field(inside, "table"), "schema"), "columns");
        if (columns instanceof List) {
            boolean first = true;
            for (Iterator i = ((List) columns).iterator(); i.hasNext(); first = false) {
                if (!first) {
                    out.append(',');
                }
                Json.string(out, String.valueOf(Reflection.call(i.next(), "name")), DatasetJson.NAME_LIMIT);
            }
        }
        out.append(']');
    }

    private static boolean isAbout(Class type) {
        for (Class above = type; above != null; above = above.getSuperclass()) {
            if (above.getName().equals("org.apache.iceberg.BaseMetadataTable")) {
                return true;
            }
        }
        return false;
    }

    /** The columns of a Delta table as of the last read of its log: an update might start a job. */
    private static Object latestSchema(Object log) {
        return Reflection.call(Reflection.call(Reflection.call(log, "unsafeVolatileSnapshot"), "metadata"), "schema");
    }

    public static boolean isCloneSource(Object value) {
        String name = value.getClass().getName();
        return name.startsWith("org.apache.spark.sql.delta.") && name.endsWith("Source") && name.contains(".Clone");
    }

    /** The source of Delta's CLONE: a Delta table at a version, or a table of another format, of which only the name is
     *  read: its columns may have to be read from its files. */
    public static void cloneSource(StringBuilder out, Object source) {
        boolean delta = source.getClass().getSimpleName().equals("CloneDeltaSource");
        Object snapshot = delta ? Reflection.call(source, "snapshot") : null;
        Object schema = delta ? Reflection.call(source, "schema") : null;
        Object version = Reflection.call(snapshot, "version");
        Object known = Reflection.call(source, "catalogTable");
        if (known == null) {
            known = Reflection.field(source, "catalogTableOpt");
        }
        if (known instanceof CatalogTable) {
            V1Tables.describe(out, (CatalogTable) known, version, delta ? schema : ((CatalogTable) known).schema());
            return;
        }
        Object path = delta ? Reflection.call(source, "dataPath") : null;
        Object id = Reflection.field(source, "tableIdentifier");
        String format = delta ? "delta" : null;
        if (path == null && id instanceof TableIdentifier) {
            path = ((TableIdentifier) id).table();
            format = ((TableIdentifier) id).database().isDefined() ? (String) ((TableIdentifier) id).database().get() : null;
        }
        out.append("{\"d\":\"files\"");
        DatasetJson.text(out, "format", format);
        DatasetJson.text(out, "version", version);
        DatasetJson.schema(out, schema);
        DatasetJson.paths(out, (path == null ? new ArrayList() : Arrays.asList(new Object[] {path})).iterator());
        out.append('}');
    }
}
