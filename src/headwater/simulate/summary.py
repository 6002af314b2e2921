"""Counts of a simulated history, taken while it is written."""

from collections import Counter
from dataclasses import dataclass, field

from headwater.simulate.calendar import DAY, Due, EventKind

_STARTS = (EventKind.START, EventKind.APPLICATION_START, EventKind.RENAME_START, EventKind.DROP_START)
_ENDS = (EventKind.COMPLETE, EventKind.APPLICATION_END, EventKind.RENAME, EventKind.DROP)
_NAMES = {
    EventKind.DECLARED: "dataset_events",
    EventKind.PLANNED: "job_events",
    **dict.fromkeys(_STARTS, "start"),
    EventKind.RUNNING: "running",
    EventKind.FAIL: "fail",
    **dict.fromkeys(_ENDS, "complete"),
}


@dataclass
class Summary:
    """Counts of events by kind, late and duplicated ones, files and bytes."""

    counts: Counter[str] = field(default_factory=Counter)

    def add(self, due: Due, size: int) -> None:
        """Count an event and the bytes of its JSON, without its line end."""
        counts = self.counts
        counts["events"] += 1
        counts["json_bytes"] += size
        counts[_NAMES[due.kind]] += 1
        if due.copy:
            counts["duplicates"] += 1
        elif due.at - due.moment >= DAY:
            counts["late"] += 1

    def add_file(self, size: int) -> None:
        """Count a file."""
        self.counts["files"] += 1
        self.counts["file_bytes"] += size

    def merge(self, other: "Summary") -> None:
        """Add another process's counts."""
        self.counts.update(other.counts)

    def to_dict(self) -> dict[str, int]:
        """All counts, zeros included."""
        names = ("events", *dict.fromkeys(_NAMES.values()), "late", "duplicates", "json_bytes", "files", "file_bytes")
        return {name: self.counts[name] for name in names}
