"""What a run goes on with: events that are ready to be derived from, and those that are not."""

from dataclasses import dataclass

from pyspark.sql import DataFrame


@dataclass(frozen=True)
class Validated:
    """The result of validation.

    Attributes:
        events: hash, us, kind, type, run, stamp, body_hash, rest, parent, parent_job_namespace, parent_job_name and
            versions of each good event; the same event may be there more than once.
        bodies: hash, the hash of what it means, and content of what the events have as their bodies; the same body may
            be there more than once.
        bad: source, offset, line, field, reason and bytes of each bad event.
        read: how many events there were.
        bad_count: how many of them are bad.
    """

    events: DataFrame
    bodies: DataFrame
    bad: DataFrame
    read: int
    bad_count: int
