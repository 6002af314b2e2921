"""Spans of the history, as statements compare them with rows of `slot`."""

from dataclasses import dataclass

from headwater.store.db.codes import ALWAYS, Flag
from headwater.store.db.predicates import in_force_within
from headwater.store.model.order import before

# Since the last write that left nothing of what was there, whoever made it.
_SINCE_WHOLE = f"""coalesce((
    SELECT whole.us FROM version whole
    WHERE whole.dataset = slot.dataset AND whole.whole = {Flag.YES} AND whole.stamp < :stop
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
        """The condition on `slot` in a statement; `values` has its values."""
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
