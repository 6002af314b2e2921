package headwater;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.Set;
import org.apache.spark.sql.catalyst.AliasIdentifier;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.catalog.CatalogTable;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.catalyst.expressions.Cast;
import org.apache.spark.sql.catalyst.expressions.ExprId;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.GetStructField;
import org.apache.spark.sql.catalyst.expressions.Literal;
import org.apache.spark.sql.catalyst.expressions.NamedExpression;
import org.apache.spark.sql.catalyst.expressions.RuntimeReplaceable;
import org.apache.spark.sql.catalyst.expressions.UpdateFields;
import org.apache.spark.sql.catalyst.plans.logical.AlterTableCommand;
import org.apache.spark.sql.catalyst.plans.logical.Command;
import org.apache.spark.sql.catalyst.plans.logical.LeafNode;
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan;
import org.apache.spark.sql.catalyst.plans.logical.Project;
import org.apache.spark.sql.catalyst.plans.logical.SubqueryAlias;
import org.apache.spark.sql.connector.catalog.TableChange;
import org.apache.spark.sql.types.ArrayType;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.MapType;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.unsafe.types.UTF8String;
import scala.Option;
import scala.Product;

/**
 * Reads one logical plan into a compact JSON text. It knows no operators: every constructor field of every node is
 * written under its own name, and Python decides what the names mean.
 *
 * <pre>
 * {"classes": [["p", "Project", ["projectList", "child"]], …],   the first number of a row is an index into these
 *  "types":   ["integer", {"type": "struct", …}, …],             Spark's own JSON for data types
 *  "nodes":   [[0, null, [1, 2], 3], …]}                         row 0 is the root
 *
 * plan row        [class, output or null, field, field, …]
 * attribute row   [class, id, name, type, nullable, true if it is a metadata column]
 * expression row  [class, id or null, pretty name, type or null, field, field, …]
 *
 * field: a bare number is another row; {"n": 5} a number, {"t": 2} a type, {"c": "Name"} a value of a class that
 * is not read (with "f", its own fields), {"d": …} a dataset; strings, booleans, null and lists are themselves.
 * </pre>
 *
 * Nothing here recurses into the plan: rows wait in a queue, so depth needs no stack. A row that is only "p" or "e" is
 * a plan or an expression that was not read because the budget ran out; "stopped" then names the budget.
 */
public final class PlanReader {
    /** Their output follows from their children's: the rules derive it, so it is not written again, except directly
     *  below a command, where it is the written data, and at the root, where it has nested types. */
    private static final Set OUTPUT_FOLLOWS = new HashSet(Arrays.asList(new String[] {
        "Project", "Filter", "Sort", "SubqueryAlias", "GlobalLimit", "LocalLimit", "Tail", "Offset", "Distinct",
        "Aggregate", "Join", "Union", "Repartition", "RepartitionByExpression", "ResolvedHint", "WithCTE"
    }));

    /** Their value depends on their own type, or on their child's. */
    private static final Set TYPED = new HashSet(Arrays.asList(new String[] {
        "Cast", "Literal", "GetStructField", "GetArrayItem", "GetMapValue", "ElementAt", "VariableReference"
    }));

    /** Fields of very many nodes that do not affect where a value comes from. */
    private static final Set NOT_WRITTEN = new HashSet(Arrays.asList(new String[] {
        "evalContext", "evalMode", "timeZoneId", "failOnError", "resultId", "sameOrderExpressions", "hint"
    }));

    private static final String EXPRESSIONS = "org.apache.spark.sql.catalyst.expressions.";
    /** Marks the metadata columns that a source offers beside those of its table: a file's name, a row's number. */
    private static final String HIDDEN = "__metadata_col";
    private static final int TEXT_LIMIT = 10000;
    private static final int LITERAL_LIMIT = 200;
    private static final int LITERALS_LIMIT = 1000;
    /** Leaves of which the plan has only values that Spark has already computed. */
    private static final Set WORKED_OUT = new HashSet(Arrays.asList(new String[] {"LocalRelation", "Range"}));
    private static final int NESTING_LIMIT = 6;

    private final long deadline;
    private final int sizeLimit;
    private final IdentityHashMap numbers = new IdentityHashMap();
    private final IdentityHashMap written = new IdentityHashMap();
    /** Plans come first, then attributes, then expressions: if the budget runs out, the inputs are known, and only the
     *  computations are not. */
    private final ArrayDeque waitingPlans = new ArrayDeque();
    private final ArrayDeque waitingAttributes = new ArrayDeque();
    private final ArrayDeque waiting = new ArrayDeque();
    private final ArrayList rows = new ArrayList();
    private final IdentityHashMap typeOf = new IdentityHashMap();
    private final HashMap typeNumbers = new HashMap();
    private final ArrayList types = new ArrayList();
    private final HashMap classNumbers = new HashMap();
    private final ArrayList classes = new ArrayList();
    private final SourceTexts texts = new SourceTexts();
    private int size;
    private String stopped;

    private PlanReader(long budgetMillis, int sizeLimit) {
        this.deadline = System.nanoTime() + budgetMillis * 1000000L;
        this.sizeLimit = sizeLimit;
    }

    public static String read(LogicalPlan plan, long budgetMillis, int sizeLimit) {
        PlanReader reader = new PlanReader(budgetMillis, sizeLimit);
        if (isNested(plan)) {
            reader.written.put(plan, plan); // the types have the names of the fields
        }
        reader.reference(plan);
        reader.drain();
        return reader.text();
    }

    private static boolean isNested(LogicalPlan plan) {
        try {
            scala.collection.Iterator attributes = plan.output().iterator();
            while (attributes.hasNext()) {
                DataType type = ((Attribute) attributes.next()).dataType();
                if (type instanceof StructType || type instanceof ArrayType || type instanceof MapType) {
                    return true;
                }
            }
        } catch (Throwable t) {
            return false;
        }
        return false;
    }

    private void drain() {
        int count = 0;
        for (Object node = next(); node != null; node = next()) {
            if (stopped == null && (++count & 63) == 0 && System.nanoTime() > deadline) {
                stopped = "time";
            } else if (stopped == null && size > sizeLimit) {
                stopped = "size";
            }
            if (stopped != null) {
                set(node, node instanceof LogicalPlan ? "\"p\"" : "\"e\"");
                continue;
            }
            String row = node instanceof LogicalPlan ? planRow((LogicalPlan) node) : expressionRow((Expression) node);
            size += row.length();
            set(node, row);
        }
    }

    private Object next() {
        Object node = waitingPlans.poll();
        if (node == null) {
            node = waitingAttributes.poll();
        }
        return node != null ? node : waiting.poll();
    }

    private void set(Object node, String row) {
        rows.set(((Integer) numbers.get(node)).intValue(), row);
    }

    /** The number of the node's row; the row itself is written later. */
    private int reference(Object node) {
        Integer number = (Integer) numbers.get(node);
        if (number == null) {
            number = Integer.valueOf(rows.size());
            numbers.put(node, number);
            rows.add(null);
            if (node instanceof LogicalPlan) {
                waitingPlans.add(node);
            } else {
                (node instanceof Attribute ? waitingAttributes : waiting).add(node);
            }
        }
        return number.intValue();
    }

    private String planRow(LogicalPlan plan) {
        StringBuilder out = new StringBuilder("[");
        out.append(classNumber("p", plan)).append(',');
        if (!written.containsKey(plan) && OUTPUT_FOLLOWS.contains(plan.getClass().getSimpleName()) && !isView(plan)) {
            out.append("null");
        } else {
            int start = out.length();
            try {
                value(out, plan.output(), 0);
            } catch (Throwable t) {
                out.setLength(start);
                out.append("null");
            }
        }
        fields(out, plan);
        if (plan instanceof AlterTableCommand) {
            changes(out, (AlterTableCommand) plan);
        } else if (WORKED_OUT.contains(plan.getClass().getSimpleName())) {
            out.append(',');
            texts.values(out, plan.origin());
        }
        return out.append(']').toString();
    }

    /** The changes of ALTER TABLE, as the catalog gets them: the command's own fields differ between versions. */
    private void changes(StringBuilder out, AlterTableCommand command) {
        out.append(',');
        int start = out.length();
        try {
            value(out, command.changes(), 0);
        } catch (Throwable t) {
            out.setLength(start);
            out.append("null");
        }
    }

    private void change(StringBuilder out, TableChange change) {
        out.append("{\"c\":");
        Json.string(out, ClassFields.simpleName(change.getClass()), TEXT_LIMIT);
        if (change instanceof TableChange.ColumnChange) {
            out.append(",\"f\":[");
            String[] path = ((TableChange.ColumnChange) change).fieldNames();
            out.append('[');
            for (int i = 0; i < path.length; i++) {
                if (i > 0) {
                    out.append(',');
                }
                Json.string(out, path[i], TEXT_LIMIT);
            }
            out.append("],");
            Object type = Reflection.call(change, change instanceof TableChange.AddColumn ? "dataType" : "newDataType");
            value(out, type, 0);
            out.append(',');
            Object place = Reflection.call(change, "position");
            if (place == null) {
                out.append("null");
            } else { // empty: before all others
                Json.string(out, place instanceof TableChange.After ? ((TableChange.After) place).column() : "", TEXT_LIMIT);
            }
            out.append(',');
            value(out, Reflection.call(change, "newName"), 0);
            out.append(']');
        }
        out.append('}');
    }

    private String expressionRow(Expression expression) {
        StringBuilder out = new StringBuilder("[");
        if (expression instanceof Attribute && ((Attribute) expression).resolved()) {
            Attribute attribute = (Attribute) expression;
            out.append(classNumber("a", expression)).append(',').append(attribute.exprId().id()).append(',');
            Json.string(out, attribute.name(), TEXT_LIMIT);
            out.append(',').append(typeNumber(attribute.dataType())).append(',').append(attribute.nullable());
            if (attribute.metadata().contains(HIDDEN)) {
                out.append(",true");
            }
            return out.append(']').toString();
        }
        out.append(classNumber("e", expression)).append(',');
        out.append(expression instanceof NamedExpression ? Expressions.id((NamedExpression) expression) : "null").append(',');
        Expressions.prettyName(out, expression);
        out.append(',');
        type(out, expression);
        if (expression instanceof Literal) {
            literal(out, (Literal) expression);
        } else {
            fields(out, expression);
            if (Expressions.hidesReplacement(expression)) {
                replacement(out, (RuntimeReplaceable) expression);
            } else if (expression instanceof UpdateFields) {
                Expressions.madeFields(out, (UpdateFields) expression);
            }
        }
        return out.append(']').toString();
    }

    private void replacement(StringBuilder out, RuntimeReplaceable expression) {
        out.append(',');
        int start = out.length();
        try {
            value(out, expression.replacement(), 0);
        } catch (Throwable t) {
            out.setLength(start);
            out.append("null");
        }
    }

    /** The row of a cast has the type it casts from, that of an extraction the type it extracts from, a leaf its own. */
    private void type(StringBuilder out, Expression expression) {
        int start = out.length();
        try {
            if (TYPED.contains(expression.getClass().getSimpleName())) {
                Expression typed = expression.children().isEmpty()
                    ? expression : (Expression) expression.children().head();
                out.append(typeNumber(typed.dataType()));
                return;
            }
        } catch (Throwable t) {
            out.setLength(start);
        }
        out.append("null");
    }

    /** Literals are written as SQL, shortened: they are only descriptions. */
    private void literal(StringBuilder out, Literal literal) {
        String sql;
        try {
            sql = literal.sql();
        } catch (Throwable t) {
            sql = "?";
        }
        out.append(',');
        Json.string(out, sql, LITERAL_LIMIT);
        out.append(',');
        if (literal.value() instanceof UTF8String) {
            Json.string(out, literal.value().toString(), LITERAL_LIMIT); // the names of a struct's fields are literals
        } else {
            out.append("null");
        }
        out.append(',');
        texts.span(out, literal.origin());
    }

    /** A view of a catalog other than Spark's own has no node: its query stands below its name. Tables have their
     *  names as well, above a leaf; where they have CHAR columns, a projection is between the two. */
    private static boolean isView(Object node) {
        if (!(node instanceof SubqueryAlias)) {
            return false;
        }
        SubqueryAlias alias = (SubqueryAlias) node;
        return alias.identifier().qualifier().size() > 1 && alias.child() instanceof Project
            && !(((Project) alias.child()).child() instanceof LeafNode);
    }

    private void fields(StringBuilder out, Product node) {
        String[] names = ClassFields.names(node);
        for (int i = 0; i < names.length; i++) {
            if (NOT_WRITTEN.contains(names[i])) {
                continue;
            }
            out.append(',');
            int start = out.length();
            try {
                Object element = node.productElement(i);
                if (element instanceof LogicalPlan && (node instanceof Command || names[i].equals("query"))) {
                    written.put(element, element);
                }
                Object opened = element instanceof Option && ((Option) element).isDefined()
                    ? ((Option) element).get() : element;
                if (node instanceof Command && opened instanceof CatalogTable) {
                    V1Tables.describeWithColumns(out, (CatalogTable) opened);
                } else if (element instanceof AliasIdentifier && isView(node)) {
                    Datasets.view(out, (AliasIdentifier) element);
                } else {
                    value(out, element, 0);
                }
            } catch (Throwable t) {
                out.setLength(start);
                out.append("{\"c\":\"unreadable\"}");
            }
        }
    }

    private void value(StringBuilder out, Object value, int nesting) {
        if (value == null) {
            out.append("null");
        } else if (value instanceof LogicalPlan || value instanceof Expression) {
            out.append(reference(value));
        } else if (value instanceof Option) {
            value(out, ((Option) value).isDefined() ? ((Option) value).get() : null, nesting);
        } else if (value instanceof String) {
            Json.string(out, (String) value, TEXT_LIMIT);
        } else if (value instanceof Boolean) {
            out.append(value);
        } else if (value instanceof Number) {
            out.append("{\"n\":").append(value).append('}');
        } else if (value instanceof ExprId) {
            out.append("{\"n\":").append(((ExprId) value).id()).append('}');
        } else if (value instanceof DataType) {
            out.append("{\"t\":").append(typeNumber((DataType) value)).append('}');
        } else if (value instanceof Enum) {
            Json.string(out, ((Enum) value).name(), TEXT_LIMIT);
        } else if (value instanceof scala.collection.Seq) {
            elements(out, ((scala.collection.Seq) value).iterator(), nesting);
        } else if (value instanceof scala.Tuple2) {
            out.append('[');
            value(out, ((scala.Tuple2) value)._1(), nesting + 1);
            out.append(',');
            value(out, ((scala.Tuple2) value)._2(), nesting + 1);
            out.append(']');
        } else if (value instanceof TableChange) {
            change(out, (TableChange) value);
        } else if (!Datasets.describe(out, value)) {
            if (value instanceof Product && ((Product) value).productArity() == 0) {
                Json.string(out, value.toString(), TEXT_LIMIT);
            } else {
                unread(out, value, nesting);
            }
        }
    }

    /** A class without meaning here: its name and, for small classes of the analyzer, its fields. */
    private void unread(StringBuilder out, Object value, int nesting) {
        out.append("{\"c\":");
        Json.string(out, ClassFields.simpleName(value.getClass()), TEXT_LIMIT);
        if (value instanceof Product && value.getClass().getName().startsWith(EXPRESSIONS) && nesting < NESTING_LIMIT) {
            Product product = (Product) value;
            out.append(",\"f\":[");
            for (int i = 0; i < product.productArity(); i++) {
                if (i > 0) {
                    out.append(',');
                }
                value(out, product.productElement(i), nesting + 1);
            }
            out.append(']');
        }
        out.append('}');
    }

    private void elements(StringBuilder out, scala.collection.Iterator items, int nesting) {
        out.append('[');
        boolean first = true;
        int literals = 0;
        Object last = null;
        while (items.hasNext()) {
            Object item = items.next();
            if (item instanceof InternalRow || nesting > NESTING_LIMIT) {
                break; // the rows of a local relation are data, not plan
            }
            literals = item instanceof Literal ? literals + 1 : 0;
            if (literals > LITERALS_LIMIT && !texts.mayBeParameter((Literal) item)) {
                item = last; // of a list of very many values, as in IN, one represents the rest
            }
            last = item;
            if (!first) {
                out.append(',');
            }
            first = false;
            value(out, item, nesting + 1);
        }
        out.append(']');
    }

    private int typeNumber(DataType type) {
        Integer number = (Integer) typeOf.get(type);
        if (number == null) {
            String json = type.json();
            number = (Integer) typeNumbers.get(json);
            if (number == null) {
                number = Integer.valueOf(types.size());
                typeNumbers.put(json, number);
                types.add(json);
                size += json.length();
            }
            typeOf.put(type, number);
        }
        return number.intValue();
    }

    private int classNumber(String tag, Object node) {
        Class type = node.getClass();
        Integer number = (Integer) classNumbers.get(type);
        if (number == null) {
            number = Integer.valueOf(classes.size());
            classNumbers.put(type, number);
            StringBuilder out = new StringBuilder("[\"").append(tag).append("\",");
            Json.string(out, ClassFields.simpleName(type), TEXT_LIMIT);
            out.append(',');
            String[] names = node instanceof Literal ? new String[] {"sql", "value", "span"} : ClassFields.names((Product) node);
            ArrayList written = new ArrayList();
            for (int i = 0; i < names.length; i++) {
                if (!NOT_WRITTEN.contains(names[i])) {
                    written.add(Json.quote(names[i]));
                }
            }
            if (node instanceof Expression && Expressions.hidesReplacement((Expression) node)) {
                written.add("\"replacement\"");
            } else if (node instanceof UpdateFields) {
                written.add("\"made\"");
            }
            if (node instanceof AlterTableCommand) {
                written.add("\"changes\"");
            }
            if (WORKED_OUT.contains(node.getClass().getSimpleName())) {
                written.add("\"sql\"");
                written.add("\"at\"");
            }
            join(out, written);
            classes.add(out.append(']').toString());
        }
        return number.intValue();
    }

    private String text() {
        StringBuilder out = new StringBuilder(size + 1024);
        out.append("{\"classes\":");
        join(out, classes);
        out.append(",\"types\":");
        join(out, types);
        out.append(",\"nodes\":");
        join(out, rows);
        texts.append(out);
        if (stopped != null) {
            out.append(",\"stopped\":").append(Json.quote(stopped));
        }
        return out.append('}').toString();
    }

    private static void join(StringBuilder out, ArrayList items) {
        out.append('[');
        for (int i = 0; i < items.size(); i++) {
            if (i > 0) {
                out.append(',');
            }
            out.append(items.get(i));
        }
        out.append(']');
    }
}
