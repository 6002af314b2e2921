package headwater;

import java.util.Arrays;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/** The sources of a streaming query. */
public final class Streams {
    /** Sinks and streams whose text is their name and location: FileSink[path]. */
    private static final Set TELLING = new HashSet(Arrays.asList(new String[] {
        "FileStreamSink", "DeltaSink", "FileStreamSource", "DeltaSource", "KafkaMicroBatchStream", "KafkaSource"
    }));

    private Streams() {}

    public static void describe(StringBuilder out, Object stream) {
        String kind = stream.getClass().getSimpleName();
        out.append("{\"d\":\"stream\",\"class\":");
        Json.string(out, stream.getClass().getName(), DatasetJson.NAME_LIMIT);
        if (isTelling(kind)) {
            DatasetJson.text(out, "text", stream.toString());
        }
        Object parameters = Reflection.field(stream, "executorKafkaParams");
        if (parameters instanceof Map) {
            DatasetJson.text(out, "servers", ((Map) parameters).get("bootstrap.servers"));
        }
        out.append('}');
    }

    /** Whether the text of a class is its name and location. */
    public static boolean isTelling(String kind) {
        return TELLING.contains(kind);
    }
}
