"""Which columns feed the columns of datasets, one step up, for many datasets at once."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping
from typing import TypeAlias

from headwater.graph.answer import Direction, FieldName, Moment, Transformation
from headwater.graph.labels import label_fields, steps
from headwater.graph.moments import span_of
from headwater.graph.steps import Hop, Steps, what_store_has
from headwater.graph.traverse import place_of
from headwater.server.marquez.values import Json
from headwater.store.keys import dataset_of, rows_of
from headwater.store.session import Session, ids

Inputs: TypeAlias = Mapping[FieldName, tuple[Transformation, ...]]
"""What feeds a column, and how."""
ColumnInputs: TypeAlias = Mapping[str, Inputs]
"""By the paths of columns."""

_EDGES = """
SELECT edge.in_field, edge.out_field, edge.step, edge.description, edge.mapping FROM {given}
{join} edge ON edge.mapping = given.id
UNION ALL
SELECT old.id, field.id, 0, '', mapping.id FROM {given}
{join} mapping ON mapping.id = given.id AND mapping.origin IS NOT NULL
{join} field ON field.dataset = mapping.dataset
{join} field old ON old.dataset = mapping.origin AND old.key = field.key
"""


def inputs_now(session: Session, datasets: Collection[int]) -> Mapping[int, ColumnInputs]:
    """What feeds the columns of datasets now."""
    taking = Steps(session, span_of(Moment()), what_store_has(session), Direction.UPSTREAM, direct=False)
    columns = [field for some in taking.columns_of(datasets).values() for field in some]
    hops, _ = taking.take(set(taking.shown(columns).values())) if columns else ([], set())
    found = _named(session, [(dataset_of(hop[1]), hop) for hop in hops], columns)
    return {dataset: found.get(dataset, {}) for dataset in datasets}


def inputs_in(session: Session, mappings: Collection[int]) -> Mapping[int, ColumnInputs]:
    """What feeds the columns of a dataset by each of some mappings."""
    hops = session.rows(_EDGES, ids(mappings))
    return _named(session, [(hop[4], hop) for hop in hops], {hop[1] for hop in hops})


def _named(session: Session, hops: Iterable[tuple[int, Hop]], columns: Collection[int]) -> dict[int, ColumnInputs]:
    """Hops by names, under the key that each has; what feeds the rows of a dataset feeds all its columns."""
    hops = list(hops)
    ends = {end for _, hop in hops for end in hop[:2]} | set(columns)
    rows = {end for end in ends if end == rows_of(dataset_of(end))}
    names = label_fields(session, ends - rows, rows).names
    ways = steps(session, {hop[2] for _, hop in hops})
    of_dataset: defaultdict[int, set[int]] = defaultdict(set)
    for column in ends - rows:
        of_dataset[dataset_of(column)].add(column)
    found: defaultdict[int, defaultdict[str, defaultdict[FieldName, set[Transformation]]]]
    found = defaultdict(lambda: defaultdict(lambda: defaultdict(set)))
    for key, (origin, destination, step, text, *_) in hops:
        way = Transformation(*ways[step][:3], text)
        reached = of_dataset[dataset_of(destination)] if destination in rows else (destination,)
        for column in reached:
            found[key][names[column].field or ""][names[origin]].add(way)
    return {
        key: {
            path: {origin: tuple(sorted(ways_in, key=place_of)) for origin, ways_in in sorted(origins.items())}
            for path, origins in sorted(paths.items())
        }
        for key, paths in found.items()
    }


def kind_of(ways: Iterable[Transformation]) -> str | None:
    """What Marquez calls the type of a transformation: of the first, its subtype."""
    first = next(iter(ways), None)
    return (first.subtype or first.type or None) if first else None


def text_of(ways: Iterable[Transformation]) -> str | None:
    """What Marquez calls the description of a transformation."""
    first = next(iter(ways), None)
    return (first.description or None) if first else None


def deprecated(ways: Iterable[Transformation]) -> Json:
    """The two texts that Marquez has in the place of transformations."""
    ways = list(ways)
    return {"transformationDescription": text_of(ways), "transformationType": kind_of(ways)}


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
                    "transformations": [way.to_dict() for way in ways],
                }
                for origin, ways in inputs.items()
            ],
            **deprecated(first_ways(inputs)),
        }
        for path, inputs in columns.items()
    ]
    return found or None


def as_object(columns: ColumnInputs) -> Json:
    """As the version proposal has it: by column."""
    return {
        path: {
            "inputFields": [
                {
                    "namespace": origin.namespace,
                    "name": origin.name,
                    "field": origin.field,
                    **({"version": origin.version} if origin.version else {}),
                    "transformations": [way.to_dict() for way in ways],
                }
                for origin, ways in inputs.items()
            ],
            **deprecated(first_ways(inputs)),
        }
        for path, inputs in columns.items()
    }
