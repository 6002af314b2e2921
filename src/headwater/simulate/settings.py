"""The settings of a simulated history."""

from dataclasses import dataclass
from datetime import date

FEWEST_LAYERS = 2
_TABLES_A_LAYER = 2
_MOST_COLUMNS = 5_000
_MOST_RUNS = 1_440


class BadSettings(ValueError):  # noqa: N818  the settings are bad, not the program
    """These settings are invalid; the message says which and why."""


@dataclass(frozen=True, slots=True)
class Settings:
    """A warehouse, and what happens to it.

    Attributes:
        datasets: tables in all, the raw ones included.
        days: how long the history is.
        start: its first day.
        seed: histories of different seeds differ in everything but their size.
        columns: of every table; None for a mix of narrow and wide ones.
        layers: how many layers; the first is raw, and no job writes it.
        runs_per_day: how often each job runs.
        change: the share of jobs that change their mapping in a month.
        failures: the share of runs that fail; each is retried.
        late: the share of events that are delivered one to five days after they happened.
        duplicates: the share of events that are delivered twice.
        nested: the share of tables with structs in their schema.
        dated: the share of jobs whose SQL has the day as a literal.
    """

    datasets: int = 200
    days: int = 30
    start: date = date(2026, 1, 1)
    seed: int = 1
    columns: int | None = None
    layers: int = 5
    runs_per_day: int = 1
    change: float = 0.1
    failures: float = 0.02
    late: float = 0.01
    duplicates: float = 0.01
    nested: float = 0.1
    dated: float = 0.25

    def __post_init__(self) -> None:
        """Check the settings.

        Raises:
            BadSettings: a setting is out of range.
        """
        _between("days", self.days, 1, 36_500)
        _between("layers", self.layers, FEWEST_LAYERS, 1_000)
        _between("runs per day", self.runs_per_day, 1, _MOST_RUNS)
        if self.columns is not None:
            _between("columns", self.columns, 1, _MOST_COLUMNS)
        for name in ("change", "failures", "late", "duplicates", "nested", "dated"):
            _between(name, getattr(self, name), 0, 1)
        if self.datasets < self.layers * _TABLES_A_LAYER:
            least = self.layers * _TABLES_A_LAYER
            raise BadSettings(f"{self.layers} layers need at least {least} datasets, not {self.datasets}")


def _between(name: str, value: float, least: int, most: int) -> None:
    if not least <= value <= most:
        raise BadSettings(f"{name} must be from {least} to {most:,}, not {value:,}")
