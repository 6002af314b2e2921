"""How much a store holds."""

from dataclasses import asdict, dataclass

from headwater.openlineage.model.instants import instant_text
from headwater.store.db.predicates import has_source, in_force
from headwater.store.db.session import Session


@dataclass(frozen=True, slots=True)
class Stats:
    """Counts, the times of the first and the last event, and the size on disk.

    `last_event` is the last that does not lie ahead of the clock; `events_ahead` counts those that do, and
    `last_event_ahead` is when the last of them happens.
    """

    database: str
    place: str
    store_version: int
    events: int
    raw_events: int
    runs: int
    jobs: int
    datasets: int
    fields: int
    versions: int
    mappings: int
    edges: int
    edges_in_force: int
    first_event: str | None
    last_event: str | None
    bytes: int
    events_ahead: int = 0
    last_event_ahead: str | None = None

    def to_dict(self) -> dict[str, object]:
        """As plain JSON."""
        return asdict(self)

    def rows(self) -> list[dict[str, object]]:
        """As one flat row."""
        return [self.to_dict()]


_COUNTS = {
    "events": "SELECT count(*) FROM event",
    "raw_events": "SELECT count(*) FROM event WHERE rest IS NOT NULL",
    "runs": "SELECT count(*) FROM run",
    "jobs": "SELECT count(*) FROM job",
    "datasets": "SELECT count(*) FROM dataset",
    "fields": "SELECT count(*) FROM field",
    "versions": "SELECT count(*) FROM version",
    "mappings": "SELECT count(*) FROM mapping",
    "edges": f"SELECT count(*) FROM edge WHERE {has_source('edge')}",  # noqa: S608  our own words
    "edges_in_force": "SELECT count(*) FROM edge JOIN (SELECT DISTINCT mapping FROM slot"  # noqa: S608  our own words
    f" WHERE {in_force('slot', ':now')}) now ON now.mapping = edge.mapping WHERE {has_source('edge')}",
}


_UNTIL_NOW = "SELECT min(us), max(us) FROM event WHERE us <= :now"
_AHEAD = "SELECT count(*), max(us) FROM event WHERE us > :now"


def stats_of(session: Session, database: str, place: str, version: int, size: int) -> Stats:
    """Count everything."""
    now = session.now
    counts = {name: int(session.rows(statement, now=now)[0][0]) for name, statement in _COUNTS.items()}
    spans = [session.rows(statement, now=now)[0] for statement in (_UNTIL_NOW, _AHEAD)]
    (first, last), (ahead, last_ahead) = spans
    return Stats(
        database,
        place,
        version,
        **counts,
        first_event=_text(first),
        last_event=_text(last),
        bytes=size,
        events_ahead=int(ahead),
        last_event_ahead=_text(last_ahead),
    )


def _text(us: int | None) -> str | None:
    return None if us is None else instant_text(us)
