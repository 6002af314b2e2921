package headwater;

/** A minimal JSON writer: the text of a plan is built once, without an object per value. */
public final class Json {
    private Json() {}

    /** Appends {@code text} as a JSON string; anything longer than {@code limit} is cut and ends in an ellipsis. */
    public static void string(StringBuilder out, String text, int limit) {
        boolean cut = text.length() > limit;
        int end = cut ? limit : text.length();
        out.append('"');
        for (int i = 0; i < end; i++) {
            char c = text.charAt(i);
            if (c == '"' || c == '\\') {
                out.append('\\').append(c);
            } else if (c < 0x20 || (c >= 0xD800 && c <= 0xDFFF) || c == 0x2028 || c == 0x2029) {
                // Surrogates are escaped one by one: a cut may split a pair, and Python reads both forms.
                String hex = Integer.toHexString(c);
                out.append("\\u").append("0000".substring(hex.length())).append(hex);
            } else {
                out.append(c);
            }
        }
        if (cut) {
            out.append('\u2026');
        }
        out.append('"');
    }

    public static String quote(String text) {
        StringBuilder out = new StringBuilder(text.length() + 2);
        string(out, text, Integer.MAX_VALUE);
        return out.toString();
    }
}
