package headwater;

import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashSet;
import java.util.Iterator;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.spark.SparkContext;
import org.apache.spark.SparkContext$;
import org.apache.spark.api.java.JavaRDDLike;
import org.apache.spark.rdd.RDD;
import org.apache.spark.scheduler.SparkListener;
import org.apache.spark.scheduler.SparkListenerApplicationEnd;
import org.apache.spark.scheduler.SparkListenerEvent;
import org.apache.spark.scheduler.SparkListenerJobEnd;
import org.apache.spark.scheduler.SparkListenerJobStart;
import org.apache.spark.scheduler.StageInfo;
import org.apache.spark.sql.AnalysisException;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.catalyst.plans.logical.Command;
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan;
import org.apache.spark.sql.catalyst.plans.logical.Union;
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
 * Spark announces nothing when a frame becomes an RDD or is transposed, or an RDD is saved: PySpark's methods are
 * wrapped instead (headwater.capture.rdds), and call the public methods here. Negative ids are those of saved RDDs.
 *
 * When a limit is reached, only the root of a plan is read: its outputs are known, but not its inputs.
 */
public class CaptureListener extends SparkListener {
    private static final String STREAMING = "org.apache.spark.sql.streaming.StreamingQueryListener$";
    private static final int SQL_LIMIT = 1000000;
    private static final int ONLY_THE_ROOT = 0;
    private static final String EXECUTION_ID = "spark.sql.execution.id";
    private static final int NAME_LIMIT = 4096;
    private static final int MANY_CHARS = 1000000;

    /** Executions that write nothing themselves, but whose plans tell what later ones read or write. */
    private static final Set LINKS = new HashSet(Arrays.asList(new String[] {
        "checkpoint", "localCheckpoint", "deltaTransactionalWrite"
    }));

    /** Commands whose table has its new columns only at their end: their plans are read again then. */
    private static final Set READ_AGAIN = new HashSet(Arrays.asList(new String[] {
        "RestoreTableCommand"
    }));

    private static final String OVERWRITE_MODE = "spark.sql.sources.partitionOverwriteMode";
    /** Settings by which a session stages its writes to some of Iceberg's tables until they are published. */
    private static final String[] STAGING = {"spark.wap.id", "spark.wap.branch"};
    /** How an SQL script runs the query of a FOR loop, and one whose rows it returns to the user. PySpark's own actions
     *  have other names. */
    private static final String LOOP = "toLocalIterator";
    private static final String RESULT = "collect";

    /** Commands that change a variable when they succeed, and not before. */
    private static final Set VARIABLES = new HashSet(Arrays.asList(new String[] {
        "CreateVariable", "SetVariable", "DropVariable", "FetchCursor"
    }));
    private static final int VARIABLES_LIMIT = 1000;
    private static final int BEFORE_LIMIT = 200;
    private static final int DEPTH_LIMIT = 20;

    private final LinkedBlockingQueue queue;
    private final long queueChars;
    private final long planMillis;
    private final int planChars;
    private final long applicationNanos;
    private final int freeHeapPercent;
    private final int gcPercent;
    private final long checkNanos;
    private final boolean readQueries;
    private final Tables tables;
    private final AtomicLong waitingChars = new AtomicLong();
    private final AtomicLong queued = new AtomicLong();
    private final AtomicLong dropped = new AtomicLong();
    private final AtomicLong errors = new AtomicLong();
    private final AtomicLong limited = new AtomicLong();
    private final AtomicLong spentNanos = new AtomicLong();
    private final AtomicLong saves = new AtomicLong();
    private final Map savingJobs = new ConcurrentHashMap();
    private final Map newestRdd = new ConcurrentHashMap();
    private final Set readAtStart = Collections.synchronizedSet(new HashSet());
    private final Set overwritesPartitions = Collections.synchronizedSet(new HashSet());
    private final Set staging = Collections.synchronizedSet(new HashSet());
    private final Set watched = Collections.synchronizedSet(new HashSet());
    private final Map announcedWrites = new ConcurrentHashMap();
    private final Set measured = Collections.synchronizedSet(new HashSet());
    private volatile String lastError = "";
    private long checkedAt = System.nanoTime();
    private long collectedThen = collectedMillis();
    private int collecting;

    /** The limits in the order of headwater.capture.jvm.bridge; 0 means no limit where that makes sense. */
    public CaptureListener(
            int queueLength, long queueChars, long planMillis, int planChars, long applicationMillis,
            int freeHeapPercent, int gcPercent, long checkMillis, boolean readQueries, Tables tables) {
        this.queue = new LinkedBlockingQueue(queueLength);
        this.queueChars = queueChars;
        this.planMillis = planMillis;
        this.planChars = planChars;
        this.applicationNanos = applicationMillis * 1000000L;
        this.freeHeapPercent = freeHeapPercent;
        this.gcPercent = gcPercent;
        this.checkNanos = checkMillis * 1000000L;
        this.readQueries = readQueries;
        Rdds.forget(); // Python may have forgotten what was announced to another listener
        this.tables = tables;
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
            failed(t);
        }
    }

    /** A job that saves an RDD, and that PySpark did not announce. */
    private void savedByOthers(SparkListenerJobStart event, String method) {
        Object stage = SavedRdds.finalStage(event.jobId());
        RDD rdd = (RDD) Reflection.call(stage, "rdd");
        long id = saving(rdd, method, stage == null ? null : SavedRdds.folder(Reflection.call(stage, "func")), event.time());
        savingJobs.put(Integer.valueOf(event.jobId()), Long.valueOf(id));
    }

    public void onJobEnd(SparkListenerJobEnd event) {
        try {
            Long save = (Long) savingJobs.remove(Integer.valueOf(event.jobId()));
            if (save != null) {
                boolean done = event.jobResult().getClass().getSimpleName().startsWith("JobSucceeded");
                saved(save.longValue(), done ? null : String.valueOf(Reflection.call(event.jobResult(), "exception")));
            }
        } catch (Throwable t) {
            failed(t);
        }
    }

    /** A frame has become an RDD: the source of the RDD is the frame's query. */
    public void frameAsRdd(Object frame, Object rdd) {
        try {
            behind((QueryExecution) Reflection.call(frame, "queryExecution"), rddOf(rdd));
        } catch (Throwable t) {
            failed(t);
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
            failed(t);
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
                if (plan(out, null, (QueryExecution) Reflection.call(frame, "queryExecution"), false, true)) {
                    offer(out.append('}').toString());
                }
            }
        } catch (Throwable t) {
            failed(t);
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
                if (offer(out.append('}').toString())) {
                    Rdds.announce(rdd);
                }
            }
        } catch (Throwable t) {
            failed(t);
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
            failed(t);
            return 0;
        }
    }

    private long saving(RDD rdd, String method, String path, long time) {
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
        offer(out.append("}}").toString());
        return id;
    }

    /** An RDD was saved, or saving failed; called by the thread that called {@link #rddSaving}. */
    public void rddSaved(long id, String error) {
        try {
            SavedRdds.announce(false);
            saved(id, error);
        } catch (Throwable t) {
            failed(t);
        }
    }

    private void saved(long id, String error) {
        try {
            offer("{\"event\":\"end\",\"id\":" + id + ",\"time\":" + System.currentTimeMillis()
                + ",\"error\":" + (error == null ? "null" : Json.quote(error)) + "}");
        } catch (Throwable t) {
            failed(t);
        }
    }

    private void behind(QueryExecution execution, RDD rdd) {
        if (Rdds.isAnnounced(rdd)) {
            return;
        }
        StringBuilder out = new StringBuilder("{\"event\":\"rdd\",\"id\":").append(rdd.id())
            .append(",\"time\":").append(System.currentTimeMillis());
        if (plan(out, null, execution, false, true) && offer(out.append('}').toString())) {
            Rdds.announce(rdd);
        }
    }

    private static RDD rddOf(Object rdd) {
        return rdd instanceof RDD ? (RDD) rdd : ((JavaRDDLike) rdd).rdd();
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
        if ("dynamic".equalsIgnoreCase(setting(event, OVERWRITE_MODE))) {
            overwritesPartitions.add(id);
        }
        for (int i = 0; i < STAGING.length; i++) {
            if (setting(event, STAGING[i]) != null) {
                staging.add(id);
            }
        }
        boolean later = execution == null || changesVariables(execution);
        boolean read = !later && plan(out, id, execution, nested, false);
        if (!later && !isReadAgain(execution)) {
            readAtStart.add(id);
        }
        if (read || nested) {
            measured.add(id);
        }
        offer(out.append('}').toString());
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
        boolean variables = execution != null && !known && changesVariables(execution);
        boolean linked = !failed && (LINKS.contains(name) || isOfScript(name, execution));
        if (linked) {
            out.append(",\"link\":\"").append(name).append("\",\"rdd\":").append(rdd);
        }
        if (linked && LOOP.equals(name)) {
            before(out, execution);
        }
        if (variables && !failed) {
            definitions(out, execution);
        }
        boolean read = execution != null && (linked || !known) && !(variables && failed)
            && plan(out, id, execution, nested, linked);
        overwritesPartitions.remove(id);
        staging.remove(id);
        if (execution != null && !failed && !variables && (read || nested)) {
            statistics(out, execution, announced);
        }
        offer(out.append('}').toString());
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

    private static boolean changesVariables(QueryExecution execution) {
        try {
            return VARIABLES.contains(execution.analyzed().getClass().getSimpleName());
        } catch (Throwable t) {
            return false; // the analysis failed, and so did the statement
        }
    }

    /** The object that each variable of the session is now. A plan that is older than the last SET of a variable refers
     *  to an older object. */
    private static void definitions(StringBuilder out, QueryExecution execution) {
        Option at = execution.analyzed().origin().startIndex();
        if (at.isDefined()) {
            out.append(",\"at\":").append(at.get());
        }
        Object state = Reflection.call(Reflection.call(execution, "sparkSession"), "sessionState");
        Object manager = Reflection.call(Reflection.call(state, "catalogManager"), "tempVariableManager");
        Object variables = manager == null ? null : Reflection.field(manager, "variables");
        if (!(variables instanceof scala.collection.Map)) {
            return;
        }
        out.append(",\"definitions\":{");
        synchronized (manager) {
            scala.collection.Iterator i = ((scala.collection.Map) variables).iterator();
            for (int count = 0; i.hasNext() && count < VARIABLES_LIMIT; count++) {
                scala.Tuple2 entry = (scala.Tuple2) i.next();
                out.append(count > 0 ? "," : "").append(Json.quote(String.valueOf(entry._1())))
                    .append(':').append(System.identityHashCode(entry._2()));
            }
        }
        out.append('}');
    }

    private static boolean isOfScript(Object name, QueryExecution execution) {
        if (execution == null || !(LOOP.equals(name) || RESULT.equals(name))) {
            return false;
        }
        String text = anySql(execution);
        return text != null && text.toUpperCase(Locale.ROOT).indexOf("BEGIN") >= 0;
    }

    /** The text that a query, or its leftmost descendant, was parsed from: of a script, all of it. */
    private static String anySql(QueryExecution execution) {
        try {
            LogicalPlan plan = execution.analyzed();
            for (int depth = 0; plan != null && depth < DEPTH_LIMIT; depth++) {
                if (plan.origin().sqlText().isDefined()) {
                    return (String) plan.origin().sqlText().get();
                }
                plan = plan.children().isEmpty() ? null : (LogicalPlan) plan.children().head();
            }
        } catch (Throwable t) {
            return null;
        }
        return null;
    }

    /** The text before the query of a FOR loop in its script: the name of the loop's row. */
    private static void before(StringBuilder out, QueryExecution execution) {
        String text = anySql(execution);
        int start = text.length();
        LogicalPlan plan = execution.analyzed();
        for (int depth = 0; plan != null && depth < DEPTH_LIMIT; depth++) {
            if (plan.origin().startIndex().isDefined() && plan.origin().sqlText().isDefined()
                && text.equals(plan.origin().sqlText().get())) {
                start = Math.min(start, ((Integer) plan.origin().startIndex().get()).intValue());
            }
            plan = plan.children().isEmpty() ? null : (LogicalPlan) plan.children().head();
        }
        out.append(",\"script\":");
        Json.string(out, text, SQL_LIMIT);
        if (start < text.length()) {
            out.append(",\"at\":").append(start);
        }
        out.append(",\"before\":");
        Json.string(out, text.substring(Math.max(0, start - BEFORE_LIMIT), start), SQL_LIMIT);
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
        offer(out.append('}').toString());
    }

    /** Appends the plan and returns true if the execution writes; queries that only read are skipped unless the settings
     *  include them. */
    private boolean plan(StringBuilder out, Long id, QueryExecution execution, boolean nested, boolean linked) {
        int start = out.length();
        long before = System.nanoTime();
        try {
            LogicalPlan plan = execution.analyzed();
            // A micro-batch announces its plan twice, as the root and once more inside it.
            boolean relevant = linked || (isMicroBatch(plan) ? !nested
                : isCommand(plan) ? runsItsCommand(execution) : readQueries && !nested);
            if (!relevant) {
                return false;
            }
            if (overwritesPartitions.contains(id)) {
                out.append(",\"dynamic\":true");
            }
            if (staging.contains(id)) {
                out.append(",\"staging\":true");
            }
            String limit = limit();
            Object session = Reflection.call(Reflection.call(execution, "sparkSession"), "sessionUUID");
            out.append(",\"session\":").append(session == null ? "null" : Json.quote(session.toString()));
            if (isCommand(plan)) {
                database(out, execution);
            }
            out.append(",\"plan\":")
                .append(PlanReader.read(plan, planMillis, limit == null ? planChars : ONLY_THE_ROOT));
            if (limit != null) {
                limited.incrementAndGet();
                out.append(",\"limit\":\"").append(limit).append('"');
            }
            String sql = nested ? null : sql(plan);
            if (sql != null) {
                out.append(",\"sql\":");
                Json.string(out, sql, SQL_LIMIT);
            }
            String within = nested ? null : within(plan, sql);
            if (within != null) {
                out.append(",\"within\":");
                Json.string(out, within, SQL_LIMIT);
            }
            return true;
        } catch (Throwable t) {
            out.setLength(start);
            if (!(t instanceof AnalysisException)) { // a statement that Spark refused has no plan
                failed(t);
            }
            return false;
        } finally {
            spentNanos.addAndGet(System.nanoTime() - before);
        }
    }

    /** Appends the current database, which a command's unqualified table names belong to. */
    private static void database(StringBuilder out, QueryExecution execution) {
        Object state = Reflection.call(Reflection.call(execution, "sparkSession"), "sessionState");
        Object database = Reflection.call(Reflection.call(state, "catalog"), "getCurrentDatabase");
        if (database != null) {
            out.append(",\"database\":").append(Json.quote(database.toString()));
        }
    }

    /** The text that a plan was parsed from, or null. Newer Sparks drop it at the root of CREATE statements; the query
     *  below still has the whole text, which begins with the statement and not with the query. */
    private static String sql(LogicalPlan plan) {
        if (plan.origin().sqlText().isDefined()) {
            return (String) plan.origin().sqlText().get();
        }
        scala.collection.Iterator inside = plan.children().isEmpty()
            ? plan.innerChildren().iterator() : plan.children().iterator();
        Object query = inside.hasNext() ? inside.next() : null;
        if (query instanceof LogicalPlan && ((LogicalPlan) query).origin().sqlText().isDefined()) {
            String text = (String) ((LogicalPlan) query).origin().sqlText().get();
            String start = text.trim().toUpperCase(Locale.ROOT);
            return start.startsWith("CREATE") || start.startsWith("REPLACE") ? text : null;
        }
        return null;
    }

    /** The text that contains a command's query, if it is not the command's own: that of a script, of a frame, or of
     *  EXECUTE IMMEDIATE … INTO. Null if it is the same. */
    private static String within(LogicalPlan plan, String own) {
        boolean sets = own != null && VARIABLES.contains(plan.getClass().getSimpleName());
        for (int depth = 0; plan != null && (own == null || sets) && depth < DEPTH_LIMIT; depth++) {
            if (plan.origin().sqlText().isDefined() && !plan.origin().sqlText().get().equals(own)) {
                return (String) plan.origin().sqlText().get();
            }
            LogicalPlan last = null;
            for (scala.collection.Iterator i = plan.children().iterator(); i.hasNext();) {
                last = (LogicalPlan) i.next();
            }
            for (scala.collection.Iterator i = plan.innerChildren().iterator(); i.hasNext() && last == null;) {
                Object inner = i.next();
                last = inner instanceof LogicalPlan ? (LogicalPlan) inner : null;
            }
            plan = last;
        }
        return null;
    }

    private void statistics(StringBuilder out, QueryExecution execution, String announced) {
        long before = System.nanoTime();
        try {
            String metrics = Metrics.read(execution, announced);
            if (metrics != null) {
                out.append(",\"statistics\":").append(metrics);
            }
        } catch (Throwable t) {
            failed(t);
        } finally {
            spentNanos.addAndGet(System.nanoTime() - before);
        }
    }

    private static boolean isReadAgain(QueryExecution execution) {
        try {
            return READ_AGAIN.contains(execution.analyzed().getClass().getSimpleName());
        } catch (Throwable t) {
            return false;
        }
    }

    /** A setting of a statement's session, or null. The session may have changed by now: the event has the settings
     *  that differ from the application's. */
    private static String setting(SparkListenerSQLExecutionStart event, String name) {
        Object changed = Reflection.call(event, "modifiedConfigs");
        if (changed instanceof scala.collection.Map) {
            Option value = ((scala.collection.Map) changed).get(name);
            if (value.isDefined()) {
                return String.valueOf(value.get());
            }
        }
        // Not SparkEnv: since Spark 4.3 its methods use classes that Spark does not ship, and the compiler loads them all.
        Option context = SparkContext$.MODULE$.getActive();
        return context.isDefined() ? ((SparkContext) context.get()).conf().get(name, null) : null;
    }

    private static boolean isMicroBatch(LogicalPlan plan) {
        return plan.getClass().getSimpleName().startsWith("WriteToMicroBatchDataSource");
    }

    private static boolean isCommand(LogicalPlan plan) {
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

    /** spark.sql("INSERT …").collect() runs the command once, in a query execution of its own; the collect, in mode ALL,
     *  only repeats the plan and writes nothing. */
    private static boolean runsItsCommand(QueryExecution execution) {
        return !"ALL".equals(String.valueOf(execution.mode()));
    }

    /** The limit that forbids reading plans now, or null. */
    private String limit() {
        if (applicationNanos > 0 && spentNanos.get() > applicationNanos) {
            return "application time";
        }
        if (waitingChars.get() > queueChars / 2) {
            return "room in the queue"; // before messages are dropped: a run without columns is better than none
        }
        Runtime runtime = Runtime.getRuntime();
        long free = runtime.maxMemory() - runtime.totalMemory() + runtime.freeMemory();
        boolean low = freeHeapPercent > 0 && free * 100 < freeHeapPercent * runtime.maxMemory();
        return low && (gcPercent == 0 || collecting() > gcPercent) ? "memory" : null;
    }

    /** The recent share of time spent in garbage collection, in percent. */
    private synchronized int collecting() {
        long now = System.nanoTime();
        if (now - checkedAt >= checkNanos) {
            long collected = collectedMillis();
            collecting = (int) ((collected - collectedThen) * 100000000L / (now - checkedAt));
            checkedAt = now;
            collectedThen = collected;
        }
        return collecting;
    }

    private static long collectedMillis() {
        long millis = 0;
        for (Iterator i = ManagementFactory.getGarbageCollectorMXBeans().iterator(); i.hasNext();) {
            millis += Math.max(0, ((GarbageCollectorMXBean) i.next()).getCollectionTime());
        }
        return millis;
    }

    private boolean offer(String message) {
        long waiting = waitingChars.addAndGet(message.length());
        if (waiting > queueChars || !queue.offer(message)) {
            waitingChars.addAndGet(-message.length());
            dropped.incrementAndGet();
            return false;
        }
        queued.incrementAndGet();
        return true;
    }

    private void failed(Throwable t) {
        errors.incrementAndGet();
        lastError = String.valueOf(t);
    }

    /** Waits for a first message, takes up to {@code most}, or fewer if they are long, since Python holds all of them in
     *  memory at once; returns them as JSON, with the counts of what was lost so far. */
    public String drain(int most, long waitMillis) throws InterruptedException {
        String message = (String) queue.poll(waitMillis, TimeUnit.MILLISECONDS);
        StringBuilder out = new StringBuilder("{\"messages\":[");
        for (int taken = 0; message != null; message = ++taken < most && out.length() < MANY_CHARS ? (String) queue.poll() : null) {
            waitingChars.addAndGet(-message.length());
            if (taken > 0) {
                out.append(',');
            }
            out.append(message);
        }
        return out.append("],\"dropped\":").append(dropped.get()).append(",\"unread\":").append(errors.get())
            .append(",\"limited\":").append(limited.get()).append('}').toString();
    }

    public long queued() {
        return queued.get();
    }

    public String lastError() {
        return lastError;
    }
}
