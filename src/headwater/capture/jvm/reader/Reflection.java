package headwater;

import java.lang.reflect.Field;
import java.lang.reflect.Method;
import scala.Option;

/** Asks objects of classes that may not be there, or differ between versions, by the names of their methods. */
public final class Reflection {
    private Reflection() {}

    /** What a method without parameters gives; an Option is opened; null where there is none, or no object, or it fails. */
    public static Object call(Object target, String name) {
        if (target == null) {
            return null;
        }
        try {
            Method method = target.getClass().getMethod(name, new Class[0]);
            method.setAccessible(true);
            return opened(method.invoke(target, new Object[0]));
        } catch (Throwable t) {
            return null;
        }
    }

    /** What a private field holds; null where there is none. */
    public static Object field(Object target, String name) {
        for (Class type = target.getClass(); type != null; type = type.getSuperclass()) {
            try {
                Field field = type.getDeclaredField(name);
                field.setAccessible(true);
                return opened(field.get(target));
            } catch (Throwable t) {
                continue;
            }
        }
        return null;
    }

    private static Object opened(Object value) {
        if (value instanceof Option) {
            return ((Option) value).isDefined() ? ((Option) value).get() : null;
        }
        return value;
    }
}
