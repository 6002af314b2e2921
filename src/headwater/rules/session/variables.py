"""SQL variables: what each was set from, statement by statement.

A session's variable lives until it is dropped; a script has variables of its own in every block, and a FOR loop has one
for each column of its row. Spark names each by the place it was declared in: `session.v`, `block.v`, `row.v`.

- SET takes what its query takes, and DECLARE what its DEFAULT takes.
- The row of a FOR loop is set to plain values; they are those of the query that the loop ran before.
- A frame keeps the value that a variable had when the frame was made. Spark makes a new object each time a variable is
  set, and the plan tells which one it means.
- VALUES, the bounds of range() and the parameters of EXECUTE IMMEDIATE come as plain values, too. Their text shows the
  variables.
- The rows that a script hands back are local data to Spark: they are those of a query that the script ran.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from headwater.rules.expressions.shapes import influenced, merge_leaves, pick, settled_leaves, stepped, whole
from headwater.rules.plan import sql_tokens
from headwater.rules.plan.sources import Column, How, Leaves, Mark, Sources
from headwater.rules.plan.tree import Dataset, Expr, Node, Plan, walk
from headwater.rules.plan.types import DataType, steps
from headwater.rules.session.latest import Latest, Memory
from headwater.rules.session.loops import Loop, Loops

if TYPE_CHECKING:
    from headwater.rules.session.links import Known

COMMANDS = frozenset({"CreateVariable", "DropVariable", "FetchCursor", "SetVariable"})
_MOST_SETTINGS = 20
_MOST_SCRIPTS = 100
_MOST_RESULTS = 10
_MOST_MARKS = 50
_LONGEST_TEXT = 100_000
_SESSION = ("system", "session")
_Key = tuple[str, ...]


@dataclass(frozen=True)
class Value:
    """The value of a variable: where it comes from, what was read for it, what was opaque on the way, and its type.

    `by_views` is the same with the views of catalogs as datasets, where any was read.
    """

    column: Column
    reads: Mapping[Dataset, tuple[Expr, ...]] = field(default_factory=dict)
    opaque: Mapping[str, int] = field(default_factory=dict)
    type: DataType | None = None
    by_views: Value | None = None

    @property
    def plain(self) -> bool:
        """Whether it depends on no data at all: `count(*)` takes no column of its table, and depends on it."""
        return not self.opaque and not self.reads and not any(self.column.leaves.values())


@dataclass
class _Setting:
    definition: int | None
    value: Value


@dataclass(frozen=True)
class _Local:
    """A variable of a script: where it was declared, if that is known, or the loop whose row it is in."""

    script: str
    value: Value
    at: int | None = None
    loop: Loop | None = None

    def is_seen_from(self, place: int | None) -> bool:
        """Whether a place of the script may mean it."""
        if self.loop is not None:
            return self.loop.is_around(place)
        return place is None or self.at is None or self.at < place


class _Names(dict[tuple[str, ...], list[Value]]):
    """The variables of a script by their names, alone and with those of their blocks.

    Attributes:
        latest: whether variables of the session have the values that they have now.
    """

    def __init__(self, *, latest: bool) -> None:
        super().__init__()
        self.latest = latest


class Variables(Memory):
    """The variables of one application.

    Attributes:
        session: the session that the statement at hand belongs to.
        text: the statement's text; of one inside a script, that of the script.
        within: the text that its query stands in, where that differs: of a frame, or of EXECUTE IMMEDIATE … INTO.
        at: where it begins in its text, if that is known.
    """

    def __init__(self) -> None:
        self.session = ""
        self.text = ""
        self.within = ""
        self.at: int | None = None
        self._settings: Latest[_Key, list[_Setting]] = Latest()
        self._locals: Latest[_Key, _Local] = Latest()
        self._scripts: Latest[str, str] = Latest()
        self._declared: Latest[tuple[str, str, int, str], _Key] = Latest()
        self._loops = Loops()
        self._row_of: Loop | None = None
        self._labels: Latest[tuple[str, int], str] = Latest(most=_MOST_SCRIPTS)
        self._results: Latest[tuple[str, tuple[str, ...]], list[Known]] = Latest(most=_MOST_SCRIPTS)

    def snapshot(self) -> Variables:
        """A copy of what sessions' variables hold now, to be used beside the statements."""
        copy = Variables()
        copy._settings, copy._results = self._settings.branch(), self._results.branch()
        return copy

    # --- notes of statements ------------------------------------------------------------------------------------------

    def set(self, variable: Node, value: Value, definitions: Mapping[str, int]) -> None:
        """DECLARE, SET, or EXECUTE IMMEDIATE … INTO; `definitions` maps each variable to its current object."""
        key = self._key(variable)
        if key[1:3] == _SESSION:
            typed = replace(value, type=variable.type) if isinstance(variable, Expr) else value
            definition = next((object_id for name, object_id in definitions.items() if name.lower() == key[-1]), None)
            settings = self._settings.get(key, [])
            self._settings.keep(key, [*settings, _Setting(definition, typed)][-_MOST_SETTINGS:])
        elif isinstance(variable, Expr):
            self._keep(key, replace(value, type=variable.type))
        else:
            self._declare(key, value)

    def loop(self, query: Known, script: str, before: str) -> None:
        """Note the query of a FOR loop; `before` is the end of the text before it in the script."""
        self._loops.begin(self.session, query, self._in_script(script), before, self.at)

    def row(self, variable: Node) -> Value | None:
        """The value of a column of a FOR loop's row; None if the variable is none.

        Spark itself writes the statements that set it: they have no text.
        """
        key = self._key(variable)
        if self.text or key[1:3] == _SESSION:
            return None
        *_, label, name = key
        loops = self._loops.of(self.session, label, name)
        values = [
            value_of(loop.query, output.column)
            for loop in loops
            for output in loop.query.relation.outputs
            if output.name.lower() == name
        ]
        if not values:
            return Value(Column(whole({}), name), opaque={"FOR": 1})
        self._in_script(loops[0].script)
        self._row_of = loops[0] if len(loops) == 1 else None
        either = united(values)
        return either if len(loops) == 1 else replace(either, opaque={**either.opaque, "FOR": 1})

    def result(self, query: Known) -> None:
        """Note the query whose rows a script returns."""
        names = tuple(output.name for output in query.relation.outputs)
        queries = self._results.get((self.session, names), [])
        self._results.keep((self.session, names), [*queries, query][-_MOST_RESULTS:])

    # --- values for statements ----------------------------------------------------------------------------------------

    def value(self, reference: Expr) -> Value | None:
        """The value of the variable that an expression refers to; None if it was never seen."""
        key = self._key(reference)
        local = self._locals.get(key)
        if local is not None:
            return local.value
        settings = self._settings.get(key)
        if settings is None:
            return None
        definition = reference.args.get("varDef")
        for setting in reversed(settings):
            if setting.definition == definition and definition is not None:
                return setting.value
        if settings[-1].definition is None or definition is None:
            return settings[-1].value
        # The creation of this object was not seen: it may be any of them.
        either = united([setting.value for setting in settings])
        return replace(either, opaque={**either.opaque, reference.kind: 1})

    def results(self, names: Sequence[str]) -> list[Known]:
        """The relations that local data with such columns may be, if a script returned it."""
        return self._results.get((self.session, tuple(names)), [])

    def parameters(self) -> Value | None:
        """The possible value of a parameter of EXECUTE IMMEDIATE: any variable's. None if none depends on data."""
        script = self._scripts.get(self.session, "")
        values = [settings[-1].value for key, settings in self._settings.items() if key[0] == self.session]
        values += [
            local.value for key, local in self._locals.items() if key[0] == self.session and local.script == script
        ]
        varied = [value for value in values if not value.plain]
        if not varied:
            return None
        either = united(varied)
        return replace(either, opaque={**either.opaque, "parameter": 1})

    def columns(self, values: str, width: int, at: int | None = None) -> list[Value]:
        """The columns of a VALUES clause, by its text and where that begins."""
        rows = sql_tokens.cells(values)
        if rows is None:
            either = self.parameters() or _mixed([])
            return [either] * width
        own = self._own(values, at)
        if any(len(row) != width for row in rows):
            return [_mixed([value for row in rows for cell in row for value in self._cell(cell, own)])] * width
        return [
            _either([_mixed(self._cell(row[place], own), alone=row[place].alone) for row in rows])
            for place in range(width)
        ]

    def bounds(self, call: str, at: int | None = None) -> Value | None:
        """The arguments of a function that Spark has evaluated, by its text; None if they depend on no data."""
        cell = sql_tokens.arguments(call)
        value = _mixed(self._cell(cell, self._own(call, at)))
        return None if value.plain else value

    def pivots(self) -> Value | None:
        """The values of PIVOT … IN (v), which Spark has evaluated; None if they depend on no data."""
        text = self.within or self.text
        cells = sql_tokens.pivoted(text)
        own = self._own(text, None) if cells else _Names(latest=True)
        values = [value for cell in cells for value in self._cell(cell, own) if value is not UNSEEN and not value.plain]
        if not values:
            return None
        either = _mixed(values)
        return replace(either, opaque={**either.opaque, "PIVOT": 1})

    def _own(self, text: str, at: int | None) -> _Names:
        """The variables of the script that a piece of text may refer to, if it stands in one."""
        script = self.within or self.text
        own = _Names(latest=text in script if self.text else sql_tokens.is_script(script))
        for key, local in self._locals.items():
            if key[0] == self.session and local.script == script and local.is_seen_from(at):
                own.setdefault(key[-2:], []).append(local.value)
                own.setdefault(key[-1:], []).append(local.value)
        return own

    def _cell(self, cell: sql_tokens.Cell, own: _Names) -> list[Value]:
        named = [self._named(parts, own) for parts in cell.names]
        if cell.lambdas:
            named = [value for value in named if value is not UNSEEN]
        given = self.parameters() if cell.markers else None
        return [*named, *([given] if given is not None else [])]

    def _named(self, parts: Sequence[str], own: _Names) -> Value:
        """The variable that a name refers to, the script's `own` before the session's; or a field inside it.

        The text does not show which block of the script is meant: it may be any with such a name.
        """
        names = tuple(part.lower() for part in parts)
        if names[:2] == _SESSION:
            parts, names = parts[1:], names[1:]
        if len(names) > 1 and names[0] == _SESSION[1]:
            return _inside(self._of_session(names[1], latest=own.latest), parts[2:])
        if len(names) > 1 and names[:2] in own:
            return _inside(united(own[names[:2]]), parts[2:])
        values = own.get(names[:1])
        return _inside(united(values) if values else self._of_session(names[0], latest=own.latest), parts[1:])

    def _of_session(self, name: str, *, latest: bool) -> Value:
        """The value of a session's variable, now or when a frame was made, which may be long ago."""
        settings = self._settings.get((self.session, *_SESSION, name))
        if settings is None:
            return UNSEEN
        values: list[Value] = []
        for setting in () if latest else settings:
            if not setting.value.plain and setting.value not in values:
                values.append(setting.value)
        if not values:
            return settings[-1].value
        either = united(values)
        return either if len(values) == 1 else replace(either, opaque={**either.opaque, "VariableReference": 1})

    def forget(self) -> None:
        """Forget the session's variables: one was set, and it is unknown which."""
        for variables in (self._settings, self._locals):
            for key in [key for key in variables if key[0] == self.session]:
                variables.discard(key)

    def forget_loops(self) -> None:
        """Forget the session's FOR loops: one began, and its query is unknown."""
        self._loops.forget(self.session)
        self._row_of = None

    def _declare(self, key: _Key, value: Value) -> None:
        """Declare a variable of a block. The one declared at this place before is gone, with its block."""
        script = self._in_script(self.text) if self.text else self._scripts.get(self.session, "")
        loop = None if self.text else self._row_of
        if loop is not None:
            self._forget_turn(key, loop)
        if self.text and self.at is not None:
            place = (self.session, script, self.at, key[-1])
            self._locals.discard(self._declared.get(place, key))
            self._declared.keep(place, key)
        self._locals.keep(key, _Local(script, value, self.at, loop))

    def _forget_turn(self, key: _Key, loop: Loop) -> None:
        """Forget the row of the loop's last turn: where it has no name, every turn makes new variables."""
        turn, label = (self.session, loop.turn), key[-2]
        before = self._labels.get(turn, label)
        if before != label:
            for name in loop.names:
                self._locals.discard((*key[:-2], before, name))
        self._labels.keep(turn, label)

    def _in_script(self, text: str) -> str:
        """The current script: one string, shared by everything that refers to it."""
        known = self._scripts.get(self.session)
        if known == text:
            return known
        self._scripts.keep(self.session, text)
        return text

    def _keep(self, key: _Key, value: Value) -> None:
        local = self._locals.get(key)
        if local is None:
            self._declare(key, value)
        else:
            self._locals.keep(key, replace(local, value=value))

    def _key(self, node: Node) -> _Key:
        """The session, the catalog, the place and the name, without case."""
        catalog = node.described("catalog")
        name = catalog.catalog.name if catalog is not None and catalog.catalog is not None else ""
        return (self.session, name.lower(), *(part.lower() for part in node.strings("identifier")))


def value_of(known: Known, column: Column) -> Value:
    """A column of a relation as a value, which its rows decide, too."""
    leaves = influenced(settled_leaves(column), known.relation.rows)
    by_views = None
    if known.by_views is not None:
        place = next(at for at, output in enumerate(known.relation.outputs) if output.column is column)
        by_views = value_of(known.by_views, known.by_views.relation.outputs[place].column)
    return Value(Column(_bounded(leaves), column.text), known.reads, known.opaque, by_views=by_views)


def united(values: Sequence[Value]) -> Value:
    """One of several values, it is unknown which."""
    if len(values) == 1:
        return values[0]
    leaves = merge_leaves(value.column.leaves for value in values)
    type_ = values[0].type if all(value.type == values[0].type for value in values) else None
    by_views = united(_by_views(values)) if any(value.by_views for value in values) else None
    return Value(Column(_bounded(leaves), values[-1].column.text), *_behind(values), type_, by_views)


def _inside(value: Value, path: Sequence[str]) -> Value:
    """A field of a struct that a variable holds."""
    if not path or value is UNSEEN:
        return value
    if value.by_views is not None:
        inside = _inside(replace(value.by_views, type=value.type), path)
        return replace(_inside(replace(value, by_views=None), path), by_views=inside)
    text = f"{value.column.text}.{'.'.join(path)}"
    leaves, type_ = value.column.leaves, value.type
    for part in path:
        fields = [(step, inner) for step, name, inner in steps(type_) if name.lower() == part.lower()]
        if len(fields) != 1 or not any(own[:1] in ((), fields[0][:1]) for own in leaves):
            # Ambiguous: it may be any field.
            return replace(value, column=Column(whole(value.column.sources), text), type=None)
        ((step, type_),) = fields
        leaves = pick(leaves, step)
    return replace(value, column=Column(leaves, text), type=type_)


def _either(values: Sequence[Value]) -> Value:
    """The values of several rows in one column."""
    varied = [value for value in values if not value.plain]
    return united(varied) if varied else _mixed([])


def _mixed(values: Sequence[Value], *, alone: bool = False) -> Value:
    """A value that is computed from several others; a copy, if there is one and nothing else."""
    if alone and values:
        return values[0]
    leaves = merge_leaves(stepped(value.column.leaves, How.TRANSFORMATION) for value in values) if values else whole({})
    by_views = _mixed(_by_views(values)) if any(value.by_views for value in values) else None
    return Value(Column(_bounded(leaves), "VALUES"), *_behind(values), by_views=by_views)


def _by_views(values: Sequence[Value]) -> list[Value]:
    return [value.by_views or value for value in values]


def _behind(values: Iterable[Value]) -> tuple[dict[Dataset, tuple[Expr, ...]], dict[str, int]]:
    reads: dict[Dataset, tuple[Expr, ...]] = {}
    opaque: dict[str, int] = {}
    for value in values:
        for dataset, attributes in value.reads.items():
            reads.setdefault(dataset, attributes)
        for kind, count in value.opaque.items():
            opaque[kind] = max(count, opaque.get(kind, 0))
    return reads, opaque


UNSEEN = Value(Column(whole({}), "variable"), opaque={"VariableReference": 1})
"""The value of a variable that was set before tracking began."""


def _bounded(leaves: Leaves) -> Leaves:
    """The leaves without the texts of their marks, where there are too many: a loop adds one with every turn."""

    def fewer(sources: Sources) -> Sources:
        if not any(len(marks) > _MOST_MARKS for marks in sources.values()):
            return sources
        return {source: frozenset(Mark(mark.how, mark.masking) for mark in marks) for source, marks in sources.items()}

    return {path: fewer(sources) for path, sources in leaves.items()}


def mark_parameters(plan: Plan, *texts: str) -> None:
    """Give the literals of a plan that stand for parameters another kind, so that a rule reads them.

    Spark writes the values into the text before it parses it, and keeps the text from before: so a literal is found by
    its place, moved by what was written before it. Where a value is no literal its length is unknown; after that every
    literal may be a parameter. So may be all of a text that is not among the `texts`.
    """
    by_text: dict[int, dict[int, list[Expr]]] = {}
    literals = (node for node in walk([plan]) if isinstance(node, Expr) and node.kind == "Literal")
    for literal in literals:
        span = literal.args.get("span")
        if isinstance(span, tuple) and isinstance(span[0], int):
            number = span[2] if len(span) > len(("start", "stop")) and isinstance(span[2], int) else 0
            by_text.setdefault(number, {}).setdefault(span[0], []).append(literal)
    for number, spans in by_text.items():
        if 0 <= number < len(texts):
            _mark_in(texts[number], spans)
        else:
            _mark_from(0, spans)


def _mark_in(text: str, spans: Mapping[int, Sequence[Expr]]) -> None:
    moved = 0
    for marker in sql_tokens.tokens(text[:_LONGEST_TEXT]):
        if marker.kind != "marker":
            continue
        literals = spans.get(marker.at + moved)
        if literals is None:
            _mark_from(marker.at + moved, spans)
            return
        _mark(literals)
        span = literals[0].args["span"]
        if isinstance(span, tuple) and isinstance(span[1], int):
            moved += span[1] + 1 - (marker.at + moved) - len(marker.text)
    if len(text) > _LONGEST_TEXT:
        _mark_from(_LONGEST_TEXT + moved, spans)


def _mark_from(place: int, spans: Mapping[int, Sequence[Expr]]) -> None:
    _mark(literal for at, literals in spans.items() if at >= place for literal in literals)


def _mark(literals: Iterable[Expr]) -> None:
    for literal in literals:
        literal.__dict__["kind"] = "PosParameter"  # it was read a moment ago, and nobody has looked at it yet
