"""Writing a batch of events: facts are merged, then all that they touch is derived again, in one transaction."""

from collections.abc import Iterable, Sequence
from collections.abc import Set as AbstractSet

from headwater.store.db.codes import NOTHING
from headwater.store.db.session import Given, Hold, Row, Session
from headwater.store.entities.fields import SeenSchemas, refresh_aliases
from headwater.store.entities.key_cache import Cache, KnownShape
from headwater.store.entities.keys import Keys, add, ask_keys, find_or_add, keys_by_hash
from headwater.store.entities.shapes import Shapes
from headwater.store.ingest.prepared_event import Ready
from headwater.store.model.compression import packed
from headwater.store.timeline.renames import Renames
from headwater.store.timeline.runs import AskedRuns, Merged, RunEvent, load_runs, uuid_bytes
from headwater.store.timeline.slots import Slots
from headwater.store.timeline.versions import Versions
from headwater.store.timeline.writes import Fact

_KNOWN = """
SELECT event.hash FROM {given} {join} event ON event.us = given.us AND event.hash = given.hash
"""
_MERGE_NAMED = (
    "(run, role, dataset, us) DO UPDATE SET stamp = excluded.stamp, version = excluded.version"
    " WHERE excluded.stamp > named.stamp"
)


def write_events(session: Session, cache: Cache, ready: Sequence[Ready]) -> set[bytes]:
    """Merge and derive; returns the hashes of the events that were new."""
    session.beside_others()
    epoch = session.soon("SELECT value FROM meta WHERE key = 'epoch'")
    stored = session.soon(_KNOWN, Given("us int, hash bytes", [(event.us, event.hash) for event in ready]))
    runs = AskedRuns(
        session,
        {event.run for event in ready if event.run},
        {uuid_bytes(event.parent.run_id) for event in ready if event.parent},
    )
    # Asked for before it is known which are needed: an answer more costs less than another way to the server.
    asked = {event.body_hash for event in ready if event.body_hash not in cache.bodies}
    bodies = ask_keys(session, "body", "hash", asked)
    _keep_up(cache, epoch.rows())
    cache.bodies |= keys_by_hash(bodies)
    known = {bytes(row[0]) for row in stored.rows()}
    fresh = [event for event in {event.hash: event for event in ready}.values() if event.hash not in known]
    if not fresh:
        return set()
    keys = Keys(session, cache)
    shapes = _shapes(keys, fresh)
    _add_bodies(session, cache, fresh, asked)
    merged = _merged(runs, keys, fresh, shapes)
    rows: list[Row] = [
        (
            event.hash,
            int(event.kind),
            int(event.type),
            event.us,
            merged.keys[event.run] if event.run else None,
            shape.id,
            cache.bodies[event.body_hash],
            packed(event.rest),
        )
        for event, shape in zip(fresh, shapes, strict=True)
    ]
    session.insert("event", "hash, kind, type, us, run, shape, body, rest", rows)
    _name_versions(session, cache, fresh, merged)
    _derive(session, keys, fresh, shapes, merged)
    return {event.hash for event in fresh}


def _keep_up(cache: Cache, rows: Sequence[Row]) -> None:
    """Forget what was remembered of a store from which something was purged since."""
    cache.trim()
    epoch = rows[0][0] if rows else ""
    if epoch != cache.epoch:
        cache.clear()
        cache.epoch = epoch


def _shapes(keys: Keys, events: Sequence[Ready]) -> list[KnownShape]:
    cache = keys.cache
    shapes = Shapes(keys)
    unknown = [event for event in events if event.body_hash not in cache.shapes_by_body]
    first: dict[bytes, tuple[Ready, bytes]] = {}
    for event in unknown:
        meaning = event.read()
        if meaning.hash not in first or event.stamp < first[meaning.hash][1]:
            first[meaning.hash] = (event, event.stamp)
    shapes.resolve((event.read(), stamp) for event, stamp in first.values())
    for event in unknown:
        cache.shapes_by_body[event.body_hash] = cache.shapes[event.read().hash]
    for event in events:
        event.remember(cache.written)
    event_shapes = [cache.shapes_by_body[event.body_hash] for event in events]
    _keep_first_texts(shapes, keys, events, event_shapes)
    return event_shapes


def _keep_first_texts(shapes: Shapes, keys: Keys, events: Sequence[Ready], event_shapes: Sequence[KnownShape]) -> None:
    """A mapping has the texts of the earliest event that says it, whichever came first."""
    stamps = keys.cache.mapping_stamps
    first: dict[int, tuple[bytes, Ready]] = {}
    for event, shape in zip(events, event_shapes, strict=True):
        for mention in shape.mentions:
            mapping = mention.mapping
            if mapping is not None and (mapping not in first or event.stamp < first[mapping][0]):
                first[mapping] = (event.stamp, event)
    unknown = [(mapping,) for mapping in sorted(first) if mapping not in stamps]
    for mapping, stamped in keys.session.rows(
        "SELECT mapping.id, mapping.stamp FROM {given} {join} mapping ON mapping.id = given.id",
        Given("id int", unknown),
    ):
        stamps[mapping] = bytes(stamped)
    earlier = {mapping: (at, event.read()) for mapping, (at, event) in first.items() if at < stamps[mapping]}
    if earlier:
        shapes.tell_earlier(earlier)


def _add_bodies(session: Session, cache: Cache, events: Iterable[Ready], asked: AbstractSet[bytes]) -> None:
    """Have the keys of bodies in the cache; those that were asked for and are not there are not in the store."""
    rows: dict[bytes, Row] = {
        event.body_hash: (event.body_hash, packed(event.content()))
        for event in events
        if event.body_hash not in cache.bodies
    }
    if rows:
        columns = "hash, content"
        is_new = rows.keys() <= asked
        cache.bodies |= (
            add(session, "body", columns, rows) if is_new else find_or_add(session, "body", columns, rows)[0]
        )


def _merged(runs: AskedRuns, keys: Keys, events: Sequence[Ready], shapes: Sequence[KnownShape]) -> Merged:
    named = {
        (event.parent.job.namespace, event.parent.job.name) for event in events if event.parent and event.parent.job
    }
    keys.jobs(named)
    run_events = []
    for event, shape in zip(events, shapes, strict=True):
        if event.run:
            parent = event.parent
            named_job = keys.cache.jobs[parent.job.namespace, parent.job.name] if parent and parent.job else None
            uuid = uuid_bytes(parent.run_id) if parent else None
            run_events.append(
                RunEvent(
                    event.run,
                    event.stamp,
                    event.us,
                    event.type,
                    shape.job,
                    shape.streaming,
                    uuid,
                    named_job,
                )
            )
    return runs.merge(run_events)


def _name_versions(session: Session, cache: Cache, events: Iterable[Ready], merged: Merged) -> None:
    rows: dict[tuple[int, int, int, int], Row] = {}
    for event in events:
        for role, name, version in event.versions:
            key = (merged.keys[event.run or b""], int(role), cache.datasets[name], event.us)
            if key not in rows or rows[key][4] < event.stamp:
                rows[key] = (*key, event.stamp, version)
    session.insert("named", "run, role, dataset, us, stamp, version", list(rows.values()), conflict=_MERGE_NAMED)


def _derive(
    session: Session, keys: Keys, events: Sequence[Ready], shapes: Sequence[KnownShape], merged: Merged
) -> None:
    cache = keys.cache
    runs = dict(merged.runs)
    uuids = {key: uuid for uuid, key in merged.keys.items()}
    since: dict[int, int] = {}
    streamed: set[Row] = set()
    declared: list[Fact] = []
    for event, shape in zip(events, shapes, strict=True):
        if event.run:
            key = merged.keys[event.run]
            since[key] = min(since.get(key, event.us), event.us)
            if runs[key].streaming:
                streamed.add((key, shape.id))
        else:
            declared.append(Fact(event.us, event.type, event.stamp, shape.id))
    _remember_streams(session, since, streamed)
    for key in merged.moved & since.keys():
        del since[key]  # all that the run wrote belongs to another job now
    for key in merged.above.keys() & since.keys():
        del since[key]  # what a run below writes holds for all of a streaming run, not only from its new events on
    # Of a run above, what runs below it write matters once it has ended, or where it never does.
    derived = {key for key, (_, run) in merged.above.items() if run.may_write} - runs.keys()
    for key, (uuid, run) in load_runs(session, derived, Hold.ALONE).items():
        uuids[key] = uuid
        runs[key] = run
    versions = Versions(session, cache, uuids)
    versions.of_runs(runs, merged.new, since)
    versions.declared(declared)
    touched = versions.touched
    # What a dataset's slots are derived under is the dataset; of a job that only reads, it is the job.
    session.lock("job", {job for dataset, job in touched.slots if dataset == NOTHING})
    session.lock("job", {job for _, job in touched.slots}, Hold.READ)
    session.lock("dataset", {dataset for dataset, _ in touched.slots})
    fields = SeenSchemas(
        keys,
        {
            (mention.dataset, mention.schema)
            for shape in shapes
            for mention in shape.mentions
            if mention.schema is not None
        },
    )
    renames = Renames(keys)
    # Asked for now: it goes to the database together with what slots ask for.
    asked_renames = renames.ask(touched)
    Slots(session, cache).refresh(touched)
    renamed = renames.follow(touched, asked_renames)
    fields.refresh()
    refresh_aliases(
        keys,
        {
            (alias, physical, event.us)
            for event, shape in zip(events, shapes, strict=True)
            for alias, physical in shape.symlinks
        },
        renamed,
    )


def _remember_streams(session: Session, since: dict[int, int], streamed: set[Row]) -> None:
    """Note the shapes of streaming runs; of a run that only now turns out to be one, those of all its events."""
    if not streamed:
        return
    keys = sorted({run for run, _ in streamed})
    known = {
        run
        for (run,) in session.rows(
            "SELECT DISTINCT stream_shape.run FROM {given} {join} stream_shape ON stream_shape.run = given.id",
            Given("id int", [(key,) for key in keys]),
        )
    }
    fresh = [key for key in keys if key not in known]
    for run, shape, first in session.rows(
        "SELECT event.run, event.shape, min(event.us) FROM {given} {join} event ON event.run = given.id"
        " GROUP BY event.run, event.shape",
        Given("id int", [(key,) for key in fresh]),
    ):
        streamed.add((run, shape))
        since[run] = min(since[run], first)
    session.insert("stream_shape", "run, shape", sorted(streamed), conflict="(run, shape) DO NOTHING")
