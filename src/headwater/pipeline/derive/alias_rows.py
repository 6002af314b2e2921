"""Which dataset an alias stood for, and when (rule 9)."""

from itertools import groupby
from operator import itemgetter

import pyarrow as pa
from pyspark.sql import DataFrame
from pyspark.sql import functions as sf

from headwater.lake.conditions import not_before
from headwater.lake.frames import Batches, Work, batch_of, first_day, rank_of, rows_of, union
from headwater.lake.lake import Change
from headwater.pipeline.derive.events import Facts
from headwater.pipeline.derive.shapes import ShapeTables
from headwater.store.db.predicates import still_in_force
from headwater.store.entities.fields import alias_changes

_ALIAS = pa.schema(
    [("dataset", pa.int64()), ("until_us", pa.int64()), ("from_us", pa.int64()), ("physical", pa.int64())]
)
_ORDER = ("us", "rank", "hash", "namespace", "name")


def derive_aliases(work: Work, facts: Facts, tables: ShapeTables) -> dict[str, Change]:
    """Changes of aliases.

    An event changes nothing before its moment: an alias is folded from its first new event on, starting with what it
    stood for until then.
    """
    if tables.symlinks.isEmpty():
        return {}
    first = facts.rows.groupBy("shape").agg(sf.min("us").alias("us"))
    symlinks = tables.symlinks.join(first, "shape").groupBy("alias", "physical").agg(sf.min("us").alias("us"))
    stored = not work.lake.is_empty("alias")
    if stored:
        # A repeated symlink changes nothing unless it is earlier: the daily case.
        known = work.lake.read("alias").where(still_in_force(""))
        known = known.select(sf.col("dataset").alias("alias"), sf.col("physical").alias("stands"), "from_us")
        symlinks = symlinks.join(known, "alias", "left")
        symlinks = symlinks.where("stands IS NULL OR stands <> physical OR us < from_us")
    touched = work.keep("aliases", symlinks.groupBy("alias").agg(sf.min("us").alias("since")))
    if not work.has_rows("aliases"):
        return {}
    rows = [_alias_events(facts.rows, tables, touched)]
    if not work.lake.is_empty("event"):
        day = first_day(touched.agg(sf.min("since")).collect()[0][0])
        rows.append(_alias_events(work.lake.read("event", not_before("day", day)), tables, touched))
    if not stored:
        return {"alias": Change(work.folded(union(rows), ["alias"], _ORDER, _fold_aliases, _ALIAS))}
    of = touched.withColumnRenamed("alias", "dataset")
    before = work.lake.read("alias").join(of, "dataset")
    old = before.where("from_us < since").select(
        sf.col("dataset").alias("alias"), sf.col("from_us").alias("us"), "physical"
    )
    after = work.keep("alias", work.folded(union([*rows, old]), ["alias"], _ORDER, _fold_aliases, _ALIAS))
    return {"alias": Change(*work.differences("alias-changes", before.drop("since"), after))}


def _alias_events(events: DataFrame, tables: ShapeTables, touched: DataFrame) -> DataFrame:
    """The symlinks of the touched aliases in events, from the moment on that matters."""
    shapes = tables.symlinks.join(touched, "alias")
    names = tables.datasets.select(sf.col("id").alias("physical"), "namespace", "name")
    shapes = shapes.join(names, "physical")
    rows = events.select("shape", "us", "type", "hash").join(shapes, "shape").where("us >= since")
    return rows.select("alias", "us", rank_of(sf.col("type")).alias("rank"), "hash", "namespace", "name", "physical")


def _fold_aliases(batches: Batches) -> Batches:
    """The symlinks of aliases, in order, to what they stood for and when; for `mapInArrow`."""
    for alias, rows in groupby(rows_of(batches, ("alias", "us", "physical")), itemgetter(0)):
        changes = alias_changes((us, physical, True) for _, us, physical in rows)
        yield batch_of([(alias, until, since, physical) for since, until, physical in changes], _ALIAS)
