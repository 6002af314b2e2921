"""Versions as rows: each write that counts, the sets of datasets that were read for it, and what changed by it."""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from hashlib import sha1
from typing import TypeAlias
from uuid import UUID

from headwater.store.db.codes import Flag
from headwater.store.db.predicates import is_own_write, mostly
from headwater.store.db.session import Given, Row, Session, Soon, ids
from headwater.store.entities.key_cache import Cache
from headwater.store.entities.keys import find_or_add, hash_of
from headwater.store.model.folds import Outcome
from headwater.store.model.meaning import Name
from headwater.store.model.order import stamp_us
from headwater.store.model.short_names import short_hash

NAMESPACE = UUID("8f5e4ab3-8a27-5c0e-9b4f-6a1d7a0f4c11")
STORED = f"""
SELECT version.run, version.dataset, version.job, version.stamp, version.us, version.read_us, version.uuid,
       CASE WHEN version.carried = {Flag.YES} THEN NULL ELSE version.mapping END, version.inputs, version.lifecycle,
       version.whole, version.removal, version.name, version.renamed
FROM {{given}} {{join}} version ON version.run = given.run AND version.us >= given.since
    AND {mostly(is_own_write("version"))}
"""  # noqa: S608  our own words
"""The versions of runs, of each from a moment on."""
_COLUMNS = (
    "dataset, job, stamp, us, read_us, run, uuid, mapping, carried, inputs, lifecycle, whole, removal, name, name_key,"
    " renamed"
)
SlotKey: TypeAlias = tuple[int, int]
VersionKey: TypeAlias = tuple[int, int, bytes]
"""Dataset, job and stamp."""


@dataclass(frozen=True, slots=True)
class Version:
    """A write that counts, by keys; `mapping` is what it says itself.

    `renamed` is the dataset's new name, where a rename removes the old one.
    """

    dataset: int
    job: int
    stamp: bytes
    us: int
    read_us: int
    run: int | None
    uuid: bytes
    mapping: int | None
    inputs: int | None
    lifecycle: str
    whole: bool
    removal: bool
    name: str | None
    renamed: int | None = None

    @classmethod
    def of(  # noqa: PLR0913  the parts of a version
        cls,
        outcome: Outcome,
        *,
        dataset: int,
        job: int,
        stamp: bytes,
        read_us: int,
        uuid: bytes,
        run: int | None = None,
        name: str | None = None,
    ) -> "Version":
        """What an outcome makes; which set of datasets was read is found afterwards, for many at once."""
        effects = (outcome.mapping, None, outcome.lifecycle, outcome.whole, outcome.removal)
        return cls(dataset, job, stamp, stamp_us(stamp), read_us, run, uuid, *effects, name)


@dataclass(slots=True)
class Touched:
    """What has to be derived again: slots, each from the least and to the greatest stamp that changed.

    `renames` are those that came or went: the old dataset, the stamp and the new one.
    """

    slots: dict[SlotKey, tuple[bytes, bytes]] = field(default_factory=dict)
    whole: set[tuple[int, int, bytes]] = field(default_factory=set)
    renames: set[tuple[int, bytes, int]] = field(default_factory=set)

    def add(self, version: Version) -> None:
        """A version that was added or removed."""
        self.slot((version.dataset, version.job), version.stamp)
        if version.whole:
            self.whole.add((version.dataset, version.job, version.stamp))
        if version.renamed is not None:
            self.renames.add((version.dataset, version.stamp, version.renamed))

    def slot(self, key: SlotKey, at: bytes) -> None:
        """A slot in which something changed."""
        since, until = self.slots.get(key, (at, at))
        self.slots[key] = (min(since, at), max(until, at))


class InputSets:
    """Finds and makes the sets of datasets that runs read."""

    def __init__(self, session: Session, cache: Cache) -> None:
        self._session = session
        self._cache = cache

    def keys(self, sets: Iterable[tuple[int, ...]]) -> Mapping[tuple[int, ...], int]:
        """The keys of sets, each sorted."""
        known = self._cache.inputs
        hashes = {reads: inputs_hash(self._natural(reads)) for reads in sets if reads not in known}
        if hashes:
            rows: dict[bytes, Row] = {hashed: (hashed,) for hashed in hashes.values()}
            keys, new = find_or_add(self._session, "inputs", "hash", rows)
            added = [(keys[hashed], dataset) for reads, hashed in hashes.items() if hashed in new for dataset in reads]
            self._session.insert("input", "inputs, dataset", sorted(added), conflict="(inputs, dataset) DO NOTHING")
            for reads, hashed in hashes.items():
                known[reads] = keys[hashed]
        return known

    def renamed(self, sets: Iterable[tuple[int, int, int]]) -> dict[tuple[int, int, int], int]:
        """For each (set, old dataset, new one), the set with the new one in place of the old."""
        wanted = set(sets)
        members: dict[int, set[int]] = defaultdict(set)
        statement = "SELECT input.inputs, input.dataset FROM {given} {join} input ON input.inputs = given.id"
        for key, dataset in self._session.rows(statement, ids({key for key, _, _ in wanted})):
            members[key].add(dataset)
        others = {
            (key, old, new): tuple(sorted(members[key] - {old} | {new}))
            for key, old, new in wanted
            if old in members[key]
        }
        keys = self.keys(others.values())
        return {item: keys[others[item]] if item in others else item[0] for item in wanted}

    def _natural(self, datasets: tuple[int, ...]) -> Iterable[Name]:
        rows = self._session.rows(
            "SELECT dataset.namespace, dataset.name FROM {given} {join} dataset ON dataset.id = given.id", ids(datasets)
        )
        return ((namespace, name) for namespace, name in rows)


class VersionRows:
    """Reads and writes versions in one transaction, and notes which slots they touch."""

    def __init__(self, session: Session, cache: Cache) -> None:
        self._session = session
        self._cache = cache
        self.touched = Touched()

    def ask(self, runs: list[tuple[int, int]]) -> Soon:
        """Ask for what is stored of runs, each from a moment on."""
        return self._session.soon(STORED, Given("run int, since int", runs))

    def resolved(self, versions: Mapping[VersionKey, tuple[Version, tuple[int, ...]]]) -> dict[VersionKey, Version]:
        """Versions with the key of the set of datasets that they read."""
        known = InputSets(self._session, self._cache).keys(reads for _, reads in versions.values() if reads)
        return {
            key: replace(version, inputs=known[reads] if reads else None) for key, (version, reads) in versions.items()
        }

    def replace(self, before: Mapping[VersionKey, Version], after: Mapping[VersionKey, Version]) -> None:
        """Delete what is no longer so, and write what is new."""
        removed = [version for key, version in before.items() if after.get(key) != version]
        if removed:
            rows = [(old.dataset, old.job, old.stamp) for old in removed]
            self._session.delete("version", "dataset, job, stamp", rows)
            for version in removed:
                self.touched.add(version)
        self.insert({key: version for key, version in after.items() if before.get(key) != version})

    def insert(self, versions: Mapping[VersionKey, Version]) -> None:
        """Write versions; which mapping is in effect with each is found out with its slot."""
        rows: list[Row] = []
        for version in versions.values():
            self.touched.add(version)
            rows.append(
                (
                    version.dataset,
                    version.job,
                    version.stamp,
                    version.us,
                    version.read_us,
                    version.run,
                    version.uuid,
                    version.mapping,
                    0,
                    version.inputs,
                    version.lifecycle or None,
                    int(version.whole),
                    int(version.removal),
                    version.name,
                    short_hash(version.name) if version.name else None,
                    version.renamed,
                )
            )
        self._session.insert("version", _COLUMNS, rows)


def inputs_hash(datasets: Iterable[Name]) -> bytes:
    """What stands for a set of datasets in all stores.

    >>> inputs_hash([("a", "b"), ("a", "a")]) == inputs_hash([("a", "a"), ("a", "b")])
    True
    """
    return hash_of(*sorted(datasets))


def stored(rows: Iterable[Row]) -> dict[VersionKey, Version]:
    """Versions as they are stored."""
    versions: dict[VersionKey, Version] = {}
    for run, dataset, job, stamped, us, *rest in rows:
        read_us, uuid, mapping, inputs, lifecycle, whole, removal, name, renamed = rest
        version = Version(
            dataset, job, bytes(stamped), us, read_us, run, bytes(uuid), mapping, inputs, lifecycle or "",
            bool(whole), bool(removal), name, renamed,
        )  # fmt: skip
        versions[dataset, job, version.stamp] = version
    return versions


def version_uuid(dataset: Name, identity: str) -> bytes:
    r"""The id by which a version is known outside: of the dataset's name and what wrote it, the same in every store.

    >>> from uuid import uuid5
    >>> version_uuid(("a", "b"), "c") == uuid5(NAMESPACE, "a\nb\nc").bytes
    True
    """
    named = sha1(NAMESPACE.bytes + f"{dataset[0]}\n{dataset[1]}\n{identity}".encode(), usedforsecurity=False).digest()
    # What `uuid5` makes of it, in a third of the time.
    return b"%b%c%b%c%b" % (named[:6], named[6] & 0x0F | 0x50, named[7:8], named[8] & 0x3F | 0x80, named[9:16])
