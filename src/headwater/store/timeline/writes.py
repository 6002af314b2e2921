"""What runs and declarations wrote, pure: from facts in their order to versions (rules 2, 3, 4, 8, 9 and 10).

Facts come as an iterator and are not kept: a streaming run may have millions of them.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field, replace
from itertools import chain
from typing import NamedTuple, TypeAlias
from uuid import uuid5

from headwater.openlineage.model.event import EventType
from headwater.store.db.codes import NO_JOB, NOTHING, EventKind, Role
from headwater.store.entities.key_cache import KnownMention, KnownShape
from headwater.store.model.folds import Outcome
from headwater.store.model.meaning import Name
from headwater.store.timeline.runs import Run
from headwater.store.timeline.version_rows import NAMESPACE, Version, VersionKey, version_uuid

Written: TypeAlias = tuple[Version, tuple[int, ...]]
"""A version, and the datasets that were read for it."""
ShapeOf: TypeAlias = Callable[[int], KnownShape]

EVER = -(1 << 62)
"""A moment before all others."""
CLOSED_AFTER_US = 24 * 60 * 60 * 1_000_000
"""How long after a run completed its events still say how it went; what it says later counts from its own time on.

So an event of a sender whose clock is wrong takes back nothing. It is a day, as senders' clocks may differ by default.
"""
_VERSION_TYPES = frozenset({EventType.RUNNING, EventType.COMPLETE})
# Of a run that is closed nothing else may follow.
_LATE_TYPES = _VERSION_TYPES | {EventType.OTHER}
_NO_NAME = ("", "")


@dataclass(frozen=True, slots=True)
class Fact:
    """An event, as far as versions depend on it."""

    us: int
    type: EventType
    stamp: bytes
    shape: int


@dataclass(frozen=True, slots=True)
class OfRun:
    """A run whose versions are derived.

    Attributes:
        key: the run's key.
        uuid: its UUID as text.
        run: what is known of it.
        below: the datasets that runs below it write, which it then does not write itself (rule 10), and when the first
            of these runs began.
        name_of: what a version facet calls what it wrote to a dataset at a moment.
    """

    key: int
    uuid: str
    run: Run
    below: Mapping[int, int]
    name_of: Callable[[int, int], str | None]

    def leaves(self, dataset: int, us: int) -> bool:
        """Whether a write that ends at a moment is that of a run below: one that began before this run was closed."""
        return dataset in self.below and self.below[dataset] <= us + CLOSED_AFTER_US


class _Fed(NamedTuple):
    """A dataset, if any, and another job that feeds it; by keys and by names."""

    dataset: int
    job: int
    name: Name
    job_name: Name


@dataclass(slots=True)
class _Statements:
    """What a run's events say of its outputs, all that it read, and what the outputs are called.

    `made_of` are the datasets that single outputs are stated to be made of, as said last; `fed` what other jobs feed,
    and read, the latter for no dataset.
    """

    outcomes: dict[int, Outcome] = field(default_factory=dict)
    reads: set[int] = field(default_factory=set)
    called: dict[int, Name] = field(default_factory=dict)
    made_of: dict[int, set[int]] = field(default_factory=dict)
    fed: dict["_Fed", set[int]] = field(default_factory=dict)

    def hear(self, shape: KnownShape) -> None:
        self.hear_sources(shape)
        for mention in shape.mentions:
            if mention.role == Role.READ:
                self.reads.add(mention.dataset)
            elif mention.role != Role.BEHIND:
                self.called[mention.dataset] = mention.name
                self.outcomes[mention.dataset] = _after(self.outcomes.get(mention.dataset, _NOTHING_SAID), mention)

    def hear_sources(self, shape: KnownShape) -> None:
        for mention in shape.mentions:
            if mention.role >= Role.WRITTEN and mention.said:
                self.made_of.pop(mention.dataset, None)
        names = {mention.dataset: mention.name for mention in shape.mentions}
        for made in shape.made_of:
            if made.job == NO_JOB:
                reads = self.made_of.setdefault(made.dataset, set())
            else:
                reads = self.fed.setdefault(
                    _Fed(made.dataset, made.job, names.get(made.dataset, _NO_NAME), made.by), set()
                )
            if made.source != NOTHING:
                reads.add(made.source)

    def reads_of(self, dataset: int) -> tuple[int, ...]:
        """What was read for an output."""
        return tuple(sorted(self.made_of.get(dataset, self.reads)))

    @property
    def unclaimed(self) -> tuple[int, ...]:
        """What was read, and none of the outputs is made of, where each output states what it is made of."""
        if not self.outcomes or not self.outcomes.keys() <= self.made_of.keys():
            return ()
        return tuple(sorted(self.reads.difference(*self.made_of.values())))


def batch_versions(of: OfRun, facts: Iterable[Fact], shape_of: ShapeOf) -> Iterator[Written]:
    """One version for each output of a run that completed; and what it says after it was closed.

    The last end counts until a day after the run first completed (rule 3).
    """
    mentions = _Statements()
    in_order = iter(facts)
    end: Fact | None = None
    job = NO_JOB
    closed_us: int | None = None
    late: list[Fact] = []
    for fact in in_order:
        if closed_us is not None and fact.us > closed_us:
            late = [fact]
            break
        shape = shape_of(fact.shape)
        mentions.hear(shape)
        job = shape.job
        if fact.type.terminal:
            end = fact
            if closed_us is None and fact.type is EventType.COMPLETE:
                closed_us = fact.us + CLOSED_AFTER_US
    if end is not None and end.type is EventType.COMPLETE and of.run.first_us is not None:
        yield from _of_batch(of, mentions, end, job, of.run.first_us)
    if late:
        yield from _by_moment(of, mentions, chain(late, in_order), shape_of, late=True)


def _of_batch(of: OfRun, mentions: _Statements, end: Fact, job: int, first_us: int) -> Iterator[Written]:
    reads = tuple(sorted(mentions.reads))
    only_read = mentions.unclaimed if mentions.outcomes else reads
    if only_read:
        yield _only_read(job, end.stamp, first_us, of.uuid, of.key), only_read
    yield from _fed_by_others(mentions.fed, end.stamp, first_us, of.uuid, of.key)
    for dataset, outcome in sorted(mentions.outcomes.items()):
        if of.leaves(dataset, end.us):
            continue
        version = Version.of(
            outcome,
            dataset=dataset,
            job=job,
            stamp=end.stamp,
            read_us=first_us,
            run=of.key,
            uuid=version_uuid(mentions.called[dataset], of.uuid),
            name=of.name_of(dataset, end.us),
        )
        of_output = mentions.reads_of(dataset)
        yield version, of_output
        yield from _renaming(version, outcome, of_output)


def stream_versions(of: OfRun, facts: Iterable[Fact], shape_of: ShapeOf, since: int = EVER) -> Iterator[Written]:
    """One version for each output at each time of RUNNING and COMPLETE (rule 4), from a moment on.

    Of what was before that moment, the last fact of each shape is enough.
    """
    return _by_moment(of, _Statements(), facts, shape_of, since)


def _by_moment(  # noqa: PLR0913  what is known of a run, and what follows
    of: OfRun, stated: _Statements, facts: Iterable[Fact], shape_of: ShapeOf, since: int = EVER, *, late: bool = False
) -> Iterator[Written]:
    """One version for each output at each moment that counts; `late`: of a batch run that was closed before."""
    if of.run.job is None:
        return
    types = _LATE_TYPES if late else _VERSION_TYPES
    now: dict[int, tuple[Version, Outcome, tuple[int, ...]]] = {}  # of one moment, by dataset: the last fact counts
    now_us = EVER
    for fact in facts:
        mentions = shape_of(fact.shape).mentions
        if fact.us < since:
            stated.hear(shape_of(fact.shape))
            continue
        if fact.us != now_us:
            yield from _of_moment(now)
            now, now_us = {}, fact.us
        job = shape_of(fact.shape).job if late else of.run.job
        stated.hear_sources(shape_of(fact.shape))
        stated.reads |= {mention.dataset for mention in mentions if mention.role == Role.READ}
        reads = tuple(sorted(stated.reads))
        counts = fact.type in types
        if reads and not stated.outcomes and counts and not _writes(mentions):
            version = _only_read(job, fact.stamp, fact.us, f"{of.uuid}\n{fact.us}", of.key)
            now[NOTHING] = (version, _NOTHING_SAID, reads)
        for mention in mentions:
            if mention.role != Role.WRITTEN:
                continue
            outcome = _after(stated.outcomes.get(mention.dataset, _NOTHING_SAID), mention)
            stated.outcomes[mention.dataset] = outcome
            if not counts or of.leaves(mention.dataset, fact.us):
                continue
            version = Version.of(
                outcome,
                dataset=mention.dataset,
                job=job,
                stamp=fact.stamp,
                read_us=fact.us,
                run=of.key,
                uuid=version_uuid(mention.name, f"{of.uuid}\n{fact.us}"),
                name=of.name_of(mention.dataset, fact.us),
            )
            now[mention.dataset] = (version, outcome, stated.reads_of(mention.dataset))
    yield from _of_moment(now)


def _of_moment(versions: dict[int, tuple[Version, Outcome, tuple[int, ...]]]) -> Iterator[Written]:
    for version, outcome, reads in versions.values():
        yield version, reads
        yield from _renaming(version, outcome, reads)


def declared_versions(fact: Fact, shape: KnownShape) -> Iterator[Written]:
    """What an event without a run says: of a job (rule 8), or of a dataset."""
    role = Role.WRITTEN if shape.kind is EventKind.JOB else Role.DECLARED
    reads = tuple(sorted({read.dataset for read in shape.mentions if read.role == Role.READ}))
    stated = _Statements()
    stated.hear(shape)
    for mention in shape.mentions:
        outcome = _after(_NOTHING_SAID, mention)
        if mention.role != role or (role is Role.DECLARED and not (outcome.said or outcome.whole)):
            continue
        version = Version.of(
            outcome,
            dataset=mention.dataset,
            job=shape.job,
            stamp=fact.stamp,
            read_us=fact.us,
            uuid=version_uuid(mention.name, fact.stamp.hex()),
        )
        yield version, stated.reads_of(mention.dataset) if role is Role.WRITTEN else reads
        yield from _renaming(version, outcome, ())
    yield from _fed_by_others(stated.fed, fact.stamp, fact.us, fact.stamp.hex())
    only_read = stated.unclaimed if _writes(shape.mentions) else reads
    if shape.kind is EventKind.JOB and only_read:
        yield _only_read(shape.job, fact.stamp, fact.us, fact.stamp.hex()), only_read


def strongest(versions: Iterable[Written]) -> dict[VersionKey, Written]:
    """One version for each key: a run that renames one of its own outputs says two things of the old name."""
    by_key: dict[VersionKey, Written] = {}
    for version, reads in versions:
        key = (version.dataset, version.job, version.stamp)
        if key not in by_key or _weight(version) > _weight(by_key[key][0]):
            by_key[key] = (version, reads)
    return by_key


def _weight(version: Version) -> tuple[bool, bytes]:
    return version.removal and version.lifecycle == "RENAME", version.uuid  # that it is gone counts


def _renaming(version: Version, outcome: Outcome, reads: tuple[int, ...]) -> Iterator[Written]:
    """What a rename does to the dataset that had the name before: it ends (rule 9)."""
    if outcome.renamed is not None and outcome.renamed != version.dataset:
        old = replace(
            version,
            dataset=outcome.renamed,
            uuid=uuid5(NAMESPACE, f"{version.uuid.hex()}\nrenamed").bytes,
            mapping=None,
            whole=True,
            removal=True,
            name=None,
            renamed=version.dataset,
        )
        yield old, reads


def _fed_by_others(
    fed: Mapping["_Fed", AbstractSet[int]], stamped: bytes, read_us: int, identity: str, run: int | None = None
) -> Iterator[Written]:
    """What other jobs feed into datasets, and what they read, as the event of this one states it.

    What a job feeds is made of all that it reads; where it feeds nothing, it only reads.
    """
    read_by = {job: reads for (dataset, job, *_), reads in fed.items() if dataset == NOTHING}
    feeding = {job for dataset, job, *_ in fed if dataset != NOTHING}
    for (dataset, job, name, job_name), reads in sorted(fed.items()):
        if dataset == NOTHING and job in feeding:
            continue
        uuid = version_uuid(name, "\n".join((identity, *job_name)))
        version = Version.of(
            _NOTHING_SAID, dataset=dataset, job=job, stamp=stamped, read_us=read_us, run=run, uuid=uuid
        )
        yield version, tuple(sorted({*reads, *read_by.get(job, ())}))


def _only_read(job: int, stamped: bytes, read_us: int, identity: str, run: int | None = None) -> Version:
    """What stands for a write of nothing, so that the job is known to read."""
    uuid = version_uuid(_NO_NAME, identity)
    return Version.of(_NOTHING_SAID, dataset=NOTHING, job=job, stamp=stamped, read_us=read_us, run=run, uuid=uuid)


def _writes(mentions: Sequence[KnownMention]) -> bool:
    return any(mention.role == Role.WRITTEN for mention in mentions)


def _after(outcome: Outcome, mention: KnownMention) -> Outcome:
    return outcome.then(
        said=mention.said,
        mapping=mention.mapping,
        lifecycle=mention.lifecycle,
        partial=mention.partial,
        renamed=mention.renamed,
    )


_NOTHING_SAID = Outcome()
