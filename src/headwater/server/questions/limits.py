"""Limits of one request."""

from dataclasses import replace
from typing import Any

from headwater.query.lineage.traversal import LIMIT
from headwater.query.questions import Question, parts_of

MOST_QUESTIONS = 100
"""In one batch."""
MOST_BYTES = 32_000_000
"""Of a batch's answers; the first is returned whatever its size."""
WORTH_COMPRESSING = 2_000
"""Bytes."""


def bounded(question: Question[Any], most: int) -> Question[Any]:
    """A question with its limit capped; a shortened answer says so.

    >>> from headwater.query.questions import HistoryOf, SearchFor
    >>> bounded(SearchFor(text="orders", limit=50_000), 10_000).limit
    10000
    >>> bounded(HistoryOf(dataset="orders", column="total"), 10_000)
    HistoryOf(dataset='orders', column='total')
    """
    if "limit" not in parts_of(type(question)):
        return question
    asked: Any = question
    return replace(asked, limit=min(asked.limit or LIMIT, most))
