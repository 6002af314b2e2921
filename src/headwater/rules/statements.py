"""The whole answer for a command: what it reads, what it writes, and where each column comes from."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from headwater.paths import join_path
from headwater.rules import text, variables
from headwater.rules.analysis import Analysis, reads_several
from headwater.rules.commands import RULES, Change, Write
from headwater.rules.links import Known, Links
from headwater.rules.model import Column, Relation, Sources, settle
from headwater.rules.shapes import whole
from headwater.rules.tree import UNREAD, Dataset, Expr, NotAsExpected, Plan
from headwater.rules.types import DataType

__all__ = ["Change", "Field", "Statement", "Stream", "Written", "column_sources", "schema_of", "statement"]

CARRIED_OUT = "carried out"
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
        rows: the source fields that decided which rows were written.
        previous: the dataset under the name that it had before, where it was renamed.
    """

    dataset: Dataset
    schema: tuple[Field, ...]
    change: Change
    fields: Mapping[str, Sources] | None
    rows: Sources
    previous: Dataset | None = None


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
        opaque: how often what was not understood; where this is not empty, the answer may claim too much.
        view: whether what it "writes" is the definition of a view.
        stream: set where it is one micro-batch of a streaming query.
    """

    command: str
    reads: Mapping[Dataset, tuple[Field, ...]]
    writes: tuple[Written, ...]
    opaque: Mapping[str, int] = field(default_factory=dict)
    view: bool = False
    stream: Stream | None = None


def statement(plan: Plan, unread: str | None = None, links: Links | None = None) -> Statement | None:
    """The lineage of a command, or None if it writes no data.

    Args:
        plan: the command.
        unread: which budget ran out before all of the plan was read, if one did.
        links: what earlier statements said; what this one says to later ones is added.

    >>> print(statement(Plan("ShowTablesCommand")))
    None
    """
    if plan.kind in variables.COMMANDS:
        return None
    commands = plan.plans if plan.kind == "Union" else (plan,)
    if links is not None:
        links.learn(plan.leaves)
    analysis = Analysis(qualify=reads_several(plan), links=links)
    writes = [write for command in commands if (write := _write(command, analysis)) is not None]
    written = tuple(_written(write, analysis) for write in writes)
    stream = _stream(plan)
    if stream is not None and not writes and links is not None:
        links.remember(behind(plan.plan("query"), links))  # the frame that foreachBatch hands to the user's function
    if not writes and not analysis.opaque and stream is None:
        return None
    if unread:
        analysis.opaque[f"unread for lack of {unread}"] += 1
    reads = {dataset: schema_of(attributes) for dataset, attributes in analysis.reads.items()}
    view = any(write.view for write in writes)
    return Statement(commands[0].kind, reads, written, Counter(analysis.opaque), view=view, stream=stream)


def behind(plan: Plan, links: Links | None = None) -> Known:
    """What is behind a frame that later plans show only as an RDD."""
    if links is not None:
        links.learn(plan.leaves)
    analysis = Analysis(qualify=reads_several(plan), links=links)
    relation = analysis.relation(plan)
    return Known(relation, dict(analysis.reads), dict(analysis.opaque))


def carried_out(plan: Plan, links: Links) -> Statement:
    """What an engine writes in the end to carry out another statement, with the columns that only the engine adds."""
    known = behind(plan, links)
    names = [output.name for output in known.relation.outputs]
    schema = schema_of(plan.output or ())
    written = Written(Dataset(), schema, Change.APPEND, column_sources(names, known.relation), known.relation.rows)
    reads = {dataset: schema_of(attributes) for dataset, attributes in known.reads.items()}
    return Statement(CARRIED_OUT, reads, (written,), Counter(known.opaque))


def change_variables(command: Plan, links: Links, definitions: Mapping[str, int]) -> None:
    """DECLARE and SET VARIABLE: what a later statement takes from the variable, it takes from this one's query.

    Args:
        command: the statement.
        links: what earlier statements said; what this one says is added.
        definitions: which object each variable of the session is now.
    """
    targets = [
        *command.exprs("targetVariables"),
        *(plan for plan in command.plans if plan.kind == "ResolvedIdentifier"),
    ]
    if command.kind == "DropVariable":
        return  # no later plan refers to it, and frames that were made before still do
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
    """What DECLARE or SET puts into its variables, in their order."""
    if command.kind == "SetVariable":
        known = behind(command.plan("sourceQuery"), links)
        return [variables.value_of(known, output.column) for output in known.relation.outputs]
    default = command.expr("defaultExpr")
    computed = default.args.get("child", default)
    known = behind(Plan("Project", args={"projectList": (computed,), "child": _ONE_ROW}), links)
    return [variables.value_of(known, known.relation.outputs[0].column)] * count


def _write(command: Plan, analysis: Analysis) -> Write | None:
    """What a command writes. One that we do not know, but that has a query, is said to be opaque."""
    rule = RULES.get(command.kind)
    if rule is None:
        if "query" in command.args:
            analysis.opaque[command.kind] += 1
            _read(command, analysis)
        return None
    try:
        return rule(command)
    except NotAsExpected as unexpected:
        analysis.opaque[unexpected.kind] += 1
        _read(command, analysis)
        return None


def _read(command: Plan, analysis: Analysis) -> None:
    """See what a command reads that writes nobody knows where."""
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
    if write.query is None:
        return Written(write.dataset, schema_of(write.schema), write.change, None, {}, write.previous)
    if isinstance(write.query, Plan):
        if write.query.kind == UNREAD:
            return Written(write.dataset, (), write.change, {}, {})
        relation = analysis.relation(write.query)
    else:
        relation = write.query.relation(analysis)
    names = list(write.columns) or [output.name for output in relation.outputs]
    if len(names) != len(relation.outputs):
        analysis.opaque["columns"] += 1
        names = [output.name for output in relation.outputs]
    types = [attribute.type for attribute in write.query.output or ()] or [None] * len(names)
    schema = tuple(Field(name, type_) for name, type_ in zip(names, types, strict=False))
    return Written(write.dataset, schema, write.change, column_sources(names, relation), relation.rows)


def column_sources(names: Sequence[str], relation: Relation) -> dict[str, Sources]:
    """What each leaf of a relation's columns takes from where, under the names that the columns have in the end."""
    found: dict[str, Sources] = {}
    for name, output in zip(names, relation.outputs, strict=True):
        said = text.bare(output.column.text)
        for path, sources in output.column.leaves.items():
            found[join_path((name, *path))] = settle(sources, said)
    return found


def schema_of(attributes: Sequence[Expr]) -> tuple[Field, ...]:
    """The schema that some attributes make."""
    return tuple(Field(attribute.name, attribute.type) for attribute in attributes)
