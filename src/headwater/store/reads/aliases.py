"""Aliases: which dataset another stood for, and when."""

from bisect import bisect_left
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import Literal, NamedTuple, TypeAlias

from headwater.store.db.codes import ALWAYS, MOST_RENAMES, Flag, Kin
from headwater.store.db.predicates import in_force, in_force_within
from headwater.store.db.session import Given, Session, ids
from headwater.store.reads.edges import store_features

Alias: TypeAlias = tuple[int, int]
"""An alias, and the dataset that it stands for."""

_AT = f"SELECT alias.dataset, alias.physical FROM alias WHERE {in_force('alias', ':at')}"  # noqa: S608  our own words
_PAIRS = f"""
SELECT alias.dataset, alias.physical FROM {{{{given}}}}
{{{{join}}}} alias ON alias.{{side}} = given.id AND {in_force_within("alias", ":since", ":until")}
"""  # noqa: S608  our own words
# By the same path; and by the path of a struct around or inside, where only that is known on the other side.
_SAME_PATH = f"""
SELECT given.field, other.id, 1 FROM {{given}}
{{join}} field ON field.id = given.field
{{join}} field other ON other.dataset = given.dataset AND other.key = field.key
UNION ALL
SELECT given.field, other.id, 0 FROM {{given}}
{{join}} kin ON kin.field = given.field AND kin.how < {Kin.ALIKE}
{{join}} field ON field.id = kin.other
{{join}} field other ON other.dataset = given.dataset AND other.key = field.key
"""  # noqa: S608  our own words
# What stands for another dataset and was not written under its own name by now, or by the moment that is asked about.
_STANDS_FOR = f"""
SELECT given.id, dataset.id, dataset.namespace, dataset.name FROM {{given}}
{{join}} alias ON alias.dataset = given.id AND {in_force("alias", ":at")}
{{join}} dataset ON dataset.id = alias.physical
WHERE NOT EXISTS (SELECT 1 FROM version WHERE version.dataset = given.id AND version.us <= :known)
"""  # noqa: S608  our own words
# The renames of datasets, and when the old name was written again.
_RENAMES = f"""
SELECT version.dataset, version.us, version.renamed,
       (SELECT min(again.us) FROM version again
        WHERE again.dataset = version.dataset AND again.us >= version.us AND again.stamp > version.stamp
            AND again.removal = {Flag.NO})
FROM {{given}} {{join}} version ON version.dataset = given.id AND version.renamed IS NOT NULL
    AND version.removal = {Flag.YES} AND version.us <= :at
ORDER BY version.dataset, version.us, version.stamp
"""  # noqa: S608  our own words
_STOOD_FOR = """
SELECT DISTINCT alias.dataset FROM {given} {join} alias ON alias.physical = given.id AND alias.from_us <= :at
"""
_WITH_ALIASES = """
SELECT given.id FROM {given}
WHERE EXISTS (SELECT 1 FROM alias WHERE alias.dataset = given.id OR alias.physical = given.id)
"""


class FormerName(NamedTuple):
    """A name that a dataset had before a rename, and from when until when it was the dataset's."""

    old: int
    new: int
    since_us: int
    until_us: int


def former_names(
    session: Session, datasets: Collection[int], at: int, side: Literal["dataset", "physical"]
) -> list[FormerName]:
    """The names that datasets had before renames and other tables have at a moment; by the old or the new name.

    The new name is the one that the dataset has at that moment, after whatever renames.
    """
    asked = set(datasets)
    olds = asked if side == "dataset" else _reached(asked, lambda names: session.rows(_STOOD_FOR, ids(names), at=at))
    renames: dict[int, list[_Rename]] = {}

    def targets(names: Collection[int]) -> Iterable[tuple[int]]:
        for old, *rename in session.rows(_RENAMES, ids(names), at=at):
            renames.setdefault(old, []).append(_Rename(*rename))
            yield (rename[1],)

    _reached(olds, targets)
    # A rename replaces what had the new name, so the last one into a dataset counts.
    found: dict[tuple[int, int], FormerName] = {}
    for old in sorted(olds & renames.keys()):
        since = ALWAYS
        for rename in renames[old]:
            if rename.again_us is None or rename.again_us > at:
                break
            new = _name_now(rename, renames)
            if new != old and (side == "dataset" or new in asked):
                found[old, new] = FormerName(old, new, since, rename.again_us)
            since = rename.again_us
    return list(found.values())


class _Rename(NamedTuple):
    us: int
    new: int
    again_us: int | None


def _name_now(rename: _Rename, renames: Mapping[int, Sequence[_Rename]]) -> int:
    """The name of a dataset after a rename and all that followed it."""
    step = rename
    for _ in range(MOST_RENAMES):
        after = renames.get(step.new, ())
        place = bisect_left(after, step.us, key=lambda each: each.us)
        if place == len(after):
            break
        step = after[place]
    return step.new


def _reached(names: Collection[int], step: Callable[[Collection[int]], Iterable[tuple[int]]]) -> set[int]:
    """The names, and all that a step leads to from them."""
    reached, new = set(names), set(names)
    while new:
        new = {name for (name,) in step(new)} - reached
        reached |= new
    return reached


def all_aliases(session: Session, at: int) -> list[Alias]:
    """All aliases at a moment."""
    return session.rows(_AT, at=at)


def alias_pairs(
    session: Session,
    datasets: Collection[int],
    since: int,
    until: int,
    sides: Sequence[Literal["dataset", "physical"]] = ("dataset", "physical"),
) -> list[Alias]:
    """What datasets stood for in a span (side `dataset`), and what stood for them (side `physical`)."""
    if not _may_have_aliases(session):
        return []
    statement = "UNION".join(_PAIRS.format(side=side) for side in sides)
    return session.rows(statement, ids(datasets), since=since, until=until)


def aliases_of(session: Session, dataset: int, at: int) -> set[int]:
    """What stands for a dataset at a moment."""
    return {alias for alias, _ in alias_pairs(session, [dataset], at, at, ["physical"])}


def same_paths(session: Session, fields: Sequence[tuple[int, int]]) -> list[tuple[int, int, int]]:
    """For each (field, other dataset), the field of the same path there (1), or a struct around or inside it (0)."""
    return session.rows(_SAME_PATH, Given("field int, dataset int", fields))


def alias_targets(session: Session, datasets: Iterable[int], at: int) -> list[tuple[int, int, str, str]]:
    """Which datasets stand for another at a moment and were never written themselves: each, and what it stands for."""
    if not _may_have_aliases(session):
        return []
    return session.rows(_STANDS_FOR, ids(datasets), at=at, known=max(at, session.now))


def _may_have_aliases(session: Session) -> bool:
    """Whether to look for aliases: a session that writes may make the first one."""
    return session.remembered is None or store_features(session).aliases


def with_aliases(session: Session, datasets: Collection[int]) -> set[int]:
    """The datasets that ever had another name, or were one."""
    return {key for (key,) in session.rows(_WITH_ALIASES, ids(datasets))}
