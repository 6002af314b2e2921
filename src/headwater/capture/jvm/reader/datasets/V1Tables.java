package headwater;

import java.util.ArrayList;
import java.util.List;
import org.apache.spark.sql.catalyst.TableIdentifier;
import org.apache.spark.sql.catalyst.catalog.CatalogStorageFormat;
import org.apache.spark.sql.catalyst.catalog.CatalogTable;
import scala.Option;

/** Tables of Spark's own catalog, and the storage that a command names without one. */
public final class V1Tables {
    private V1Tables() {}

    public static void describe(StringBuilder out, CatalogTable table) {
        describe(out, table, null, null);
    }

    /** A table with its columns, for commands that create it without a query. */
    public static void describeWithColumns(StringBuilder out, CatalogTable table) {
        describe(out, table, null, table.schema());
    }

    public static void describe(StringBuilder out, CatalogTable table, Object version, Object schema) {
        out.append("{\"d\":\"table\",\"name\":");
        DatasetJson.names(out, identifier(table.identifier()));
        DatasetJson.text(out, "version", version);
        DatasetJson.schema(out, schema);
        Option location = table.storage().locationUri();
        DatasetJson.text(out, "location", location.isDefined() ? DatasetJson.place(location.get()) : null);
        DatasetJson.text(out, "provider", table.provider().isDefined() ? table.provider().get() : null);
        DatasetJson.text(out, "type", table.tableType().name());
        identity(out, table.properties().get("openlineage.dataset.namespace"),
            table.properties().get("openlineage.dataset.name"), table.properties().get("openlineage.dataset.query"));
        out.append('}');
    }

    private static void identity(StringBuilder out, Option namespace, Option name, Option query) {
        DatasetJson.text(out, "namespace", namespace.isDefined() ? namespace.get() : null);
        DatasetJson.text(out, "identity", name.isDefined() ? name.get() : null);
        DatasetJson.text(out, "query", query.isDefined() ? query.get() : null);
    }

    public static void storage(StringBuilder out, CatalogStorageFormat storage) {
        out.append("{\"d\":\"files\",\"paths\":[");
        if (storage.locationUri().isDefined()) {
            Json.string(out, DatasetJson.place(storage.locationUri().get()), DatasetJson.NAME_LIMIT);
        }
        out.append("]}");
    }

    public static List identifier(TableIdentifier id) {
        ArrayList parts = new ArrayList();
        Object catalog = Reflection.call(id, "catalog");
        if (catalog != null) {
            parts.add(catalog);
        }
        if (id.database().isDefined()) {
            parts.add(id.database().get());
        }
        parts.add(id.table());
        return parts;
    }
}
