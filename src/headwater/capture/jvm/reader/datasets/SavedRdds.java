package headwater;

import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.ArrayDeque;
import java.util.IdentityHashMap;
import java.util.Properties;
import org.apache.hadoop.conf.Configuration;
import org.apache.spark.SparkContext;
import org.apache.spark.SparkContext$;
import scala.Option;

/**
 * Finds out what a job of Java or Scala code saves: it is a job like any other, and only the scheduler has its RDD and
 * the function that writes. The job may be over by then; then only its existence is known.
 */
public final class SavedRdds {
    private static final String SCOPE = "spark.rdd.scope";
    private static final String SAVES = "\"saveAs";
    private static final String OUTPUT = "mapreduce.output.fileoutputformat.outputdir";
    private static final String ANNOUNCED = "headwater.saving";
    private static final int OBJECTS_LIMIT = 100;

    private SavedRdds() {}

    /** Marks the jobs that this thread starts from now on as part of an announced save, or removes the mark. */
    public static void announce(boolean known) {
        Object context = Reflection.call(SparkContext$.MODULE$, "getActive");
        if (context instanceof SparkContext) {
            ((SparkContext) context).setLocalProperty(ANNOUNCED, known ? "true" : null);
        }
    }

    /** The RDD method that started a job, if it is one that saves, and was not announced. */
    public static String method(Properties properties) {
        if (properties.getProperty(ANNOUNCED) != null) {
            return null;
        }
        String scope = properties.getProperty(SCOPE);
        int start = scope == null ? -1 : scope.indexOf(SAVES);
        int end = start < 0 ? -1 : scope.indexOf('"', start + 1);
        return end < 0 ? null : scope.substring(start + 1, end);
    }

    /** The last stage of a running job, or null. */
    public static Object finalStage(int job) {
        Object context = Reflection.call(SparkContext$.MODULE$, "getActive");
        Object jobs = Reflection.call(Reflection.call(context, "dagScheduler"), "jobIdToActiveJob");
        if (jobs instanceof scala.collection.Map) {
            Option running = ((scala.collection.Map) jobs).get(Integer.valueOf(job));
            return running.isDefined() ? Reflection.call(running.get(), "finalStage") : null;
        }
        return null;
    }

    /** The folder that a function writes to: the objects it has captured lead to Hadoop's settings. */
    public static String folder(Object function) {
        IdentityHashMap seen = new IdentityHashMap();
        ArrayDeque waiting = new ArrayDeque();
        waiting.add(function);
        while (!waiting.isEmpty() && seen.size() < OBJECTS_LIMIT) {
            Object value = waiting.poll();
            if (value instanceof Configuration) {
                String folder = ((Configuration) value).get(OUTPUT);
                if (folder != null) {
                    return folder;
                }
            } else if (seen.put(value, value) == null && value.getClass().getName().startsWith("org.apache.spark.")) {
                fields(waiting, value);
            }
        }
        return null;
    }

    private static void fields(ArrayDeque waiting, Object value) {
        for (Class type = value.getClass(); type != null; type = type.getSuperclass()) {
            Field[] fields = type.getDeclaredFields();
            for (int i = 0; i < fields.length; i++) {
                try {
                    if (!Modifier.isStatic(fields[i].getModifiers()) && !fields[i].getType().isPrimitive()) {
                        fields[i].setAccessible(true);
                        Object inside = fields[i].get(value);
                        if (inside != null) {
                            waiting.add(inside);
                        }
                    }
                } catch (Throwable t) {
                    continue;
                }
            }
        }
    }
}
