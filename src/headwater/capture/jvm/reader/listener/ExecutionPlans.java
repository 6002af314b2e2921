package headwater;

import java.util.Collections;
import java.util.HashSet;
import java.util.Set;
import org.apache.spark.SparkContext;
import org.apache.spark.SparkContext$;
import org.apache.spark.sql.AnalysisException;
import org.apache.spark.sql.catalyst.plans.logical.Command;
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan;
import org.apache.spark.sql.catalyst.plans.logical.Union;
import org.apache.spark.sql.execution.QueryExecution;
import org.apache.spark.sql.execution.ui.SparkListenerSQLExecutionStart;
import org.apache.spark.sql.internal.SessionState;
import scala.Option;

/**
 * The plans of executions, as parts of messages. When a limit is reached, only the root of a plan is read: its outputs
 * are known, but not its inputs.
 */
public final class ExecutionPlans {
    private static final int ONLY_THE_ROOT = 0;
    private static final String OVERWRITE_MODE = "spark.sql.sources.partitionOverwriteMode";
    /** Settings by which a session stages its writes to some of Iceberg's tables until they are published. */
    private static final String[] STAGING = {"spark.wap.id", "spark.wap.branch"};

    private final long planMillis;
    private final int planChars;
    private final boolean readQueries;
    private final Limits limits;
    private final MessageQueue messages;
    private final Set overwritesPartitions = Collections.synchronizedSet(new HashSet());
    private final Set staging = Collections.synchronizedSet(new HashSet());

    public ExecutionPlans(
            long planMillis, int planChars, boolean readQueries, Limits limits, MessageQueue messages) {
        this.planMillis = planMillis;
        this.planChars = planChars;
        this.readQueries = readQueries;
        this.limits = limits;
        this.messages = messages;
    }

    /** Notes the settings of an execution's session that decide what it overwrites. */
    public void started(Long id, SparkListenerSQLExecutionStart event) {
        if ("dynamic".equalsIgnoreCase(setting(event, OVERWRITE_MODE))) {
            overwritesPartitions.add(id);
        }
        for (int i = 0; i < STAGING.length; i++) {
            if (setting(event, STAGING[i]) != null) {
                staging.add(id);
            }
        }
    }

    /** Forgets an execution. */
    public void ended(Long id) {
        overwritesPartitions.remove(id);
        staging.remove(id);
    }

    /** Appends the plan and returns true if the execution writes; queries that only read are skipped unless the settings
     *  include them. */
    public boolean append(StringBuilder out, Long id, QueryExecution execution, boolean nested, boolean linked) {
        int start = out.length();
        long before = System.nanoTime();
        try {
            LogicalPlan plan = execution.analyzed();
            // A micro-batch announces its plan twice, as the root and once more inside it.
            boolean relevant = linked || (isMicroBatch(plan) ? !nested
                : isCommand(plan) ? runsItsCommand(execution) : readQueries && !nested);
            if (!relevant) {
                return false;
            }
            if (overwritesPartitions.contains(id)) {
                out.append(",\"dynamic\":true");
            }
            if (staging.contains(id)) {
                out.append(",\"staging\":true");
            }
            String limit = limits.reached();
            Object session = Reflection.call(Reflection.call(execution, "sparkSession"), "sessionUUID");
            out.append(",\"session\":").append(session == null ? "null" : Json.quote(session.toString()));
            if (isCommand(plan)) {
                database(out, execution);
            }
            String read = PlanReader.read(plan, planMillis, limit == null ? planChars : ONLY_THE_ROOT);
            out.append(",\"plan\":").append(read);
            if (isInCatalogs(read)) {
                CatalogSettings.append(out, (SessionState) Reflection.call(Reflection.call(execution, "sparkSession"), "sessionState"));
            }
            if (limit != null) {
                messages.limited();
                out.append(",\"limit\":\"").append(limit).append('"');
            }
            String sql = nested ? null : SqlTexts.of(plan);
            if (sql != null) {
                out.append(",\"sql\":");
                Json.string(out, sql, SqlTexts.LIMIT);
            }
            String within = nested ? null : SqlTexts.within(plan, sql);
            if (within != null) {
                out.append(",\"within\":");
                Json.string(out, within, SqlTexts.LIMIT);
            }
            return true;
        } catch (Throwable t) {
            out.setLength(start);
            if (!(t instanceof AnalysisException)) { // a statement that Spark refused has no plan
                messages.failed(t);
            }
            return false;
        } finally {
            limits.spentSince(before);
        }
    }

    /** Appends the current database, which a command's unqualified table names belong to. */
    private static void database(StringBuilder out, QueryExecution execution) {
        Object state = Reflection.call(Reflection.call(execution, "sparkSession"), "sessionState");
        Object database = Reflection.call(Reflection.call(state, "catalog"), "getCurrentDatabase");
        if (database != null) {
            out.append(",\"database\":").append(Json.quote(database.toString()));
        }
    }

    /** A setting of a statement's session, or null. The session may have changed by now: the event has the settings
     *  that differ from the application's. */
    private static String setting(SparkListenerSQLExecutionStart event, String name) {
        Object changed = Reflection.call(event, "modifiedConfigs");
        if (changed instanceof scala.collection.Map) {
            Option value = ((scala.collection.Map) changed).get(name);
            if (value.isDefined()) {
                return String.valueOf(value.get());
            }
        }
        // Not SparkEnv: since Spark 4.3 its methods use classes that Spark does not ship, and the compiler loads them all.
        Option context = SparkContext$.MODULE$.getActive();
        return context.isDefined() ? ((SparkContext) context.get()).conf().get(name, null) : null;
    }

    /** Whether a plan names something by a catalog. */
    private static boolean isInCatalogs(String plan) {
        return plan.contains("{\"d\":\"catalog\"") || plan.contains("{\"d\":\"view\"");
    }

    private static boolean isMicroBatch(LogicalPlan plan) {
        return plan.getClass().getSimpleName().startsWith("WriteToMicroBatchDataSource");
    }

    private static boolean isCommand(LogicalPlan plan) {
        if (plan instanceof Command) {
            return true;
        }
        if (plan instanceof Union) {
            scala.collection.Iterator branches = ((Union) plan).children().iterator();
            while (branches.hasNext()) {
                if (branches.next() instanceof Command) {
                    return true;
                }
            }
        }
        return false;
    }

    /** spark.sql("INSERT …").collect() runs the command once, in a query execution of its own; the collect, in mode ALL,
     *  only repeats the plan and writes nothing. */
    private static boolean runsItsCommand(QueryExecution execution) {
        return !"ALL".equals(String.valueOf(execution.mode()));
    }
}
