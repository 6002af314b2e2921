"""The first version of the store, which kept whole events: they are taken out, and ingested again after the upgrade."""

import json
import zlib
from collections.abc import Iterator
from dataclasses import dataclass

from headwater.store.session import Session

_TABLES = (
    "slot",
    "version",
    "edge",
    "mapping",
    "dataset_schema",
    "facet",
    "body",
    "run_dataset",
    "run",
    "job",
)
_BATCH = 500


@dataclass(frozen=True, slots=True)
class Thin:
    """The events of a store of the first version, kept aside while its tables make way for the new ones."""

    events: int

    @staticmethod
    def take_away(session: Session) -> "Thin":
        """Put the events aside and drop the rest."""
        session.run("ALTER TABLE event RENAME TO thin_event")
        for table in (*_TABLES, "field", "dataset"):
            session.run(f"DROP TABLE {table}")
        # Names of indexes are those of the whole database; `event` had none but its unique one.
        return Thin(session.rows("SELECT count(*) FROM thin_event")[0][0])

    def put_back(self, session: Session) -> None:
        """Ingest the events again."""
        # Here, not above: what writes events needs a store that is up to date.
        from headwater.store.cache import Cache  # noqa: PLC0415
        from headwater.store.ingest import write_events  # noqa: PLC0415
        from headwater.store.prepare import make_ready  # noqa: PLC0415

        cache = Cache()
        for batch in self._batches(session):
            write_events(session, cache, [make_ready(event) for event in batch])
        session.run("DROP TABLE thin_event")

    @staticmethod
    def _batches(session: Session) -> Iterator[list[dict[str, object]]]:
        last = -1
        while rows := session.rows(
            "SELECT id, raw FROM thin_event WHERE id > :last AND raw IS NOT NULL ORDER BY id LIMIT :most",
            last=last,
            most=_BATCH,
        ):
            yield [json.loads(zlib.decompress(raw)) for _, raw in rows]
            last = rows[-1][0]
