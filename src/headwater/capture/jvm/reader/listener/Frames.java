package headwater;

import java.util.concurrent.atomic.AtomicLong;
import org.apache.spark.api.java.JavaRDDLike;
import org.apache.spark.rdd.RDD;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan;
import org.apache.spark.sql.execution.QueryExecution;

/**
 * Queues a message where a frame becomes an RDD, is checkpointed or transposed, or an RDD is checkpointed or saved. Spark
 * announces none of these: PySpark's methods are wrapped instead (headwater.capture.rdds), and call the public methods
 * here. Like those of a listener, they let no Throwable out.
 */
public final class Frames {
    private static final int NAME_LIMIT = 4096;

    private final ExecutionPlans plans;
    private final MessageQueue messages;
    private final AtomicLong saves = new AtomicLong();

    public Frames(ExecutionPlans plans, MessageQueue messages) {
        this.plans = plans;
        this.messages = messages;
    }

    /** A frame has become an RDD: the source of the RDD is the frame's query. */
    public void frameAsRdd(Object frame, Object rdd) {
        try {
            behind((QueryExecution) Reflection.call(frame, "queryExecution"), rddOf(rdd));
        } catch (Throwable t) {
            messages.failed(t);
        }
    }

    /** A frame is the lazy checkpoint of another frame: its RDD will keep the other's rows. */
    public void frameCheckpointed(Object frame, Object checkpoint) {
        try {
            LogicalPlan plan = ((QueryExecution) Reflection.call(checkpoint, "queryExecution")).analyzed();
            Object rdd = Reflection.call(plan, "rdd");
            if (rdd instanceof RDD) {
                behind((QueryExecution) Reflection.call(frame, "queryExecution"), (RDD) rdd);
            }
        } catch (Throwable t) {
            messages.failed(t);
        }
    }

    /** A frame is the transpose of another one: Spark ran the other's query, and its plan only has the rows. */
    public void frameTransposed(Object frame, Object transposed) {
        try {
            LogicalPlan plan = ((QueryExecution) Reflection.call(transposed, "queryExecution")).analyzed();
            if (plan.children().isEmpty()) {
                StringBuilder out = new StringBuilder("{\"event\":\"transposed\",\"ids\":[");
                for (scala.collection.Iterator i = plan.output().iterator(); i.hasNext();) {
                    out.append(((Attribute) i.next()).exprId().id()).append(i.hasNext() ? "," : "");
                }
                out.append("],\"time\":").append(System.currentTimeMillis());
                if (plans.append(out, null, (QueryExecution) Reflection.call(frame, "queryExecution"), false, true)) {
                    messages.offer(out.append('}').toString());
                }
            }
        } catch (Throwable t) {
            messages.failed(t);
        }
    }

    /** An RDD is about to lose its dependencies: it will be read from a checkpoint. */
    public void rddCheckpointed(Object checkpoint) {
        try {
            RDD rdd = rddOf(checkpoint);
            if (!Rdds.isAnnounced(rdd)) {
                StringBuilder out = new StringBuilder("{\"event\":\"rdd\",\"id\":").append(rdd.id())
                    .append(",\"time\":").append(System.currentTimeMillis()).append(",\"rdd\":");
                Rdds.describe(out, rdd);
                if (messages.offer(out.append('}').toString())) {
                    Rdds.announce(rdd);
                }
            }
        } catch (Throwable t) {
            messages.failed(t);
        }
    }

    /** An RDD is about to be saved; returns the id for {@link #rddSaved}. */
    public long rddSaving(Object saved, String method, String path) {
        try {
            RDD rdd = rddOf(saved);
            SavedRdds.announce(true);
            String place = path == null ? null : Rdds.qualified(path, rdd.sparkContext().hadoopConfiguration());
            return saving(rdd, method, place, System.currentTimeMillis());
        } catch (Throwable t) {
            messages.failed(t);
            return 0;
        }
    }

    public long saving(RDD rdd, String method, String path, long time) {
        long id = -saves.incrementAndGet();
        StringBuilder out = new StringBuilder("{\"event\":\"start\",\"id\":").append(id)
            .append(",\"root\":").append(id)
            .append(",\"time\":").append(time)
            .append(",\"save\":{\"method\":").append(Json.quote(method)).append(",\"path\":");
        if (path == null) {
            out.append("null");
        } else {
            Json.string(out, path, NAME_LIMIT);
        }
        out.append(",\"rdd\":");
        if (rdd == null) {
            out.append("{\"d\":\"rdd\",\"id\":-1,\"known\":false,\"behind\":[],\"reads\":[]}");
        } else {
            Rdds.describe(out, rdd);
        }
        messages.offer(out.append("}}").toString());
        return id;
    }

    /** An RDD was saved, or saving failed; called by the thread that called {@link #rddSaving}. */
    public void rddSaved(long id, String error) {
        try {
            SavedRdds.announce(false);
            saved(id, error);
        } catch (Throwable t) {
            messages.failed(t);
        }
    }

    public void saved(long id, String error) {
        try {
            messages.offer("{\"event\":\"end\",\"id\":" + id + ",\"time\":" + System.currentTimeMillis()
                + ",\"error\":" + (error == null ? "null" : Json.quote(error)) + "}");
        } catch (Throwable t) {
            messages.failed(t);
        }
    }

    private void behind(QueryExecution execution, RDD rdd) {
        if (Rdds.isAnnounced(rdd)) {
            return;
        }
        StringBuilder out = new StringBuilder("{\"event\":\"rdd\",\"id\":").append(rdd.id())
            .append(",\"time\":").append(System.currentTimeMillis());
        if (plans.append(out, null, execution, false, true) && messages.offer(out.append('}').toString())) {
            Rdds.announce(rdd);
        }
    }

    private static RDD rddOf(Object rdd) {
        return rdd instanceof RDD ? (RDD) rdd : ((JavaRDDLike) rdd).rdd();
    }
}
