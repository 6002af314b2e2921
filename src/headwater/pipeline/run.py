"""One run of the pipeline over landed lines: validate, derive, commit.

A batch, a micro-batch of a stream and an increment are this same function.
"""

import sys
import time
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as sf

from headwater.lake.failures import plain_spark_errors
from headwater.lake.lake import Change, Lake
from headwater.lake.session.settings import while_set
from headwater.pipeline.derive.derive import derive
from headwater.pipeline.derive.events import NEWEST
from headwater.pipeline.report import Report
from headwater.pipeline.stages import Stages
from headwater.pipeline.validate.validate import Validated, validate

QUARANTINE = "quarantine"
MOST_EVENTS, MOST_BYTES = 20_000, 64_000_000
"""How many events, and how much text of them, are few."""
# What identifies a bad event; its place is not always known.
_SAME = ("source", "offset", "line", "bytes")


def run_once(
    spark: SparkSession,
    lake: Lake,
    landed: DataFrame,
    *,
    note: Mapping[str, Any] | None = None,
    stages: Stages | None = None,
) -> Report:
    """Write landed lines to a lake: all of them, or none where this raises.

    Args:
        spark: the session that derives and writes.
        lake: the lake, in its newest state.
        landed: lines with the columns of `rows.LANDED`.
        note: saved with the lake's new snapshot, beside the counts.
        stages: reports and times the stages.

    Raises:
        PipelineError: the input cannot be read, or Spark failed.
        LakeError: the lake cannot be written, or another run wrote it meanwhile.
    """
    stages = stages or Stages()
    with stages("validate"):
        validated = validate(spark, landed, f"{lake.scratch()}/validated")
    few = _are_few(spark, validated)
    with plain_spark_errors():
        settings = lake.settings_for_few() if few else {}
    with while_set(spark, settings), lake.draft(few=few) as draft:
        with stages("derive"), plain_spark_errors():
            derived = derive(lake, draft, validated, few=few)
            rows = dict(derived.rows)
            if validated.bad_count:
                quarantined = _quarantined(lake, validated)
                rows[QUARANTINE] = validated.bad_count if lake.is_empty(QUARANTINE) else quarantined.count()
                draft.change({QUARANTINE: Change(added=quarantined)})
        counts = Report(validated.read, validated.bad_count, derived.new, derived.duplicated, derived.late, rows)
        with stages("commit"), plain_spark_errors():
            snapshot = draft.commit(
                {"what": "run", "events": counts.counts(), NEWEST: derived.newest_us, **(note or {})}
            )
    return replace(counts, seconds=dict(stages.seconds), snapshot=snapshot.number)


def _are_few(spark: SparkSession, validated: Validated) -> bool:
    """Whether so few events came that frames of them fit into this process."""
    few = validated.read <= MOST_EVENTS and validated.bytes <= MOST_BYTES
    # What was here has lost its lineage, which a tracker looks for.
    return few and not _is_tracked(spark)


def _is_tracked(spark: SparkSession) -> bool:
    tracker = sys.modules.get("headwater.capture.tracker")  # it takes a while to load, and has been where it tracks
    return tracker is not None and tracker.links_of(spark) is not None


def _quarantined(lake: Lake, validated: Validated) -> DataFrame:
    """The bad events that are not in quarantine yet: reading the same input again adds none."""
    bad = validated.bad.withColumn("found_us", sf.lit(time.time_ns() // 1000))
    if lake.is_empty(QUARANTINE):
        return bad
    known = lake.read(QUARANTINE).select(*_SAME).alias("known")
    same = [sf.col(f"bad.{name}").eqNullSafe(sf.col(f"known.{name}")) for name in _SAME]
    return bad.alias("bad").join(known, same, "left_anti")
