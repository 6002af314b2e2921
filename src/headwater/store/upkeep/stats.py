"""How much a store holds."""

from dataclasses import asdict, dataclass

from headwater.openlineage.model.instants import instant_text
from headwater.store.db.predicates import has_source, still_in_force
from headwater.store.db.session import Session


@dataclass(frozen=True, slots=True)
class Stats:
    """Counts, the times of the first and the last event, and the size on disk."""

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
    f" WHERE {still_in_force('slot')}) now ON now.mapping = edge.mapping WHERE {has_source('edge')}",
}


def stats_of(session: Session, database: str, place: str, version: int, size: int) -> Stats:
    """Count everything."""
    counts = {name: int(session.rows(statement)[0][0]) for name, statement in _COUNTS.items()}
    first, last = session.rows("SELECT min(us), max(us) FROM event")[0]
    times = [None if us is None else instant_text(us) for us in (first, last)]
    return Stats(database, place, version, **counts, first_event=times[0], last_event=times[1], bytes=size)
