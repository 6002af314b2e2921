package headwater;

import java.util.ArrayList;
import org.apache.spark.sql.catalyst.expressions.Literal;
import org.apache.spark.sql.catalyst.trees.Origin;
import scala.Option;

/**
 * The texts that the parts of one plan were parsed from: a variable or a parameter of which the plan has only the value
 * appears nowhere else.
 */
public final class SourceTexts {
    private static final int VALUES_LIMIT = 20000;
    private static final int TEXTS_LIMIT = 10;
    private static final int CHARS_LIMIT = 100000;
    private static final int UNNUMBERED = -2;

    private final ArrayList texts = new ArrayList();
    private String last;
    private boolean marked;
    private int number;

    /** The text of VALUES (v, 1) or range(0, v + 1), of which the plan has only the values: a variable in it appears
     *  nowhere else. A text that is too long is only marked. Then the position where it begins. */
    public void values(StringBuilder out, Origin origin) {
        if (!origin.sqlText().isDefined() || !origin.startIndex().isDefined() || !origin.stopIndex().isDefined()) {
            out.append("null,null");
            return;
        }
        String text = (String) origin.sqlText().get();
        int from = Math.min(((Integer) origin.startIndex().get()).intValue(), text.length());
        // The position is in the text with the parameters' values, which may be shorter.
        int to = hasMarkers(text)
            ? text.length() : Math.min(((Integer) origin.stopIndex().get()).intValue() + 1, text.length());
        if (to - from > VALUES_LIMIT) {
            out.append("{\"c\":\"long\"}");
        } else {
            Json.string(out, text.substring(from, Math.max(from, to)), VALUES_LIMIT);
        }
        out.append(",{\"n\":").append(from).append('}');
    }

    /** The position of a literal in a text with parameter markers, and which text: the literal may be the value of a
     *  marker. A frame may consist of several texts. */
    public void span(StringBuilder out, Origin origin) {
        if (!origin.sqlText().isDefined() || !origin.startIndex().isDefined() || !origin.stopIndex().isDefined()) {
            out.append("null");
            return;
        }
        if (hasMarkers((String) origin.sqlText().get())) {
            out.append("[{\"n\":").append(origin.startIndex().get()).append("},{\"n\":")
                .append(origin.stopIndex().get()).append("},{\"n\":").append(number()).append("}]");
        } else {
            out.append("null");
        }
    }

    /** The number of the last text, or -1 if there are too many. */
    private int number() {
        if (number == UNNUMBERED) {
            number = texts.indexOf(last);
            if (number < 0 && texts.size() < TEXTS_LIMIT) {
                number = texts.size();
                texts.add(last);
            }
        }
        return number;
    }

    public boolean mayBeParameter(Literal literal) {
        Option text = literal.origin().sqlText();
        return text.isDefined() && hasMarkers((String) text.get());
    }

    /** Whether a text may have parameter markers; very many literals share a text. */
    private boolean hasMarkers(String text) {
        if (text != last) {
            last = text;
            number = UNNUMBERED;
            marked = text.indexOf('?') >= 0 || text.indexOf(':') >= 0;
        }
        return marked;
    }

    /** Appends the texts, which the numbers refer to, if there are any. */
    public void append(StringBuilder out) {
        if (texts.isEmpty()) {
            return;
        }
        out.append(",\"texts\":[");
        for (int i = 0; i < texts.size(); i++) {
            out.append(i > 0 ? "," : "");
            Json.string(out, (String) texts.get(i), CHARS_LIMIT);
        }
        out.append(']');
    }
}
