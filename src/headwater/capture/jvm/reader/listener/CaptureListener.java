package headwater;

import java.util.Arrays;
import java.util.Collections;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.spark.rdd.RDD;
import org.apache.spark.scheduler.SparkListener;
import org.apache.spark.scheduler.SparkListenerApplicationEnd;
import org.apache.spark.scheduler.SparkListenerEvent;
import org.apache.spark.scheduler.SparkListenerJobEnd;
import org.apache.spark.scheduler.SparkListenerJobStart;
import org.apache.spark.scheduler.StageInfo;
import org.apache.spark.sql.execution.QueryExecution;
import org.apache.spark.sql.execution.SQLExecution;
import org.apache.spark.sql.execution.ui.SparkListenerDriverAccumUpdates;
import org.apache.spark.sql.execution.ui.SparkListenerSQLExecutionEnd;
import org.apache.spark.sql.execution.ui.SparkListenerSQLExecutionStart;
import org.apache.spark.storage.RDDInfo;
import scala.Option;

/**
 * Queues a JSON message for each start and end of a SQL execution or a streaming query; Python drains the queue. It
 * never blocks: when the queue is full, the message is dropped and counted. An error in a listener would stop the
 * user's SparkContext, so every Throwable is caught.
 *
 * <pre>
 * {"event": "start", "id": 3, "root": 3, "time": …, "session": …, "plan": {…}, "sql": …}    a SQL execution
 * {"event": "end", "id": 3, "time": …, "error": …, "link": …, "rdd": …, "statistics": {…}}
 * {…, "link": "toLocalIterator", "script": …, "at": …, "before": …}    the query of a FOR loop, and its position
 * {…, "definitions": {…}, "at": …}                                     a variable was set
 * {"event": "start", "id": -1, "root": -1, "time": …, "save": {"method": "saveAsTextFile", "path": …, "rdd": {…}}}
 * {"event": "rdd", "id": 7, "time": …, "plan": {…}}    the source of the RDD with this id: a query,
 * {"event": "rdd", "id": 9, "time": …, "rdd": {…}}     or other RDDs, as Rdds describes them
 * {"event": "transposed", "ids": [4, 5], "time": …, "plan": {…}}    the query of a transposed frame with these columns
 * {"event": "stream_start", …}, {"event": "stream_end", …}, {"event": "application_end", …}
 * </pre>
 *
 * Negative ids are those of saved RDDs. Messages about RDDs come from {@link Frames} as well.
 */
public class CaptureListener extends SparkListener {
    private static final String STREAMING = "org.apache.spark.sql.streaming.StreamingQueryListener$";
    private static final String EXECUTION_ID = "spark.sql.execution.id";

    /** Executions that write nothing themselves, but whose plans tell what later ones read or write. */
    private static final Set LINKS = new HashSet(Arrays.asList(new String[] {
        "checkpoint", "localCheckpoint", "deltaTransactionalWrite"
    }));

    /** Commands whose table has its new columns only at their end: their plans are read again then. */
    private static final Set READ_AGAIN = new HashSet(Arrays.asList(new String[] {
        "RestoreTableCommand"
    }));

    private final MessageQueue messages;
    private final Limits limits;
    private final ExecutionPlans plans;
    private final Frames frames;
    private final Tables tables;
    private final Map savingJobs = new ConcurrentHashMap();
    private final Map newestRdd = new ConcurrentHashMap();
    private final Set readAtStart = Collections.synchronizedSet(new HashSet());
    private final Set watched = Collections.synchronizedSet(new HashSet());
    private final Map announcedWrites = new ConcurrentHashMap();
    private final Set measured = Collections.synchronizedSet(new HashSet());

    /** The limits in the order of headwater.capture.jvm.bridge; 0 means no limit where that makes sense. */
    public CaptureListener(
            int queueLength, long queueChars, long planMillis, int planChars, long applicationMillis,
            int freeHeapPercent, int gcPercent, long checkMillis, boolean readQueries, Tables tables) {
        this.messages = new MessageQueue(queueLength, queueChars);
        this.limits = new Limits(applicationMillis, freeHeapPercent, gcPercent, checkMillis, messages);
        this.plans = new ExecutionPlans(planMillis, planChars, readQueries, limits, messages);
        this.frames = new Frames(plans, messages);
        Rdds.forget(); // Python may have forgotten what was announced to another listener
        this.tables = tables;
    }

    public MessageQueue messages() {
        return messages;
    }

    public Frames frames() {
        return frames;
    }

    public void onOtherEvent(SparkListenerEvent event) {
        try {
            if (event instanceof SparkListenerSQLExecutionStart) {
                started((SparkListenerSQLExecutionStart) event);
            } else if (event instanceof SparkListenerSQLExecutionEnd) {
                ended((SparkListenerSQLExecutionEnd) event);
            } else if (event instanceof SparkListenerDriverAccumUpdates) {
                announced((SparkListenerDriverAccumUpdates) event);
            } else if (event.getClass().getName().startsWith(STREAMING)) {
                streaming(event);
            }
        } catch (Throwable t) {
            messages.failed(t);
        }
    }

    public void onApplicationEnd(SparkListenerApplicationEnd event) {
        try {
            messages.offer("{\"event\":\"application_end\",\"time\":" + event.time() + "}");
        } catch (Throwable t) {
            messages.failed(t);
        }
    }

    /** Of a job only its newest RDD matters: it is the one that a checkpoint keeps. */
    public void onJobStart(SparkListenerJobStart event) {
        try {
            String id = event.properties() == null ? null : event.properties().getProperty(EXECUTION_ID);
            if (id == null) {
                String method = event.properties() == null ? null : SavedRdds.method(event.properties());
                if (method != null) {
                    savedByOthers(event, method);
                }
                return;
            }
            int newest = -1;
            for (scala.collection.Iterator i = event.stageInfos().iterator(); i.hasNext();) {
                for (scala.collection.Iterator j = ((StageInfo) i.next()).rddInfos().iterator(); j.hasNext();) {
                    newest = Math.max(newest, ((RDDInfo) j.next()).id());
                }
            }
            newestRdd.put(Long.valueOf(id), Integer.valueOf(newest));
        } catch (Throwable t) {
            messages.failed(t);
        }
    }

    /** A job that saves an RDD, and that PySpark did not announce. */
    private void savedByOthers(SparkListenerJobStart event, String method) {
        Object stage = SavedRdds.finalStage(event.jobId());
        RDD rdd = (RDD) Reflection.call(stage, "rdd");
        long id = frames.saving(rdd, method, stage == null ? null : SavedRdds.folder(Reflection.call(stage, "func")), event.time());
        savingJobs.put(Integer.valueOf(event.jobId()), Long.valueOf(id));
    }

    public void onJobEnd(SparkListenerJobEnd event) {
        try {
            Long save = (Long) savingJobs.remove(Integer.valueOf(event.jobId()));
            if (save != null) {
                boolean done = event.jobResult().getClass().getSimpleName().startsWith("JobSucceeded");
                frames.saved(save.longValue(), done ? null : String.valueOf(Reflection.call(event.jobResult(), "exception")));
            }
        } catch (Throwable t) {
            messages.failed(t);
        }
    }

    private void started(SparkListenerSQLExecutionStart event) {
        Long id = Long.valueOf(event.executionId());
        Option root = event.rootExecutionId();
        boolean nested = root.isDefined() && !root.get().equals(id);
        if (tables.sees(event.time())) {
            watched.add(id);
        }
        tables.listen();
        // A short execution may be over before this runs: then its plan is read at its end.
        QueryExecution execution = SQLExecution.getQueryExecution(event.executionId());
        StringBuilder out = new StringBuilder("{\"event\":\"start\",\"id\":").append(id)
            .append(",\"root\":").append(nested ? root.get() : id)
            .append(",\"time\":").append(event.time());
        plans.started(id, event);
        boolean later = execution == null || SessionVariables.areChangedBy(execution);
        boolean read = !later && plans.append(out, id, execution, nested, false);
        if (!later && !isReadAgain(execution)) {
            readAtStart.add(id);
        }
        if (read || nested) {
            measured.add(id);
        }
        messages.offer(out.append('}').toString());
    }

    private void ended(SparkListenerSQLExecutionEnd event) {
        Long id = Long.valueOf(event.executionId());
        boolean nested = measured.remove(id);
        boolean known = readAtStart.remove(id);
        String announced = (String) announcedWrites.remove(id);
        QueryExecution execution = event.qe();
        Option error = event.errorMessage();
        // Spark has Some("") on success.
        boolean failed = error.isDefined() && !"".equals(error.get());
        StringBuilder out = new StringBuilder("{\"event\":\"end\",\"id\":").append(id)
            .append(",\"time\":").append(event.time())
            .append(",\"error\":").append(failed ? Json.quote((String) error.get()) : "null");
        QueryExecution watchedExecution = watched.remove(id) && !failed ? execution : null;
        dropped(out, id, watchedExecution);
        created(out, id, watchedExecution);
        Object rdd = newestRdd.remove(id);
        Object name = Reflection.call(event, "executionName");
        boolean variables = execution != null && !known && SessionVariables.areChangedBy(execution);
        boolean linked = !failed && (LINKS.contains(name) || SqlTexts.isOfScript(name, execution));
        if (linked) {
            out.append(",\"link\":\"").append(name).append("\",\"rdd\":").append(rdd);
        }
        if (linked && SqlTexts.LOOP.equals(name)) {
            SqlTexts.before(out, execution);
        }
        if (variables && !failed) {
            SessionVariables.definitions(out, execution);
        }
        boolean read = execution != null && (linked || !known) && !(variables && failed)
            && plans.append(out, id, execution, nested, linked);
        plans.ended(id);
        if (execution != null && !failed && !variables && (read || nested)) {
            statistics(out, execution, announced);
        }
        messages.offer(out.append('}').toString());
    }

    /** The dropped tables, as the catalog saw them; a watched drop without any found nothing to drop. */
    private void dropped(StringBuilder out, Long id, QueryExecution watchedExecution) {
        String dropped = tables.dropped(id);
        if (dropped == null && watchedExecution != null && Tables.isWatchedDrop(watchedExecution.analyzed())) {
            dropped = "{\"tables\":[],\"known\":true}";
        }
        if (dropped != null) {
            out.append(",\"dropped\":").append(dropped);
        }
    }

    /** Whether a table was created; a watched creation that the catalog did not see found the table there. */
    private void created(StringBuilder out, Long id, QueryExecution watchedExecution) {
        boolean created = tables.created(id);
        if (created || watchedExecution != null && Tables.isWatchedCreation(watchedExecution.analyzed())) {
            out.append(",\"made\":").append(created);
        }
    }

    private void announced(SparkListenerDriverAccumUpdates event) {
        String write = Metrics.announced(event);
        if (write != null) {
            Long id = Long.valueOf(event.executionId());
            Object before = announcedWrites.get(id);
            announcedWrites.put(id, before == null ? write : before + "," + write);
        }
    }

    private void streaming(SparkListenerEvent event) {
        String kind = event.getClass().getName().substring(STREAMING.length());
        boolean start = kind.equals("QueryStartedEvent");
        if (!start && !kind.equals("QueryTerminatedEvent")) {
            return;
        }
        StringBuilder out = new StringBuilder("{\"event\":\"").append(start ? "stream_start" : "stream_end")
            .append("\",\"query\":").append(Json.quote(String.valueOf(Reflection.call(event, "id"))))
            .append(",\"run\":").append(Json.quote(String.valueOf(Reflection.call(event, "runId"))))
            .append(",\"time\":").append(System.currentTimeMillis());
        Object text = Reflection.call(event, start ? "name" : "exception");
        out.append(start ? ",\"name\":" : ",\"error\":").append(text == null ? "null" : Json.quote(text.toString()));
        messages.offer(out.append('}').toString());
    }

    private void statistics(StringBuilder out, QueryExecution execution, String announced) {
        long before = System.nanoTime();
        try {
            String metrics = Metrics.read(execution, announced);
            if (metrics != null) {
                out.append(",\"statistics\":").append(metrics);
            }
        } catch (Throwable t) {
            messages.failed(t);
        } finally {
            limits.spentSince(before);
        }
    }

    private static boolean isReadAgain(QueryExecution execution) {
        try {
            return READ_AGAIN.contains(execution.analyzed().getClass().getSimpleName());
        } catch (Throwable t) {
            return false;
        }
    }
}
