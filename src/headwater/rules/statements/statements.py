"""The whole answer for a command: what it reads, what it writes, and where each column comes from."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from headwater.common.column_path import join_path
from headwater.rules.expressions import text
from headwater.rules.expressions.shapes import named, whole
from headwater.rules.operators import views
from headwater.rules.operators.analysis import Analysis, reads_several
from headwater.rules.operators.by_tables import anything_of, everything_read, views_read
from headwater.rules.plan.budget import Budget, Exceeded, hold
from headwater.rules.plan.condense import condensed
from headwater.rules.plan.sources import (
    Column,
    Counted,
    How,
    Mark,
    Relation,
    SourceField,
    Sources,
    both_counted,
    merge,
    settle,
    through,
    without_counts,
)
from headwater.rules.plan.tree import UNREAD, Dataset, Expr, NotAsExpected, Plan, walk
from headwater.rules.plan.types import DataType, leaves, spelled, spelling
from headwater.rules.session import variables
from headwater.rules.session.links import Definition, Known, Links
from headwater.rules.statements.commands import RULES, unknown
from headwater.rules.statements.writes import Change, Write

__all__ = [
    "Change", "Field", "Statement", "Stream", "Written", "column_sources", "columns_of", "schema_of", "statement",
]  # fmt: skip

CARRIED_OUT = "carried out"
TOO_MANY_EDGES = "too many edges"
"""Counted as opaque where too many edges between columns were merged."""
# The bytes of a field, with its name and its place.
_BYTES_OF_A_FIELD = 500
_ONE_ROW = Plan("OneRowRelation", output=())


@dataclass(frozen=True)
class Field:
    """A column of a dataset's schema."""

    name: str
    type: DataType | None


@dataclass(frozen=True)
class Written:
    """A dataset that a statement writes, and where each of its columns comes from.

    Attributes:
        fields: per column, the source fields and the ways they reach it; None where no data was brought.
        rows: the source fields that decided which rows were written, and so reach every column; direct ones are those
            that every column may have taken, where it is not known which did.
        previous: the dataset under the name that it had before, where it was renamed.
        if_absent: whether nothing is written where the dataset is there already.
        by_views: the same write with the views of catalogs as sources, in place of what is behind them; None where it
            takes nothing from a view.
        counted: the datasets of which columns depend on how many rows they have, whether or not they take a column.
    """

    dataset: Dataset
    schema: tuple[Field, ...]
    change: Change
    fields: Mapping[str, Sources] | None
    rows: Sources
    previous: Dataset | None = None
    if_absent: bool = False
    by_views: Written | None = None
    counted: Counted = field(default_factory=dict)


@dataclass(frozen=True)
class Stream:
    """The streaming query that a statement is one micro-batch of.

    Attributes:
        query_id: the id that the query keeps over its restarts.
        batch_id: the number of the micro-batch.
    """

    query_id: str
    batch_id: int | None = None


@dataclass(frozen=True)
class Statement:
    """The lineage of one command.

    Attributes:
        command: the name of Spark's class.
        opaque: what was not understood, and how often; where this is not empty, the answer may claim too much.
        view: whether what it "writes" is the definition of a view.
        asked: what Spark calls the statement, where the command only says how Spark carries it out.
        part: the one column that it is about, if there is one: a column that gets another name.
        stream: set where it is one micro-batch of a streaming query.
        named_views: the views of catalogs that it reads.
        views: these and those that they read, each with its definition, as far as that is known.
        behind_views: those of `reads` that only views read, each with the views that the statement names.
    """

    command: str
    reads: Mapping[Dataset, tuple[Field, ...]]
    writes: tuple[Written, ...]
    opaque: Mapping[str, int] = field(default_factory=dict)
    view: bool = False
    stream: Stream | None = None
    asked: str | None = None
    part: str | None = None
    named_views: tuple[Dataset, ...] = ()
    views: tuple[Written, ...] = ()
    behind_views: Mapping[Dataset, tuple[Dataset, ...]] = field(default_factory=dict)


def statement(
    plan: Plan, unread: str | None = None, links: Links | None = None, budget: Budget | None = None
) -> Statement | None:
    """The lineage of a command, or None if it writes no data.

    Args:
        plan: the command.
        unread: which budget ran out before the whole plan was read, if one did.
        links: what is known from earlier statements; this one adds to it.
        budget: what it may cost. Beyond it the answer is by tables: every column that is written may come from every
            column that is read.

    >>> print(statement(Plan("ShowTablesCommand")))
    None
    """
    try:
        with (budget or Budget()).applied():
            return _statement(plan, unread, links)
    except Exceeded as exceeded:
        return _by_tables(plan, str(exceeded), links)


def _statement(plan: Plan, unread: str | None, links: Links | None) -> Statement | None:
    if plan.kind in variables.COMMANDS:
        return None
    commands = plan.plans if plan.kind == "Union" else (plan,)
    if links is not None:
        links.learn(plan.leaves)
    analysis = Analysis(qualify=reads_several(plan), links=links)
    writes = [write for command in commands if (write := _write(command, analysis)) is not None]
    written = tuple(_written(write, analysis) for write in writes)
    written = _with_rows(written, _pivot_influence(plan, analysis, links))
    seen = _views(plan, writes, written, analysis, links)
    stream = _stream(plan)
    if stream is not None and not writes and links is not None:
        # The frame that foreachBatch hands to the user's function.
        links.remember_batch(behind(plan.plan("query"), links))
    if not writes and not analysis.opaque and stream is None:
        return None
    if unread:
        analysis.opaque[f"unread for lack of {unread}"] += 1
    reads = {dataset: schema_of(attributes) for dataset, attributes in analysis.reads.items()}
    view = any(write.view for write in writes)
    asked = writes[0].asked if writes else None
    part = next(iter(written[0].fields or ()), None) if writes and writes[0].renamed else None
    return Statement(
        commands[0].kind, reads, seen.written, Counter(analysis.opaque), view, stream, asked, part,
        seen.named, seen.definitions, seen.behind,
    )  # fmt: skip


def _with_rows(written: Iterable[Written], rows: Sources) -> tuple[Written, ...]:
    """The writes that bring columns, with more that decides about their rows."""
    rows, datasets = without_counts(rows)
    counted: Counted = {None: datasets} if datasets else {}
    return tuple(
        replace(output, rows=merge([output.rows, rows]), counted=both_counted(output.counted, counted))
        if (rows or counted) and output.fields
        else output
        for output in written
    )


@dataclass(frozen=True)
class _Views:
    """What a statement writes, with `by_views`; the views that it names, all definitions, and what only views read."""

    written: tuple[Written, ...]
    named: tuple[Dataset, ...] = ()
    definitions: tuple[Written, ...] = ()
    behind: Mapping[Dataset, tuple[Dataset, ...]] = field(default_factory=dict)


def _views(
    plan: Plan, writes: Sequence[Write], written: tuple[Written, ...], transparent: Analysis, links: Links | None
) -> _Views:
    """What a statement takes from views. Where that costs too much, anything may come from all of their columns."""
    if not plan.views and not transparent.behind_by_views:
        return _Views(written)
    try:
        with Budget.again().applied():
            return _by_views(plan, writes, written, transparent, links)
    except Exceeded as exceeded:
        transparent.opaque[f"views given up for lack of {exceeded}"] += 1
        return _from_anything(written, plan, links)


def _by_views(
    plan: Plan, writes: Sequence[Write], written: tuple[Written, ...], transparent: Analysis, links: Links | None
) -> _Views:
    views.define(transparent, links)
    analysis = Analysis(qualify=reads_several(plan, by_views=True), links=links, by_views=True)
    others = _with_rows([_written(write, analysis) for write in writes], _pivot_influence(plan, analysis, links))
    if not writes:
        for command in plan.plans if plan.kind == "Union" else (plan,):
            _read(command, analysis)
    named = tuple(dataset for dataset in analysis.reads if dataset not in transparent.reads)
    known = views.defined(named, transparent, links)
    definitions = _definitions(known)
    if not known.keys() >= set(named):
        # What a view is made of was forgotten: both ways count.
        both = [_with_by_views(own, _union(own, other)) for own, other in zip(written, others, strict=True)]
        return _Views(tuple(both), named, definitions)
    conditions = {view: known[view] for view in named}
    both = [
        _with_by_views(own, _with_conditions(other, conditions)) for own, other in zip(written, others, strict=True)
    ]
    return _Views(tuple(both), named, definitions, views.behind_views(transparent.reads, analysis.reads, known))


def _with_by_views(output: Written, by_views: Written) -> Written:
    return output if output.fields is None else replace(output, by_views=by_views)


def _union(output: Written, other: Written) -> Written:
    mine, theirs = output.fields or {}, other.fields or {}
    fields = {name: merge([mine.get(name, {}), theirs.get(name, {})]) for name in {**mine, **theirs}}
    counted = both_counted(output.counted, other.counted)
    return replace(output, fields=fields, rows=merge([output.rows, other.rows]), counted=counted)


def _with_conditions(output: Written, named: Mapping[Dataset, Definition]) -> Written:
    return replace(output, rows=views.rows_with_conditions(output.fields or {}, output.rows, named))


def _definitions(known: Mapping[Dataset, Definition]) -> tuple[Written, ...]:
    return tuple(_defined(view, known[view], known) for view in sorted(known, key=lambda view: view.table))


def _defined(view: Dataset, definition: Definition, known: Mapping[Dataset, Definition]) -> Written:
    """The definition of a view, as if it were written."""
    whole = _definition(view, definition, definition.relation)
    if definition.by_views is None:
        return whole
    named = {name: known[name] for name in definition.reads if name in known}
    return replace(whole, by_views=_with_conditions(_definition(view, definition, definition.by_views), named))


def _definition(view: Dataset, definition: Definition, relation: Relation) -> Written:
    schema = schema_of(definition.columns)
    lineage = condensed(column_sources(schema, relation), relation.rows)
    return Written(view, schema, Change.CREATE, lineage.fields, lineage.rows, counted=lineage.counted)


def _from_anything(written: tuple[Written, ...], plan: Plan, links: Links | None) -> _Views:
    """The writes, where anything may come from all columns of the views that a plan reads."""
    named = views_read(plan, links)
    anything = anything_of(named)
    both = (_with_by_views(output, replace(output, rows=merge([output.rows, anything]))) for output in written)
    return _Views(tuple(both), tuple(named)) if named else _Views(written)


def _by_tables(plan: Plan, spent: str, links: Links | None) -> Statement | None:
    """The lineage of a command whose columns cost too much: by tables, which is sound, and counted as opaque."""
    commands = plan.plans if plan.kind == "Union" else (plan,)
    analysis = Analysis()
    writes = [write for command in commands if (write := _target(command, analysis)) is not None]
    stream = _stream(plan)
    if not writes and not analysis.opaque and stream is None:
        return None
    known = everything_read(plan, links)
    analysis.opaque.update(known.opaque)
    analysis.opaque[f"given up for lack of {spent}"] += 1
    if stream is not None and not writes and links is not None:
        links.remember_batch(known)
    seen = _from_anything(tuple(_written_by_tables(write, known) for write in writes), plan, links)
    reads = {dataset: schema_of(attributes) for dataset, attributes in known.reads.items()}
    view = any(write.view for write in writes)
    asked = writes[0].asked if writes else None
    return Statement(
        commands[0].kind, reads, seen.written, Counter(analysis.opaque), view, stream, asked, named_views=seen.named
    )


def _written_by_tables(write: Write, known: Known) -> Written:
    if write.query is None:
        return _written_without_data(write)
    attributes = write.query.output or ()
    names = (
        list(write.columns) if len(write.columns) == len(attributes) else [attribute.name for attribute in attributes]
    )
    schema = tuple(Field(name, attribute.type) for name, attribute in zip(names, attributes, strict=True))
    return Written(write.dataset, schema, write.change, {}, known.relation.rows, if_absent=write.if_absent)


def behind(plan: Plan, links: Links | None = None, budget: Budget | None = None) -> Known:
    """What is behind a frame that later plans show only as an RDD; by tables, where its columns cost too much."""
    if links is not None:
        links.learn(plan.leaves)
    try:
        with (budget or Budget.again()).applied():
            analysis = Analysis(qualify=reads_several(plan), links=links)
            known = _known(plan, analysis, links)
            if not plan.views and not analysis.behind_by_views:
                return known
            views.define(analysis, links)
            up_to_views = Analysis(qualify=reads_several(plan, by_views=True), links=links, by_views=True)
            return replace(known, by_views=_known(plan, up_to_views, links))
    except Exceeded as exceeded:
        known = everything_read(plan, links)
        return replace(known, opaque={**known.opaque, f"given up for lack of {exceeded}": 1})


def _known(plan: Plan, analysis: Analysis, links: Links | None) -> Known:
    relation = analysis.relation(plan)
    pivots = _pivot_influence(plan, analysis, links)
    if pivots:
        relation = replace(relation, rows=merge([relation.rows, pivots]))
    return Known(relation.worked_out(), dict(analysis.reads), dict(analysis.opaque))


def _pivot_influence(plan: Plan, analysis: Analysis, links: Links | None) -> Sources:
    """The influence of variables in PIVOT. A plan has only their values, so they may decide about any column."""
    pivots = None if links is None else links.variables.pivots()
    if pivots is None or not _has_pivot(plan):
        return {}
    return through(analysis.take(pivots).sources, How.FILTER, text="PIVOT")


def _has_pivot(plan: Plan) -> bool:
    """Whether a plan has PIVOT with values; Spark's other form of it has the expressions themselves."""
    return any(node.kind == "PivotFirst" for node in walk([plan]))


def reading(plan: Plan, links: Links, budget: Budget | None = None) -> Statement:
    """A query that writes nothing: what it reads."""
    known = behind(plan, links, budget)
    reads = {dataset: schema_of(attributes) for dataset, attributes in known.reads.items()}
    direct = () if known.by_views is None else known.by_views.reads
    named = tuple(dataset for dataset in direct if dataset not in known.reads)
    definitions = views.defined(named, Analysis(), links)
    behind_views = views.behind_views(known.reads, direct, definitions) if definitions.keys() >= set(named) else {}
    return Statement(
        plan.kind, reads, (), named_views=named, views=_definitions(definitions), behind_views=behind_views
    )


def carried_out(plan: Plan, links: Links, budget: Budget | None = None) -> Statement:
    """The write with which an engine carries out another statement, with the columns that the engine adds."""
    known = behind(plan, links, budget)
    written = _appended(plan, known)
    if known.by_views is not None:
        written = replace(written, by_views=_appended(plan, known.by_views))
    reads = {dataset: schema_of(attributes) for dataset, attributes in known.reads.items()}
    return Statement(CARRIED_OUT, reads, (written,), Counter(known.opaque))


def _appended(plan: Plan, known: Known) -> Written:
    lineage = condensed(column_sources(columns_of(plan, known.relation), known.relation), known.relation.rows)
    schema = schema_of(plan.output or ())
    return Written(Dataset(), schema, Change.APPEND, lineage.fields, lineage.rows, counted=lineage.counted)


def change_variables(command: Plan, links: Links, definitions: Mapping[str, int]) -> None:
    """DECLARE and SET VARIABLE: what a later statement takes from the variable comes from this one's query.

    A FETCH from a cursor is opaque: the cursor's query is in no plan.

    Args:
        command: the statement.
        links: what is known from earlier statements; this one adds to it.
        definitions: the current object of each variable of the session.
    """
    targets = [
        *command.exprs("targetVariables"),
        *(plan for plan in command.plans if plan.kind == "ResolvedIdentifier"),
    ]
    if command.kind == "DropVariable":
        return  # no later plan refers to it, but earlier frames still do
    if not targets or any(target.kind == UNREAD for target in targets):
        links.variables.forget()
        return
    try:
        values = _values(command, len(targets), links)
    except NotAsExpected:
        values = []
    values += [variables.Value(Column(whole({}), "variable"), opaque={command.kind: 1})] * (len(targets) - len(values))
    for target, value in zip(targets, values, strict=False):
        links.variables.set(target, links.variables.row(target) or value, definitions)


def _values(command: Plan, count: int, links: Links) -> list[variables.Value]:
    """The values that DECLARE or SET puts into its variables, in order."""
    if command.kind == "SetVariable":
        parts = [behind(part, links) for part in _split_values(command.plan("sourceQuery"))]
        return [variables.value_of(known, output.column) for known in parts for output in known.relation.outputs]
    default = command.expr("defaultExpr")
    computed = default.args.get("child", default)
    known = behind(Plan("Project", args={"projectList": (computed,), "child": _ONE_ROW}), links)
    return [variables.value_of(known, known.relation.outputs[0].column)] * count


def _split_values(query: Plan) -> list[Plan]:
    """SET a = …, b = …: a query for each value, so that none reads what the others read."""
    chain: list[Plan] = []
    below = query
    while below.kind == "Project":
        chain.append(below)
        below = below.plan("child")
    if not chain or below.kind != _ONE_ROW.kind:
        return [query]
    lists = [{expr.id: expr for expr in project.exprs("projectList")} for project in chain[1:]]
    parts = []
    for value in chain[0].exprs("projectList"):
        needed: list[tuple[Expr, ...]] = [(value,)]
        for exprs_by_id in lists:
            needed.append(tuple(exprs_by_id[id_] for id_ in _referred(needed[-1]) if id_ in exprs_by_id))
        part = below
        for project, exprs in zip(reversed(chain), reversed(needed), strict=True):
            part = replace(project, args={**project.args, "projectList": exprs, "child": part})
        parts.append(part)
    return parts


def _referred(exprs: Sequence[Expr]) -> list[int]:
    """The ids that some expressions refer to."""
    references = (node for node in walk(exprs) if isinstance(node, Expr) and node.kind == "AttributeReference")
    return list(dict.fromkeys(reference.id for reference in references if reference.id is not None))


def _write(command: Plan, analysis: Analysis) -> Write | None:
    """What a command writes; where its target is opaque, note at least what it reads."""
    opaque = sum(analysis.opaque.values())
    write = _target(command, analysis)
    if write is None and sum(analysis.opaque.values()) > opaque:
        _read(command, analysis)
    return write


def _target(command: Plan, analysis: Analysis) -> Write | None:
    """What a command says about its target. A command without a rule that has a query is opaque."""
    rule = RULES.get(command.kind)
    try:
        if rule is None:
            write = unknown(command)
            if write is not None or "query" in command.args:
                analysis.opaque[command.kind] += 1
        else:
            write = rule(command)
            if write is not None and write.files is not None:
                analysis.reads.setdefault(write.files, ())
                analysis.opaque[command.kind] += 1
    except NotAsExpected as unexpected:
        analysis.opaque[unexpected.kind] += 1
        return None
    return write


def _read(command: Plan, analysis: Analysis) -> None:
    """Note what a command with an unknown target reads."""
    query = command.args.get("query")
    if isinstance(query, Plan):
        analysis.relation(query)


def _stream(command: Plan) -> Stream | None:
    query, batch = command.args.get("queryId"), command.args.get("batchId")
    if not command.kind.startswith("WriteToMicroBatchDataSource") or not isinstance(query, str):
        return None
    return Stream(query, batch if isinstance(batch, int) else None)


def _written(write: Write, analysis: Analysis) -> Written:
    """The lineage of what a command writes."""
    for dataset in write.reads:
        analysis.reads.setdefault(dataset, ())
    if write.renamed:
        return _renamed(write, analysis)
    if write.query is None:
        return _written_without_data(write)
    if isinstance(write.query, Plan):
        if write.query.kind == UNREAD:
            schema = _as_in(write.schema, write.columns, [None] * len(write.columns))
            return Written(write.dataset, schema, write.change, {}, {}, if_absent=write.if_absent)
        relation = analysis.relation(write.query)
    else:
        relation = write.query.relation(analysis)
    names = list(write.columns) or [output.name for output in relation.outputs]
    if len(names) != len(relation.outputs):
        analysis.opaque["columns"] += 1
        names = [output.name for output in relation.outputs]
    types = [attribute.type for attribute in write.query.output or ()] or [None] * len(names)
    columns = _as_in(write.schema, names, types)
    condensed_columns = condensed(column_sources(columns, relation), relation.rows)
    if not condensed_columns.exact:
        analysis.opaque[TOO_MANY_EDGES] += 1
    schema = _with_others(columns, write.schema)
    return Written(
        write.dataset, schema, write.change, condensed_columns.fields, condensed_columns.rows,
        if_absent=write.if_absent, counted=condensed_columns.counted,
    )  # fmt: skip


def _written_without_data(write: Write) -> Written:
    schema = schema_of(write.schema)
    return Written(write.dataset, schema, write.change, None, {}, write.previous, write.if_absent)


def _renamed(write: Write, analysis: Analysis) -> Written:
    """A table with renamed columns, or fields inside them: each comes from its old name."""
    before, after = schema_of(write.renamed), schema_of(write.schema)
    analysis.reads.setdefault(write.dataset, write.renamed)
    copied = frozenset({Mark(How.IDENTITY)})
    fields: dict[str, Sources] = {
        new: {SourceField(write.dataset, old): copied}
        for old, new in zip(_paths(before), _paths(after), strict=False)
        if old != new
    }
    return Written(write.dataset, after, write.change, fields or None, {})


def _paths(schema: Iterable[Field]) -> Iterator[str]:
    return (join_path((column.name, *names)) for column in schema for _, names in leaves(column.type))


def _with_others(columns: Sequence[Field], target: Sequence[Expr]) -> tuple[Field, ...]:
    """The target's schema: its columns in order, written or not, then the new ones."""
    written = {field.name: field for field in columns}
    own = {attribute.name: written.get(attribute.name, Field(attribute.name, attribute.type)) for attribute in target}
    return (*own.values(), *(field for field in columns if field.name not in own))


def _as_in(target: Sequence[Expr], names: Sequence[str], types: Sequence[DataType | None]) -> tuple[Field, ...]:
    """Columns as the target spells them, since case may not matter; a missing type is the target's."""
    own = {attribute.name: attribute.type for attribute in target}
    as_known = spelling(own)
    columns = ((as_known(name), type_) for name, type_ in zip(names, types, strict=False))
    return tuple(
        Field(name, own.get(name) if type_ is None else spelled(type_, own.get(name))) for name, type_ in columns
    )


def column_sources(schema: Sequence[Field], relation: Relation) -> dict[str, Sources]:
    """The sources of each leaf of a relation's columns, under the final names of the columns.

    Columns of one name, and fields of one name in a struct, are merged.
    """
    parts_by_path: dict[str, list[Sources]] = {}
    for column, output in zip(schema, relation.outputs, strict=True):
        label = text.bare(output.column.text)
        inside = named(output.column.leaves, column.type)
        hold(_BYTES_OF_A_FIELD * len(inside))
        for names, sources in inside.items():
            parts_by_path.setdefault(join_path((column.name, *names)), []).append(settle(sources, label))
    return {path: merge(parts) for path, parts in parts_by_path.items()}


def columns_of(query: Plan, relation: Relation) -> tuple[Field, ...]:
    """A query's columns as fields, with their types where the plan has them."""
    output = query.output or ()
    types = [attribute.type for attribute in output] if len(output) == len(relation.outputs) else None
    names = [output.name for output in relation.outputs]
    return tuple(map(Field, names, types or [None] * len(names)))


def schema_of(attributes: Sequence[Expr]) -> tuple[Field, ...]:
    """The schema of some attributes."""
    return tuple(Field(attribute.name, attribute.type) for attribute in attributes)
