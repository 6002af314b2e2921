"""A warehouse from a seed and a number: a script of several jobs over the source tables of `programs`.

The statements are those of a warehouse that lives: tables are made, added to, merged, renamed and dropped, columns are
added, renamed and dropped, views come in between, some jobs are opaque, and some run where nobody tracks them and are
known by table only. Personal data is copied, hashed, encrypted, decrypted and hidden in codes that can be read back.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TypeAlias

from tests.truth.programs.program import Program, Step

LAKE = "lake.w"
"""The namespace of tables of Iceberg."""
INT, STRING, CIPHER = "INT", "STRING", "CIPHER"
"""Types of columns; CIPHER is a text that `reveal` reads back."""
Columns: TypeAlias = Mapping[str, str]
SOURCES: Mapping[str, Columns] = {
    "orders": {"id": INT, "cust": INT, "qty": INT, "price": INT, "note": STRING},
    "people": {"cust": INT, "age": INT, "score": INT, "name": STRING},
}
"""The columns of the source tables that warehouses use, by their types."""
_VIEW = "v"
"""What the names of views begin with; no table's does."""
PERSONAL = (("orders", "note"), ("people", "name"))
"""The source columns with personal data: every value in them is unique."""
_KEY = "'0000111122223333'"
_MASKED = ("sha2({0}, 256)", "md5({0})", "mask({0})", "CAST(xxhash64({0}) AS STRING)", "CAST(length({0}) AS STRING)")
# What can be read back, and how. The functions are Spark's, or Python's, into which nobody can look.
_CODES = (
    ("base64(encode({0}, 'UTF-8'))", "decode(unbase64({0}), 'UTF-8')"),
    ("hex(encode({0}, 'UTF-8'))", "decode(unhex({0}), 'UTF-8')"),
    (f"base64(aes_encrypt({{0}}, {_KEY}, 'ECB'))", f"CAST(aes_decrypt(unbase64({{0}}), {_KEY}, 'ECB') AS STRING)"),
    ("reverse({0})", "reverse({0})"),
    ("token({0})", "token({0})"),
)


def is_view(name: str) -> bool:
    """Whether a name of the warehouse is a view's.

    >>> is_view("v3"), is_view("lake.w.t1")
    (True, False)
    """
    return name.startswith(_VIEW)


@dataclass
class Table:
    """A table or view that is there."""

    name: str
    columns: dict[str, str]
    lake: bool = False
    """Whether it is a table of Iceberg, whose rows and columns can be changed; others can be renamed."""
    view: bool = False
    codes: dict[str, str] = field(default_factory=dict)
    """Of columns that are codes, how each is read back."""
    below: frozenset[str] = frozenset()
    """Of a view, the tables that it reads: these are neither renamed nor dropped."""
    was_read: bool = False
    """Whether something was made of it: then it is neither replaced nor dropped.

    Answers are about a moment. What was made of rows that are gone does not depend on their sources at that moment.
    """


@dataclass
class Author:
    """Writes a warehouse, and knows what is there so far."""

    rng: random.Random
    tables: list[Table] = field(default_factory=list)
    steps: list[Step] = field(default_factory=list)
    _names: int = 0

    def new(self, prefix: str) -> str:
        """A name that nothing has yet."""
        self._names += 1
        return f"{prefix}{self._names}"

    def chance(self, share: float) -> bool:
        """True in this share of cases."""
        return self.rng.random() < share

    def add(self, label: str, *lines: str) -> None:
        """Add a step."""
        self.steps.append(Step(label, "\n".join(lines)))

    def sql(self, label: str, text: str) -> None:
        """Add a step that is a statement."""
        self.add(label, f'spark.sql("""{text}""")')

    def relation(self) -> Table:
        """Something to read: rather what was made than a source."""
        if self.tables and self.chance(0.7):
            table = self.tables[-1] if self.chance(0.5) else self.rng.choice(self.tables)
            self.read(table)
            return table
        name = self.rng.choice(list(SOURCES))
        return Table(name, dict(SOURCES[name]))

    def read(self, table: Table) -> None:
        """Something is made of a table, or of what a view reads."""
        for other in self.tables:
            other.was_read |= other is table or other.name in table.below

    def target(self, *, lake: bool | None = None, free: bool = False) -> Table | None:
        """A table to change: one of Iceberg, or not; one that no view reads."""
        read = {name for table in self.tables for name in table.below}
        fitting = [
            table
            for table in self.tables
            if not table.view and lake in {None, table.lake} and not (free and table.name in read)
        ]
        return self.rng.choice(fitting) if fitting else None

    def of(self, table: Table, kind: str) -> str | None:
        """A column of a type."""
        names = [name for name, own in table.columns.items() if own == kind]
        return self.rng.choice(names) if names else None

    def int_(self, table: Table, prefix: str = "") -> str:
        """An expression of type INT."""
        name = self.of(table, INT)
        if name is None:
            return str(self.rng.randint(1, 3))
        name = prefix + name
        other = prefix + (self.of(table, INT) or name)
        return self.rng.choice(
            [name, name, f"{name} + 1", f"{name} * 2 + {other}", f"COALESCE({name}, {other}, 0)",
             f"IF({other} > 3, {name}, 0)"]
        )  # fmt: skip

    def condition(self, table: Table, prefix: str = "") -> str:
        """A condition that some rows meet."""
        name = self.of(table, INT)
        return f"{prefix}{name} {self.rng.choice(['>', '<', '<>'])} {self.rng.randint(2, 6)}" if name else "true"

    def text_(self, table: Table) -> tuple[str, str, str | None]:
        """An expression of a text: itself, its type, and how it is read back if it is a code."""
        cipher = self.of(table, CIPHER)
        if cipher and self.chance(0.5):
            if self.chance(0.7):
                return table.codes[cipher].format(cipher), STRING, None
            return cipher, CIPHER, table.codes[cipher]
        name = self.of(table, STRING)
        if name is None:
            return f"CAST({self.int_(table)} AS STRING)", STRING, None
        if self.chance(0.3):
            code, back = self.rng.choice(_CODES)
            return code.format(name), CIPHER, back
        if self.chance(0.25):
            return self.rng.choice(_MASKED).format(name), STRING, None
        return self.rng.choice([name, f"concat('<', {name}, '>')", f"COALESCE({name}, 'none')"]), STRING, None

    def selected(self, table: Table) -> tuple[list[str], dict[str, str], dict[str, str]]:
        """Some columns of a table as expressions: their texts, types and codes."""
        texts, columns, codes = [], {}, {}
        for _ in range(self.rng.randint(1, 2)):
            name = self.new("n")
            texts.append(f"{self.int_(table)} AS {name}")
            columns[name] = INT
        for _ in range(self.rng.randint(1, 2)):
            name = self.new("s")
            text, columns[name], back = self.text_(table)
            texts.append(f"{text} AS {name}")
            if back:
                codes[name] = back
        return texts, columns, codes

    def fitted(self, table: Table, source: Table) -> list[str] | None:
        """Rows for a table that is there, from another; None where its codes could not be read back any more."""
        if table.codes:
            return None
        return [
            self.int_(source) if kind == INT else f"CAST({self.of(source, STRING) or self.int_(source)} AS STRING)"
            for kind in table.columns.values()
        ]


def generate(seed: int, number: int) -> Program:
    """The warehouse of a seed and a number."""
    author = Author(random.Random(f"warehouse/{seed}/{number}"))  # noqa: S311 (it is not about secrets)
    weights, makers = zip(*_STEPS, strict=True)
    create(author)
    for _ in range(author.rng.randint(5, 9)):
        if author.chance(0.35):
            author.add("another session", "spark = session()")
        author.rng.choices(makers, weights)[0](author)
    return Program(seed, number, "spark = session()", tuple(author.steps))


# --- tables and views -----------------------------------------------------------------------------------------------


def _query(a: Author, source: Table) -> tuple[str, dict[str, str], dict[str, str]]:
    """A query over a relation."""
    texts, columns, codes = a.selected(source)
    where = f" WHERE {a.condition(source)}" if a.chance(0.4) else ""
    if a.chance(0.2):
        key, total = a.new("n"), a.new("n")
        most = texts[-1].rpartition(" AS ")[0]
        select = f"{a.int_(source)} AS {key}, CAST(sum({a.int_(source)}) AS INT) AS {total}, max({most})"
        kind = columns[name := list(columns)[-1]]
        return (
            f"SELECT {select} AS {name} FROM {source.name}{where} GROUP BY 1",
            {key: INT, total: INT, name: kind},
            {name: codes[name]} if name in codes else {},
        )
    if a.chance(0.2):
        other = a.relation()
        join = f" JOIN {other.name} AS b ON {a.int_(source, 'a.')} = {a.int_(other, 'b.')}"
        if source.name != other.name and not (set(source.columns) & set(other.columns)):
            return f"SELECT {', '.join(texts)} FROM {source.name} AS a{join}{where}", columns, codes
    if a.chance(0.15):
        text, columns = _mixed(a, source, a.relation())
        return text, columns, {}
    if a.chance(0.12):
        count, word = a.new("n"), a.new("s")
        return (
            f"SELECT CAST(count(*) AS INT) AS {count}, 'all' AS {word} FROM {source.name}{where}",
            {count: INT, word: STRING},
            {},
        )
    return f"SELECT {', '.join(texts)} FROM {source.name}{where}", columns, codes


def _mixed(a: Author, source: Table, other: Table) -> tuple[str, dict[str, str]]:
    """A column that takes from one relation and counts the rows of another, beside one that takes from the other."""
    mixed, taken = a.new("n"), a.new("n")
    ours, theirs = a.int_(source, "a."), a.int_(other, "b.")
    one, two = f"{source.name} AS a", f"{other.name} AS b"
    most = f"(SELECT max({theirs}) FROM {two}) AS {taken}"
    both = f"SELECT {ours} AS x, {ours} AS c FROM {one} UNION ALL SELECT {theirs}, 1 FROM {two}"
    aggregated = f"{theirs}) AS {taken} FROM {one} CROSS JOIN {two}"
    texts = [
        f"SELECT CAST((SELECT count(*) FROM {two}) + {ours} AS INT) AS {mixed}, {most} FROM {one}",
        f"SELECT CAST(count(*) + max({ours}) AS INT) AS {mixed}, max({aggregated}",
        f"SELECT CAST(sum({ours}) AS INT) AS {mixed}, max({aggregated}",
        f"SELECT CAST(sum(c) AS INT) AS {mixed}, max(x) AS {taken} FROM ({both})",
        f"SELECT c AS {mixed}, x AS {taken} FROM ({both})",
        f"SELECT CAST(count(*) OVER () AS INT) + c AS {mixed}, x AS {taken} FROM ({both})",
        f"SELECT {ours} AS {mixed}, {most} FROM {one} WHERE (SELECT count(*) FROM {two}) > 1",
    ]
    if source.name in SOURCES:  # of two large tables, all pairs are too many
        texts.append(f"SELECT {ours} AS {mixed}, {theirs} AS {taken} FROM {one} CROSS JOIN {two}")
    text = a.rng.choice(texts)
    return text, {mixed: INT, taken: INT}


def create(a: Author) -> None:
    """CREATE TABLE AS SELECT."""
    query, columns, codes = _query(a, a.relation())
    lake = a.chance(0.6)
    name = f"{LAKE}.{a.new('t')}" if lake else a.new("t")
    a.sql("CREATE TABLE", f"CREATE TABLE {name} USING {'iceberg' if lake else 'parquet'} AS {query}")
    a.tables.append(Table(name, columns, lake, codes=codes))


def view(a: Author) -> None:
    """CREATE VIEW, of tables that are there."""
    if not a.tables:
        return
    source = a.rng.choice(a.tables)
    a.read(source)
    texts, columns, codes = a.selected(source)
    if any("token(" in text for text in texts):
        return  # a function of the session
    name = a.new(_VIEW)
    if a.chance(0.15):
        other = a.rng.choice(a.tables)
        a.read(other)
        text, columns = _mixed(a, source, other)
        a.sql("CREATE VIEW", f"CREATE VIEW {name} AS {text}")
        below = frozenset({source.name, *source.below, other.name, *other.below})
        a.tables.append(Table(name, columns, view=True, below=below))
        return
    where = f" WHERE {a.condition(source)}" if a.chance(0.4) else ""
    a.sql("CREATE VIEW", f"CREATE VIEW {name} AS SELECT {', '.join(texts)} FROM {source.name}{where}")
    a.tables.append(Table(name, columns, view=True, codes=codes, below=frozenset({source.name, *source.below})))


def view_again(a: Author) -> None:
    """CREATE OR REPLACE VIEW with the same columns, of other ones."""
    views = [table for table in a.tables if table.view and not table.codes and not table.was_read]
    if not views:
        view(a)
        return
    one = a.rng.choice(views)
    source = a.rng.choice([table for table in a.tables if not table.view])
    a.read(source)
    columns = a.fitted(one, source) or []
    select = ", ".join(f"{text} AS {name}" for text, name in zip(columns, one.columns, strict=True))
    a.sql("CREATE OR REPLACE VIEW", f"CREATE OR REPLACE VIEW {one.name} AS SELECT {select} FROM {source.name}")
    one.below = frozenset({source.name})


def append(a: Author) -> None:
    """INSERT INTO, or INSERT OVERWRITE."""
    table, source = a.target(), a.relation()
    rows = a.fitted(table, source) if table and table.name not in {source.name, *source.below} else None
    if table is None or rows is None:
        create(a)
        return
    over = not table.was_read and a.chance(0.4)
    a.sql(
        "INSERT OVERWRITE" if over else "INSERT",
        f"INSERT {'OVERWRITE' if over else 'INTO'} {table.name} SELECT {', '.join(rows)} FROM {source.name}"
        f" WHERE {a.condition(source)}",
    )


# --- rows that change in place --------------------------------------------------------------------------------------


def merge(a: Author) -> None:
    """MERGE, by a key that is unique in what is merged."""
    table, source = a.target(lake=True), a.relation()
    key = a.of(table, INT) if table else None
    if table is None or key is None or table.codes or table.name in {source.name, *source.below}:
        create(a)
        return
    others = [name for name in table.columns if name != key]
    rows = dict(zip(table.columns, a.fitted(table, source) or [], strict=True))
    texts = [f"max({rows[name]}) AS {name}" for name in others]
    using = f"SELECT {rows[key]} AS {key}, {', '.join(texts)} FROM {source.name} GROUP BY 1" if others else ""
    if not using:
        return
    matched = a.rng.choice(others)
    a.sql(
        "MERGE",
        f"MERGE INTO {table.name} AS t USING ({using}) AS s ON t.{key} = s.{key}"
        f" WHEN MATCHED AND {a.condition(table, 't.')} THEN UPDATE SET t.{matched} = s.{matched}"
        " WHEN NOT MATCHED THEN INSERT *",
    )


def update(a: Author) -> None:
    """UPDATE or DELETE."""
    table = a.target(lake=True)
    name = a.of(table, INT) if table else None
    if table is None or name is None:
        create(a)
        return
    if a.chance(0.4):
        a.sql("DELETE", f"DELETE FROM {table.name} WHERE {a.condition(table)}")
    else:
        a.sql("UPDATE", f"UPDATE {table.name} SET {name} = {a.int_(table)} WHERE {a.condition(table)}")


# --- names that change ----------------------------------------------------------------------------------------------


def rename(a: Author) -> None:
    """A table goes on under another name; now and then a new one takes the old name."""
    table = a.target(lake=False, free=True)
    if table is None:
        return
    old, table.name = table.name, a.new("t")
    a.sql("RENAME", f"ALTER TABLE {old} RENAME TO {table.name}")
    if a.chance(0.3):
        query, columns, codes = _query(a, a.relation())
        a.sql("CREATE TABLE under an old name", f"CREATE TABLE {old} USING parquet AS {query}")
        a.tables.append(Table(old, columns, codes=codes))


def rename_column(a: Author) -> None:
    """A column goes on under another name."""
    table = a.target(lake=True, free=True)
    if table is None:
        return
    old, new = a.rng.choice(list(table.columns)), a.new("r")
    a.sql("RENAME COLUMN", f"ALTER TABLE {table.name} RENAME COLUMN {old} TO {new}")
    table.columns = {new if name == old else name: kind for name, kind in table.columns.items()}
    table.codes = {new if name == old else name: back for name, back in table.codes.items()}


def other_columns(a: Author) -> None:
    """A column is dropped, or comes and is filled."""
    table = a.target(lake=True, free=True)
    if table is None:
        return
    if len(table.columns) > 1 and a.chance(0.5):
        name = a.rng.choice(list(table.columns))
        del table.columns[name]
        table.codes.pop(name, None)
        a.sql("DROP COLUMN", f"ALTER TABLE {table.name} DROP COLUMN {name}")
        return
    name = a.new("n")
    a.sql("ADD COLUMN", f"ALTER TABLE {table.name} ADD COLUMN {name} INT")
    a.sql("UPDATE", f"UPDATE {table.name} SET {name} = {a.int_(table)}")
    table.columns[name] = INT


def drop(a: Author) -> None:
    """A table goes."""
    table = a.target(free=True)
    if table is None or table.was_read or len(a.tables) == 1:
        return
    a.sql("DROP TABLE", f"DROP TABLE {table.name}")
    a.tables.remove(table)


# --- what is not seen, or not by column -----------------------------------------------------------------------------


def elsewhere(a: Author) -> None:
    """A job that nobody tracks, and another producer tells of by table."""
    source = a.relation()
    query, columns, codes = _query(a, source)
    name = a.new("t")
    form = a.rng.choice(["run", "lineage", "upstreams"])
    reads = sorted({source.name, *source.below}) if source.view else [source.name]
    others = [word for word in SOURCES if f" {word} AS b" in query]
    for table in a.tables:
        if f" {table.name} AS b" in query:
            others += [table.name, *sorted(table.below)]
    a.add(
        f"elsewhere, known by its {form}",
        f'elsewhere("{form}", {[*reads, *others]}, "{name}", """CREATE TABLE {name} USING parquet AS {query}""")',
    )
    a.tables.append(Table(name, columns, codes=codes))


def opaque(a: Author) -> None:
    """Code over whole rows."""
    source = a.relation()
    name = a.new("t")
    a.add(
        "opaque",
        f'rows = spark.table("{source.name}")',
        f'rows.mapInPandas(unseen, rows.schema).write.format("parquet").saveAsTable("{name}")',
    )
    a.tables.append(Table(name, dict(source.columns), codes=dict(source.codes)))


_STEPS: tuple[tuple[int, Callable[[Author], None]], ...] = (
    (6, create), (4, view), (1, view_again), (4, append), (3, merge), (2, update), (3, rename), (2, rename_column),
    (2, other_columns), (1, drop), (3, elsewhere), (2, opaque),
)  # fmt: skip
