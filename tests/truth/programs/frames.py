"""Steps that make a frame from others: what a user's script does between reading and writing."""

from __future__ import annotations

from tests.truth.kinds import INT, STRING, Kind, struct

from .writer import MOST_COLUMNS, Columns, Frame, Steps, Writer, quoted

# Fields that differ in their names, in case, or in order: what Spark takes by position, and what it takes for the same.
_NAMES = (("x", "y"), ("X", "y"), ("y", "x"), ("a", "X"), ("Y", "b"))
_SAME_BUT_CASE = (("x", "y"), ("X", "y"), ("x", "Y"), ("X", "Y"))


def _some(w: Writer, columns: Columns, most: int) -> list[str]:
    names = list(columns)
    w.rng.shuffle(names)
    return sorted(names[:most], key=list(columns).index)


def _kept(w: Writer, frame: Frame, most: int = 3) -> tuple[list[str], dict[str, Kind]]:
    """A few columns that are handed on as they are."""
    names = _some(w, frame.columns, most)
    return names, {name: frame.columns[name] for name in names}


def _named(w: Writer, frame: Frame, name: str, kind: Kind) -> dict[str, Kind]:
    """The columns with one that is put in, or replaced."""
    columns = {own: type_ for own, type_ in frame.columns.items() if own.lower() != name.lower()}
    while len(columns) >= MOST_COLUMNS:
        columns.pop(w.rng.choice(list(columns)))
    return {**columns, name: kind}


def _select(columns: Columns) -> str:
    return f".select({quoted(columns)})"


# --- columns that are made of themselves ----------------------------------------------------------------------------


def chain(w: Writer) -> None:
    """Score = score + f_i * score, a few times."""
    frame = w.pick()
    factors = [w.int_(frame.columns, 1) for _ in range(w.rng.randint(2, 7))]
    columns = _named(w, frame, "score", INT)
    w.frame(
        "chain",
        columns,
        f'{{new}} = {frame.name}.withColumn("score", F.expr("{w.int_(frame.columns, 1)}"))',
        f"for factor in [{quoted(factors)}]:",
        '    {new} = {new}.withColumn("score", F.expr(f"score + ({factor}) * score"))',
        f"{{new}} = {{new}}{_select(columns)}",
    )


def fibonacci(w: Writer) -> None:
    """c_i = c_(i-1) + c_(i-2)."""
    frame = w.pick()
    steps = w.rng.randint(3, 9)
    prefix = w.new("step") + "_"
    columns = _named(w, frame, f"{prefix}{steps}", INT)
    w.frame(
        "fibonacci",
        columns,
        f'{{new}} = {frame.name}.withColumn("{prefix}0", F.expr("{w.int_(frame.columns, 1)}"))',
        f'{{new}} = {{new}}.withColumn("{prefix}1", F.expr("{w.int_(frame.columns, 1)}"))',
        f"for i in range(2, {steps + 1}):",
        f'    {{new}} = {{new}}.withColumn(f"{prefix}{{i}}", F.expr(f"{prefix}{{i - 1}} + {prefix}{{i - 2}}"))',
        f"{{new}} = {{new}}{_select(columns)}",
    )


def overwrite_columns(w: Writer) -> None:
    """Columns under the names that they had, each made of the others."""
    frame = w.pick()
    names = [name for name, kind in frame.columns.items() if kind == INT][:3]
    if not names:
        return
    lines = [f"{{new}} = {frame.name}"]
    lines += [f'{{new}} = {{new}}.withColumn("{name}", F.expr("{w.int_(frame.columns, 2)}"))' for name in names]
    w.frame("columns replaced", frame.columns, *lines)


# --- plain steps ----------------------------------------------------------------------------------------------------


def project(w: Writer) -> None:
    frame = w.pick()
    names, columns = _kept(w, frame, 2)
    texts = list(names)
    for kind in w.rng.sample([INT, INT, STRING], 2):
        name = w.new("v")
        texts.append(f"{w.expression(frame.columns, kind, 2)} AS {name}")
        columns[name] = kind
    w.frame("project", columns, f"{{new}} = {frame.name}.selectExpr({quoted(texts)})")


def filter_(w: Writer) -> None:
    frame = w.pick()
    w.frame("filter", frame.columns, f'{{new}} = {frame.name}.filter("{w.condition(frame.columns)}")')


def aggregate(w: Writer) -> None:
    frame = w.pick()
    key, total, most = w.new("k"), w.new("total"), w.new("most")
    columns: dict[str, Kind] = {key: INT, total: INT, most: STRING}
    values = (
        f'F.expr("CAST(sum({w.int_(frame.columns, 1)}) AS INT)").alias("{total}")',
        f'F.expr("max({w.text_(frame.columns, 0)})").alias("{most}")',
    )
    grouping = f'F.expr("CAST({w.int_(frame.columns, 0)} % 4 AS INT)").alias("{key}")'
    w.frame("aggregate", columns, f"{{new}} = {frame.name}.groupBy({grouping}).agg({', '.join(values)})")


def window(w: Writer) -> None:
    frame = w.pick()
    name = w.new("w")
    value, key = w.int_(frame.columns, 1), w.int_(frame.columns, 0)
    order = ", ".join(_ordering(frame.columns))
    text = w.rng.choice(
        [
            f"CAST(sum({value}) OVER (PARTITION BY {key}) AS INT)",
            f"CAST(row_number() OVER (PARTITION BY {key} ORDER BY {order}) AS INT)",
            f"lag({value}) OVER (ORDER BY {order})",
            f"CAST(max({value}) OVER () AS INT)",
        ]
    )
    columns = _named(w, frame, name, INT)
    w.frame("window", columns, f'{{new}} = {frame.name}.selectExpr("*", "{text} AS {name}"){_select(columns)}')


def _ordering(columns: Columns) -> list[str]:
    return [name for name, kind in columns.items() if kind.orderable]


def distinct(w: Writer) -> None:
    frame = w.pick()
    _, columns = _kept(w, frame, 2)
    how = w.rng.choice([".dropDuplicates()", ".distinct()", f".dropDuplicates([{quoted(columns)}])"])
    w.frame("distinct", columns, f"{{new}} = {frame.name}{_select(columns)}{how}")


def stack(w: Writer) -> None:
    frame = w.pick()
    key = w.int_(frame.columns, 0)
    a, b = w.int_(frame.columns, 1), w.int_(frame.columns, 0)
    columns = {"k": INT, "word": STRING, "amount": INT}
    text = f"stack(2, 'a', {a}, 'b', {b}) AS (word, amount)"
    w.frame("stack", columns, f'{{new}} = {frame.name}.selectExpr("{key} AS k", "{text}")')


# --- several frames -------------------------------------------------------------------------------------------------


def join(w: Writer) -> None:
    left, right = w.pick(), w.pick()
    how = w.rng.choice(["inner", "left", "full", "left_semi", "left_anti", "inner"])
    on = f"{w.int_(left.columns, 0, 'a.')} = {w.int_(right.columns, 0, 'b.')}"
    other = f'{right.name}.alias("b")'
    if w.chance(0.4):
        other = f"F.broadcast({other})"
    columns, texts = {}, []
    sides = [("a.", left)] if how in {"left_semi", "left_anti"} else [("a.", left), ("b.", right)]
    for prefix, side in sides:
        for kind in (INT, STRING):
            name = w.new("j")
            texts.append(f"{w.expression(side.columns, kind, 0, prefix)} AS {name}")
            columns[name] = kind
    w.frame(
        "join",
        columns,
        f'{{new}} = {left.name}.alias("a").join({other}, F.expr("{on}"), "{how}").selectExpr({quoted(texts)})',
    )


def self_join(w: Writer) -> None:
    frame = w.pick()
    key = w.rng.choice(w.ints(frame.columns) or ["1"])
    value, other = w.new("one"), w.new("other")
    columns = {value: INT, other: STRING}
    texts = [
        f"{w.int_(frame.columns, 1, 'a.')} AS {value}",
        f"{w.text_(frame.columns, 1, 'b.')} AS {other}",
    ]
    on = f"a.{key} = b.{key}" if key != "1" else "true"
    join_ = f'{frame.name}.alias("a").join({frame.name}.alias("b"), F.expr("{on}"))'
    w.frame("self join", columns, f"{{new}} = {join_}.selectExpr({quoted(texts)})")


def union_by_name(w: Writer) -> None:
    left, right = w.pick(), w.pick()
    same = {name: kind for name, kind in left.columns.items() if right.columns.get(name) == kind}
    only = {name: kind for name, kind in right.columns.items() if not kind.inside and name.lower() not in
            {own.lower() for own in left.columns}}  # fmt: skip
    if not same:
        return
    mine = dict(reversed(list(same.items()))) | dict(list(only.items())[:1])
    columns = {**same, **dict(list(only.items())[:1])}
    w.frame(
        "union by name",
        columns,
        f"{{new}} = {left.name}{_select(same)}.unionByName({right.name}{_select(mine)}, allowMissingColumns=True)",
    )


def union(w: Writer) -> None:
    left, right = w.pick(), w.pick()
    columns, first, second = {}, [], []
    for kind in (INT, STRING, INT):
        name = w.new("u")
        columns[name] = kind
        first.append(f"{w.expression(left.columns, kind, 1)} AS {name}")
        second.append(w.expression(right.columns, kind, 1))
    how = w.rng.choice(["union", "unionAll", "intersect", "subtract", "union"])
    w.frame(
        "set operation",
        columns,
        f"{{new}} = {left.name}.selectExpr({quoted(first)}).{how}({right.name}.selectExpr({quoted(second)}))",
    )


# --- structs --------------------------------------------------------------------------------------------------------


def _struct(w: Writer, columns: Columns, names: tuple[str, ...], kinds: tuple[Kind, ...] = (INT, INT)) -> str:
    fields = (f"'{name}', {w.expression(columns, kind, 1)}" for name, kind in zip(names, kinds, strict=True))
    return f"named_struct({', '.join(fields)})"


def struct_union(w: Writer) -> None:
    """Structs whose fields have other names, or the same in another order: a union goes by position."""
    left, right = w.pick(), w.pick()
    kinds = w.rng.choice([(INT, INT), (INT, STRING)])
    names, others = w.rng.sample(_NAMES, 2)
    name = w.new("s")
    inside = struct(**dict(zip(names, kinds, strict=True)))
    key = w.new("k")
    first = [f"{w.int_(left.columns, 0)} AS {key}", f"{_struct(w, left.columns, names, kinds)} AS {name}"]
    second = [f"{w.int_(right.columns, 0)} AS {key}", f"{_struct(w, right.columns, others, kinds)} AS {name}"]
    together = f"{left.name}.selectExpr({quoted(first)}).union({right.name}.selectExpr({quoted(second)}))"
    _opened(w, "struct union", f"{{new}} = {together}", {key: INT, name: inside}, name)


def struct_choice(w: Writer) -> None:
    """Structs whose fields differ in case, one of which is chosen."""
    frame = w.pick()
    names, others = w.rng.sample(_SAME_BUT_CASE, 2)
    one, other = _struct(w, frame.columns, names), _struct(w, frame.columns, others)
    text = w.rng.choice(
        [
            f"CASE WHEN {w.condition(frame.columns)} THEN {one} ELSE {other} END",
            f"IF({w.condition(frame.columns)}, {one}, {other})",
            f"COALESCE(IF({w.condition(frame.columns)}, {one}, null), {other})",
            f"array({one}, {other})[{w.rng.randint(0, 1)}]",
            f"concat(array({one}), array({other}))[1]",
            f"array_append(array({one}), {other})[1]",
            f"map('p', {one}, 'q', {other})['{w.rng.choice('pq')}']",
            f"element_at(array_union(array({one}), array({other})), -1)",
        ]
    )
    name = w.new("s")
    columns = _named(w, frame, name, struct(**dict.fromkeys(names, INT)))
    _opened(w, "struct choice", f'{{new}} = {frame.name}.withColumn("{name}", F.expr("{text}"))', columns, name)


def _opened(w: Writer, label: str, line: str, columns: dict[str, Kind], name: str) -> None:
    """The struct as it is, or its fields beside each other, spelled as Spark also takes them."""
    inside = dict(columns[name].inside)
    if w.chance(0.5):
        w.frame(label, columns, line, f"{{new}} = {{new}}{_select(columns)}")
        return
    rest = {own: kind for own, kind in columns.items() if own != name}
    texts, found = list(rest), dict(rest)
    for field, kind in inside.items():
        made = w.new("p")
        spelled = w.rng.choice([field, field.upper(), field.lower()])
        texts.append(f"{name}.{spelled} AS {made}")
        found[made] = kind
    w.frame(label, found, line, f"{{new}} = {{new}}.selectExpr({quoted(texts)})")


def struct_update(w: Writer) -> None:
    """WithField and dropFields, whatever the case."""
    frame = w.pick()
    structs = [name for name, kind in frame.columns.items() if kind.name == "struct"]
    if not structs:
        struct_choice(w)
        return
    name = w.rng.choice(structs)
    inside = dict(frame.columns[name].inside)
    field = w.rng.choice(list(inside))
    spelled = field.swapcase()
    if len(inside) > 1 and w.chance(0.4):
        kind = struct(**{own: type_ for own, type_ in inside.items() if own != field})
        change = f'dropFields("{spelled}")'
    else:
        # Spark takes the name as it is written for the field, and replaces every one that differs in case only.
        kind = struct(**{(spelled if own == field else own): (INT if own == field else type_)
                         for own, type_ in inside.items()})  # fmt: skip
        change = f'withField("{spelled}", F.expr("{w.int_(frame.columns, 1)}"))'
    columns = {**frame.columns, name: kind}
    w.frame("struct update", columns, f'{{new}} = {frame.name}.withColumn("{name}", F.col("{name}").{change})')


def arrays(w: Writer) -> None:
    """Arrays of structs, made, changed by a lambda, and taken apart again."""
    frame = w.pick()
    names, others = w.rng.sample(_SAME_BUT_CASE, 2)
    one, other = _struct(w, frame.columns, names), _struct(w, frame.columns, others)
    made = f"array({one}, {other})"
    if w.chance(0.5):
        shift = w.int_(frame.columns, 0)
        made = f"transform({made}, e -> named_struct('p', e.x + {shift}, 'q', e.Y))"
        names = ("p", "q")
    elif w.chance(0.5):
        made = f"filter({made}, e -> e.{names[0]} > {w.rng.randint(0, 3)})"
    element, key, first, second = w.new("e"), w.new("k"), w.new("p"), w.new("q")
    columns = {key: INT, first: INT, second: INT}
    texts = [f"{w.int_(frame.columns, 0)} AS {key}", f"explode({made}) AS {element}"]
    fields = [key, f"{element}.{names[0]} AS {first}", f"{element}.{names[1]} AS {second}"]
    w.frame("arrays", columns, f"{{new}} = {frame.name}.selectExpr({quoted(texts)}).selectExpr({quoted(fields)})")


# --- what a plan does not show --------------------------------------------------------------------------------------


def rdd(w: Writer) -> None:
    frame = w.pick()
    how = w.rng.choice(
        [
            f"{frame.name}.rdd.map(lambda row: row).toDF({frame.name}.schema)",
            f"spark.createDataFrame({frame.name}.rdd, {frame.name}.schema)",
            f"{frame.name}.rdd.filter(lambda row: row[0] is not None).toDF({frame.name}.schema)",
        ]
    )
    w.frame("rdd", frame.columns, f"{{new}} = {how}")


def broadcast_rdd(w: Writer) -> None:
    join(w)
    frame = w.frames[-1]
    made = w.frame("rdd of a join", frame.columns, f"{{new}} = {frame.name}.rdd.map(tuple).toDF({frame.name}.schema)")
    made.tables = frame.tables


def kept(w: Writer) -> None:
    """A cache or a checkpoint of a frame, often with one of a filter of the same frame."""
    frame = w.pick()
    ways = ["cache()", "localCheckpoint()", "localCheckpoint(eager=False)", "checkpoint()", "checkpoint(eager=False)"]
    filtered = f'{frame.name}.filter("{w.condition(frame.columns)}")'
    both = w.chance(0.6)
    parts = [(frame.name, w.rng.choice(ways)), (filtered, w.rng.choice(ways))]
    if both and w.chance(0.5):
        parts.reverse()
    for text, way in parts if both else parts[:1]:
        made = w.frame("cache" if way == "cache()" else "checkpoint", frame.columns, f"{{new}} = {text}.{way}")
        made.tables = frame.tables
    if both and w.chance(0.5):
        w.frames[-1], w.frames[-2] = w.frames[-2], w.frames[-1]


def view(w: Writer) -> None:
    """A query over temporary views, under names that are used again and again."""
    frame, other = w.pick(), w.pick()
    name, second = w.rng.choice(["v", "latest"]), "lookup"
    below = w.new("rows_of_")  # a view must not be made of itself by way of another
    columns, texts = {}, []
    for kind in (INT, STRING):
        made = w.new("q")
        columns[made] = kind
        texts.append(f"{w.expression(frame.columns, kind, 1)} AS {made}")
    extra = w.new("q")
    columns[extra] = INT
    some = w.int_(other.columns, 0)
    texts.append(
        w.rng.choice(
            [
                f"(SELECT max({some}) FROM {second}) AS {extra}",
                f"CASE WHEN {w.int_(frame.columns, 0)} IN (SELECT {some} FROM {second}) THEN 1 ELSE 0 END AS {extra}",
                f"{w.int_(frame.columns, 1)} AS {extra}",
            ]
        )
    )
    where = w.rng.choice(["", f" WHERE EXISTS (SELECT 1 FROM {second} WHERE {w.condition(other.columns)})",
                          f" WHERE {w.condition(frame.columns)}"])  # fmt: skip
    query = f"SELECT {', '.join(texts)} FROM {name}{where}"
    if w.chance(0.3):
        query = f"WITH c AS ({query}) SELECT * FROM c UNION ALL SELECT * FROM c WHERE {extra} > 1"
    make = w.rng.choice(
        [
            f'{frame.name}.createOrReplaceTempView("{name}")',
            (
                f'{frame.name}.createOrReplaceTempView("{below}")\n'
                f'spark.sql("CREATE OR REPLACE TEMPORARY VIEW {name} AS SELECT * FROM {below}")'
            ),
        ]
    )
    w.frame(
        "temporary view", columns, make, f'{other.name}.createOrReplaceTempView("{second}")',
        f'{{new}} = spark.sql("{query}")',
    )  # fmt: skip


def variable(w: Writer) -> None:
    frame, other = w.pick(), w.pick()
    name = w.rng.choice(["least", "bound"])
    made = w.new("q")
    columns = _named(w, frame, made, INT)
    text = f"{w.int_(frame.columns, 0)} + {name}"
    lines = [
        f'{other.name}.createOrReplaceTempView("for_{name}")',
        f'spark.sql("DECLARE OR REPLACE VARIABLE {name} INT DEFAULT 0")',
        f'spark.sql("SET VAR {name} = (SELECT max({w.int_(other.columns, 0)}) FROM for_{name})")',
        f'{{new}} = {frame.name}.withColumn("{made}", F.expr("{text}")){_select(columns)}',
    ]
    if w.chance(0.4):
        lines[-1] = f'{{new}} = {frame.name}.filter("{w.int_(frame.columns, 0)} < {name}")'
        columns = dict(frame.columns)
    w.frame("variable", columns, *lines)


def udf(w: Writer) -> None:
    frame = w.pick()
    names = w.ints(frame.columns)[:2] or ["1"]
    made = w.new("u")
    columns = _named(w, frame, made, INT)
    function = w.new("sum_of_")
    arguments = ", ".join(f'F.expr("{name}")' for name in names)
    w.frame(
        "udf",
        columns,
        f'{function} = F.udf(lambda *values: sum(value or 1 for value in values), "int")',
        f'{{new}} = {frame.name}.withColumn("{made}", {function}({arguments})){_select(columns)}',
    )


def map_in_pandas(w: Writer) -> None:
    frame = w.pick()
    columns = {name: kind for name, kind in frame.columns.items() if not kind.inside}
    if not columns:
        return
    schema = ", ".join(f"{name} {kind.ddl}" for name, kind in columns.items())
    w.frame(
        "map in pandas",
        columns,
        f'{{new}} = {frame.name}{_select(columns)}.mapInPandas(lambda parts: parts, "{schema}")',
    )


STEPS: Steps = (
    (6, chain), (5, fibonacci), (3, overwrite_columns), (6, project), (4, filter_), (4, aggregate), (3, window),
    (2, distinct), (2, stack), (6, join), (4, self_join), (3, union_by_name), (4, union), (6, struct_union),
    (6, struct_choice), (4, struct_update), (4, arrays), (3, rdd), (3, broadcast_rdd), (6, kept), (6, view),
    (4, variable), (2, udf), (2, map_in_pandas),
)  # fmt: skip
"""What there is, and how often it is taken."""
