"""The report of a run: counts, and how long each stage took."""

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Report:
    """The report of a run.

    Attributes:
        read: how many events the input had; the other counts are parts of it.
        bad: how many of them are in quarantine.
        new: how many the lake did not have.
        duplicated: how many the lake had already, or came more than once.
        late: how many of the new ones are older than the newest that the lake had.
        rows: rows written, by table.
        seconds: by stage.
        snapshot: the number of the lake's new snapshot.
    """

    read: int = 0
    bad: int = 0
    new: int = 0
    duplicated: int = 0
    late: int = 0
    rows: Mapping[str, int] = field(default_factory=dict)
    seconds: Mapping[str, float] = field(default_factory=dict)
    snapshot: int = 0

    def counts(self) -> dict[str, int]:
        """The counts of events."""
        return {name: getattr(self, name) for name in ("read", "bad", "new", "duplicated", "late")}

    def to_dict(self) -> dict[str, object]:
        """As plain JSON.

        >>> Report(read=2, bad=1, new=1, snapshot=3).to_dict()["events"]
        {'read': 2, 'bad': 1, 'new': 1, 'duplicated': 0, 'late': 0}
        """
        return {
            "events": self.counts(),
            "rows": dict(self.rows),
            "seconds": {stage: round(seconds, 3) for stage, seconds in self.seconds.items()},
            "snapshot": self.snapshot,
        }

    def __add__(self, other: "Report") -> "Report":
        """The sum of two consecutive runs."""
        seconds = {**self.seconds, **other.seconds}
        return Report(
            **{name: count + getattr(other, name) for name, count in self.counts().items()},
            rows={name: self.rows.get(name, 0) + other.rows.get(name, 0) for name in {**self.rows, **other.rows}},
            seconds={name: self.seconds.get(name, 0.0) + other.seconds.get(name, 0.0) for name in seconds},
            snapshot=max(self.snapshot, other.snapshot),
        )
