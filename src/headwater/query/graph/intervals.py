"""From the time a question asks about to the intervals that a statement compares with."""

from headwater.query.graph.answer import Moment
from headwater.store.db.codes import ALWAYS, NOW
from headwater.store.reads.slots import Span

__all__ = ["ALWAYS", "NOW", "Span", "span_of"]


def span_of(moment: Moment, *, contents: bool = False) -> Span:
    """The span of a moment; now, where it names no time.

    >>> span_of(Moment.at(5)), span_of(Moment(since=5)).until == NOW
    (Span(since=5, until=5, contents=False), True)
    """
    until = NOW if moment.until is None else moment.until
    if moment.since == moment.until:
        return Span(until, until, contents)
    return Span(ALWAYS if moment.since is None else moment.since, until, contents)
