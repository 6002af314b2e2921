"""Write docs/pipeline-lineage.md: where each column of a lake comes from, as Headwater tracks its own pipeline.

Run it as `.venv/bin/python scripts/pipeline_lineage.py` when the pipeline derives something else, or otherwise. A test
makes the page again and compares.
"""

from __future__ import annotations

import tempfile
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping
from datetime import date
from pathlib import Path
from typing import Any, NamedTuple

import headwater
from headwater.client.lineage import Lineage
from headwater.lake.session.session import SessionOptions, pipeline_session
from headwater.lake.tables import TABLES
from headwater.query.graph.answer import Edge, FieldName, Kind
from headwater.rules.support import OPAQUE_ON_PURPOSE
from headwater.simulate import History, Settings

PAGE = Path(__file__).resolve().parent.parent / "docs" / "pipeline-lineage.md"
# Small data and many short queries: what plans and compiles them for large data costs more than it saves.
CONF = {
    "spark.sql.shuffle.partitions": "2",
    "spark.sql.adaptive.enabled": "false",
    "spark.sql.codegen.wholeStage": "false",
    "spark.sql.codegen.factoryMode": "NO_CODEGEN",
    "spark.driver.extraJavaOptions": "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC",
}
# A warehouse in which a little of everything happens within two days.
HISTORY = Settings(datasets=10, days=2, layers=3, columns=4)
LANDED = "events"
_BAD_LINE = '{"eventTime": "yesterday"}\n'

_WORDS = f"""# The pipeline's own lineage

`headwater pipeline` is a few dozen Spark queries, and Headwater tracks them like any others: with `--track`, which
calls `headwater.track`. This page shows the result. `scripts/pipeline_lineage.py` generates it: the script simulates
two days of a small warehouse, runs the pipeline twice over one lake (into a new one, and for a further day, which is
derived in another way), closes the lake, and asks the store what is upstream of every column. A test generates the
page again and compares. After a change to the pipeline, generate it anew:

```sh
.venv/bin/python scripts/pipeline_lineage.py
```

How to read it:

- `{LANDED}` are the landed files: the line is `value`, its place `_metadata.…`. Everything else is a table of the lake.
- Intermediate files below `_headwater/scratch` are passed through: a column's sources are the nearest columns of tables
  and files. Follow them from section to section, or ask for all at once:
  `headwater upstream lake/slot mapping --store …`.
- A table among its own sources is read by the second run, which keeps or changes its rows; *the same column* means that
  the column is then written unchanged.
- *How* is the most direct way in which a source reaches a column, over all paths in both runs. DIRECT: its value goes
  there unchanged (IDENTITY), in an expression (TRANSFORMATION) or gathered from several rows (AGGREGATION). INDIRECT:
  it only decides which value that is.
- *Through Python* means that every such path leads through a function over whole rows, which Headwater cannot look
  into: each of its outputs may depend on each of its inputs, as an opaque TRANSFORMATION. That claims too much rather
  than too little.
- *Rows* names the tables that decide which rows there are: all that are read on the way, by filters, joins and groups.
"""


class Way(NamedTuple):
    """How a column comes to another, over several steps."""

    kind: Kind
    through_python: bool
    decided_by: str  # the first INDIRECT step's subtype

    @property
    def words(self) -> str:
        """In OpenLineage's words."""
        how = f"INDIRECT {self.decided_by}" if self.kind is Kind.INDIRECT else f"DIRECT {self.kind.name}"
        return f"{how}, through Python" if self.through_python else how


_KEPT = Way(Kind.IDENTITY, through_python=False, decided_by="")


class Sources(NamedTuple):
    """Where some columns of a table come from, all in the same way."""

    way: Way  # the most direct one; of INDIRECT ones all subtypes
    origins: tuple[tuple[str, tuple[str, ...]], ...]  # table, its columns; none for the same column


class Table(NamedTuple):
    """What is known of a table of the lake."""

    name: str
    sources: tuple[tuple[Sources, tuple[str, ...]], ...]  # and the table's columns that come from there
    constant: tuple[str, ...]
    reads: tuple[str, ...]


# --- the history of the lake, tracked --------------------------------------------------------------------------------


def record(folder: Path) -> str:
    """Run the pipeline over two days, and close the lake; the store that knows what was done."""
    url = f"sqlite:///{folder / 'lineage.db'}"
    with pipeline_session(SessionOptions("local[2]", CONF, track=url)) as spark:
        from headwater.lake.lake import Lake  # noqa: PLC0415
        from headwater.pipeline.close.close import close  # noqa: PLC0415 (Java must be found first)
        from headwater.pipeline.land.land import land  # noqa: PLC0415
        from headwater.pipeline.run import run_once  # noqa: PLC0415

        lake = Lake.open(spark, str(folder / "lake"))
        for day in _days(folder / LANDED):
            run_once(spark, lake, land(spark, [str(day)]))
        close(lake)
    return url


def _days(folder: Path) -> Iterator[Path]:
    """Folders of events, one for each day, in each a line that is none."""
    history = History(HISTORY)
    for number in range(HISTORY.days):
        # A date at the end of a path is a part of a dataset.
        day = folder / f"2026-01-{number + 1:02}"
        day.mkdir(parents=True)
        lines = "".join(f"{line.text}\n" for line in history.lines(number))
        (day / "events.jsonl").write_text(lines + _BAD_LINE, encoding="utf-8")
        yield day


# --- what the store knows --------------------------------------------------------------------------------------------


def tables(lineage: Lineage, lake: str) -> list[Table]:
    """Every table of a lake that was written, by name."""
    known = {name.name: name.full for name in lineage.datasets()}
    written = [name for name in sorted(TABLES) if f"{lake}/{name}" in known]
    listed = []
    for name in written:
        # All that ever held: the second run derives otherwise than the first.
        edges = lineage.upstream(known[f"{lake}/{name}"], "*", since=date.min, until=date.max).edges
        listed.append(_table(name, (*TABLES[name].names, *TABLES[name].part_names), edges, lake))
    return listed


def _table(name: str, columns: Collection[str], edges: Iterable[Edge], lake: str) -> Table:
    into: dict[FieldName, list[Edge]] = defaultdict(list)
    for edge in edges:
        into[edge.destination].append(edge)
    own = {node.field: node for node in into if node.name == f"{lake}/{name}"}
    ways = {column: ways_to([own[column]], into, lake) if column in own else {} for column in columns}
    alike: dict[Sources, list[str]] = defaultdict(list)
    for column, column_ways in ways.items():
        for sources in _sources(own.get(column), column_ways, lake):
            alike[sources].append(column)
    reads = {_short(node, lake) for node in ways_to(own.values(), into, lake, rows=True)}
    return Table(
        name,
        tuple((sources, tuple(names)) for sources, names in sorted(alike.items())),
        tuple(column for column, column_ways in ways.items() if not column_ways),
        tuple(sorted(reads)),
    )


def ways_to(
    start: Iterable[FieldName], into: Mapping[FieldName, Collection[Edge]], lake: str, *, rows: bool = False
) -> dict[FieldName, set[Way]]:
    """The nearest columns of files and tables that columns come from, and how: through all that is written on the way.

    With `rows`, also those that decide on the rows of what is written on the way.
    """
    ways: dict[FieldName, set[Way]] = defaultdict(set)
    seen: set[tuple[FieldName, Way]] = set()
    waiting = [(field, _KEPT) for field in start]
    while waiting:
        node, way = waiting.pop()
        for edge in into.get(node, ()):
            opaque = {step for step in edge.transformations if step.description in OPAQUE_ON_PURPOSE}
            for step in edge.transformations:
                indirect = step.kind is Kind.INDIRECT
                longer = Way(
                    max(way.kind, step.kind),
                    # What decides on a function's inputs is told by its own text.
                    way.through_python or step in opaque or (indirect and bool(opaque)),
                    way.decided_by or (step.subtype if indirect else ""),
                )
                if (edge.origin, longer) in seen:
                    continue
                seen.add((edge.origin, longer))
                if not edge.origin.name.startswith(f"{lake}/_headwater/"):
                    ways[edge.origin].add(longer)
                    continue
                waiting.append((edge.origin, longer))
                if rows:
                    waiting.append((edge.origin.rows, longer))
    return ways


def _sources(column: FieldName | None, ways: Mapping[FieldName, Collection[Way]], lake: str) -> Iterator[Sources]:
    """Where a column comes from, by the most direct way from there."""
    by_way: dict[Way, dict[str, set[str]]] = defaultdict(lambda: defaultdict(set))
    for origin, several in ways.items():
        others = [way for way in several if origin != column or way.kind is not Kind.IDENTITY]
        if len(others) < len(several):
            yield Sources(_KEPT, ())
        if others:
            by_way[_best(others)][_short(origin, lake)].add(str(origin.field))
    for way, origins in by_way.items():
        yield Sources(way, tuple((name, tuple(sorted(fields))) for name, fields in sorted(origins.items())))


def _best(ways: Collection[Way]) -> Way:
    """What holds over the most direct ways: Python only where none leads around it."""
    nearest = min(way.kind for way in ways)
    best = [way for way in ways if way.kind is nearest]
    decided_by = ", ".join(sorted({way.decided_by for way in best} - {""}))
    return Way(nearest, all(way.through_python for way in best), decided_by)


def _short(field: FieldName, lake: str) -> str:
    """A table's name without the lake's, or that of a folder."""
    return field.name.removeprefix(f"{lake}/") if field.name.startswith(f"{lake}/") else Path(field.name).name


def through_python(events: Iterable[Mapping[str, Any]]) -> list[str]:
    """What was written by statements that run Python over whole rows.

    Raises:
        ValueError: something else was not understood, or was lost: the page would not be true.
    """
    outputs = set()
    for event in events:
        capture = event.get("run", {}).get("facets", {}).get("headwater_capture", {})
        other = sorted({*capture.get("opaque", {})} - OPAQUE_ON_PURPOSE) + [
            reason for reason in ("withheld", "lost") if reason in capture
        ]
        if other:
            raise ValueError(f"not all of the pipeline was understood: {', '.join(other)}")
        if capture:
            outputs |= {Path(output["name"]).name for output in event["outputs"]}
    return sorted(outputs)


# --- the page --------------------------------------------------------------------------------------------------------


def page(folder: Path) -> str:
    """The page, of a history in a folder that is empty."""
    with headwater.connect(record(folder)) as lineage:
        lake_tables = tables(lineage, str(folder / "lake"))
        others = TABLES.keys() - {table.name for table in lake_tables}
        return render(lake_tables, through_python(lineage.events()), sorted(others))


def render(lake_tables: Collection[Table], python: Iterable[str], others: Iterable[str]) -> str:
    """The page in Markdown."""
    lines = [
        _WORDS,
        f"Functions over whole rows produce these tables and files on the way: {_listed(python)}.",
        "",
        f"Tables that stay empty in this history: {_listed(others)}.",
        "",
    ]
    for table in lake_tables:
        lines += [f"## {table.name}", "", "| columns | from | how |", "|---|---|---|"]
        for sources, columns in table.sources:
            origins = "; ".join(f"**{name}** {_listed(fields)}" for name, fields in sources.origins)
            lines.append(f"| {_listed(columns)} | {origins or 'the same column'} | {sources.way.words} |")
        if table.constant:
            lines.append(f"| {_listed(table.constant)} | no column | a constant of the query |")
        lines += ["", f"Rows: {', '.join(f'**{name}**' for name in table.reads)}.", ""]
    return "\n".join(lines)


def _listed(names: Iterable[str]) -> str:
    return ", ".join(f"`{name}`" for name in names)


def main() -> None:
    """Write the page."""
    with tempfile.TemporaryDirectory() as folder:
        text = page(Path(folder).resolve())
    PAGE.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
