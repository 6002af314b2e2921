"""Plans in a few words, and what the rules make of them in few words."""

from __future__ import annotations

from collections.abc import Sequence

from headwater.rules.plan.sources import Column, How, Mark, Output, Relation, SourceField, Sources, without_counts
from headwater.rules.plan.tree import Dataset, Described, Expr, Plan, Value
from headwater.rules.session.links import Known


def attribute(name: str, id_: int | None = None, type_: object = "integer", *, hidden: bool = False) -> Expr:
    """A column that a plan refers to."""
    return Expr("AttributeReference", name=name, id=id_, type=type_, hidden=hidden)  # type: ignore[arg-type]


def columns(*names: str, first: int = 1) -> tuple[Expr, ...]:
    """Columns with ids one after the other."""
    return tuple(attribute(name, first + place) for place, name in enumerate(names))


def place(name: str) -> Dataset:
    """A dataset in files."""
    return Dataset(f"file:/lake/{name}")


def files(name: str, *output: Expr) -> Plan:
    """A leaf that reads files."""
    return Plan("LogicalRelation", args={"relation": Described("files", (place(name),))}, output=output)


def rdd(number: int, *output: Expr, **described: object) -> Plan:
    """A leaf that reads an RDD."""
    return Plan("LogicalRDD", args={"rdd": Described("rdd", rdd=number, **described)}, output=output)  # type: ignore[arg-type]


def alias(name: str, id_: int, child: Expr) -> Expr:
    """An expression with a name."""
    return Expr("Alias", id=id_, args={"child": child, "name": name})


def project(child: Plan, *exprs: Expr) -> Plan:
    """A SELECT."""
    return Plan("Project", args={"projectList": exprs, "child": child})


def literal(sql: str) -> Expr:
    """A literal."""
    return Expr("Literal", args={"sql": sql})


def keep(child: Plan, column: Expr) -> Plan:
    """A WHERE on one column."""
    condition = Expr("GreaterThan", name=">", args={"left": column, "right": literal("3")})
    return Plan("Filter", args={"condition": condition, "child": child})


def save(query: Plan, **more: Value) -> Plan:
    """A command that writes files."""
    args: dict[str, Value] = {"outputPath": "file:/lake/out", "query": query, "mode": "Overwrite", **more}
    return Plan("InsertIntoHadoopFsRelationCommand", args=args)


def known(table: str, *names: str, rows: Sequence[str] = (), ids: Sequence[int | None] | None = None) -> Known:
    """What an earlier statement gave: copies of a table's columns, of rows that some of them chose."""
    outputs = (
        Output(id_, name, Column({(): {SourceField(place(table), name): frozenset({Mark(How.IDENTITY)})}}, name))
        for id_, name in zip(ids or range(1, len(names) + 1), names, strict=True)
    )
    chosen = {SourceField(place(table), name): frozenset({Mark(How.FILTER, text=name)}) for name in rows}
    return Known(Relation.of(outputs, chosen), {place(table): columns(*names)})


def lines(sources: Sources) -> set[str]:
    """Sources as `table.column HOW`, without those that only count rows."""
    return {
        f"{source.dataset.short_name}.{source.field} {mark.how.name}"
        for source, marks in without_counts(sources)[0].items()
        for mark in marks
    }


def edges(relation: Relation) -> dict[str, set[str]]:
    """The columns of a relation with their sources, under `rows` what decided about the rows."""
    found = {output.name: lines(output.column.sources) for output in relation.outputs}
    rows = lines(relation.rows)
    return {**found, "rows": rows} if rows else found


def counted(relation: Relation) -> dict[str, set[str]]:
    """The tables whose rows count, for all columns (`rows`) or for one."""
    found = {output.name: output.column.sources for output in relation.outputs} | {"rows": relation.rows}
    tables = {name: {table.short_name for table in without_counts(sources)[1]} for name, sources in found.items()}
    return {name: names for name, names in tables.items() if names}
