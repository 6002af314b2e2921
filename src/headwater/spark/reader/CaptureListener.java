package headwater;

import java.util.Collections;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.spark.scheduler.SparkListener;
import org.apache.spark.scheduler.SparkListenerApplicationEnd;
import org.apache.spark.scheduler.SparkListenerEvent;
import org.apache.spark.sql.catalyst.plans.logical.Command;
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan;
import org.apache.spark.sql.catalyst.plans.logical.Union;
import org.apache.spark.sql.execution.QueryExecution;
import org.apache.spark.sql.execution.SQLExecution;
import org.apache.spark.sql.execution.ui.SparkListenerSQLExecutionEnd;
import org.apache.spark.sql.execution.ui.SparkListenerSQLExecutionStart;
import scala.Option;

/**
 * Puts one JSON text for each start and end of a SQL execution into a bounded queue, which Python drains. It blocks
 * nobody: when the queue is full the message is dropped and counted. An error in a listener would stop the user's
 * SparkContext, so every Throwable ends here.
 */
public class CaptureListener extends SparkListener {
    private final LinkedBlockingQueue queue;
    private final long queueChars;
    private final long budgetMillis;
    private final int planChars;
    private final AtomicLong waitingChars = new AtomicLong();
    private final AtomicLong queued = new AtomicLong();
    private final AtomicLong dropped = new AtomicLong();
    private final AtomicLong errors = new AtomicLong();
    private final Set readAtStart = Collections.synchronizedSet(new HashSet());
    private volatile String lastError = "";

    public CaptureListener(int queueLength, long queueChars, long budgetMillis, int planChars) {
        this.queue = new LinkedBlockingQueue(queueLength);
        this.queueChars = queueChars;
        this.budgetMillis = budgetMillis;
        this.planChars = planChars;
    }

    public void onOtherEvent(SparkListenerEvent event) {
        try {
            if (event instanceof SparkListenerSQLExecutionStart) {
                started((SparkListenerSQLExecutionStart) event);
            } else if (event instanceof SparkListenerSQLExecutionEnd) {
                ended((SparkListenerSQLExecutionEnd) event);
            }
        } catch (Throwable t) {
            failed(t);
        }
    }

    public void onApplicationEnd(SparkListenerApplicationEnd event) {
        try {
            offer("{\"event\":\"application_end\",\"time\":" + event.time() + "}");
        } catch (Throwable t) {
            failed(t);
        }
    }

    private void started(SparkListenerSQLExecutionStart event) {
        long id = event.executionId();
        Option root = event.rootExecutionId();
        // A short execution may be over before this runs; then the plan is read at its end.
        QueryExecution execution = SQLExecution.getQueryExecution(id);
        String plan = execution == null ? null : plan(execution);
        if (execution != null) {
            readAtStart.add(Long.valueOf(id));
        }
        offer("{\"event\":\"start\",\"id\":" + id
            + ",\"root\":" + (root.isDefined() ? root.get() : Long.valueOf(id))
            + ",\"time\":" + event.time()
            + ",\"read\":" + (execution != null)
            + ",\"plan\":" + plan + "}");
    }

    private void ended(SparkListenerSQLExecutionEnd event) {
        boolean read = readAtStart.remove(Long.valueOf(event.executionId()));
        QueryExecution execution = event.qe();
        String plan = read || execution == null ? null : plan(execution);
        Option error = event.errorMessage();
        // Spark says Some("") where all went well.
        String message = error.isDefined() && !"".equals(error.get()) ? Json.quote((String) error.get()) : "null";
        offer("{\"event\":\"end\",\"id\":" + event.executionId()
            + ",\"time\":" + event.time()
            + ",\"error\":" + message
            + ",\"plan\":" + plan + "}");
    }

    /** The plan of an execution that writes, as JSON, else null: reading what only reads would be work for nothing. */
    private String plan(QueryExecution execution) {
        try {
            LogicalPlan plan = execution.analyzed();
            return writes(plan) && runsItsCommand(execution)
                ? PlanReader.read(plan, budgetMillis, planChars) : null;
        } catch (Throwable t) {
            failed(t);
            return null;
        }
    }

    private static boolean writes(LogicalPlan plan) {
        if (plan instanceof Command) {
            return true;
        }
        if (plan instanceof Union) {
            scala.collection.Iterator branches = ((Union) plan).children().iterator();
            while (branches.hasNext()) {
                if (branches.next() instanceof Command) {
                    return true;
                }
            }
        }
        return false;
    }

    /** spark.sql("INSERT …").collect() runs the command once, in a query execution of its own; what is in mode ALL
     *  (the collect) only comes with the same plan again, and writes nothing. */
    private static boolean runsItsCommand(QueryExecution execution) {
        return !"ALL".equals(String.valueOf(execution.mode()));
    }

    private void offer(String message) {
        long waiting = waitingChars.addAndGet(message.length());
        if (waiting > queueChars || !queue.offer(message)) {
            waitingChars.addAndGet(-message.length());
            dropped.incrementAndGet();
        } else {
            queued.incrementAndGet();
        }
    }

    private void failed(Throwable t) {
        errors.incrementAndGet();
        lastError = String.valueOf(t);
    }

    /** Waits for a first message, takes up to {@code most}, and returns them as one JSON array. */
    public String drain(int most, long waitMillis) throws InterruptedException {
        StringBuilder out = new StringBuilder("[");
        String message = (String) queue.poll(waitMillis, TimeUnit.MILLISECONDS);
        for (int taken = 0; message != null; message = ++taken < most ? (String) queue.poll() : null) {
            waitingChars.addAndGet(-message.length());
            if (taken > 0) {
                out.append(',');
            }
            out.append(message);
        }
        return out.append(']').toString();
    }

    public long queued() {
        return queued.get();
    }

    public long dropped() {
        return dropped.get();
    }

    public long errors() {
        return errors.get();
    }

    public String lastError() {
        return lastError;
    }
}
