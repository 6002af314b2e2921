"""Which columns feed the columns of datasets, one step up, for many datasets at once."""

from collections.abc import Collection, Iterable, Iterator, Mapping
from itertools import chain
from typing import TypeAlias

from headwater.common.groups import lists_by_key
from headwater.query.graph.aliases import Aliases
from headwater.query.graph.answer import FieldName, Kind, Transformation, place_of, place_of_field
from headwater.query.graph.intervals import now_span
from headwater.query.graph.labels import label_fields, steps
from headwater.server.marquez.entities.dataset_facts import DatasetFacts
from headwater.server.marquez.entities.values import Json
from headwater.store.db.codes import FIELD_NUMBERS
from headwater.store.db.session import Session
from headwater.store.reads.edges import edges_of, store_features
from headwater.store.reads.renamed_columns import rename_steps
from headwater.store.reads.slots import slots_at

Ways: TypeAlias = tuple[Transformation, ...]
Inputs: TypeAlias = Mapping[FieldName, Ways]
"""What feeds a column, and how."""
ColumnInputs: TypeAlias = Mapping[str, Inputs]
"""By the paths of columns."""

_StepsByEdge: TypeAlias = dict[int, dict[int, set[tuple[int, str]]]]
"""By column and origin: the steps and their texts. There are many, so they stay keys until all are known."""


def inputs_now(
    session: Session, datasets: Mapping[int, DatasetFacts], *, rows: bool = False
) -> Mapping[int, ColumnInputs]:
    """What feeds the columns of datasets now, under all names of the datasets.

    With `rows`, what only decides which rows a dataset has feeds each of its columns, too.
    """
    owners = {dataset: dataset for dataset in datasets}
    features = store_features(session)
    aliases = (
        Aliases(session, now_span(session), exist=features.aliases, renamed=features.renamed_columns)
        if features.other_names
        else None
    )
    if aliases is not None:
        aliases.learn_datasets(datasets)
        owners |= {other: dataset for dataset in datasets for other in aliases.other_names(dataset)}
    in_force = [(owners[slot.dataset], slot.mapping) for slot in slots_at(session, session.now, owners) if slot.mapping]
    mappings = [(dataset, dataset, mapping) for dataset, mapping in in_force]
    return _inputs(session, datasets, mappings, aliases, rows=rows)


def inputs_in(
    session: Session,
    datasets: Mapping[int, DatasetFacts],
    mappings: Iterable[tuple[int, int]],
    *,
    rows: bool = False,
) -> Mapping[int, ColumnInputs]:
    """What feeds the columns of datasets by these mappings, each after its dataset; by the mapping's key."""
    keyed = [(mapping, dataset, mapping) for dataset, mapping in mappings]
    return _inputs(session, datasets, keyed, None, rows=rows)


def _inputs(
    session: Session,
    datasets: Mapping[int, DatasetFacts],
    mappings: Collection[tuple[int, int, int]],
    aliases: Aliases | None,
    *,
    rows: bool,
) -> Mapping[int, ColumnInputs]:
    """What mappings state of datasets, under a key of each: (key, dataset, mapping)."""
    every = edges_of(session, {mapping for _, _, mapping in mappings})
    # Inputs are columns.
    written = [edge for edge in every if edge.origin & FIELD_NUMBERS]
    shown: dict[int, int] = {}  # the fields under which others are shown, where these may differ
    if aliases is not None:
        # Under its new name it is the same column.
        renames = rename_steps(session)
        written = [edge for edge in written if edge.step not in renames]
        aliases.learn({field for edge in written for field in (edge.origin, edge.destination)})
        written = [edge._replace(destination=aliases.current(edge.destination)) for edge in written]
        shown = {edge.origin: aliases.shown(edge.origin) for edge in written}
    edges = lists_by_key((edge.mapping, edge) for edge in written)
    by_key: dict[int, _StepsByEdge] = {}
    for key, dataset, mapping in mappings:
        by_column = by_key.setdefault(key, {})
        fields = [*datasets[dataset].columns, *{edge.destination for edge in edges[mapping]}]
        columns = [field for field in fields if field & FIELD_NUMBERS] if rows else []
        for _, out, origin, step, text in edges[mapping]:
            if not origin & FIELD_NUMBERS:
                continue  # it counts rows, which are no column
            for column in (out,) if out & FIELD_NUMBERS else columns:
                by_column.setdefault(column, {}).setdefault(shown.get(origin, origin), set()).add((step, text))
    return _with_names(session, datasets, by_key)


def _with_names(
    session: Session, datasets: Mapping[int, DatasetFacts], by_key: Mapping[int, _StepsByEdge]
) -> Mapping[int, ColumnInputs]:
    """By names: columns by their paths, and what feeds each in the order of the names."""
    names = {
        field.id: FieldName(dataset.name.namespace, dataset.name.name, field.path)
        for dataset in datasets.values()
        for field in dataset.fields
    }
    ends = {end for columns in by_key.values() for column, origins in columns.items() for end in (column, *origins)}
    edges = [pairs for columns in by_key.values() for origins in columns.values() for pairs in origins.values()]
    pairs: set[tuple[int, str]] = set().union(*edges)
    unnamed = ends - names.keys()
    keys = {step for step, _ in pairs}
    session.foresee(lambda: (label_fields(session, unnamed), steps(session, keys)))
    names |= label_fields(session, unnamed).names
    by_step = steps(session, keys)
    ways = {(step, text): by_step[step].transformation(text) for step, text in pairs}
    place = {key: at for at, key in enumerate(sorted(ends, key=lambda key: place_of_field(names[key])))}.__getitem__
    return {
        key: {
            names[column].field or "": {
                names[origin]: _ways_of(origins[origin], ways) for origin in sorted(origins, key=place)
            }
            for column, origins in sorted(columns.items(), key=lambda item: place(item[0]))
        }
        for key, columns in by_key.items()
    }


def _ways_of(steps_and_texts: Collection[tuple[int, str]], ways: Mapping[tuple[int, str], Transformation]) -> Ways:
    """The transformations of an edge; nearly all have one."""
    listed = [ways[pair] for pair in steps_and_texts]
    return tuple(listed if len(listed) == 1 else sorted(listed, key=place_of))


def transformation(way: Transformation) -> Json:
    """A transformation in OpenLineage's words, and no others."""
    return {"type": way.type, "subtype": way.subtype, "masking": way.masking, "description": way.description}


_NOTHING = Transformation("", "", masking=False, description="")


def deprecated(ways: Iterable[Transformation]) -> Json:
    """The two texts that Marquez has in place of transformations: description and subtype of one of them.

    Of the first that passes a value on, if there is one; else of the first. An input of which no event says how it is
    used has neither.

    >>> ways = [Transformation("INDIRECT", "CONDITIONAL", False, "if"), Transformation("DIRECT", "IDENTITY", False, "")]
    >>> deprecated(ways)
    {'transformationDescription': None, 'transformationType': 'IDENTITY'}
    """
    shown = _NOTHING
    for way in ways:
        if way.kind is not Kind.INDIRECT:
            shown = way
            break
        shown = way if shown is _NOTHING else shown
    return {
        "transformationDescription": shown.description or None,
        "transformationType": shown.subtype or None,
    }


def all_ways(inputs: Inputs) -> Iterator[Transformation]:
    """The ways of all inputs, of which Marquez shows one for the whole column."""
    return chain.from_iterable(inputs.values())


def as_list(columns: ColumnInputs) -> list[Json] | None:
    """Column lineage in a dataset of Marquez: null where none is known."""
    columns_json = [
        {
            "name": path,
            "inputFields": [
                {
                    "namespace": origin.namespace,
                    "dataset": origin.name,
                    "field": origin.field,
                    **deprecated(ways),
                    "transformations": [transformation(way) for way in ways],
                }
                for origin, ways in inputs.items()
            ],
            **deprecated(all_ways(inputs)),
        }
        for path, inputs in columns.items()
    ]
    return columns_json or None


def as_object(columns: ColumnInputs, *, whole: bool) -> Json:
    """Column lineage in the version proposal: by column; `whole` with the transformations of each input."""
    return {
        path: {
            "inputFields": [_input(origin, ways if whole else None) for origin, ways in inputs.items()],
            **deprecated(all_ways(inputs)),
        }
        for path, inputs in columns.items()
    }


def _input(origin: FieldName, ways: Iterable[Transformation] | None) -> Json:
    field: Json = {"namespace": origin.namespace, "name": origin.name, "field": origin.field}
    if origin.version is not None:
        field["version"] = origin.version
    if ways is not None:
        field["transformations"] = [transformation(way) for way in ways]
    return field
