package headwater;

import java.util.Locale;
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan;
import org.apache.spark.sql.execution.QueryExecution;

/** The SQL texts that statements were parsed from, and where in a script they stand. */
public final class SqlTexts {
    public static final int LIMIT = 1000000;
    /** How an SQL script runs the query of a FOR loop, and one whose rows it returns to the user. PySpark's own actions
     *  have other names. */
    public static final String LOOP = "toLocalIterator";
    private static final String RESULT = "collect";
    private static final int BEFORE_LIMIT = 200;
    private static final int DEPTH_LIMIT = 20;

    private SqlTexts() {}

    /** The text that a plan was parsed from, or null. Newer Sparks drop it at the root of CREATE statements; the query
     *  below still has the whole text, which begins with the statement and not with the query. */
    public static String of(LogicalPlan plan) {
        if (plan.origin().sqlText().isDefined()) {
            return (String) plan.origin().sqlText().get();
        }
        scala.collection.Iterator inside = plan.children().isEmpty()
            ? plan.innerChildren().iterator() : plan.children().iterator();
        Object query = inside.hasNext() ? inside.next() : null;
        if (query instanceof LogicalPlan && ((LogicalPlan) query).origin().sqlText().isDefined()) {
            String text = (String) ((LogicalPlan) query).origin().sqlText().get();
            String start = text.trim().toUpperCase(Locale.ROOT);
            return start.startsWith("CREATE") || start.startsWith("REPLACE") ? text : null;
        }
        return null;
    }

    /** The text that contains a command's query, if it is not the command's own: that of a script, of a frame, or of
     *  EXECUTE IMMEDIATE … INTO. Null if it is the same. */
    public static String within(LogicalPlan plan, String own) {
        boolean sets = own != null && SessionVariables.areChangedBy(plan);
        for (int depth = 0; plan != null && (own == null || sets) && depth < DEPTH_LIMIT; depth++) {
            if (plan.origin().sqlText().isDefined() && !plan.origin().sqlText().get().equals(own)) {
                return (String) plan.origin().sqlText().get();
            }
            LogicalPlan last = null;
            for (scala.collection.Iterator i = plan.children().iterator(); i.hasNext();) {
                last = (LogicalPlan) i.next();
            }
            for (scala.collection.Iterator i = plan.innerChildren().iterator(); i.hasNext() && last == null;) {
                Object inner = i.next();
                last = inner instanceof LogicalPlan ? (LogicalPlan) inner : null;
            }
            plan = last;
        }
        return null;
    }

    public static boolean isOfScript(Object name, QueryExecution execution) {
        if (execution == null || !(LOOP.equals(name) || RESULT.equals(name))) {
            return false;
        }
        String text = anySql(execution);
        return text != null && text.toUpperCase(Locale.ROOT).indexOf("BEGIN") >= 0;
    }

    /** The text that a query, or its leftmost descendant, was parsed from: of a script, all of it. */
    private static String anySql(QueryExecution execution) {
        try {
            LogicalPlan plan = execution.analyzed();
            for (int depth = 0; plan != null && depth < DEPTH_LIMIT; depth++) {
                if (plan.origin().sqlText().isDefined()) {
                    return (String) plan.origin().sqlText().get();
                }
                plan = plan.children().isEmpty() ? null : (LogicalPlan) plan.children().head();
            }
        } catch (Throwable t) {
            return null;
        }
        return null;
    }

    /** The text before the query of a FOR loop in its script: the name of the loop's row. */
    public static void before(StringBuilder out, QueryExecution execution) {
        String text = anySql(execution);
        int start = text.length();
        LogicalPlan plan = execution.analyzed();
        for (int depth = 0; plan != null && depth < DEPTH_LIMIT; depth++) {
            if (plan.origin().startIndex().isDefined() && plan.origin().sqlText().isDefined()
                && text.equals(plan.origin().sqlText().get())) {
                start = Math.min(start, ((Integer) plan.origin().startIndex().get()).intValue());
            }
            plan = plan.children().isEmpty() ? null : (LogicalPlan) plan.children().head();
        }
        out.append(",\"script\":");
        Json.string(out, text, LIMIT);
        if (start < text.length()) {
            out.append(",\"at\":").append(start);
        }
        out.append(",\"before\":");
        Json.string(out, text.substring(Math.max(0, start - BEFORE_LIMIT), start), LIMIT);
    }
}
