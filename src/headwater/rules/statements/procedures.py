"""CALL: what Iceberg's procedures do to tables. Newer Sparks run them during analysis, so no plan shows them.

>>> call = read_call("CALL lake.system.add_files(table => 'db.t', source_table => '`parquet`.`/in`')")
>>> call.procedure, call.argument("table")
('add_files', 'db.t')
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from headwater.common.column_path import join_path
from headwater.rules.plan.sources import How, Mark, SourceField, Sources
from headwater.rules.plan.tree import Dataset
from headwater.rules.plan.types import leaves
from headwater.rules.statements.statements import Field, Statement, Written
from headwater.rules.statements.writes import Change

# The parameters by position, as far as they name tables. Procedures that are not here change no rows: they rewrite
# files, drop old ones, or only report something.
_PARAMETERS: dict[str, tuple[str, ...]] = {
    "add_files": ("table", "source_table"),
    "cherrypick_snapshot": ("table", "snapshot_id"),
    "fast_forward": ("table", "branch", "to"),
    "migrate": ("table",),
    "publish_changes": ("table", "wap_id"),
    "register_table": ("table", "metadata_file"),
    "rollback_to_snapshot": ("table", "snapshot_id"),
    "rollback_to_timestamp": ("table", "timestamp"),
    "set_current_snapshot": ("table", "snapshot_id", "ref"),
    "snapshot": ("source_table", "table"),
}
# Those that name the source of the table's rows: a snapshot of itself, a branch.
_VERSIONS = ("snapshot_id", "to", "ref", "wap_id")
_SPARKS_OWN = "spark_catalog"
_FILES = frozenset({"avro", "orc", "parquet"})
# An unclosed comment or string goes to the end, so that every text is read once.
_COMMENT = r"--[^\n]*(?:\n|\Z)|/\*(?:[^*]|\*(?!/))*(?:\*/|\Z)"
_CALL = re.compile(rf"(?:\s|{_COMMENT})*CALL\b", re.IGNORECASE)
_TOKEN = re.compile(
    rf"(?P<space>\s+|{_COMMENT})"
    r"|(?P<text>'(?:[^'\\]|\\(?:.|\Z)|'')*(?:'|\Z)|\"(?:[^\"\\]|\\(?:.|\Z)|\"\")*(?:\"|\Z))"
    r"|(?P<quoted>`(?:[^`]|``)*(?:`|\Z))"
    r"|(?P<number>-?\d+(?:\.\d+)?)"
    r"|(?P<parameter>:\w+|\?)"
    r"|(?P<word>\w+)"
    r"|(?P<arrow>=>)"
    r"|(?P<sign>.)",
    re.DOTALL,
)


@dataclass(frozen=True)
class Call:
    """A call of a procedure.

    Attributes:
        catalog: the catalog that has the procedure; empty where the statement leaves it to the session.
        arguments: the arguments that are plain texts or numbers, by their names in lower case or by their places.
    """

    catalog: str
    procedure: str
    arguments: Mapping[str | int, str] = field(default_factory=dict)

    def argument(self, name: str) -> str | None:
        """An argument by its name, whichever way it was given."""
        if name in self.arguments:
            return self.arguments[name]
        names = _PARAMETERS.get(self.procedure, ())
        return self.arguments.get(names.index(name)) if name in names else None


@dataclass(frozen=True)
class Table:
    """A table that a procedure is about, with its columns as far as they are known."""

    dataset: Dataset
    columns: Sequence[Field] = ()


Tables = Callable[[str, str], Table]
"""Finds a table by its name as written, in the given catalog unless the name has one."""


def is_call(sql: object) -> bool:
    r"""Whether a statement is a CALL.

    >>> is_call("-- nightly\n call lake.system.migrate('t')"), is_call("SELECT call")
    (True, False)
    """
    return isinstance(sql, str) and _CALL.match(sql) is not None


def read_call(sql: str, parameters: Mapping[str, object] | Sequence[object] = ()) -> Call | None:
    """The call in a text; None if it is not a CALL, or not of a known form.

    Args:
        sql: the text.
        parameters: the values of its parameter markers, by name or in order.
    """
    start = _CALL.match(sql)
    if start is None:
        return None
    tokens = [
        (match.lastgroup or "", match.group())
        for match in _TOKEN.finditer(sql, start.end())
        if match.lastgroup != "space"
    ]
    opening = next((place for place, (_, text) in enumerate(tokens) if text == "("), len(tokens))
    names = [_unquoted(text) for kind, text in tokens[:opening] if kind in {"word", "quoted"}]
    if not names:
        return None
    arguments: dict[str | int, str] = {}
    unnamed = iter(() if isinstance(parameters, Mapping) else parameters)
    for place, part in enumerate(_arguments(tokens[opening + 1 :])):
        key: str | int = place
        values = part
        if len(part) > 1 and part[1][0] == "arrow":
            key, values = _unquoted(part[0][1]).lower(), part[2:]
        value = _value(values, parameters, unnamed)
        if value is not None:
            arguments[key] = value
    return Call(names[0] if len(names) > 2 else "", names[-1].lower(), arguments)  # noqa: PLR2004 (catalog.system.name)


def _arguments(tokens: Sequence[tuple[str, str]]) -> list[list[tuple[str, str]]]:
    """The tokens between commas, up to the parenthesis that closes."""
    arguments: list[list[tuple[str, str]]] = [[]]
    depth = 0
    for kind, text in tokens:
        if text == ")" and depth == 0:
            break
        depth += (text == "(") - (text == ")")
        if text == "," and depth == 0:
            arguments.append([])
        else:
            arguments[-1].append((kind, text))
    return arguments


def _value(
    tokens: Sequence[tuple[str, str]], parameters: Mapping[str, object] | Sequence[object], unnamed: object
) -> str | None:
    if len(tokens) != 1:
        return None
    kind, text = tokens[0]
    if kind == "text":
        return re.sub(r"\\(.)", r"\1", text[1:-1].replace(text[0] * 2, text[0]), flags=re.DOTALL)
    if kind == "number":
        return text
    if kind == "parameter":
        value = parameters.get(text[1:]) if isinstance(parameters, Mapping) else next(unnamed, None)  # type: ignore[call-overload]
        return str(value) if isinstance(value, str | int) else None
    return None


def _unquoted(name: str) -> str:
    return name[1:-1].replace("``", "`") if name.startswith("`") else name


# --- what they do ----------------------------------------------------------------------------------------------------


def statement_of_call(call: Call, tables: Tables) -> Statement | None:
    """The lineage of a call, or None if it changes no rows of a table."""
    name = call.argument("table")
    if call.procedure not in _PARAMETERS or name is None:
        return None
    command = "".join(word.capitalize() for word in call.procedure.split("_")) + "Procedure"
    target = tables(_SPARKS_OWN if call.procedure == "migrate" and not call.catalog else call.catalog, name)
    if call.procedure in {"migrate", "register_table"}:
        change = Change.ALTER if call.procedure == "migrate" else Change.CREATE
        return Statement(command, {}, (Written(_written(target), tuple(target.columns), change, None, {}),))
    if call.procedure in {"add_files", "snapshot"}:
        text = call.argument("source_table")
        if text is None:
            return Statement(command, {}, (_copy(target, target, Change.APPEND, ()),), {command: 1})
        source = _source(text, tables)
        change = Change.CREATE if call.procedure == "snapshot" else Change.APPEND
        return _copying(command, source, target, change)
    # Rows of an earlier version or of a branch: their writers are in force again, so this is not an overwrite.
    version = next((value for argument in _VERSIONS if (value := call.argument(argument)) is not None), None)
    source = replace(target, dataset=replace(target.dataset, version=version))
    return _copying(command, source, target, Change.OVERWRITE_PARTITIONS)


def _source(text: str, tables: Tables) -> Table:
    """A table, or files under their format: `parquet`.`/in`."""
    parts = [_unquoted(match.group()) for match in re.finditer(r"`(?:[^`]|``)*`|[^.`]+", text)]
    if len(parts) == 2 and parts[0].lower() in _FILES and "/" in parts[1]:  # noqa: PLR2004
        return Table(Dataset(parts[1], format=parts[0].lower()))
    return tables(_SPARKS_OWN, text)


def _copying(command: str, source: Table, target: Table, change: Change) -> Statement:
    """Columns are matched by name; a source with unknown columns may have all of them."""
    own = {column.name.lower() for column in source.columns}
    names = [column for column in target.columns if not own or column.name.lower() in own]
    opaque = {} if target.columns else {command: 1}
    reads = {source.dataset: tuple(source.columns)}
    return Statement(command, reads, (_copy(source, target, change, names),), opaque)


def _copy(source: Table, target: Table, change: Change, columns: Sequence[Field]) -> Written:
    copied = frozenset({Mark(How.IDENTITY)})
    fields: dict[str, Sources] = {}
    for column in columns:
        for _, names in leaves(column.type):
            at = join_path((column.name, *names))
            fields[at] = {SourceField(source.dataset, at): copied}
    return Written(_written(target), tuple(target.columns), change, fields, {})


def _written(target: Table) -> Dataset:
    return replace(target.dataset, version=None)
