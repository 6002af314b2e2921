package headwater;

import java.util.LinkedHashMap;
import java.util.Map;

/** A map that keeps the most recent entries, up to a limit: an application may run for months. */
public final class Recent extends LinkedHashMap {
    private final int most;

    public Recent(int most) {
        this.most = most;
    }

    protected boolean removeEldestEntry(Map.Entry eldest) {
        return size() > most;
    }
}
