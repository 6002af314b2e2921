"""Search by what is known: the name of a field, its path, or a tag; nothing is forgiven but upper and lower case.

Fields are found by the last word of their names, tags by their words, in the index that search has; what is found there
is then compared in full. Tags given by hand have no index: all of them are read.
"""

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass

from headwater.common.column_path import split_path
from headwater.query.metadata.notes import TERM, notes_of, tag_parts
from headwater.query.metadata.tags import all_by_hand, tags_of
from headwater.query.search.fuzzy import Hit, SearchResult
from headwater.query.search.matching import Match
from headwater.query.search.spelling import How
from headwater.store.db.codes import Kind, What
from headwater.store.db.session import Session
from headwater.store.entities.keys import dataset_of
from headwater.store.entities.search_terms import word_hash
from headwater.store.model.words import words_of, words_of_name
from headwater.store.reads.fields import NamedField, current_fields
from headwater.store.reads.names import names_by_id
from headwater.store.reads.terms import entities_of_word

_MOST = 5_000


@dataclass(frozen=True)
class Criteria:
    """What is looked for; what is None may be anything.

    Attributes:
        field: the name of a field: the last part of its path.
        path: the last part of a path, and whether a path is the one that is meant.
        tag: a tag, or a term of the glossary.
    """

    field: str | None = None
    path: tuple[str, Callable[[str], bool]] | None = None
    tag: str | None = None

    @property
    def last_part(self) -> str | None:
        """The last part of the paths that are looked for."""
        return self.field if self.field is not None else self.path[0] if self.path else None

    def says(self, path: str) -> bool:
        """Whether a field is one of those that are looked for, by its path."""
        named = self.field is None or split_path(path)[-1].casefold() == self.field.casefold()
        return named and (self.path is None or self.path[1](path))


def search_exactly(
    session: Session,
    criteria: Criteria,
    *,
    kinds: Collection[Kind],
    limit: int,
    namespaces: Collection[str] | None = None,
) -> SearchResult:
    """Find fields by name, path or tag, and the datasets that have such a field or the tag: all criteria must agree."""
    search = _Search(session, criteria)
    hits = [hit for hit in search.hits() if hit.kind in kinds and (namespaces is None or hit.namespace in namespaces)]
    hits.sort(key=lambda hit: (hit.namespace, hit.name, hit.field or "", hit.kind))
    texts = (criteria.field, criteria.path[0] if criteria.path else None, criteria.tag)
    text = " ".join(part for part in texts if part is not None)
    return SearchResult(text, tuple(hits[:limit]), search.cut or len(hits) > limit)


class _Search:
    def __init__(self, session: Session, criteria: Criteria) -> None:
        self._session = session
        self._criteria = criteria
        self.cut = False

    def hits(self) -> Iterable[Hit]:
        """Each field that agrees, and its dataset; without a field, also the datasets that have the tag themselves."""
        criteria = self._criteria
        if criteria.last_part is not None:
            fields = current_fields(self._session, self._uses(criteria.last_part, Kind.FIELD, What.NAME))
            return self._named([field for field in fields if criteria.says(field.path)], set())
        return self._named([], self._with_tag())

    def _named(self, fields: list[NamedField], datasets: set[int]) -> Iterable[Hit]:
        """What was found, as far as it has the tag, if one is asked for."""
        if self._criteria.tag is not None:
            fields, own = self._tagged(fields, datasets)
            names = names_by_id(self._session, "dataset", own).values()
            yield from (self._hit(Kind.DATASET, namespace, name, None, "") for namespace, name in names)
        else:
            own = set()
        yield from (self._hit(Kind.FIELD, field.namespace, field.name, field.path, field.type) for field in fields)
        others = {(field.namespace, field.name) for field in fields if field.dataset not in own}
        yield from (self._hit(Kind.DATASET, namespace, name, None, "") for namespace, name in others)

    def _tagged(self, fields: list[NamedField], datasets: set[int]) -> tuple[list[NamedField], set[int]]:
        """The fields that have the tag, and, where no field is asked for, the datasets that have it themselves."""
        by_field = bool(fields) or not datasets
        keys = {field.dataset for field in fields} if by_field else datasets
        listed = fields if by_field else current_fields(self._session, keys, "dataset")
        paths: defaultdict[int, dict[int, str]] = defaultdict(dict)
        for field in listed:
            paths[field.dataset][field.id] = field.path
        notes = notes_of(self._session, Kind.DATASET, keys)
        tags = tags_of(self._session, Kind.DATASET, {key: notes.get(key, {}) for key in keys}, paths)
        tagged = [field for field in listed if self._among(tags[field.dataset].of_fields.get(field.path, ()))]
        return tagged, set() if by_field else {key for key in keys if self._among(tags[key].own)}

    def _among(self, tags: Iterable[str]) -> bool:
        asked = (self._criteria.tag or "").casefold()
        for tag in tags:
            key, value = tag_parts(tag)
            if asked in {tag.casefold(), key.casefold()} or (key == TERM and asked == value.casefold()):
                return True
        return False

    def _with_tag(self) -> set[int]:
        """The datasets that may have the tag, or a field with it."""
        tag = self._criteria.tag or ""
        words = [set(self._uses(word, Kind.DATASET, What.TAG)) for word in words_of(tag) or words_of_name(tag)]
        datasets = set.intersection(*words) if words else set()
        for kind in (Kind.DATASET, Kind.FIELD):
            for key, given in all_by_hand(self._session, kind).items():
                if self._among(name for name, state in given.items() if state):
                    datasets.add(key if kind is Kind.DATASET else dataset_of(key))
        return datasets

    def _uses(self, text: str, kind: Kind, what: What) -> list[int]:
        words = words_of_name(text)
        if not words:
            return []
        # Of a name, its last part as one word stands at the end.
        keys = entities_of_word(self._session, word_hash(words[-1]), kind, what, _MOST + 1)
        self.cut |= len(keys) > _MOST
        return keys[:_MOST]

    def _hit(self, kind: Kind, namespace: str, name: str, path: str | None, type_: str) -> Hit:
        texts = ((self._criteria.last_part, What.NAME), (self._criteria.tag, What.TAG))
        matches = tuple(Match(text, text, what, How.EXACT, 1.0) for text, what in texts if text is not None)
        return Hit(kind, namespace, name, path, type_, 1.0, matches)
