"""From the time a question asks about to the intervals that a statement compares with."""

from headwater.query.graph.answer import Moment
from headwater.store.db.codes import ALWAYS
from headwater.store.db.session import Session
from headwater.store.reads.slots import Span

__all__ = ["ALWAYS", "Span", "now_span", "span_of"]


def span_of(session: Session, moment: Moment, *, contents: bool = False) -> Span:
    """The span of a moment; now, where it names no time."""
    until = session.moment(moment.until)
    if moment.since == moment.until:
        return Span(until, until, contents)
    return Span(ALWAYS if moment.since is None else moment.since, until, contents)


def now_span(session: Session) -> Span:
    """The span of now."""
    return Span(session.now, session.now)
