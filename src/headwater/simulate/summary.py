"""What was made, counted while it was made."""

from collections import Counter
from dataclasses import dataclass, field

from headwater.simulate.calendar import DAY, Due, What

_NAMES = {
    What.DECLARED: "dataset_events",
    What.PLANNED: "job_events",
    What.START: "start",
    What.APPLICATION_START: "start",
    What.RENAME_START: "start",
    What.DROP_START: "start",
    What.RUNNING: "running",
    What.FAIL: "fail",
    What.COMPLETE: "complete",
    What.APPLICATION_END: "complete",
    What.RENAME: "complete",
    What.DROP: "complete",
}


@dataclass
class Summary:
    """Counts of events, by kind and by what became of them, and of the files and bytes that hold them."""

    counts: Counter[str] = field(default_factory=Counter)

    def add(self, due: Due, size: int) -> None:
        """Count an event and the bytes of its JSON, without its line end."""
        counts = self.counts
        counts["events"] += 1
        counts["json_bytes"] += size
        counts[_NAMES[due.what]] += 1
        if due.copy:
            counts["duplicates"] += 1
        elif due.at - due.moment >= DAY:
            counts["late"] += 1

    def add_file(self, size: int) -> None:
        """Count a file."""
        self.counts["files"] += 1
        self.counts["file_bytes"] += size

    def merge(self, other: "Summary") -> None:
        """Take in what another process counted."""
        self.counts.update(other.counts)

    def to_dict(self) -> dict[str, int]:
        """All counts, also those that are nought."""
        names = ("events", *dict.fromkeys(_NAMES.values()), "late", "duplicates", "json_bytes", "files", "file_bytes")
        return {name: self.counts[name] for name in names}
