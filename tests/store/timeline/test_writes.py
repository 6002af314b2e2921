"""What runs wrote, from facts that are looked at one after the other."""

from __future__ import annotations

from typing import TYPE_CHECKING

from headwater.openlineage.model.event import EventType
from headwater.store.db.codes import EventKind, Role
from headwater.store.entities.key_cache import KnownMention, KnownShape
from headwater.store.model.order import stamp
from headwater.store.timeline.runs import Run
from headwater.store.timeline.writes import Fact, OfRun, stream_versions

if TYPE_CHECKING:
    from collections.abc import Iterator

_WRITTEN = KnownMention(Role.WRITTEN, 9, ("lake", "out"), 1, 5, None, None, 0, None)
_SHAPE = KnownShape(1, EventKind.RUN, 3, streaming=True, mentions=(_WRITTEN,), symlinks=())
_STREAM = OfRun(4, "00000000-0000-0000-0000-000000000000", Run(job=3, streaming=1), frozenset(), lambda *_: None)


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
