package headwater;

import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import scala.Product;

/** The names of Scala's case classes, and of the fields of their constructors. */
public final class ClassFields {
    private static final Method ELEMENT_NAME = elementName();
    private static final Map FIELD_NAMES = new ConcurrentHashMap();

    private ClassFields() {}

    /** {@code MergeRows$Keep} is distinguished from other Keeps; the {@code $} of a Scala object is removed. */
    public static String simpleName(Class type) {
        String name = type.getName();
        name = name.substring(name.lastIndexOf('.') + 1);
        return name.endsWith("$") ? name.substring(0, name.length() - 1) : name;
    }

    public static String[] names(Product node) {
        String[] names = (String[]) FIELD_NAMES.get(node.getClass());
        if (names == null) {
            names = ELEMENT_NAME != null ? askedNames(node) : declaredNames(node);
            FIELD_NAMES.put(node.getClass(), names);
        }
        return names;
    }

    private static String[] askedNames(Product node) {
        String[] names = new String[node.productArity()];
        for (int i = 0; i < names.length; i++) {
            try {
                names[i] = (String) ELEMENT_NAME.invoke(node, new Object[] {Integer.valueOf(i)});
            } catch (Exception e) {
                names[i] = "_" + i;
            }
        }
        return names;
    }

    /** Scala 2.12 has no productElementName: a case class keeps its parameters as its first final fields, in order. */
    private static String[] declaredNames(Product node) {
        String[] names = new String[node.productArity()];
        int count = 0;
        Class declaring = node.getClass();
        while (declaring != null && !declares(declaring, "productArity")) {
            declaring = declaring.getSuperclass();
        }
        Field[] fields = declaring == null ? new Field[0] : declaring.getDeclaredFields();
        for (int i = 0; i < fields.length && count < names.length; i++) {
            int modifiers = fields[i].getModifiers();
            if (Modifier.isFinal(modifiers) && !Modifier.isStatic(modifiers)) {
                names[count++] = fields[i].getName();
            }
        }
        for (; count < names.length; count++) {
            names[count] = "_" + count;
        }
        return names;
    }

    private static boolean declares(Class type, String method) {
        try {
            type.getDeclaredMethod(method, new Class[0]);
            return true;
        } catch (NoSuchMethodException e) {
            return false;
        }
    }

    private static Method elementName() {
        try {
            return Product.class.getMethod("productElementName", new Class[] {Integer.TYPE});
        } catch (NoSuchMethodException e) {
            return null;
        }
    }
}
