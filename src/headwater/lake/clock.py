"""What lies ahead of the clock in a lake."""

from pyspark.sql import functions as sf

from headwater.lake.conditions import not_before
from headwater.lake.frames import first_day
from headwater.lake.lake import Lake
from headwater.store.db.clock import Clock


def latest_where_ahead(lake: Lake, clock: Clock) -> int | None:
    """The last moment that does not lie ahead of a clock, in microseconds UTC; None where no event lies ahead of it."""
    latest = clock.latest_us()
    day = first_day(latest)
    # By the days of the partitions: of most lakes no file is read. After the last year, no day follows.
    if not day or lake.read("event", not_before("day", day)).where(sf.col("us") > latest).isEmpty():
        return None
    return latest
