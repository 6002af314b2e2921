"""From meanings to shapes: what events say is written once, with all that belongs to it."""

from collections.abc import Iterable, Iterator, Mapping

from headwater.openlineage.model.event import ColumnLineage, SchemaField
from headwater.store.db.codes import NO_JOB, NOTHING, EventKind, Kind, NoteKind
from headwater.store.db.session import Row, Session, ids
from headwater.store.entities.key_cache import Cache, KnownMadeOf, KnownMention, KnownShape
from headwater.store.entities.keys import Keys, find_or_add, hash_of, rows_of
from headwater.store.entities.renamed_mappings import drop_edges, refresh_under_new_names
from headwater.store.entities.search_terms import Entry, description_entry, note_entries
from headwater.store.model.compression import packed
from headwater.store.model.meaning import LEFT_OUT, Meaning, Mention, Name, Note, tagged_columns
from headwater.store.model.order import canonical, digest

NOTE_KINDS: Mapping[int, Kind] = {NoteKind.DATASET: Kind.DATASET, NoteKind.JOB: Kind.JOB}
"""What a note is about, by its kind."""
LEFT_OUT_STEP = (LEFT_OUT, "", 0)
"""The step into a column that a mapping leaves out: type, subtype and masking."""
ROW_SOURCE_STEP = ("INDIRECT", "ROWS", 0)
"""The step from the rows of a dataset to what counts them."""
_LOAD = """
SELECT mention.shape, mention.role, mention.dataset, dataset.namespace, dataset.name, mention.said, mention.mapping,
       mention.schema, mention.lifecycle, mention.partial, mention.renamed
FROM {given} {join} mention ON mention.shape = given.id {join} dataset ON dataset.id = mention.dataset
"""
_LOAD_MADE_OF = """
SELECT made_of.shape, made_of.dataset, made_of.job, made_of.source, job.namespace, job.name
FROM {given} {join} made_of ON made_of.shape = given.id LEFT JOIN job ON job.id = made_of.job
"""


class Shapes:
    """Finds and makes shapes in one transaction."""

    def __init__(self, keys: Keys) -> None:
        self._keys = keys
        self._session = keys.session
        self._cache = keys.cache

    def resolve(self, meanings: Iterable[tuple[Meaning, bytes]]) -> None:
        """Have the shapes of meanings in the cache; each comes with the least stamp of its events."""
        new_meanings = {
            meaning.hash: (meaning, stamp) for meaning, stamp in meanings if meaning.hash not in self._cache.shapes
        }
        if not new_meanings:
            return
        every = [meaning for meaning, _ in new_meanings.values()]
        self._keys.jobs({job for meaning in every for job in jobs_of(meaning)})
        self._keys.datasets({name for meaning in every for name in datasets_of(meaning)})
        self._keys.fields({field for meaning in every for field in self._fields_of(meaning)})
        schemas = self._schemas(every)
        mappings = self._mappings(new_meanings.values())
        rows: dict[bytes, Row] = {
            meaning.hash: (meaning.hash, int(meaning.kind), self._job(meaning), int(meaning.streaming))
            for meaning in every
        }
        keys, new = find_or_add(self._session, "shape", "hash, kind, job, streaming", rows)
        for meaning in every:
            shape = self._known(meaning, keys[meaning.hash], schemas, mappings)
            self._cache.shapes[meaning.hash] = shape
            self._cache.shapes_by_id[shape.id] = shape
        self._add([(self._cache.shapes[meaning.hash], meaning) for meaning in every if meaning.hash in new])

    def _job(self, meaning: Meaning) -> int:
        return self._cache.jobs[meaning.job] if meaning.job else 0

    def _fields_of(self, meaning: Meaning) -> Iterator[tuple[int, str]]:
        datasets = self._cache.datasets
        return ((datasets[name], path) for name, path in fields_of(meaning))

    def _known(
        self, meaning: Meaning, key: int, schemas: Mapping[bytes, int], mappings: Mapping[bytes, int]
    ) -> KnownShape:
        datasets = self._cache.datasets
        return KnownShape(
            key,
            meaning.kind,
            self._job(meaning),
            meaning.streaming,
            tuple(
                KnownMention(
                    int(mention.role),
                    datasets[mention.dataset],
                    mention.dataset,
                    int(mention.said),
                    mappings.get(mapping_hash(mention)),
                    None if mention.schema is None else schemas[schema_hash(mention.schema)],
                    mention.lifecycle,
                    int(mention.partial),
                    datasets[mention.renamed] if mention.renamed else None,
                )
                for mention in meaning.mentions
            ),
            tuple((datasets[alias], datasets[physical]) for alias, physical in meaning.symlinks),
            tuple(
                KnownMadeOf(
                    datasets[made.dataset] if made.dataset else NOTHING,
                    self._cache.jobs[made.job] if made.job else NO_JOB,
                    datasets[made.source] if made.source else NOTHING,
                    made.job or ("", ""),
                )
                for made in meaning.made_of
            ),
        )

    def _add(self, added: Iterable[tuple[KnownShape, Meaning]]) -> None:
        """Write what belongs to new shapes."""
        mentions: list[Row] = []
        symlinks: list[Row] = []
        made_of: list[Row] = []
        notes: list[Row] = []
        entries: list[Entry] = []
        for shape, meaning in added:
            for known in shape.mentions:
                values = (known.said, known.mapping, known.schema, known.lifecycle, known.partial, known.renamed)
                mentions.append((shape.id, known.role, known.dataset, *values))
            entries += self._descriptions(meaning)
            symlinks += [(shape.id, alias, physical) for alias, physical in shape.symlinks]
            made_of += [(shape.id, made.dataset, made.job, made.source) for made in shape.made_of]
            for note in meaning.notes:
                kind, entity = self._entity(note, meaning)
                notes.append((kind, entity, note.name, shape.id, note.content))
                entries += note_entries(NOTE_KINDS[kind], entity, note.name, note.content)
        columns = "shape, role, dataset, said, mapping, schema, lifecycle, partial, renamed"
        self._session.insert("mention", columns, mentions, conflict="(shape, role, dataset) DO NOTHING")
        self._session.insert(
            "symlink", "shape, alias, physical", symlinks, conflict="(shape, alias, physical) DO NOTHING"
        )
        columns = "shape, dataset, job, source"
        self._session.insert("made_of", columns, made_of, conflict=f"({columns}) DO NOTHING")
        self._session.insert(
            "note", "kind, entity, name, shape, content", notes, conflict="(kind, entity, name, shape) DO NOTHING"
        )
        self._keys.words(entries)

    def _descriptions(self, meaning: Meaning) -> Iterator[Entry]:
        """The words about fields, by which they can be found."""
        for mention in meaning.mentions:
            dataset = self._cache.datasets[mention.dataset]
            for field in mention.schema or ():
                if field.description:
                    yield description_entry(self._cache.fields[dataset, field.path], field.description)

    def _entity(self, note: Note, meaning: Meaning) -> tuple[int, int]:
        if note.dataset:
            return int(NoteKind.DATASET), self._cache.datasets[note.dataset]
        return int(NoteKind.JOB), self._job(meaning)

    def _schemas(self, meanings: Iterable[Meaning]) -> dict[bytes, int]:
        rows: dict[bytes, Row] = {}
        for meaning in meanings:
            for mention in meaning.mentions:
                if mention.schema is not None:
                    key = schema_hash(mention.schema)
                    rows[key] = (key, packed(schema_content(mention.schema)))
        return find_or_add(self._session, "schema", "hash, content", rows)[0]

    def _mappings(self, meanings: Iterable[tuple[Meaning, bytes]]) -> dict[bytes, int]:
        datasets = self._cache.datasets
        earliest: dict[bytes, tuple[Mention, bytes]] = {}
        for meaning, stamp in meanings:
            for mention in meaning.mentions:
                if key := mapping_hash(mention):
                    earliest[key] = min(earliest.get(key, (mention, stamp)), (mention, stamp), key=lambda pair: pair[1])
        rows: dict[bytes, Row] = {}
        for key, (mention, stamp) in earliest.items():
            prints = mention.prints
            rows[key] = (
                key,
                datasets[mention.dataset],
                prints.structure if prints else b"",
                prints.text if prints else b"",
                stamp,
                datasets[mention.renamed] if mention.renamed and not prints else None,
            )
        mappings, new = find_or_add(self._session, "mapping", "hash, dataset, structure, text, stamp, origin", rows)
        # Whose texts stay is looked at afterwards: another process may have been faster, with those of a later event.
        self._add_edges((mappings[key], earliest[key][0]) for key in new)
        return mappings

    def _add_edges(self, mappings: Iterable[tuple[int, Mention]]) -> None:
        every = [(key, mention.dataset, mention.lineage) for key, mention in mappings if mention.lineage]
        self._steps(lineage for _, _, lineage in every)
        rows = [row for key, dataset, lineage in every for row in self._edges(key, dataset, lineage)]
        columns = "mapping, out_field, ordinal, in_field, step, description"
        self._session.insert("edge", columns, rows, conflict="(mapping, out_field, ordinal) DO NOTHING")

    def _steps(self, lineages: Iterable[ColumnLineage]) -> None:
        known = self._cache.steps
        steps = {step for lineage in lineages for step in steps_of(lineage)}
        rows: dict[bytes, Row] = {}
        by_hash = {hash_of(*step): step for step in steps if step not in known}
        for key, (kind, subtype, masking) in by_hash.items():
            rows[key] = (key, kind, subtype, masking)
        for key, number in find_or_add(self._session, "step", "hash, type, subtype, masking", rows)[0].items():
            known[by_hash[key]] = number

    def _edges(self, mapping: int, name: Name, lineage: ColumnLineage) -> Iterator[Row]:
        datasets, fields = self._cache.datasets, self._cache.fields
        dataset = datasets[name]
        for ordinal, edge in enumerate(lineage.edges):
            out = rows_of(dataset) if edge.out is None else fields[dataset, edge.out]
            source = fields[datasets[edge.namespace, edge.name], edge.path]
            step = self._cache.steps[edge.type, edge.subtype, edge.masking]
            yield mapping, out, ordinal, source, step, edge.description
        for ordinal, column in enumerate(lineage.left_out, start=len(lineage.edges)):
            yield mapping, fields[dataset, column], ordinal, rows_of(dataset), self._cache.steps[LEFT_OUT_STEP], ""
        for ordinal, read in enumerate(lineage.row_sources or (), start=len(lineage.edges) + len(lineage.left_out)):
            out = rows_of(dataset) if read.out is None else fields[dataset, read.out]
            source = rows_of(datasets[read.namespace, read.name])
            yield mapping, out, ordinal, source, self._cache.steps[ROW_SOURCE_STEP], ""

    def tell_earlier(self, texts: Mapping[int, tuple[bytes, Meaning]]) -> None:
        """Take the texts of mappings from events that turn out to be earlier than those that gave them."""
        changed = []
        for mapping, (stamp, meaning) in texts.items():
            rows = self._session.rows(
                "UPDATE mapping SET stamp = :stamp WHERE id = :id AND stamp > :stamp RETURNING hash",
                id=mapping,
                stamp=stamp,
            )
            self._cache.mapping_stamps[mapping] = stamp
            if rows:
                key = bytes(rows[0][0])
                changed.append((mapping, next(mention for mention in meaning.mentions if mapping_hash(mention) == key)))
        if changed:
            keys = [mapping for mapping, _ in changed]
            drop_edges(self._session, keys)
            self._keys.fields({field for _, (_, meaning) in texts.items() for field in self._fields_of(meaning)})
            self._add_edges(changed)
            refresh_under_new_names(self._keys, keys)


def load_shapes(session: Session, cache: Cache, shapes: Iterable[int]) -> None:
    """Have shapes that other transactions made in the cache."""
    missing = [key for key in shapes if key not in cache.shapes_by_id]
    if not missing:
        return
    mentions: dict[int, list[KnownMention]] = {key: [] for key in missing}
    for shape, role, dataset, namespace, name, *values in session.rows(_LOAD, ids(missing)):
        mentions[shape].append(KnownMention(role, dataset, (namespace, name), *values))
    symlinks: dict[int, list[tuple[int, int]]] = {key: [] for key in missing}
    for shape, alias, physical in session.rows(
        "SELECT symlink.shape, symlink.alias, symlink.physical FROM {given} {join} symlink ON symlink.shape = given.id",
        ids(missing),
    ):
        symlinks[shape].append((alias, physical))
    made_of: dict[int, list[KnownMadeOf]] = {key: [] for key in missing}
    for shape, dataset, job, source, *by in session.rows(_LOAD_MADE_OF, ids(missing)):
        made_of[shape].append(KnownMadeOf(dataset, job, source, (by[0] or "", by[1] or "")))
    for key, kind, job, streaming in session.rows(
        "SELECT shape.id, shape.kind, shape.job, shape.streaming FROM {given} {join} shape ON shape.id = given.id",
        ids(missing),
    ):
        known = KnownShape(
            key,
            EventKind(kind),
            job,
            bool(streaming),
            tuple(mentions[key]),
            tuple(sorted(symlinks[key])),
            tuple(sorted(made_of[key])),
        )
        cache.shapes_by_id[key] = known


def jobs_of(meaning: Meaning) -> Iterator[Name]:
    """All the jobs that a meaning names."""
    if meaning.job:
        yield meaning.job
    for made in meaning.made_of:
        if made.job:
            yield made.job


def datasets_of(meaning: Meaning) -> Iterator[Name]:
    """All the datasets that a meaning names."""
    for mention in meaning.mentions:
        yield mention.dataset
        if mention.renamed:
            yield mention.renamed
        if mention.lineage:
            yield from ((edge.namespace, edge.name) for edge in mention.lineage.edges)
            yield from ((read.namespace, read.name) for read in mention.lineage.row_sources or ())
    for made in meaning.made_of:
        yield from (name for name in (made.dataset, made.source) if name)
    for alias, physical in meaning.symlinks:
        yield alias
        yield physical


def fields_of(meaning: Meaning) -> Iterator[tuple[Name, str]]:
    """All the fields that a meaning names, each with its dataset."""
    for mention in meaning.mentions:
        for field in mention.schema or ():
            yield mention.dataset, field.path
        if mention.lineage:
            yield from _fields_of_lineage(mention.dataset, mention.lineage)
    for note in meaning.notes:
        if note.dataset is not None:
            for column in tagged_columns(note):
                yield note.dataset, column


def _fields_of_lineage(dataset: Name, lineage: ColumnLineage) -> Iterator[tuple[Name, str]]:
    for column in lineage.columns:
        yield dataset, column
    for edge in lineage.edges:
        yield (edge.namespace, edge.name), edge.path
    written = {edge.out for edge in lineage.edges} | {read.out for read in lineage.row_sources or ()}
    yield from ((dataset, out) for out in written if out is not None)


def steps_of(lineage: ColumnLineage) -> set[tuple[str, str, int]]:
    """The steps of lineage: type, subtype and masking."""
    steps = {(edge.type, edge.subtype, int(edge.masking)) for edge in lineage.edges}
    if lineage.row_sources:
        steps.add(ROW_SOURCE_STEP)
    return steps | {LEFT_OUT_STEP} if lineage.left_out else steps


def mapping_hash(mention: Mention) -> bytes:
    """What stands for a mention's mapping in all stores; empty where it has none."""
    if mention.prints:
        return digest(canonical(mention.dataset) + mention.prints.structure + mention.prints.text)
    return hash_of(mention.dataset, "renamed", mention.renamed) if mention.renamed else b""


def schema_content(schema: tuple[SchemaField, ...]) -> bytes:
    """A schema as it is kept."""
    return canonical([(field.path, field.type, field.description) for field in schema])


def schema_hash(schema: tuple[SchemaField, ...]) -> bytes:
    """What stands for a schema in all stores."""
    return digest(schema_content(schema))
