package headwater;

import java.util.ArrayList;
import org.apache.spark.sql.catalyst.TableIdentifier;
import org.apache.spark.sql.catalyst.catalog.CatalogTable;
import org.apache.spark.sql.connector.catalog.CatalogManager;
import org.apache.spark.sql.connector.catalog.CatalogPlugin;
import org.apache.spark.sql.connector.catalog.Identifier;
import org.apache.spark.sql.connector.catalog.Table;
import org.apache.spark.sql.connector.catalog.TableCatalog;
import org.apache.spark.sql.internal.SessionState;
import scala.Option;

/** Looks up tables by name, for statements that leave no plan. Never on the listener's thread: a catalog may be slow. */
public final class CatalogTables {
    private static final String SPARKS_OWN = "spark_catalog";

    private CatalogTables() {}

    /**
     * A table of a catalog: {@code {"catalog": …, "name": […], "table": {"d": …}, "schema": {…}}}; without the last two
     * if there is no such table, or the catalog is unavailable.
     *
     * @param state the session's state
     * @param catalog the catalog of the name, unless the name begins with one itself
     * @param name the table's name as it was written: {@code db.t}, {@code `parquet`.`/in`}
     * @param current the name of the session's current catalog
     * @param namespace the parts of the session's current namespace, separated by NUL
     */
    public static String find(Object state, String catalog, String name, String current, String namespace)
            throws Exception {
        SessionState session = (SessionState) state;
        ArrayList parts = new ArrayList();
        for (scala.collection.Iterator i = session.sqlParser().parseMultipartIdentifier(name).iterator(); i.hasNext();) {
            parts.add(i.next());
        }
        CatalogManager catalogs = session.catalogManager();
        if (parts.size() > 1 && catalogs.isCatalogRegistered((String) parts.get(0))) {
            catalog = (String) parts.remove(0);
        }
        CatalogPlugin plugin = catalogs.catalog(catalog);
        if (parts.size() == 1) {
            String[] above = !plugin.name().equals(current) ? plugin.defaultNamespace()
                : namespace.length() == 0 ? new String[0] : namespace.split("\0");
            for (int i = 0; i < above.length; i++) {
                parts.add(i, above[i]);
            }
        }
        StringBuilder out = new StringBuilder("{\"catalog\":").append(Json.quote(catalog)).append(",\"name\":[");
        for (int i = 0; i < parts.size(); i++) {
            out.append(i == 0 ? "" : ",").append(Json.quote((String) parts.get(i)));
        }
        out.append(']');
        int start = out.length();
        try {
            table(out, session, plugin, parts);
        } catch (Throwable t) {
            out.setLength(start);
        }
        return out.append('}').toString();
    }

    private static void table(StringBuilder out, SessionState session, CatalogPlugin plugin, ArrayList parts)
            throws Exception {
        String name = (String) parts.get(parts.size() - 1);
        String[] namespace = new String[parts.size() - 1];
        for (int i = 0; i < namespace.length; i++) {
            namespace[i] = (String) parts.get(i);
        }
        if (plugin.name().equals(SPARKS_OWN) && namespace.length == 1) {
            CatalogTable known = session.catalog().getTableMetadata(new TableIdentifier(name, Option.apply(namespace[0])));
            out.append(",\"table\":");
            Datasets.describe(out, known);
            out.append(",\"schema\":").append(known.schema().json());
        } else if (plugin instanceof TableCatalog) {
            // Janino does not call static methods of interfaces.
            Object id = Identifier.class.getMethod("of", new Class[] {String[].class, String.class})
                .invoke(null, new Object[] {namespace, name});
            Table table = ((TableCatalog) plugin).loadTable((Identifier) id);
            out.append(",\"table\":");
            Datasets.describe(out, table);
            out.append(",\"schema\":").append(table.schema().json());
        }
    }
}
