"""Which metadata a leg carries on: rules by what it is, by the class of the leg and by masking; pure.

The first rule that fits decides. Those of a user come before the ones here.
"""

from dataclasses import dataclass
from enum import Enum
from fnmatch import fnmatchcase

from headwater.query.graph.answer import Transformation
from headwater.query.metadata.notes import TERM
from headwater.query.privacy.legs import Class, class_of
from headwater.store.model.words import words_of

PERSONAL = ("pii", "phi", "personal", "gdpr", "email", "phone", "ssn", "sensitive", "confidential")
"""A tag with one of these words in its name is about persons."""


class What(Enum):
    """What travels."""

    TAG = "tag"
    TERM = "term"
    DESCRIPTION = "description"


class Carries(Enum):
    """Whether a leg carries something on; MAY: nobody knows, so it is marked as not certain."""

    YES = "yes"
    MAY = "may"
    NO = "no"


_WORDS = frozenset({What.TAG, What.TERM})


@dataclass(frozen=True, slots=True)
class Rule:
    """One rule.

    Attributes:
        name: what it is called where it decided.
        carries: what it says.
        classes: of which legs.
        masked: only of legs that mask, or that do not; None for both. Masking in part counts as neither: it only makes
            uncertain what is carried.
        what: of what.
        tags: patterns for the names of tags and terms, upper and lower case alike; none for all.
        personal: only of tags that are about persons, or that are not; None for both.
    """

    name: str
    carries: Carries
    classes: frozenset[Class] = frozenset(Class)
    masked: bool | None = None
    what: frozenset[What] = _WORDS
    tags: tuple[str, ...] = ()
    personal: bool | None = None

    def fits(self, thing: "Thing", kind: Class, *, masked: bool, personal: bool) -> bool:
        """Whether it is about a thing and a leg."""
        return (
            thing.what in self.what
            and kind in self.classes
            and self.masked in {None, masked}
            and self.personal in {None, personal}
            and (not self.tags or any(fnmatchcase(thing.name.casefold(), pattern.casefold()) for pattern in self.tags))
        )


@dataclass(frozen=True, slots=True)
class Thing:
    """A tag or a term by its name, or a description, whichever it is."""

    what: What
    name: str = ""

    @classmethod
    def tag(cls, name: str) -> "Thing":
        """The tag of a name; some are terms of a glossary.

        >>> Thing.tag("PII").what.name, Thing.tag("glossaryTerm:Revenue").what.name
        ('TAG', 'TERM')
        """
        return cls(What.TERM if name.startswith(f"{TERM}:") else What.TAG, name)


DESCRIPTION = Thing(What.DESCRIPTION)
_ALL = frozenset(What)
_DESCRIPTION = frozenset({What.DESCRIPTION})


def _only(kind: Class) -> frozenset[Class]:
    return frozenset({kind})


_FIRST = (
    Rule("indirect", Carries.NO, _only(Class.INDIRECT), what=_ALL),
    Rule("masked description", Carries.NO, masked=True, what=_DESCRIPTION),
    Rule("masked personal", Carries.NO, masked=True, personal=True),
    Rule("identity", Carries.YES, _only(Class.IDENTITY), what=_ALL),
    Rule("transformation", Carries.YES, _only(Class.TRANSFORMATION)),
    Rule("transformed description", Carries.NO, _only(Class.TRANSFORMATION), what=_DESCRIPTION),
    Rule("opaque", Carries.MAY, _only(Class.OPAQUE)),
    Rule("opaque description", Carries.NO, _only(Class.OPAQUE), what=_DESCRIPTION),
)
_LAST = (Rule("aggregation", Carries.NO, _only(Class.AGGREGATION), what=_ALL),)
DEFAULTS = (*_FIRST, *_LAST)
"""The rules where a user gives none."""


@dataclass(frozen=True, slots=True)
class Rules:
    """All rules: a user's own, which tags survive an aggregation, and which words are about persons.

    >>> hashed = Transformation("DIRECT", "TRANSFORMATION", masking=True, description="sha2(email, 256)")
    >>> Rules().of(Thing.tag("PII"), hashed).name, Rules().of(Thing.tag("gold"), hashed).name
    ('masked personal', 'transformation')
    """

    own: tuple[Rule, ...] = ()
    survive: tuple[str, ...] = ()
    personal: tuple[str, ...] = PERSONAL

    @property
    def listed(self) -> tuple[Rule, ...]:
        """In the order in which they are tried."""
        survives = (Rule("survives", Carries.YES, _only(Class.AGGREGATION), tags=self.survive),) if self.survive else ()
        return (*self.own, *_FIRST, *survives, *_LAST)

    def is_personal(self, tag: str) -> bool:
        """Whether a tag is about persons: by the words of its name, upper and lower case alike.

        >>> Rules().is_personal("Contains-PII"), Rules().is_personal("pipeline")
        (True, False)
        """
        return not set(self.personal).isdisjoint(words_of(tag))

    def of(self, thing: Thing, step: Transformation) -> Rule:
        """The rule that decides on a thing and a transformation."""
        return self.rule(thing, class_of(step), masked=step.masking)

    def rule(self, thing: Thing, kind: Class, *, masked: bool) -> Rule:
        """The rule that decides on a thing and a class."""
        personal = thing.what is not What.DESCRIPTION and self.is_personal(thing.name)
        return next(
            candidate for candidate in self.listed if candidate.fits(thing, kind, masked=masked, personal=personal)
        )

    @property
    def carry_conditions(self) -> bool:
        """Whether anything may go where a value only decides."""
        return any(rule.carries is not Carries.NO and Class.INDIRECT in rule.classes for rule in self.own)
