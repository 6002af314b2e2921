"""Relations of an entity, named as in the RFC and as in DataHub today, from a store at a moment.

| relation | from | to |
|---|---|---|
| HasField | dataset | its fields, by the RFC |
| DataDerivedFrom | field | the fields that its values come from |
| DownstreamOf | dataset, schemaField | its inputs; those of a field include the indirect ones |
| Consumes, Produces | dataJob | the datasets that it reads and writes |
| TaggedWith, TermedWith, SchemaFieldTaggedWith, … | dataset | tags and terms |
"""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, NamedTuple

from headwater.common.column_path import join_path, split_path
from headwater.datahub.aspects.aspect_store import aspects_at, without_urns
from headwater.datahub.aspects.reading import Name
from headwater.datahub.entities.entity import dataset_of
from headwater.datahub.exports.inventory import inventory_of
from headwater.datahub.exports.proposals import Export, export_in
from headwater.datahub.json_values import a_list, a_text, an_object
from headwater.datahub.naming.datasets import Naming
from headwater.datahub.naming.named_datasets import some_named
from headwater.datahub.naming.store_names import job_name, job_urn
from headwater.fields.errors import DataHubError
from headwater.fields.paths import SchemaFields, field_of
from headwater.fields.urn import Urn
from headwater.notebook.rows import Tabular
from headwater.query.graph.answer import Direction, Moment, TableKind
from headwater.query.lineage.tables import follow_tables
from headwater.query.lineage.traversal import LIMIT, Walk, traverse
from headwater.query.search.resolve import DatasetName, JobName, UnknownName, resolve_column
from headwater.store.db.session import Session
from headwater.store.reads.names import names_by_name

HAS_FIELD, DERIVED, DOWNSTREAM = "HasField", "DataDerivedFrom", "DownstreamOf"
CONSUMES, PRODUCES = "Consumes", "Produces"
_TAGS = (("globalTags", "tags", "tag", "TaggedWith"), ("glossaryTerms", "terms", "urn", "TermedWith"))
# The list of fields in an aspect, and the relations to their tags and terms.
_FIELD_TAGS = (
    ("schemaMetadata", "fields", ("SchemaFieldTaggedWith", "SchemaFieldWithGlossaryTerm")),
    (
        "editableSchemaMetadata",
        "editableSchemaFieldInfo",
        ("EditableSchemaFieldTaggedWith", "EditableSchemaFieldWithGlossaryTerm"),
    ),
)


class Relation(NamedTuple):
    """A relation to another entity."""

    type: str
    urn: str


@dataclass(frozen=True, slots=True)
class Relations(Tabular):
    """The relations of an entity, outgoing or incoming; `partial` if there are more."""

    COLUMNS: ClassVar[tuple[str, ...]] = ("urn", "direction", "type", "entity")

    urn: str
    direction: str
    relations: tuple[Relation, ...]
    partial: bool = False

    def to_dict(self) -> dict[str, object]:
        """As plain JSON."""
        return {
            "urn": self.urn,
            "direction": self.direction,
            "partial": self.partial,
            "relations": [{"type": relation.type, "entity": relation.urn} for relation in self.relations],
        }

    def rows(self) -> list[dict[str, object]]:
        """As flat rows, one a relation."""
        return [{"urn": self.urn, "direction": self.direction, "type": t, "entity": urn} for t, urn in self.relations]


def relations_of(  # noqa: PLR0913  the parts of a question
    session: Session,
    naming: Naming,
    urn: str,
    *,
    incoming: bool,
    types: Collection[str] = (),
    at: int | None = None,
    limit: int = LIMIT,
) -> Relations:
    """The relations of an entity, of all types or only of these; one that the store does not know has none.

    `limit` is how many datasets, jobs or fields to look at, at most.

    Raises:
        DataHubError: it is no URN, or several datasets have it.
    """
    reader = _RelationReader(session, naming, at, limit)
    parsed = Urn.parse(urn)
    if parsed.kind == "dataset":
        relations = reader.of_dataset(urn, incoming=incoming)
    elif parsed.kind == "datasetField" or (parsed.kind == "schemaField" and parsed.urn(0).kind == "dataset"):
        relations = reader.of_field(urn, incoming=incoming)
    elif parsed.kind == "dataJob" and not incoming:
        relations = reader.of_job(urn)
    else:
        relations = iter(())
    chosen = sorted({relation for relation in relations if not types or relation.type in types})
    return Relations(urn, "INCOMING" if incoming else "OUTGOING", tuple(chosen), reader.partial)


class _RelationReader:
    def __init__(self, session: Session, naming: Naming, at: int | None, limit: int) -> None:
        self._session = session
        self._naming = naming
        self._at = at
        self._limit = limit
        self._moment = session.moment(at)
        self.partial = False

    def of_dataset(self, urn: str, *, incoming: bool) -> Iterator[Relation]:
        name = dataset_of(self._session, self._naming, urn, self._moment)
        if name is None:
            return
        root = DatasetName(self._key(name), *name)
        jobs, datasets = self._around(root, Direction.DOWNSTREAM if incoming else Direction.UPSTREAM, depth=2)
        yield from self._datasets(DOWNSTREAM, datasets)
        if incoming:
            yield from self._jobs(CONSUMES, jobs)
            yield from self._jobs(PRODUCES, self._around(root, Direction.UPSTREAM, depth=1)[0])
            return
        export = self._export([name])
        for path in _leaves(column.path for column in export.inventory.schemas.get(name, [])):
            yield from _written(HAS_FIELD, export.dataset_field, name, path)
        aspects = aspects_at(self._session, "dataset", [name], self._moment).get(name, {})
        yield from tag_relations(without_urns(aspects))

    def of_job(self, urn: str) -> Iterator[Relation]:
        name = job_name(urn, self._naming.env)
        for job in names_by_name(self._session, "job", [name]):
            root = JobName(*job)
            for kind, direction in ((CONSUMES, Direction.UPSTREAM), (PRODUCES, Direction.DOWNSTREAM)):
                yield from self._datasets(kind, self._around(root, direction, depth=1)[1])

    def of_field(self, urn: str, *, incoming: bool) -> Iterator[Relation]:
        field = field_of(urn)
        name = dataset_of(self._session, self._naming, field.dataset, self._moment)
        if name is None:
            return
        paths = [column.path for column in self._export([name]).inventory.schemas.get(name, [])]
        path = SchemaFields(paths).find(field.path, rfc=field.rfc)
        if incoming and path is not None:
            yield Relation(HAS_FIELD, field.dataset)
        try:
            key = resolve_column(self._session, DatasetName(self._key(name), *name), path or field.path, self._at)
        except UnknownName:
            return
        direction = Direction.DOWNSTREAM if incoming else Direction.UPSTREAM
        walk = Walk(direction, Moment.at(self._at), depth=1, limit=self._limit)
        answer = traverse(self._session, self._key(name), key, walk)
        self.partial |= answer.partial
        near = []
        for edge in answer.edges:
            mine, other = (edge.origin, edge.destination) if incoming else (edge.destination, edge.origin)
            if mine == answer.root and other.field is not None:
                direct = any(step.type != "INDIRECT" for step in edge.transformations)
                near.append(((other.namespace, other.name), other.field, direct))
        export = self._export({of for of, _, _ in near})
        written = export.dataset_field if field.rfc else export.schema_field
        for of, other_path, direct in near:
            for kind in ([DERIVED] if direct else []) + ([] if field.rfc else [DOWNSTREAM]):
                yield from _written(kind, written, of, other_path)

    def _key(self, name: Name) -> int:
        (dataset,) = names_by_name(self._session, "dataset", [name])
        return dataset.id

    def _around(self, root: DatasetName | JobName, direction: Direction, depth: int) -> tuple[set[Name], set[Name]]:
        """The jobs and the datasets next to one."""
        walk = Walk(direction, Moment.at(self._at), depth=depth, limit=self._limit)
        answer = follow_tables(self._session, root, walk, collapse=False)
        self.partial |= answer.partial
        names: dict[TableKind, set[Name]] = {kind: set() for kind in TableKind}
        for node in answer.nodes:
            if node.distance:
                names[node.kind].add((node.name.namespace, node.name.name))
        return names[TableKind.JOB], names[TableKind.DATASET]

    def _datasets(self, kind: str, names: Collection[Name]) -> Iterator[Relation]:
        keys = [dataset.id for dataset in names_by_name(self._session, "dataset", names)]
        urn_of = some_named(self._session, self._naming, keys, self._moment).names.urn_of
        for name in names:
            yield from _written(kind, urn_of, name)

    def _jobs(self, kind: str, names: Collection[Name]) -> Iterator[Relation]:
        for name in names:
            yield from _written(kind, job_urn, name, self._naming.env)

    def _export(self, names: Collection[Name]) -> Export:
        """An export that makes the URNs of the fields of datasets."""
        keys = [dataset.id for dataset in names_by_name(self._session, "dataset", names)]
        inventory = inventory_of(self._session, self._naming, [], at=self._at, beside=keys)
        return export_in(self._session, inventory, self._naming, at=self._at)


def _written(kind: str, urn_of: Callable[..., str], *named: Any) -> Iterator[Relation]:  # noqa: ANN401  what the function takes
    """A relation to what has a URN; a name that DataHub cannot hold has none."""
    try:
        yield Relation(kind, urn_of(*named))
    except DataHubError:
        return


def _leaves(paths: Iterable[str]) -> list[str]:
    """Fields without fields inside, as the RFC lists them."""
    listed = list(paths)
    around = {join_path(split_path(path)[:end]) for path in listed for end in range(1, len(split_path(path)))}
    return [path for path in listed if path not in around]


def tag_relations(aspects: Mapping[str, Any]) -> Iterator[Relation]:
    """The relations to the tags and terms in the aspects of a dataset.

    >>> list(tag_relations({"globalTags": {"tags": [{"tag": "urn:li:tag:pii"}]}}))
    [Relation(type='TaggedWith', urn='urn:li:tag:pii')]
    """
    yield from _tagged_with(aspects, [kind for *_, kind in _TAGS])
    for aspect, key, kinds in _FIELD_TAGS:
        value = aspects.get(aspect)
        for info in a_list(value.get(key), key) if isinstance(value, Mapping) else ():
            yield from _tagged_with(info, kinds)


def _tagged_with(holder: Any, kinds: list[str] | tuple[str, ...]) -> Iterator[Relation]:  # noqa: ANN401  JSON
    for (aspect, key, urn, _), kind in zip(_TAGS, kinds, strict=True):
        value = holder.get(aspect) if isinstance(holder, Mapping) else None
        for entry in a_list(value.get(key), key) if isinstance(value, Mapping) else ():
            try:
                yield Relation(kind, a_text(an_object(entry, key).get(urn), urn))
            except DataHubError:  # noqa: PERF203  each is good or bad by itself
                continue
