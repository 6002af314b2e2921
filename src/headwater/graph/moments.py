"""From the time a question asks about to the intervals that a statement compares with."""

from dataclasses import dataclass

from headwater.bad_question import BadQuestion
from headwater.graph.answer import Moment
from headwater.store.order import before

NOW = 2**63 - 2
"""The last moment there is: what is in force then has no end yet."""
ALWAYS = -(2**63)

# Since the last write that left nothing of what was there, whoever made it.
_SINCE_WHOLE = """coalesce((
    SELECT whole.us FROM version whole
    WHERE whole.dataset = slot.dataset AND whole.whole = 1 AND whole.stamp < :stop
    ORDER BY whole.stamp DESC LIMIT 1
), :since)"""


@dataclass(frozen=True, slots=True)
class Span:
    """What was in force at any moment from `since` to `until`, both included.

    `contents`: for each dataset, `since` is its last whole overwrite; so the span has all that its rows at `until`
    were made by.
    """

    since: int
    until: int
    contents: bool = False

    @property
    def in_force(self) -> str:
        """What a statement says of `slot`; its values are those of `values`."""
        since = _SINCE_WHOLE if self.contents else ":since"
        return f"slot.until_us > {since} AND slot.from_us <= :until"

    @property
    def values(self) -> dict[str, object]:
        """The values of `in_force`."""
        if self.contents:
            return {"since": ALWAYS, "until": self.until, "stop": before(self.until + 1)}
        return {"since": self.since, "until": self.until}

    @property
    def one_moment(self) -> bool:
        """Whether what is in force at `until` is all there is."""
        return self.since == self.until and not self.contents


def span_of(moment: Moment, *, contents: bool = False) -> Span:
    """The span of a moment; now, where it names no time.

    >>> span_of(Moment.at(5)), span_of(Moment(since=5)).until == NOW
    (Span(since=5, until=5, contents=False), True)
    """
    until = NOW if moment.until is None else moment.until
    if moment.since == moment.until:
        return Span(until, until, contents)
    return Span(ALWAYS if moment.since is None else moment.since, until, contents)


def moment_of(as_of: int | None, since: int | None, until: int | None, *, contents: bool = False) -> Moment:
    """The moment that a question's options name.

    Raises:
        BadQuestion: the options contradict each other.
    """
    if since is None and until is None:
        return Moment.at(as_of)
    if as_of is not None:
        raise BadQuestion("as_of is one moment, since and until are a window: give one or the other")
    if contents:
        raise BadQuestion("contents are those of one moment: give as_of, not since or until")
    if since is not None and until is not None and since > until:
        raise BadQuestion("since is after until")
    return Moment(since, until)
