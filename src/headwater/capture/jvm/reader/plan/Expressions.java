package headwater;

import java.util.Arrays;
import java.util.IdentityHashMap;
import org.apache.spark.sql.catalyst.expressions.BinaryOperator;
import org.apache.spark.sql.catalyst.expressions.Cast;
import org.apache.spark.sql.catalyst.expressions.CreateNamedStruct;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.GetStructField;
import org.apache.spark.sql.catalyst.expressions.NamedExpression;
import org.apache.spark.sql.catalyst.expressions.RuntimeReplaceable;
import org.apache.spark.sql.catalyst.expressions.UpdateFields;
import org.apache.spark.sql.catalyst.expressions.WithField;
import org.apache.spark.sql.catalyst.expressions.aggregate.AggregateFunction;
import scala.Product;

/** What an expression knows about itself beside its constructor's fields. */
public final class Expressions {
    private static final int NAME_LIMIT = 10000;

    private Expressions() {}

    /** An expression that is replaced by another has it among its fields, or computes it on demand. An aggregate's is
     *  not read: it is full of conditions against nulls that are not in the user's query. */
    public static boolean hidesReplacement(Expression expression) {
        return expression instanceof RuntimeReplaceable && !(expression instanceof AggregateFunction)
            && !Arrays.asList(ClassFields.names((Product) expression)).contains("replacement");
    }

    public static String id(NamedExpression expression) {
        try {
            return String.valueOf(expression.exprId().id());
        } catch (Throwable t) {
            return "null";
        }
    }

    public static void prettyName(StringBuilder out, Expression expression) {
        int start = out.length();
        try {
            if (expression instanceof BinaryOperator) {
                Json.string(out, ((BinaryOperator) expression).sqlOperator(), NAME_LIMIT);
            } else if (expression instanceof Cast && !((Cast) expression).getTagValue(Cast.USER_SPECIFIED_CAST()).isDefined()) {
                out.append("\"\""); // the analyzer's own cast: not in the user's query, so it has no name
            } else {
                Json.string(out, expression.prettyName(), NAME_LIMIT);
            }
        } catch (Throwable t) {
            out.setLength(start);
            out.append("null");
        }
    }

    /** For each field of the result, the field of the struct or the operation's value ("+1") that it is: only Spark
     *  knows how the session compares names. */
    public static void madeFields(StringBuilder out, UpdateFields update) {
        out.append(',');
        int start = out.length();
        try {
            IdentityHashMap origins = new IdentityHashMap();
            Expression struct = update.structExpr();
            if (struct instanceof CreateNamedStruct) {
                scala.collection.Iterator values = ((CreateNamedStruct) struct).valExprs().iterator();
                for (int i = 0; values.hasNext(); i++) {
                    origins.put(values.next(), String.valueOf(i));
                }
            }
            scala.collection.Iterator operations = update.fieldOps().iterator();
            for (int i = 0; operations.hasNext(); i++) {
                Object operation = operations.next();
                if (operation instanceof WithField) {
                    origins.put(((WithField) operation).valExpr(), "+" + i);
                }
            }
            out.append('"');
            scala.collection.Iterator fields = update.newExprs().iterator();
            while (fields.hasNext()) {
                Object field = fields.next();
                Object origin = origins.get(field);
                out.append(origin != null ? origin : String.valueOf(((GetStructField) field).ordinal())).append(' ');
            }
            out.append('"');
        } catch (Throwable t) {
            out.setLength(start);
            out.append("null");
        }
    }
}
