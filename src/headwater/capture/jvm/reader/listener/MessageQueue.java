package headwater;

import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/** The messages that wait for Python, and the counts of what was lost. It never blocks: what does not fit is dropped. */
public final class MessageQueue {
    private static final int MANY_CHARS = 1000000;

    private final LinkedBlockingQueue queue;
    private final long queueChars;
    private final AtomicLong waitingChars = new AtomicLong();
    private final AtomicLong queued = new AtomicLong();
    private final AtomicLong dropped = new AtomicLong();
    private final AtomicLong errors = new AtomicLong();
    private final AtomicLong limited = new AtomicLong();
    private volatile String lastError = "";

    public MessageQueue(int length, long chars) {
        this.queue = new LinkedBlockingQueue(length);
        this.queueChars = chars;
    }

    public boolean offer(String message) {
        long waiting = waitingChars.addAndGet(message.length());
        if (waiting > queueChars || !queue.offer(message)) {
            waitingChars.addAndGet(-message.length());
            dropped.incrementAndGet();
            return false;
        }
        queued.incrementAndGet();
        return true;
    }

    public boolean isHalfFull() {
        return waitingChars.get() > queueChars / 2;
    }

    /** Counts something that could not be read. */
    public void failed(Throwable t) {
        errors.incrementAndGet();
        lastError = String.valueOf(t);
    }

    /** Counts a plan that was only read to its root. */
    public void limited() {
        limited.incrementAndGet();
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
