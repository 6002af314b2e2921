"""An expression as SQL, in the names of the source columns.

The text describes an edge to a person; nothing is computed from it. It is built from the arguments' texts, so that a
column that is computed in three steps has one expression.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import lru_cache

from headwater.rules.plan import types
from headwater.rules.plan.tree import Expr, Type

# A chain of `x = x + x` doubles its text with each step.
LONGEST = 1000

# Where SQL's name of a type is not that of Spark's JSON.
_SQL_TYPES = {"byte": "tinyint", "short": "smallint", "integer": "int", "long": "bigint"}

# Spark writes the type of a number behind it: 1.2BD, 7L.
_NUMBER_SUFFIX = re.compile(r"^(-?[0-9.]+)(?:BD|[DFLSY])$")

CHAR_CHECKS = frozenset({"readSidePadding", "charTypeWriteSideCheck", "varcharTypeWriteSideCheck"})
"""The methods that pad and check CHAR and VARCHAR values, which stay the same."""

# Behind their first argument stand keys and the like, which an event must not contain.
_KEYED = frozenset({"AesEncrypt", "AesDecrypt", "TryAesDecrypt"})


def write(expr: Expr, parts: Sequence[str]) -> str:
    """The SQL of an expression, from the SQL of its `children`.

    >>> write(Expr("Upper", name="upper"), ["name"])
    'upper(name)'
    >>> write(Expr("Add", name="+"), ["age", "10"])
    '(age + 10)'
    """
    if expr.kind in _KEYED:
        parts = [*parts[:1], *("'***'" for _ in parts[1:])]
    elif expr.kind == "Hmac":  # engines do not agree on which argument is the key
        parts = ["'***'" if "'" in part else part for part in parts]
    template = _TEMPLATES.get(expr.kind)
    if template is not None:
        text = template(expr, parts)
    elif _is_operator(expr.name) and len(parts) == 2:  # noqa: PLR2004 (a binary operator has two sides)
        text = f"({parts[0]} {expr.name} {parts[1]})"
    else:
        text = f"{function_name(expr)}({', '.join(bare(part) for part in parts)})"
    return text if len(text) <= LONGEST else text[: LONGEST - 1] + "…"


def bare(text: str) -> str:
    """The text without the parentheses around all of it.

    >>> bare("((a + 1) > b)"), bare("(a) + (b)")
    ('(a + 1) > b', '(a) + (b)')
    """
    if not (text.startswith("(") and text.endswith(")")):
        return text
    depth = 0
    for position, character in enumerate(text):
        depth += (character == "(") - (character == ")")
        if depth == 0 and position < len(text) - 1:
            return text
    return text[1:-1]


def identifier(name: str) -> str:
    """A name as SQL writes it: in backticks if it has anything but letters, digits and underscores.

    >>> identifier("order_id"), identifier("a.b")
    ('order_id', '`a.b`')
    """
    plain = name.replace("_", "a").isalnum() and not name[:1].isdigit()
    return name if plain else "`" + name.replace("`", "``") + "`"


def is_function(expr: Expr) -> bool:
    """Whether an expression is written as a function with its arguments in parentheses.

    >>> is_function(Expr("PythonUDF", args={"name": "tokenise"})), is_function(Expr("GetStructField"))
    (True, False)
    """
    return expr.kind not in _TEMPLATES or expr.kind in {"StaticInvoke", "SQLScalarFunction"}


@lru_cache(maxsize=1024)
def _is_operator(name: str) -> bool:
    return name in {"AND", "OR", "div"} or (bool(name) and not any(c.isalnum() or c == "_" for c in name))


def function_name(expr: Expr) -> str:
    """The name of a function: as a user's function is called, or as Spark writes its own."""
    for field in ("udfName", "name"):  # ScalaUDF, PythonUDF
        named = expr.args.get(field)
        if isinstance(named, str) and named:
            return named
    return expr.name or expr.kind.lower()


def _cast(expr: Expr, parts: Sequence[str]) -> str:
    if not expr.name:  # the analyzer's own
        return parts[0]
    return f"CAST({parts[0]} AS {_type_name(expr)})"


def _type_name(expr: Expr) -> str:
    target = expr.args.get("dataType")
    json = target.json if isinstance(target, Type) else "?"
    name = json if isinstance(json, str) else str(json.get("type", "?"))
    return _SQL_TYPES.get(name, name).upper()


@lru_cache(maxsize=1024)
def _literal(sql: str) -> str:
    return _NUMBER_SUFFIX.sub(r"\1", sql)


def _case(expr: Expr, parts: Sequence[str]) -> str:
    pairs = len(expr.exprs("branches")) // 2
    whens = " ".join(f"WHEN {bare(parts[2 * i])} THEN {bare(parts[2 * i + 1])}" for i in range(pairs))
    otherwise = f" ELSE {bare(parts[2 * pairs])}" if len(parts) > 2 * pairs else ""
    return f"CASE {whens}{otherwise} END"


def _aggregate(expr: Expr, parts: Sequence[str]) -> str:
    function, *filters = parts
    if expr.args.get("isDistinct") is True:
        function = function.replace("(", "(DISTINCT ", 1)
    return function + (f" FILTER (WHERE {bare(filters[0])})" if filters else "")


def _field_name(expr: Expr) -> str:
    """The field that is taken from a struct; of those that a star stood for only the number is written down."""
    name, ordinal = expr.args.get("name"), expr.args.get("ordinal")
    if name or not isinstance(ordinal, int):
        return str(name or "?")
    fields = types.parts(expr.type)
    return fields[ordinal][0] if ordinal < len(fields) else "?"


def _struct(expr: Expr, parts: Sequence[str]) -> str:
    shown = parts[1::2] if expr.name == "struct" else parts
    return f"{expr.name or 'named_struct'}({', '.join(bare(part) for part in shown)})"


def _window_spec(expr: Expr, parts: Sequence[str]) -> str:
    keys = len(expr.exprs("partitionSpec"))
    order = len(expr.exprs("orderSpec"))
    clauses = []
    if keys:
        clauses.append(f"PARTITION BY {', '.join(parts[:keys])}")
    if order:
        clauses.append(f"ORDER BY {', '.join(parts[keys : keys + order])}")
    return " ".join(clauses)


def _sort(expr: Expr, parts: Sequence[str]) -> str:
    return parts[0] + (" DESC" if expr.args.get("direction") == "Descending" else "")


def _first(_expr: Expr, parts: Sequence[str]) -> str:
    """A check that the analyzer puts around a value: nobody wrote it."""
    return parts[0]


def _static_invoke(expr: Expr, parts: Sequence[str]) -> str:
    """CHAR and VARCHAR columns are padded and checked by static methods, the value first; others are as they are."""
    if str(expr.args.get("functionName")) in CHAR_CHECKS:
        return parts[0]
    return f"{function_name(expr)}({', '.join(bare(part) for part in parts)})"


def _plus(_expr: Expr, parts: Sequence[str]) -> str:
    """What Spark has a class of its own for, and everybody writes with a sign: a date and an interval."""
    return f"({parts[0]} + {parts[1]})"


def _minus(_expr: Expr, parts: Sequence[str]) -> str:
    return f"({parts[0]} - {parts[1]})"


_TEMPLATES: dict[str, Callable[[Expr, Sequence[str]], str]] = {
    **dict.fromkeys(
        ("DateAddInterval", "DateAddYMInterval", "TimeAdd", "TimestampAddInterval", "TimestampAddYMInterval"), _plus
    ),
    **dict.fromkeys(("SubtractDates", "SubtractTimestamps"), _minus),
    **dict.fromkeys(
        ("AssertNotNull", "CheckOverflowInTableInsert", "CheckOverflowInTableWrite", "KnownNotNull", "KnownNullable"),
        _first,
    ),
    "AggregateExpression": _aggregate,
    "Alias": lambda _expr, parts: parts[0],
    "CaseWhen": _case,
    "Cast": _cast,
    "CreateNamedStruct": _struct,
    "ElementAt": lambda _expr, parts: f"element_at({parts[0]}, {bare(parts[1])})",
    "GetArrayItem": lambda _expr, parts: f"{parts[0]}[{bare(parts[1])}]",
    "GetArrayStructFields": lambda _expr, parts: f"{parts[0]}.*",
    "GetMapValue": lambda _expr, parts: f"{parts[0]}[{bare(parts[1])}]",
    "GetStructField": lambda expr, parts: f"{parts[0]}.{identifier(_field_name(expr))}",
    "If": lambda _expr, parts: f"IF({', '.join(bare(part) for part in parts)})",
    "In": lambda _expr, parts: f"({parts[0]} IN ({', '.join(parts[1:])}))",
    "InSubquery": lambda _expr, parts: f"({', '.join(parts[:-1])} IN {parts[-1]})",
    "IsNotNull": lambda _expr, parts: f"({parts[0]} IS NOT NULL)",
    "IsNull": lambda _expr, parts: f"({parts[0]} IS NULL)",
    "Like": lambda _expr, parts: f"({parts[0]} LIKE {parts[1]})",
    "Literal": lambda expr, _parts: _literal(str(expr.args.get("sql", "?"))),
    "Not": lambda _expr, parts: f"(NOT {parts[0]})",
    "PosParameter": lambda expr, _parts: _literal(str(expr.args.get("sql", "?"))),
    "SQLScalarFunction": lambda _expr, parts: parts[-1],
    "SortOrder": _sort,
    "StaticInvoke": _static_invoke,
    "TimestampDiff": lambda expr, parts: f"timestampdiff({expr.args.get('unit')}, {', '.join(parts)})",
    "TimestampAdd": lambda expr, parts: f"timestampadd({expr.args.get('unit')}, {', '.join(parts)})",
    "VariableReference": lambda expr, _parts: ".".join(expr.strings("originalNameParts")) or "variable",
    "WindowExpression": lambda _expr, parts: f"{parts[0]} OVER ({parts[1]})",
    "WindowSpecDefinition": _window_spec,
    "UnaryMinus": lambda _expr, parts: f"(- {parts[0]})",
}
