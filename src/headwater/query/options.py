"""The options of questions as Python's callers write them: for editors and type checkers.

`headwater.query.questions` declares what each option means; `tests/query/test_options.py` holds the two together.
"""

from collections.abc import Collection
from typing import TypedDict

from headwater.query.graph.answer import Direction
from headwater.query.moments import Time


class WalkOptions(TypedDict, total=False):
    """How far to go.

    depth: how many edges to follow at most; None for all.
    direct: of columns, leave out what only decides on rows or conditions.
    namespaces: enter datasets of these namespaces only.
    limit: how many nodes to return at most; the nearest come first.
    """

    depth: int | None
    direct: bool
    namespaces: Collection[str] | None
    limit: int | None


class TimeOptions(WalkOptions, total=False):
    """When to look.

    as_of: the moment to look at.
    since: the start of a window: what was in force at any moment in it counts.
    until: the end of the window.
    """

    as_of: Time
    since: Time
    until: Time


class FollowOptions(TimeOptions, total=False):
    """What to follow.

    version: the version whose provenance is asked for; see `provenance`.
    contents: count all writes since the last that replaced the whole dataset.
    job: a job to start from instead of a dataset.
    collapse: of datasets and jobs, show the executions of an application as that application.
    """

    version: str | None
    contents: bool
    job: str | None
    collapse: bool


class PiiOptions(TimeOptions, total=False):
    """Which fields.

    tag: fields with this tag, in place of those with a personal one.
    """

    tag: str | None


class DiffOptions(WalkOptions, total=False):
    """What to compare.

    since: the moment before; a date is the last moment of that day.
    until: the moment after; now, if there is none.
    versions: two versions in place of two moments, the earlier first.
    direction: upstream or downstream.
    """

    since: Time
    until: Time
    versions: tuple[str, str] | None
    direction: Direction | str
