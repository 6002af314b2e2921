"""Which dataset an alias stood for, and when (rule 9)."""

from itertools import groupby
from operator import itemgetter

import pyarrow as pa
from pyspark.sql import DataFrame
from pyspark.sql import functions as sf

from headwater.lake.conditions import not_before
from headwater.lake.frames import Batches, Work, first_day, folded, rank_of, rows_of, union
from headwater.lake.lake import Change
from headwater.pipeline.derive.events import Facts
from headwater.pipeline.derive.shapes import Said
from headwater.store.db.predicates import still_in_force
from headwater.store.entities.fields import alias_changes

_ALIAS = pa.schema(
    [("dataset", pa.int64()), ("until_us", pa.int64()), ("from_us", pa.int64()), ("physical", pa.int64())]
)
_ORDER = ("us", "rank", "hash", "namespace", "name")


def derive_aliases(work: Work, facts: Facts, said: Said) -> dict[str, Change]:
    """Changes of aliases.

    What is said at a moment changes nothing before it: an alias is followed from the first new thing on that is said
    of it, and what it stood for until then is known.
    """
    if said.symlinks.isEmpty():
        return {}
    first = facts.rows.groupBy("shape").agg(sf.min("us").alias("us"))
    told = said.symlinks.join(first, "shape").groupBy("alias", "physical").agg(sf.min("us").alias("us"))
    stored = not work.lake.is_empty("alias")
    if stored:
        # What is said again changes nothing, unless it is said of an earlier time: the daily case.
        known = work.lake.read("alias").where(still_in_force(""))
        known = known.select(sf.col("dataset").alias("alias"), sf.col("physical").alias("stands"), "from_us")
        told = told.join(known, "alias", "left")
        told = told.where("stands IS NULL OR stands <> physical OR us < from_us")
    touched = work.keep("aliases", told.groupBy("alias").agg(sf.min("us").alias("since")))
    if not work.has_rows("aliases"):
        return {}
    rows = [_said(facts.rows, said, touched)]
    if not work.lake.is_empty("event"):
        day = first_day(touched.agg(sf.min("since")).collect()[0][0])
        rows.append(_said(work.lake.read("event", not_before("day", day)), said, touched))
    if not stored:
        return {"alias": Change(folded(union(rows), ["alias"], _ORDER, _follow, _ALIAS))}
    of = touched.withColumnRenamed("alias", "dataset")
    before = work.lake.read("alias").join(of, "dataset")
    old = before.where("from_us < since").select(
        sf.col("dataset").alias("alias"), sf.col("from_us").alias("us"), "physical"
    )
    after = work.keep("alias", folded(union([*rows, old]), ["alias"], _ORDER, _follow, _ALIAS))
    return {"alias": Change(*work.differences("alias-changes", before.drop("since"), after))}


def _said(events: DataFrame, said: Said, touched: DataFrame) -> DataFrame:
    """What events say of the aliases that were touched, from the moment on that matters."""
    shapes = said.symlinks.join(touched, "alias")
    names = said.datasets.select(sf.col("id").alias("physical"), "namespace", "name")
    shapes = shapes.join(names, "physical")
    found = events.select("shape", "us", "type", "hash").join(shapes, "shape").where("us >= since")
    return found.select("alias", "us", rank_of(sf.col("type")).alias("rank"), "hash", "namespace", "name", "physical")


def _follow(batches: Batches) -> Batches:
    """What is said of aliases, in order, to what they stood for; for `mapInArrow`."""
    for alias, rows in groupby(rows_of(batches, ("alias", "us", "physical")), itemgetter(0)):
        found = list(alias_changes((us, physical) for _, us, physical in rows))
        yield pa.RecordBatch.from_pylist(
            [
                {"dataset": alias, "until_us": until, "from_us": since, "physical": physical}
                for since, until, physical in found
            ],
            _ALIAS,
        )
