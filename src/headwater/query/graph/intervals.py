"""From the time a question asks about to the intervals that a statement compares with."""

from dataclasses import dataclass

from headwater.query.graph.answer import Moment
from headwater.store.db import codes
from headwater.store.db.predicates import in_force_within
from headwater.store.model.order import before

NOW = codes.NOW
ALWAYS = codes.ALWAYS

# Since the last write that left nothing of what was there, whoever made it.
_SINCE_WHOLE = f"""coalesce((
    SELECT whole.us FROM version whole
    WHERE whole.dataset = slot.dataset AND whole.whole = {codes.Flag.YES} AND whole.stamp < :stop
    ORDER BY whole.stamp DESC LIMIT 1
), :since)"""  # noqa: S608  our own words


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
        return in_force_within("slot", since, ":until")

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
