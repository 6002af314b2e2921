package headwater;

import java.util.Iterator;
import java.util.LinkedHashSet;
import org.apache.spark.sql.execution.datasources.jdbc.JDBCOptions;
import scala.Option;

/** Tables and queries of a database behind JDBC, with the predicates that filter them. */
public final class JdbcRelations {
    private static final int PREDICATES_LIMIT = 1000;
    private static final int PREDICATE_CHARS_LIMIT = 50000;

    private JdbcRelations() {}

    public static void describe(StringBuilder out, JDBCOptions options, Object parts) {
        out.append("{\"d\":\"jdbc\"");
        DatasetJson.text(out, "url", options.url());
        Option query = options.parameters().get("query");
        if (query.isDefined()) {
            DatasetJson.text(out, "query", query.get());
        } else {
            DatasetJson.text(out, "table", options.tableOrQuery());
        }
        Option prepare = options.parameters().get("prepareQuery");
        DatasetJson.text(out, "prepare", prepare.isDefined() ? prepare.get() : null);
        // A partition column only splits the rows; predicates filter them.
        if (parts instanceof Object[] && !options.parameters().get("partitionColumn").isDefined()) {
            predicates(out, (Object[]) parts);
        }
        out.append('}');
    }

    private static void predicates(StringBuilder out, Object[] parts) {
        LinkedHashSet conditions = new LinkedHashSet();
        long chars = 0;
        boolean cut = parts.length > PREDICATES_LIMIT;
        for (int i = 0; i < parts.length && !cut; i++) {
            Object where = Reflection.call(parts[i], "whereClause");
            if (where == null || where.toString().trim().length() == 0) {
                return; // this part has all rows
            }
            if (conditions.add(where.toString())) {
                chars += where.toString().length();
                cut = chars > PREDICATE_CHARS_LIMIT;
            }
        }
        if (cut) {
            out.append(",\"predicates\":null");
        } else if (!conditions.isEmpty()) {
            out.append(",\"predicates\":[");
            String before = "";
            for (Iterator i = conditions.iterator(); i.hasNext(); before = ",") {
                out.append(before);
                Json.string(out, (String) i.next(), PREDICATE_CHARS_LIMIT);
            }
            out.append(']');
        }
    }
}
