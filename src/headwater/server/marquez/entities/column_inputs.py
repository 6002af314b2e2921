"""Which columns feed the columns of datasets, one step up, for many datasets at once."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import TypeAlias

from headwater.common.codec import plain
from headwater.query.graph.aliases import Aliases
from headwater.query.graph.answer import FieldName, Transformation
from headwater.query.graph.intervals import NOW, Span
from headwater.query.graph.labels import Step, label_fields, steps
from headwater.query.lineage.traversal import place_of
from headwater.server.marquez.entities.dataset_facts import DatasetFacts
from headwater.server.marquez.entities.values import Json
from headwater.store.db.codes import FIELD_NUMBERS, RENAME_STEP
from headwater.store.db.predicates import in_force, is_rename
from headwater.store.db.session import Row, Session, ids
from headwater.store.reads.features import store_features

Inputs: TypeAlias = Mapping[FieldName, tuple[Transformation, ...]]
"""What feeds a column, and how."""
ColumnInputs: TypeAlias = Mapping[str, Inputs]
"""By the paths of columns."""

_IN_FORCE = f"""
SELECT slot.dataset, slot.mapping FROM {{given}}
{{join}} slot ON slot.dataset = given.id AND {in_force("slot", ":now")}
WHERE slot.mapping IS NOT NULL
"""  # noqa: S608  our own words
# What mappings say, and what a rename says: every field from the one of its name.
_EDGES = f"""
SELECT edge.mapping, edge.in_field, edge.out_field, edge.step, edge.description FROM {{given}}
{{join}} edge ON edge.mapping = given.id
UNION ALL
SELECT mapping.id, old.id, field.id, {RENAME_STEP}, '' FROM {{given}}
{{join}} mapping ON mapping.id = given.id AND {is_rename("mapping")}
{{join}} field ON field.dataset = mapping.dataset
{{join}} field old ON old.dataset = mapping.origin AND old.key = field.key
"""  # noqa: S608  our own words
Said: TypeAlias = dict[int, dict[int, set[tuple[int, str]]]]
"""By column and origin: the steps and their texts. There are many, so they stay keys until all are known."""


def inputs_now(session: Session, datasets: Mapping[int, DatasetFacts]) -> Mapping[int, ColumnInputs]:
    """What feeds the columns of datasets now; also what is written under other names of theirs."""
    owners = {dataset: dataset for dataset in datasets}
    aliases = Aliases(session, Span(NOW, NOW)) if store_features(session).aliases else None
    if aliases is not None:
        aliases.learn_datasets(datasets)
        owners |= {other: dataset for dataset in datasets for other in aliases.other_names(dataset)}
    in_force = [(owners[dataset], mapping) for dataset, mapping in session.rows(_IN_FORCE, ids(owners), now=NOW)]
    return _inputs(session, datasets, [(dataset, dataset, mapping) for dataset, mapping in in_force], aliases)


def inputs_in(
    session: Session, datasets: Mapping[int, DatasetFacts], mappings: Iterable[tuple[int, int]]
) -> Mapping[int, ColumnInputs]:
    """What feeds the columns of datasets by mappings: by the key of each mapping, which comes with its dataset."""
    return _inputs(session, datasets, [(mapping, dataset, mapping) for dataset, mapping in mappings], None)


def _inputs(
    session: Session,
    datasets: Mapping[int, DatasetFacts],
    wanted: Collection[tuple[int, int, int]],
    aliases: Aliases | None,
) -> Mapping[int, ColumnInputs]:
    """What mappings say of datasets, under a key: for each wanted (key, dataset, mapping)."""
    edges: defaultdict[int, list[Row]] = defaultdict(list)
    for mapping, *edge in session.rows(_EDGES, ids({mapping for _, _, mapping in wanted})):
        edges[mapping].append(tuple(edge))
    shown = _shown(edges.values(), aliases)
    found: dict[int, Said] = {}
    for key, dataset, mapping in wanted:
        said = found.setdefault(key, {})
        every = [*datasets[dataset].columns, *{edge[1] for edge in edges[mapping]}]
        for origin, out, step, text in edges[mapping]:
            # What feeds the rows of a dataset feeds all its columns.
            for column in (out,) if out & FIELD_NUMBERS else [one for one in every if one & FIELD_NUMBERS]:
                said.setdefault(column, {}).setdefault(shown.get(origin, origin), set()).add((step, text))
    return _named(session, datasets, found)


def _shown(edges: Iterable[Iterable[Row]], aliases: Aliases | None) -> Mapping[int, int]:
    """Under which fields the origins of edges are shown, where that is another one."""
    if aliases is None:
        return {}
    origins = {origin for some in edges for origin, *_ in some}
    aliases.learn(origins)
    return {origin: aliases.shown(origin) for origin in origins}


def _named(
    session: Session, datasets: Mapping[int, DatasetFacts], found: Mapping[int, Said]
) -> Mapping[int, ColumnInputs]:
    """By names: columns by their paths, and what feeds each in the order of the names."""
    names = {
        field.key: FieldName(one.name.namespace, one.name.name, field.path)
        for one in datasets.values()
        for field in one.fields
    }
    ends = {end for said in found.values() for column, origins in said.items() for end in (column, *origins)}
    names |= label_fields(session, ends - names.keys()).names
    made = {way for said in found.values() for origins in said.values() for some in origins.values() for way in some}
    ways = _Ways(steps(session, {step for step, _ in made}))
    place = {key: at for at, key in enumerate(sorted(ends, key=lambda key: _sortable(names[key])))}.__getitem__
    return {
        key: {
            names[column].field or "": {
                names[origin]: ways.of(origins[origin]) for origin in sorted(origins, key=place)
            }
            for column, origins in sorted(said.items(), key=lambda one: place(one[0]))
        }
        for key, said in found.items()
    }


def _sortable(name: FieldName) -> tuple[str, str, str]:
    return name.namespace, name.name, name.field or ""


class _Ways:
    """Transformations by their steps and texts, each made once."""

    def __init__(self, found: Mapping[int, Step]) -> None:
        self._steps = found
        self._made: dict[tuple[int, str], tuple[Transformation, ...]] = {}

    def of(self, said: Collection[tuple[int, str]]) -> tuple[Transformation, ...]:
        """The transformations of an edge."""
        made = [self._one(*one) for one in said]
        return made[0] if len(made) == 1 else tuple(sorted((one for (one,) in made), key=place_of))

    def _one(self, step: int, text: str) -> tuple[Transformation, ...]:
        known = self._made.get((step, text))
        if known is None:
            known = self._made[step, text] = (Transformation(*self._steps[step][:3], text),)
        return known


def deprecated(ways: Sequence[Transformation]) -> Json:
    """The two texts that Marquez has in the place of transformations: of the first, its description and subtype."""
    if not ways:
        return {"transformationDescription": None, "transformationType": None}
    first = ways[0]
    return {
        "transformationDescription": first.description or None,
        "transformationType": first.subtype or first.type or None,
    }


def first_ways(inputs: Inputs) -> tuple[Transformation, ...]:
    """The ways of the first input, which Marquez shows for the whole column."""
    return next(iter(inputs.values()), ())


def as_list(columns: ColumnInputs) -> list[Json] | None:
    """As a dataset of Marquez has it: null where nothing is known."""
    found = [
        {
            "name": path,
            "inputFields": [
                {
                    "namespace": origin.namespace,
                    "dataset": origin.name,
                    "field": origin.field,
                    **deprecated(ways),
                    "transformations": [plain(way) for way in ways],
                }
                for origin, ways in inputs.items()
            ],
            **deprecated(first_ways(inputs)),
        }
        for path, inputs in columns.items()
    ]
    return found or None


def as_object(columns: ColumnInputs, *, whole: bool) -> Json:
    """As the version proposal has it: by column; `whole` with the transformations of each input."""
    return {
        path: {
            "inputFields": [_input(origin, ways if whole else None) for origin, ways in inputs.items()],
            **deprecated(first_ways(inputs)),
        }
        for path, inputs in columns.items()
    }


def _input(origin: FieldName, ways: Iterable[Transformation] | None) -> Json:
    found: Json = {"namespace": origin.namespace, "name": origin.name, "field": origin.field}
    if origin.version is not None:
        found["version"] = origin.version
    if ways is not None:
        found["transformations"] = [plain(way) for way in ways]
    return found
