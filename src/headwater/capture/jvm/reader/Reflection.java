package headwater;

import java.lang.reflect.Field;
import java.lang.reflect.Method;
import scala.Option;

/** Calls methods by name, on objects of classes that may be missing or differ between versions. */
public final class Reflection {
    private Reflection() {}

    /** The result of a method without parameters, an Option unwrapped; null if the object or method is missing, or fails. */
    public static Object call(Object target, String name) {
        if (target == null) {
            return null;
        }
        try {
            Method method = target.getClass().getMethod(name, new Class[0]);
            method.setAccessible(true);
            return unwrapped(method.invoke(target, new Object[0]));
        } catch (Throwable t) {
            return null;
        }
    }

    /** The value of a private field, an Option unwrapped; null if there is none. */
    public static Object field(Object target, String name) {
        for (Class type = target.getClass(); type != null; type = type.getSuperclass()) {
            try {
                Field field = type.getDeclaredField(name);
                field.setAccessible(true);
                return unwrapped(field.get(target));
            } catch (Throwable t) {
                continue;
            }
        }
        return null;
    }

    private static Object unwrapped(Object value) {
        if (value instanceof Option) {
            return ((Option) value).isDefined() ? ((Option) value).get() : null;
        }
        return value;
    }
}
