package headwater;

import java.util.Collections;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.hadoop.fs.Path;
import org.apache.spark.SparkContext;
import org.apache.spark.sql.catalyst.catalog.CatalogTable;
import org.apache.spark.sql.catalyst.catalog.CreateTablePreEvent;
import org.apache.spark.sql.catalyst.catalog.DropDatabasePreEvent;
import org.apache.spark.sql.catalyst.catalog.DropTablePreEvent;
import org.apache.spark.sql.catalyst.catalog.ExternalCatalogEvent;
import org.apache.spark.sql.catalyst.catalog.ExternalCatalogEventListener;
import org.apache.spark.sql.catalyst.catalog.ExternalCatalogWithListener;
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan;

/**
 * Gets from Spark's own catalog what a plan does not have: where a table is, which tables a dropped database contained,
 * and whether a table of CREATE … IF NOT EXISTS existed already.
 *
 * The catalog calls {@code onEvent} in the thread of the statement, before anything is created or dropped: afterwards it
 * would be too late. This class never starts the catalog (a metastore may be far away), and catches every Throwable.
 */
public class Tables implements ExternalCatalogEventListener {
    private static final String EXECUTION_ID = "spark.sql.execution.id";
    private static final int TABLES_LIMIT = 1000;

    private final SparkContext context;
    private final Object sharedState;
    private final Map dropped = new ConcurrentHashMap();
    private final Set created = Collections.synchronizedSet(new HashSet());
    private volatile ExternalCatalogWithListener catalog;
    private volatile long since = Long.MAX_VALUE;
    private boolean removed;

    public Tables(SparkContext context, Object sharedState) {
        this.context = context;
        this.sharedState = sharedState;
        listen();
    }

    /** Listens to the catalog as soon as there is one: a session that needs none must not get one for this. */
    public final synchronized void listen() {
        if (catalog == null && !removed) {
            Object external = Reflection.field(sharedState, "externalCatalog");
            if (external instanceof ExternalCatalogWithListener) {
                catalog = (ExternalCatalogWithListener) external;
                catalog.addListener(this);
                since = System.currentTimeMillis();
            }
        }
    }

    public synchronized void remove() {
        removed = true;
        if (catalog != null) {
            catalog.removeListener(this);
        }
    }

    public void onEvent(ExternalCatalogEvent event) {
        try {
            String id = context.getLocalProperty(EXECUTION_ID);
            if (id == null) {
                return;
            }
            if (event instanceof CreateTablePreEvent) {
                CreateTablePreEvent create = (CreateTablePreEvent) event;
                if (!catalog.tableExists(create.database(), create.name())) {
                    created.add(Long.valueOf(id));
                }
                return;
            }
            StringBuilder out = new StringBuilder("{\"tables\":[");
            boolean known = true;
            if (event instanceof DropTablePreEvent) {
                DropTablePreEvent drop = (DropTablePreEvent) event;
                Datasets.describe(out, catalog.getTable(drop.database(), drop.name()));
            } else if (event instanceof DropDatabasePreEvent) {
                String database = ((DropDatabasePreEvent) event).database();
                known = catalog.listTables(database).size() <= TABLES_LIMIT;
                if (known) {
                    all(out, catalog.getTablesByName(database, catalog.listTables(database)).iterator());
                }
            } else {
                return;
            }
            dropped.put(Long.valueOf(id), out.append("],\"known\":").append(known).append('}').toString());
        } catch (Throwable t) {
            return; // the statement continues; what it drops is then reported as unknown
        }
    }

    private static void all(StringBuilder out, scala.collection.Iterator tables) {
        while (tables.hasNext()) {
            Datasets.describe(out, tables.next());
            if (tables.hasNext()) {
                out.append(',');
            }
        }
    }

    /** Whether all catalog events of a statement are seen: the listener was there before it began. */
    public boolean sees(long statementTime) {
        return statementTime > since;
    }

    /** The tables that an execution dropped, as JSON; null if none was seen. Called once, at its end. */
    public String dropped(Long id) {
        return (String) dropped.remove(id);
    }

    /** Whether a plan drops something of Spark's own catalog, which reports each table. A catalog in its place may keep
     *  some tables elsewhere; Delta's only delegates to the one behind it. */
    public static boolean isWatchedDrop(LogicalPlan plan) {
        String kind = plan.getClass().getSimpleName();
        Object named = kind.equals("DropTable") ? Reflection.call(plan, "child")
            : kind.equals("DropNamespace") ? Reflection.call(plan, "namespace") : null;
        return isOwn(Reflection.call(named, "catalog")) || kind.equals("DropTableCommand")
            || kind.equals("DropDatabaseCommand");
    }

    /** Whether a plan creates a table or a view of Spark's own catalog. */
    public static boolean isWatchedCreation(LogicalPlan plan) {
        String kind = plan.getClass().getSimpleName();
        return kind.startsWith("Create")
            && (kind.endsWith("Command") || isOwn(Reflection.call(Reflection.call(plan, "name"), "catalog")));
    }

    private static boolean isOwn(Object catalog) {
        if (catalog != null && catalog.getClass().getName().startsWith("org.apache.spark.sql.delta.catalog.")) {
            catalog = Reflection.field(catalog, "delegate");
        }
        return catalog != null && catalog.getClass().getSimpleName().equals("V2SessionCatalog");
    }

    /** Whether an execution created a table that did not exist before. Called once, at its end. */
    public boolean created(Long id) {
        return created.remove(id);
    }

    /** Where the catalog puts a new table that names no location itself; null if that is unknown. */
    public String place(String database, String name) {
        try {
            listen();
            return catalog == null ? null
                : new Path(DatasetJson.place(catalog.getDatabase(database).locationUri()), name).toString();
        } catch (Throwable t) {
            return null;
        }
    }

    /** A table of the catalog as JSON, with its columns; null if there is none. */
    public String find(String database, String name) {
        try {
            listen();
            if (catalog == null) {
                return null;
            }
            CatalogTable table = catalog.getTable(database, name);
            StringBuilder out = new StringBuilder("{\"table\":");
            Datasets.describe(out, table);
            return out.append(",\"managed\":").append("MANAGED".equals(table.tableType().name()))
                .append(",\"schema\":").append(table.schema().json()).append('}').toString();
        } catch (Throwable t) {
            return null;
        }
    }
}
