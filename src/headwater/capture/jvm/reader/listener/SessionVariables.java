package headwater;

import java.util.Arrays;
import java.util.HashSet;
import java.util.Set;
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan;
import org.apache.spark.sql.execution.QueryExecution;
import scala.Option;

/** The SQL variables of a session: which commands change one, and which object each is now. */
public final class SessionVariables {
    /** Commands that change a variable when they succeed, and not before. */
    private static final Set VARIABLES = new HashSet(Arrays.asList(new String[] {
        "CreateVariable", "SetVariable", "DropVariable", "FetchCursor"
    }));
    private static final int VARIABLES_LIMIT = 1000;

    private SessionVariables() {}

    public static boolean areChangedBy(QueryExecution execution) {
        try {
            return areChangedBy(execution.analyzed());
        } catch (Throwable t) {
            return false; // the analysis failed, and so did the statement
        }
    }

    public static boolean areChangedBy(LogicalPlan command) {
        return VARIABLES.contains(command.getClass().getSimpleName());
    }

    /** The object that each variable of the session is now. A plan that is older than the last SET of a variable refers
     *  to an older object. */
    public static void definitions(StringBuilder out, QueryExecution execution) {
        Option at = execution.analyzed().origin().startIndex();
        if (at.isDefined()) {
            out.append(",\"at\":").append(at.get());
        }
        Object state = Reflection.call(Reflection.call(execution, "sparkSession"), "sessionState");
        Object manager = Reflection.call(Reflection.call(state, "catalogManager"), "tempVariableManager");
        Object variables = manager == null ? null : Reflection.field(manager, "variables");
        if (!(variables instanceof scala.collection.Map)) {
            return;
        }
        out.append(",\"definitions\":{");
        synchronized (manager) {
            scala.collection.Iterator i = ((scala.collection.Map) variables).iterator();
            for (int count = 0; i.hasNext() && count < VARIABLES_LIMIT; count++) {
                scala.Tuple2 entry = (scala.Tuple2) i.next();
                out.append(count > 0 ? "," : "").append(Json.quote(String.valueOf(entry._1())))
                    .append(':').append(System.identityHashCode(entry._2()));
            }
        }
        out.append('}');
    }
}
