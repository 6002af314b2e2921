package headwater;

import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.util.Iterator;
import java.util.concurrent.atomic.AtomicLong;

/** The limits that forbid reading plans: the time of the application, the room in the queue, the driver's memory. */
public final class Limits {
    private final long applicationNanos;
    private final int freeHeapPercent;
    private final int gcPercent;
    private final long checkNanos;
    private final MessageQueue messages;
    private final AtomicLong spentNanos = new AtomicLong();
    private long checkedAt = System.nanoTime();
    private long collectedThen = collectedMillis();
    private int collecting;

    public Limits(long applicationMillis, int freeHeapPercent, int gcPercent, long checkMillis, MessageQueue messages) {
        this.applicationNanos = applicationMillis * 1000000L;
        this.freeHeapPercent = freeHeapPercent;
        this.gcPercent = gcPercent;
        this.checkNanos = checkMillis * 1000000L;
        this.messages = messages;
    }

    /** Counts the time that was spent on reading since {@code nanos}. */
    public void spentSince(long nanos) {
        spentNanos.addAndGet(System.nanoTime() - nanos);
    }

    /** The limit that forbids reading plans now, or null. */
    public String reached() {
        if (applicationNanos > 0 && spentNanos.get() > applicationNanos) {
            return "application time";
        }
        if (messages.isHalfFull()) {
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
}
