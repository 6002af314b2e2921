"""Which things all words of a question match, and how well.

Of a common word only the first uses are known; what is not known is asked for where it decides.
"""

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator
from typing import NamedTuple, TypeAlias

from headwater.query.search.lookup import Meant, first_uses, meant_by, used_together
from headwater.query.search.spelling import How
from headwater.store.db.codes import FIELD_NUMBERS, Kind, What
from headwater.store.db.session import Session
from headwater.store.entities.keys import dataset_of, rows_of
from headwater.store.model.short_names import last_part
from headwater.store.model.words import squeezed, words_of, words_of_name
from headwater.store.reads.terms import Use, uses_between

Thing: TypeAlias = tuple[Kind, int]

_MOST_WORDS = 8
# How many uses of a word are read: of one that was asked for exactly, and of each that is like it.
_USES = 200
_USES_ALIKE = 20
_COMMON = 2
_PROBED = 100
_TABLES = 40
_PLACES = {What.NAME: 1.0, What.TAG: 0.8, What.DESCRIPTION: 0.6}
# A column whose table has the word, not the column itself.
_BY_TABLE = 0.7


class Match(NamedTuple):
    """A word of the question, the word that it matches, where that stands, how they agree, and what it is worth."""

    asked: str
    word: str
    what: What
    how: How
    worth: float


def _place(match: Match) -> tuple[float, What, str]:
    """The better match of a thing is the lesser; never the one that was read first, which is up to the keys."""
    return -match.worth, match.what, match.word


class Asked:
    """A word of the question: what it may mean, what it is known to match, and which meanings match yet more."""

    def __init__(self, word: str, meant: Iterable[Meant]) -> None:
        self.word = word
        self.meant = {word_meant.term: word_meant for word_meant in meant}
        self.matches: dict[Kind, dict[int, Match]] = {kind: {} for kind in Kind}
        self.common: dict[Kind, list[int]] = {kind: [] for kind in Kind}

    def terms(self, *, exact: bool) -> list[int]:
        """The keys of the word itself, or of those that are like it."""
        return [meant.term for meant in self.meant.values() if (meant.how is How.EXACT) is exact]

    def add(self, use: Use) -> None:
        """Learn of a use of a word."""
        one = self.meant[use.term]
        match = Match(self.word, one.word, use.what, one.how, one.worth * _PLACES[use.what])
        before = self.matches[use.kind].get(use.entity)
        if before is None or _place(match) < _place(before):
            self.matches[use.kind][use.entity] = match

    def match(self, kind: Kind, entity: int) -> Match | None:
        """How a thing matches; a column also does where its table has the word."""
        own = self.matches[kind].get(entity)
        if kind is not Kind.FIELD or (table := self.matches[Kind.DATASET].get(dataset_of(entity))) is None:
            return own
        worth = table.worth * _BY_TABLE
        return own if own and own.worth >= worth else table._replace(worth=worth)

    def open_for(self, kind: Kind) -> bool:
        """Whether more things of a kind may match than are known."""
        return bool(self.common[kind]) or (kind is Kind.FIELD and bool(self.common[Kind.DATASET]))


class SearchTerms:
    """A text to search for in a store."""

    def __init__(self, session: Session, text: str, kinds: Collection[Kind]) -> None:
        self._session = session
        self._kinds = sorted(set(kinds))
        words = (words_of(text) or list(words_of_name(text)))[:_MOST_WORDS]
        whole = squeezed(text)
        # Words that the store may have as one: "customer id" is customerId too.
        self._together = set(words_of(last_part(text))) if whole and whole not in words else set[str]()
        written = [*words, whole] if self._together else words
        meant = meant_by(session, written) if written else []
        self._all = [Asked(*pair) for pair in zip(written, meant, strict=True)]
        self._asked = self._all[: len(words)]
        self._whole = self._all[-1] if self._together else None
        self._by_term: dict[int, list[Asked]] = defaultdict(list)
        for asked in self._all:
            for term in asked.meant:
                self._by_term[term].append(asked)
        self._look_up()

    @property
    def words(self) -> int:
        """How many words there are."""
        return len(self._asked)

    @property
    def cut(self) -> bool:
        """Whether more may match than is known."""
        return any(asked.open_for(kind) for asked in self._all for kind in self._kinds)

    def matches(self, *, every: bool = True) -> dict[Thing, list[Match]]:
        """The things that match, each with its matches: of every word, or of some."""
        matched: dict[Thing, list[Match]] = {}
        undecided: list[tuple[float, Thing]] = []
        for kind in self._kinds:
            for entity in self._candidates(kind, every=every):
                matches = self._matches(kind, entity)
                known = [match for match in matches if match]
                if len(known) == len(matches) or not every:
                    matched[kind, entity] = known
                elif all(match or asked.open_for(kind) for match, asked in zip(matches, self._asked, strict=True)):
                    undecided.append((-sum(match.worth for match in known), (kind, entity)))
        if every and self.words > 1:
            tables = uses_between(self._session, sorted(self._in_tables())) if Kind.FIELD in self._kinds else []
            self._add(tables)
            things = {thing for _, thing in sorted(undecided)[:_PROBED]}
            self._decide(things | {(use.kind, use.entity) for use in tables}, matched)
            if not matched:
                self._decide(set(used_together(self._session, self._pairs())), matched)
        return matched

    def _look_up(self) -> None:
        # A column may match by its table.
        kinds = {*self._kinds, Kind.DATASET} if Kind.FIELD in self._kinds else set(self._kinds)
        exact = {(term, kind) for asked in self._all for term in asked.terms(exact=True) for kind in kinds}
        uses, common = first_uses(self._session, exact, _USES)
        # Where very many things have the word itself, those that have a similar one come after them anyway.
        alike = {
            (term, kind)
            for asked in self._all
            for kind in kinds
            if not any((word, kind) in common for word in asked.terms(exact=True))
            for term in asked.terms(exact=False)
        }
        more, too = first_uses(self._session, alike, _USES_ALIKE)
        for term, kind in sorted(common | too):
            for asked in self._by_term[term]:
                asked.common[kind].append(term)
        for asked in self._all:
            for listed in asked.common.values():
                # The best first: few of them are looked at again.
                listed.sort(key=lambda term, meant=asked.meant: (-meant[term].worth, meant[term].word))  # type: ignore[misc]
                del listed[_COMMON:]
        self._add(uses)
        self._add(more)

    def _add(self, uses: Iterable[Use]) -> None:
        for use in uses:
            for asked in self._by_term[use.term]:
                asked.add(use)

    def _matches(self, kind: Kind, entity: int) -> list[Match | None]:
        matches = [asked.match(kind, entity) for asked in self._asked]
        whole = self._whole.matches[kind].get(entity) if self._whole else None
        if whole:
            return [
                whole if asked.word in self._together and (match is None or match.worth < whole.worth) else match
                for asked, match in zip(self._asked, matches, strict=True)
            ]
        return matches

    def _candidates(self, kind: Kind, *, every: bool) -> list[int]:
        """Keys of things of a kind that may match: some word is known to."""
        known: list[Collection[int]] = [asked.matches[kind].keys() for asked in self._all]
        if every and kind is not Kind.FIELD:
            closed = [
                asked.matches[kind].keys() | (self._whole.matches[kind].keys() if self._whole else set())
                for asked in self._asked
                if not asked.open_for(kind)
            ]
            known = [set.intersection(*map(set, closed))] if closed else known
        return sorted(set().union(*known))

    def _in_tables(self) -> Iterator[tuple[int, int, int, int]]:
        """Common words, to be looked for among the columns of the tables that other words name."""
        for asked in self._asked:
            if not asked.common[Kind.FIELD]:
                continue
            tables = [
                (-match.worth, entity)
                for other in self._asked
                if other is not asked
                for entity, match in other.matches[Kind.DATASET].items()
            ]
            for _, table in sorted(tables)[:_TABLES]:
                first = rows_of(table)
                for term in asked.common[Kind.FIELD]:
                    yield term, int(Kind.FIELD), first, first + FIELD_NUMBERS

    def _decide(self, things: set[Thing], matched: dict[Thing, list[Match]]) -> None:
        """Ask whether things have the common words that are not known of them, and add those that match."""
        spans: set[tuple[int, int, int, int]] = set()
        for kind, entity in things:
            for asked, match in zip(self._asked, self._matches(kind, entity), strict=True):
                if match is None:
                    spans.update((term, int(kind), entity, entity) for term in asked.common[kind])
                    if kind is Kind.FIELD:
                        table = dataset_of(entity)
                        spans.update((term, int(Kind.DATASET), table, table) for term in asked.common[Kind.DATASET])
        self._add(uses_between(self._session, sorted(spans)))
        for kind, entity in sorted(things):
            matches = [match for match in self._matches(kind, entity) if match]
            if len(matches) == self.words:
                matched[kind, entity] = matches

    def _pairs(self) -> list[tuple[int, int, int]]:
        """For each kind the best meanings of two words that are both too common to know."""
        pairs = []
        for kind in self._kinds:
            common = [asked.common[kind][0] for asked in self._asked if asked.common[kind]]
            if len(common) > 1:
                pairs.append((common[-1], common[-2], int(kind)))
        return pairs
