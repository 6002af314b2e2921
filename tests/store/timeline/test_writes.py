"""What runs wrote, from facts that are looked at one after the other."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, TypeAlias

import pytest

from headwater.openlineage.model.event import EventType
from headwater.store.db.codes import NOTHING, EventKind, Role
from headwater.store.entities.key_cache import KnownMention, KnownShape
from headwater.store.model.order import stamp
from headwater.store.timeline.runs import Run
from headwater.store.timeline.version_rows import version_uuid
from headwater.store.timeline.writes import (
    CLOSED_AFTER_US,
    EVER,
    Fact,
    OfRun,
    Written,
    batch_versions,
    declared_versions,
    stream_versions,
    strongest,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

_WRITTEN = KnownMention(Role.WRITTEN, 9, ("lake", "out"), 1, 5, None, None, 0, None)
_SHAPE = KnownShape(1, EventKind.RUN, 3, streaming=True, mentions=(_WRITTEN,), symlinks=())
_STREAM = OfRun(4, "00000000-0000-0000-0000-000000000000", Run(job=3, streaming=1), {}, lambda *_: None)


def test_a_streams_versions_come_while_its_facts_do_and_none_of_them_is_kept() -> None:
    given: list[int] = []

    def facts() -> Iterator[Fact]:
        for us in range(1_000):
            given.append(us)
            yield Fact(us, EventType.RUNNING, stamp(us, 1, b""), 1)

    for place, (version, _) in enumerate(stream_versions(_STREAM, facts(), lambda _: _SHAPE)):
        assert version.us == place
        assert len(given) <= place + 2, "a version has to wait for its own moment to end, and for no more"


def test_of_what_a_stream_said_before_a_moment_only_the_outcome_counts() -> None:
    facts = [Fact(us, EventType.RUNNING, stamp(us, 1, b""), 1) for us in (1, 2, 3)]
    assert [version.us for version, _ in stream_versions(_STREAM, facts, lambda _: _SHAPE, since=3)] == [3]


# --- what makes a version --------------------------------------------------------------------------------------------

_UUID = "00000000-0000-0000-0000-000000000000"
_Short: TypeAlias = tuple[int, int, "int | None", "tuple[int, ...]"]


def _mention(
    dataset: int,
    role: Role = Role.WRITTEN,
    *,
    said: int = 1,
    mapping: int | None = 5,
    **more: Any,  # noqa: ANN401
) -> KnownMention:
    given: dict[str, Any] = {"schema": None, "lifecycle": None, "partial": 0, "renamed": None, **more}
    return KnownMention(role, dataset, ("lake", f"d{dataset}"), said, mapping, **given)


def _read(dataset: int) -> KnownMention:
    return _mention(dataset, Role.READ, said=0, mapping=None)


def _shape(*mentions: KnownMention, kind: EventKind = EventKind.RUN) -> KnownShape:
    return KnownShape(1, kind, 3, streaming=False, mentions=mentions, symlinks=())


def _fact(us: int, shape: int = 0, kind: EventType = EventType.RUNNING) -> Fact:
    return Fact(us, kind, stamp(us, kind.rank, b""), shape)


def _of(run: Run, *below: int) -> OfRun:
    return OfRun(4, _UUID, run, dict.fromkeys(below, 0), lambda dataset, us: f"v{dataset}@{us}")


_ENDED = Run(first_us=10, job=3, job_stamp=b"", end_type=3, end_stamp=stamp(20, 3, b""))


def _short(written: Iterable[Written]) -> list[_Short]:
    return [(version.dataset, version.us, version.mapping, reads) for version, reads in written]


def _batch(*shapes: KnownShape, of: OfRun | None = None) -> list[Written]:
    facts = [_fact(10 + place, place) for place, _ in enumerate(shapes[1:])]
    facts.append(_fact(20, len(shapes) - 1, EventType.COMPLETE))
    return list(batch_versions(of or _of(_ENDED), facts, shapes.__getitem__))


def test_a_run_that_completes_makes_a_version_of_each_output() -> None:
    written = _batch(_shape(_read(7), _mention(9)), _shape(_read(6), _mention(8, mapping=2), _mention(9, mapping=4)))

    assert _short(written) == [(8, 20, 2, (6, 7)), (9, 20, 4, (6, 7))]
    version = written[0][0]
    assert (version.job, version.run, version.read_us, version.name) == (3, 4, 10, "v8@20")
    assert version.uuid == version_uuid(("lake", "d8"), _UUID)
    assert version.uuid != written[1][0].uuid


_DAY = CLOSED_AFTER_US


@pytest.mark.parametrize("kind", [EventType.FAIL, EventType.ABORT, EventType.START])
@pytest.mark.parametrize(("us", "versions"), [(20 + _DAY, None), (21 + _DAY, [20])])
def test_what_a_run_says_a_day_after_it_completed_takes_nothing_back(
    kind: EventType, us: int, versions: list[int] | None
) -> None:
    shape = _shape(_mention(9))
    facts = [_fact(10), _fact(20, kind=EventType.COMPLETE), _fact(us, kind=kind)]
    expected = ([20] if kind is EventType.START else []) if versions is None else versions
    assert [version.us for version, _ in batch_versions(_of(_ENDED), facts, lambda _: shape)] == expected


@pytest.mark.parametrize("kind", [EventType.RUNNING, EventType.OTHER, EventType.COMPLETE])
def test_what_a_run_says_a_day_after_it_completed_counts_from_then_on(kind: EventType) -> None:
    shapes = [_shape(_read(7), _mention(9)), replace(_shape(_mention(9, mapping=6)), job=8)]
    facts = [_fact(20, kind=EventType.COMPLETE), _fact(30 + _DAY, 1, kind)]
    written = list(batch_versions(_of(_ENDED), facts, shapes.__getitem__))
    assert _short(written) == [(9, 20, 5, (7,)), (9, 30 + _DAY, 6, (7,))]
    assert [version.job for version, _ in written] == [3, 8]
    assert len({version.uuid for version, _ in written}) == 2


def test_what_a_run_says_of_its_end_within_a_day_of_it_still_counts() -> None:
    shapes = [_shape(_mention(9)), _shape(_mention(9, mapping=6))]
    ends = [_fact(20, kind=EventType.COMPLETE), _fact(30, 1, EventType.COMPLETE)]
    assert _short(batch_versions(_of(_ENDED), ends, shapes.__getitem__)) == [(9, 30, 6, ())]


@pytest.mark.parametrize(("began", "written"), [(20 + _DAY, []), (21 + _DAY, [9])])
def test_a_run_below_that_begins_a_day_later_writes_for_itself(began: int, written: list[int]) -> None:
    of = replace(_of(_ENDED), below={9: began})
    shape = _shape(_mention(9))
    found = batch_versions(of, [_fact(20, kind=EventType.COMPLETE)], lambda _: shape)
    assert [version.dataset for version, _ in found] == written


def test_what_a_run_below_writes_the_run_does_not_write() -> None:
    written = _batch(_shape(_read(7), _mention(8), _mention(9)), of=_of(_ENDED, 8))

    assert _short(written) == [(9, 20, 5, (7,))]


def test_a_run_of_which_too_little_is_known_makes_no_version() -> None:
    assert _batch(_shape(_mention(9)), of=_of(replace(_ENDED, first_us=None))) == []
    assert list(batch_versions(_of(_ENDED), [_fact(10)], lambda _: _shape(_mention(9)))) == []


def test_a_run_that_only_reads_is_known_to_read() -> None:
    ((version, reads),) = _batch(_shape(_read(7), _read(6)))

    assert (version.dataset, version.job, version.run, version.read_us, version.us) == (NOTHING, 3, 4, 10, 20)
    assert (version.mapping, version.whole, reads) == (None, False, (6, 7))
    assert _batch(_shape()) == []
    assert _short(_batch(_shape(_mention(9)))) == [(9, 20, 5, ())]


def test_a_rename_ends_the_dataset_under_its_old_name() -> None:
    renamed = _mention(9, lifecycle="RENAME", renamed=8)
    (new, _), (old, reads) = _batch(_shape(_read(7), renamed))

    assert (new.dataset, new.whole, new.removal, new.mapping) == (9, True, False, 5)
    assert (old.dataset, old.whole, old.removal, old.mapping, old.name) == (8, True, True, None, None)
    assert (old.stamp, old.job, reads) == (new.stamp, new.job, (7,))
    assert old.uuid != new.uuid
    assert len(_batch(_shape(_mention(9, lifecycle="RENAME", renamed=9)))) == 1, "to its own name"


def test_that_a_dataset_is_gone_counts_more_than_that_it_was_written() -> None:
    both = _batch(_shape(_mention(8), _mention(9, lifecycle="RENAME", renamed=8)))

    for order in (both, both[::-1]):
        found = strongest(order)
        assert {key[0]: version.removal for key, (version, _) in found.items()} == {8: True, 9: False}


def test_of_equal_versions_the_choice_does_not_depend_on_the_order() -> None:
    ((version, reads),) = _batch(_shape(_mention(9)))
    other = replace(version, uuid=bytes(16))

    assert strongest([(version, reads), (other, reads)]) == strongest([(other, reads), (version, reads)])
    assert next(iter(strongest([(other, ()), (version, ())]).values()))[0] is version


# --- streams ---------------------------------------------------------------------------------------------------------


def _stream(facts: Iterable[Fact], *shapes: KnownShape, of: OfRun | None = None, since: int = EVER) -> list[Written]:
    return list(stream_versions(of or _of(Run(job=3, streaming=1)), facts, shapes.__getitem__, since))


def test_a_stream_writes_at_each_moment_and_of_one_moment_the_last_word_counts() -> None:
    shapes = (_shape(_read(7), _mention(9)), _shape(_mention(9, mapping=6), _mention(8)))
    written = _stream([_fact(1, 0), _fact(1, 1), _fact(2, 0)], *shapes)

    assert _short(written) == [(9, 1, 6, (7,)), (8, 1, 5, (7,)), (9, 2, 5, (7,))]
    version = written[0][0]
    assert (version.job, version.run, version.read_us, version.name) == (3, 4, 1, "v9@1")
    assert version.uuid == version_uuid(("lake", "d9"), f"{_UUID}\n1")


def test_only_progress_and_completion_of_a_stream_are_versions() -> None:
    facts = [_fact(1, 0, EventType.START), _fact(2, 1, EventType.RUNNING), _fact(3, 1, EventType.FAIL)]
    written = _stream(facts, _shape(_mention(9)), _shape(_mention(9, said=0, mapping=None)))

    assert _short(written) == [(9, 2, 5, ())], "what was said at the start still holds"


def test_a_stream_that_only_reads_is_known_to_read_at_each_moment() -> None:
    shapes = (_shape(_read(7)), _shape(_mention(9)))
    written = _stream([_fact(1, 0, EventType.START), _fact(2), _fact(3), _fact(4, 1), _fact(5)], *shapes)

    assert _short(written) == [(NOTHING, 2, None, (7,)), (NOTHING, 3, None, (7,)), (9, 4, 5, (7,))]
    assert len({version.uuid for version, _ in written}) == 3
    assert written[0][0].read_us == 2


def test_what_a_stream_read_and_said_before_a_moment_holds_after_it() -> None:
    shapes = (_shape(_read(7), _mention(9)), _shape(_mention(9, said=0, mapping=None)))

    assert _short(_stream([_fact(1, 0), _fact(3, 1)], *shapes, since=3)) == [(9, 3, 5, (7,))]
    assert _short(_stream([_fact(1, 0), _fact(3, 0)], *shapes, since=4)) == []


def test_a_stream_without_a_job_or_with_runs_below() -> None:
    shape = _shape(_mention(8), _mention(9, lifecycle="RENAME", renamed=6))

    assert _stream([_fact(1)], shape, of=_of(Run(streaming=1))) == []
    below = _stream([_fact(1)], shape, of=_of(Run(job=3, streaming=1), 8))
    assert [version.dataset for version, _ in below] == [9, 6]


# --- what is declared ------------------------------------------------------------------------------------------------


def _declared(*mentions: KnownMention, kind: EventKind) -> list[Written]:
    return list(declared_versions(_fact(5), _shape(*mentions, kind=kind)))


def test_an_event_of_a_job_declares_its_outputs() -> None:
    written = _declared(_read(7), _mention(9), _mention(8, Role.DECLARED), kind=EventKind.JOB)

    assert _short(written) == [(9, 5, 5, (7,))]
    version = written[0][0]
    assert (version.job, version.run, version.read_us) == (3, None, 5)
    assert _short(_declared(_read(7), kind=EventKind.JOB)) == [(NOTHING, 5, None, (7,))]
    assert _declared(kind=EventKind.JOB) == []


def test_an_event_of_a_dataset_declares_where_it_says_something() -> None:
    def declared(**more: Any) -> list[_Short]:  # noqa: ANN401
        return _short(_declared(_mention(9, Role.DECLARED, **more), _read(7), kind=EventKind.DATASET))

    assert declared() == [(9, 5, 5, (7,))]
    assert declared(said=0, mapping=None) == []
    assert declared(said=0, mapping=None, lifecycle="DROP") == [(9, 5, None, (7,))]
    assert declared(said=0, mapping=None, lifecycle="CREATE") == []
    assert _declared(_mention(9), kind=EventKind.DATASET) == []
