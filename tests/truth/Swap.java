package truth;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.Constructor;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.spark.Partition;
import org.apache.spark.SparkEnv;
import org.apache.spark.TaskContext$;
import org.apache.spark.TaskContextImpl;
import org.apache.spark.executor.TaskMetrics;
import org.apache.spark.memory.MemoryManager;
import org.apache.spark.memory.TaskMemoryManager;
import org.apache.spark.rdd.RDD;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.catalyst.expressions.GenericInternalRow;
import org.apache.spark.sql.catalyst.plans.logical.LocalRelation;
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan;
import org.apache.spark.sql.execution.CoalesceExec;
import org.apache.spark.sql.execution.SparkPlan;
import org.apache.spark.sql.execution.datasources.HadoopFsRelation;
import org.apache.spark.sql.execution.datasources.LogicalRelation;
import org.apache.spark.sql.execution.exchange.ShuffleExchangeExec;
import org.apache.spark.storage.BlockManager;

/**
 * Puts rows in memory in the place of a plan's files. So a query is analyzed and optimized once, and only planned and
 * run for every change of its inputs; reading small files would be most of the time of a run.
 */
public final class Swap extends scala.runtime.AbstractPartialFunction {
    /** Beside the ids of Spark's own tasks, of which there are few. */
    private static final AtomicLong IDS = new AtomicLong(1L << 40);

    private final Map tables;
    private final java.util.TreeSet met = new java.util.TreeSet();

    public Swap(Map tables) {
        this.tables = tables;
    }

    /** The plan over the given rows, which are found by the last part of the files' path. */
    public static LogicalPlan swap(LogicalPlan plan, Map tables) {
        return (LogicalPlan) plan.transformWithSubqueries(new Swap(tables));
    }

    /** The names of the tables that a plan reads, by the last part of their files' path. */
    public static String reads(LogicalPlan plan) {
        Swap asked = new Swap(null);
        plan.transformWithSubqueries(asked);
        return asked.met.toString();
    }

    /** One table: for column i, the rows of its block, in their order or from the last to the first. */
    public static LocalRelation pick(LocalRelation blocks, List chosen, int rows, boolean backwards) {
        List out = new ArrayList();
        int width = chosen.size();
        for (int row = 0; row < rows; row++) {
            Object[] values = new Object[width];
            for (int i = 0; i < width; i++) {
                int block = ((Integer) chosen.get(i)).intValue();
                int place = block * rows + (backwards ? rows - 1 - row : row);
                InternalRow from = (InternalRow) blocks.data().apply(place);
                values[i] = from.get(i, ((Attribute) blocks.output().apply(i)).dataType());
            }
            out.add(new GenericInternalRow(values));
        }
        Object data = ((scala.collection.mutable.Buffer)
            scala.collection.JavaConverters.asScalaBufferConverter(out).asScala()).toList();
        return (LocalRelation) copy(blocks, 1, data);
    }

    /**
     * Run a plan whose rows are one JSON text each, in this thread: the answer is one JSON array. For ten rows, a job
     * is nearly all scheduling, serializing and closure cleaning; so its tasks are done here, without one. Over one
     * partition a shuffle changes nothing, so there are none.
     */
    public static String collect(SparkPlan physical, Map settings) throws Throwable {
        SparkPlan plan = (SparkPlan) physical.transformUp(new Swap(null));
        RDD rdd = plan.execute();
        Properties properties = new Properties();
        properties.putAll(settings);
        BlockManager blocks = (BlockManager) environment("blockManager", BlockManager.class);
        List texts = new ArrayList();
        Partition[] partitions = rdd.partitions();
        for (int i = 0; i < partitions.length; i++) {
            long id = IDS.incrementAndGet();
            TaskMemoryManager memory = new TaskMemoryManager((MemoryManager) environment("memoryManager", MemoryManager.class), id);
            TaskContextImpl context = context(id, memory, properties);
            TaskContext$.MODULE$.setTaskContext(context);
            blocks.registerTask(id);
            try {
                scala.collection.Iterator rows = rdd.iterator(partitions[i], context);
                while (rows.hasNext()) {
                    texts.add(((InternalRow) rows.next()).getUTF8String(0).toString());
                }
            } finally {
                context.markTaskCompleted(scala.Option.apply(null));
                blocks.releaseAllLocksForTask(id);
                TaskContext$.MODULE$.unset();
                memory.cleanUpAllAllocatedMemory();
            }
        }
        return texts.toString();
    }

    /** What SparkEnv holds. Its methods cannot be listed on Spark 4.3, where one of them names a class that is absent. */
    private static Object environment(String name, Class type) throws Throwable {
        MethodHandles.Lookup lookup = MethodHandles.publicLookup();
        Object environment = lookup.findStatic(SparkEnv.class, "get", MethodType.methodType(SparkEnv.class))
            .invokeWithArguments(new Object[0]);
        return lookup.findVirtual(SparkEnv.class, name, MethodType.methodType(type))
            .invokeWithArguments(new Object[] {environment});
    }

    /** A task's context; the parameters of its constructor are told apart by their types, which versions share. */
    private static TaskContextImpl context(long id, TaskMemoryManager memory, Properties properties) throws Exception {
        Constructor constructor = TaskContextImpl.class.getConstructors()[0];
        Class[] types = constructor.getParameterTypes();
        Object[] arguments = new Object[types.length];
        for (int i = 0; i < types.length; i++) {
            if (types[i] == int.class) {
                arguments[i] = Integer.valueOf(1);
            } else if (types[i] == long.class) {
                arguments[i] = Long.valueOf(id);
            } else if (types[i] == TaskMemoryManager.class) {
                arguments[i] = memory;
            } else if (types[i] == Properties.class) {
                arguments[i] = properties;
            } else if (types[i] == TaskMetrics.class) {
                arguments[i] = new TaskMetrics();
            } else if (scala.collection.Map.class.isAssignableFrom(types[i])) {
                arguments[i] = scala.collection.immutable.Map$.MODULE$.empty();
            }
        }
        return (TaskContextImpl) constructor.newInstance(arguments);
    }

    public boolean isDefinedAt(Object node) {
        return node instanceof LogicalRelation || node instanceof ShuffleExchangeExec;
    }

    public Object applyOrElse(Object node, scala.Function1 otherwise) {
        if (!isDefinedAt(node)) {
            return otherwise.apply(node);
        }
        if (node instanceof ShuffleExchangeExec) {
            return new CoalesceExec(1, ((ShuffleExchangeExec) node).child());
        }
        LogicalRelation file = (LogicalRelation) node;
        String path = ((HadoopFsRelation) file.relation()).location().rootPaths().head().toString();
        String name = path.substring(path.lastIndexOf('/') + 1);
        met.add(name);
        return tables == null ? node : copy((LocalRelation) tables.get(name), 0, file.output());
    }

    /** The relation with one of its fields set; their number depends on the version of Spark. */
    private static Object copy(LocalRelation relation, int field, Object value) {
        Object[] arguments = new Object[relation.productArity()];
        for (int i = 0; i < arguments.length; i++) {
            arguments[i] = i == field ? value : relation.productElement(i);
        }
        return relation.makeCopy(arguments);
    }
}
