"""The facets for column lineage: `columnLineage`, and its successor `lineage`.

Their input fields are plain dictionaries. A facet may have a hundred thousand of them, and objects would cost seconds.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import replace
from functools import cache
from typing import Any, NamedTuple, cast

from openlineage.client.facet_v2 import column_lineage_dataset, lineage

from headwater.common.column_path import top_level
from headwater.openlineage.build.facets import RowsDatasetFacet, ViewsDatasetFacet, identifiers
from headwater.openlineage.build.options import EventOptions
from headwater.openlineage.model.parse_facets import masking_keys
from headwater.openlineage.model.producer import PRODUCER
from headwater.openlineage.naming.datasets import Catalog, Name
from headwater.rules.plan.condense import MOST
from headwater.rules.plan.sources import How, Mark, SourceField, Sources, base_of, merge
from headwater.rules.plan.tree import Dataset
from headwater.rules.statements.statements import Written

_InputField = dict[str, Any]
_ALL = EventOptions()
# An expression over a thousand columns is on a thousand edges. A facet has up to `_MOST_TEXT` characters of such texts
# in full; beyond that, a repeated text is shortened, and after `_MOST_NEW_TEXT` more, a new one too.
_MOST_TEXT = 1_000_000
_MOST_NEW_TEXT = 4_000_000
_SHORT_TEXT = 60
# More pairs of a column and a dataset whose rows count for it are one for all columns of each dataset.
_MOST_COUNTED = 100
_NO_NAMES: frozenset[Name] = frozenset()
_WORDS = {how: ("DIRECT" if how.direct else "INDIRECT", how.name) for how in How}


def column_lineage(
    written: Written, catalog: Catalog, options: EventOptions = _ALL
) -> column_lineage_dataset.ColumnLineageDatasetFacet:
    """The columnLineage facet: the inputs of each column, and once for all columns the inputs that decide the rows.

    For consumers that expect it, options fold paths to their top-level columns, or repeat the inputs that decide the
    rows on every column.
    """
    fields, rows = _folded(written, options)
    inputs = _Inputs(catalog, options)
    repeated = repeats_rows(written, options)
    of_rows = inputs.of(rows)
    # An input that does both has an entry for each, as the agent writes it.
    more = of_rows if repeated else []
    facet_fields = {name: {"inputFields": [*inputs.of(sources), *more]} for name, sources in fields.items()}
    dataset: list[_InputField] = [] if repeated else of_rows
    return column_lineage_dataset.ColumnLineageDatasetFacet(
        fields=cast("dict[str, column_lineage_dataset.Fields]", facet_fields),
        dataset=cast("list[column_lineage_dataset.InputField] | None", dataset),
        producer=PRODUCER,
    )


def lineage_by_views(
    written: Written, views: Iterable[Name], catalog: Catalog, options: EventOptions = _ALL
) -> ViewsDatasetFacet:
    """The facet for what is taken from views; what decides the rows is always listed once."""
    facet = column_lineage(written, catalog, replace(options, dataset_lineage=True))
    fields, rows = cast("dict[str, Any]", facet.fields), cast("list[Any]", facet.dataset)
    return ViewsDatasetFacet(fields=fields, dataset=rows, views=identifiers(views), producer=PRODUCER)


def repeats_rows(written: Written, options: EventOptions) -> bool:
    """Whether the inputs that decide the rows are repeated on each column: if the options say so, and there is room."""
    return not options.dataset_lineage and len(written.fields or ()) * len(written.rows) <= MOST


def lineage_entry(
    written: Written, name: Name, reads: Iterable[Dataset], catalog: Catalog, options: EventOptions
) -> lineage.LineageDatasetEntry:
    """The entry of a job's `lineage` facet for one dataset that it writes.

    It also lists `reads`, the datasets it is made from as a whole, whether or not their columns are known.
    """
    entry = {"namespace": name.namespace, "name": name.name, "type": "DATASET"}
    return cast("lineage.LineageDatasetEntry", {**entry, **_entry(written, reads, catalog, options)})


def dataset_lineage(
    written: Written, reads: Iterable[Dataset], catalog: Catalog, options: EventOptions
) -> lineage.LineageDatasetFacet:
    """The `lineage` facet of a dataset that no job writes, such as a view."""
    return lineage.LineageDatasetFacet(**_entry(written, reads, catalog, options), producer=PRODUCER)


def job_lineage(entries: Iterable[lineage.LineageDatasetEntry]) -> lineage.LineageJobFacet:
    """The `lineage` facet of a job."""
    return lineage.LineageJobFacet(entries=list(entries), producer=PRODUCER)


def _entry(written: Written, reads: Iterable[Dataset], catalog: Catalog, options: EventOptions) -> dict[str, Any]:
    fields, rows = _folded(written, options)
    inputs = _Inputs(catalog, options)
    by_field = {name: {"inputs": _as_datasets(inputs.of(sources))} for name, sources in fields.items()}
    of_all = _as_datasets(inputs.of(rows))
    input_lists = (of_all, *(field["inputs"] for field in by_field.values()))
    mentioned = {(source["namespace"], source["name"]) for listed in input_lists for source in listed}
    others = {name for dataset in reads if (name := catalog.name(dataset)) is not None} - mentioned
    of_all += [{"type": "DATASET", "namespace": name.namespace, "name": name.name} for name in sorted(others)]
    return {"inputs": of_all, "fields": by_field}


def _as_datasets(inputs: Iterable[_InputField]) -> list[_InputField]:
    return [{"type": "DATASET", **input_field} for input_field in inputs]


def _folded(written: Written, options: EventOptions) -> tuple[Mapping[str, Sources], Sources]:
    if options.nested:
        return written.fields or {}, written.rows
    columns: dict[str, Sources] = {}
    for path, sources in (written.fields or {}).items():
        column = top_level(path)
        columns[column] = merge([columns.get(column, {}), _folded_sources(sources)])
    return columns, _folded_sources(written.rows)


def _folded_sources(sources: Sources) -> Sources:
    return merge({SourceField(source.dataset, top_level(source.field)): marks} for source, marks in sources.items())


def rows_facet(
    written: Written, own: Name, catalog: Catalog, options: EventOptions, *, listed: bool
) -> RowsDatasetFacet | None:
    """The facet for the datasets whose rows count, where it says more than the edges do; `_counted_rows` has more."""
    rows = _counted_rows(written, own, catalog, options, listed=listed)
    views = written.by_views
    by_views = {} if views is None else _counted_rows(views, own, catalog, options, listed=listed)
    return RowsDatasetFacet(**rows, byViews=by_views or None, producer=PRODUCER) if rows or by_views else None


def _counted_rows(
    written: Written, own: Name, catalog: Catalog, options: EventOptions, *, listed: bool
) -> dict[str, Any]:
    """The datasets of which columns depend on how many rows they have, where no edge leads from there; often empty.

    An edge from a column of the dataset says so as well, to the column or to all. Of a column that comes from nowhere
    every reader knows: as `count(*)` it depends on all the datasets that the other columns come from.

    Args:
        written: the write.
        own: the name of what is written, whose own rows go without saying.
        catalog: names datasets.
        options: what the facets contain.
        listed: whether the event lists what is read: a dataset without edges counts for all columns then.
    """
    inputs = _Inputs(catalog, options)
    deciding = inputs.names(written.rows) | {own}
    distinct = {id(datasets): datasets for datasets in written.counted.values()}
    names = {key: inputs.names_of(datasets) - deciding for key, datasets in distinct.items()}
    if not any(names.values()):
        return {}
    counted: dict[str | None, frozenset[Name]] = {}
    for key, datasets in written.counted.items():
        path = key if key is None or options.nested else top_level(key)
        counted[path] = counted[path] | names[id(datasets)] if path in counted else names[id(datasets)]
    every = counted.pop(None, _NO_NAMES)
    together = {id(own): own | every for own in (*counted.values(), every)}
    wanted = {path: together[id(own)] for path, own in counted.items()}
    fields = _folded(written, options)[0]
    if not wanted and all((listed and not sources) or inputs.first_of(sources) >= every for sources in fields.values()):
        return {}  # of a statement that reads one dataset, this is all there is to do
    # Columns of opaque code share their sources, and what they count: what is said of one is said of all.
    alike: dict[tuple[int, int], _Alike] = {}
    for path, sources in fields.items():
        base, names_wanted = base_of(sources), wanted.get(path, every)
        both = id(base), id(names_wanted)
        if both not in alike:
            alike[both] = _Alike(base, names_wanted, [])
        alike[both].paths.append(path)
    if all((listed and not base) or inputs.lead_from(base, names_wanted) for base, names_wanted, _ in alike.values()):
        return {}
    return _lacking(alike.values(), deciding, inputs, listed=listed)


class _Alike(NamedTuple):
    """Columns of the same sources that count the rows of the same datasets."""

    sources: Sources
    counted: frozenset[Name]
    paths: list[str]


def _lacking(
    columns: Collection[_Alike], deciding: frozenset[Name], inputs: _Inputs, *, listed: bool
) -> dict[str, Any]:
    """The datasets that columns count the rows of and take nothing from, by column."""
    taken = {id(alike.sources): inputs.names(alike.sources) for alike in columns}
    seen = deciding.union(*taken.values())
    of_columns: dict[str, frozenset[Name]] = {}
    pairs = 0
    for sources, counted, paths in columns:
        by = taken[id(sources)]
        lacking = counted - by
        if listed:
            lacking = lacking & seen if by else _NO_NAMES
        elif not by:
            lacking -= seen
        pairs += len(lacking) * len(paths)
        if pairs > _MOST_COUNTED:
            of_all = _NO_NAMES.union(*{alike.counted for alike in columns})
            return {"fields": {}, "dataset": identifiers(of_all & seen if listed else of_all)}
        of_columns |= dict.fromkeys(paths, lacking) if lacking else {}
    if not of_columns:
        return {}
    every = len(of_columns) == sum(len(alike.paths) for alike in columns)
    of_all = frozenset.intersection(*of_columns.values()) if every else _NO_NAMES
    by_field = {path: identifiers(names - of_all) for path, names in of_columns.items() if names - of_all}
    return {"fields": by_field, "dataset": identifiers(of_all)}


class _Inputs:
    """Converts sources to input fields: datasets by name, each field once even if several datasets share the name."""

    def __init__(self, catalog: Catalog, options: EventOptions) -> None:
        self._catalog = catalog
        self._options = options
        # By identity: every source has a dataset, and comparing them takes longer than all the rest.
        self._names: dict[int, Name | None] = {}
        self._written: dict[frozenset[Mark], list[dict[str, object]]] = {}
        self._texts: set[str] = set()
        self._text_left = _MOST_TEXT
        self._alone = cache(lambda name: frozenset([name]))

    def of(self, sources: Sources) -> list[_InputField]:
        marks_of: dict[tuple[str, str, str], frozenset[Mark]] = {}
        for source, marks in sources.items():
            name = self.name(source.dataset)
            if name is not None:
                key = (name.namespace, name.name, source.field)
                known = marks_of.get(key)
                marks_of[key] = marks if known is None else known | marks
        return [
            {"namespace": key[0], "name": key[1], "field": key[2], "transformations": self._transformations(marks)}
            for key, marks in (sorted(marks_of.items()) if len(marks_of) > 1 else marks_of.items())
        ]

    def lead_from(self, sources: Sources, names: frozenset[Name]) -> bool:
        """Whether sources lead from all of some datasets; it looks at no more of them than that takes."""
        missing = set(names)
        for source in sources:
            if not missing:
                break
            missing.discard(self.name(source.dataset))
        return not missing

    def first_of(self, sources: Sources) -> frozenset[Name]:
        """The name of the dataset of the first source."""
        first = next(iter(base_of(sources)), None)
        name = None if first is None else self.name(first.dataset)
        return _NO_NAMES if name is None else self._alone(name)

    def names(self, sources: Sources) -> frozenset[Name]:
        """The names of the datasets of sources."""
        return self.names_of(source.dataset for source in sources)

    def names_of(self, datasets: Iterable[Dataset]) -> frozenset[Name]:
        """The names of datasets, as far as they have one."""
        return frozenset([name for dataset in datasets if (name := self.name(dataset)) is not None])

    def name(self, dataset: Dataset) -> Name | None:
        """The name of a dataset."""
        number = id(dataset)
        if number not in self._names:
            self._names[number] = self._catalog.name(dataset)
        return self._names[number]

    def _transformations(self, marks: frozenset[Mark]) -> list[dict[str, object]]:
        """The transformations of an edge. Beyond the limit, texts that were written before are shortened."""
        written = self._written.get(marks)
        if written is None or self._text_left < 0:
            if self._text_left < 0:
                marks = frozenset([mark._replace(text=self._short(mark.text)) for mark in marks])
                written = self._written.get(marks)
            if written is None:
                written = self._written[marks] = self._ordered(marks)
            self._texts.update(mark.text for mark in marks)
        self._text_left -= sum(len(mark.text) for mark in marks)
        return written

    def _short(self, text: str) -> str:
        """A text in full if it is new and there is room left, else its beginning."""
        if len(text) <= _SHORT_TEXT or (text not in self._texts and self._text_left > -_MOST_NEW_TEXT):
            return text
        return text[: _SHORT_TEXT - 1] + "…"

    def _ordered(self, marks: Iterable[Mark]) -> list[dict[str, object]]:
        shown = marks if self._options.descriptions else {mark._replace(text="") for mark in marks}
        return [self._transformation(mark) for mark in sorted(shown, key=_order)]

    def _transformation(self, mark: Mark) -> dict[str, object]:
        type_, subtype = _WORDS[mark.how]
        step: dict[str, object] = {"type": type_, "subtype": subtype, **masking_keys(mark.masking)}
        if mark.text:
            step["description"] = self._options.clean(mark.text)
        return step


def _order(mark: Mark) -> tuple[int, int, str]:
    return (mark.how.value, mark.masking, mark.text)
