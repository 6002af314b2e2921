import java.lang.management.ManagementFactory;
import java.lang.reflect.Method;

/** Calls a static method, keeps the text that it gives, and says how much CPU time it took. */
public class Clock {
    private static String text = "";

    public static long nanos(Method method, Object[] arguments) throws Exception {
        long before = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
        text = (String) method.invoke(null, arguments);
        return ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime() - before;
    }

    public static String text() {
        return text;
    }
}
