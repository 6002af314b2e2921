"""An event is valid or not by what is in it alone: whatever was seen before, and wherever it comes in."""

from __future__ import annotations

import json
from copy import deepcopy
from random import Random
from typing import TYPE_CHECKING, Any

import pytest
from tests.fuzz.events import EXAMPLES, FULL, changed, odd_value, written

from headwater.openlineage.model.event import BadEvent
from headwater.openlineage.model.event_text import event_of
from headwater.openlineage.model.limits import MOST_BYTES, MOST_LEVELS
from headwater.pipeline.validate.lines import verdict
from headwater.server.http.errors import ApiError
from headwater.server.ingest.event_bodies import read_batch, read_event
from headwater.store import open_store
from headwater.store.ingest.prepared_event import Ready, make_ready, ready_of_text
from headwater.store.model.event_parts import KnownBody

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from tests.store.conftest import View

    from headwater.store import Store

_DEPTH = 200
_STATISTICS = ("inputs", 0, "inputFacets", "inputStatistics")


def _with(value: object, *place: str | int, of: dict[str, Any] = FULL) -> dict[str, Any]:
    event = deepcopy(of)
    holder: Any = event
    for key in place[:-1]:
        holder = holder[key]
    holder[place[-1]] = value
    return event


def _judged(event: Any, known: dict[bytes, KnownBody]) -> object:  # noqa: ANN401  JSON
    """The hash of an event, or why it is refused."""
    try:
        ready = make_ready(event, known)
    except BadEvent as bad:
        return bad.field, bad.reason
    ready.remember(known)
    return ready.hash


@pytest.mark.parametrize(
    ("place", "value"),
    [
        (_STATISTICS, "x"),
        (_STATISTICS, {"rowCount": "x"}),
        (("outputs", 0, "outputFacets", "outputStatistics"), []),
        (("outputs", 0, "outputFacets", "unknown"), 7),
        (("inputs", 0, "facets", "version"), "x"),
        (("inputs", 0, "facets", "version"), {"datasetVersion": ""}),
        (("inputs", 0, "facets", "version"), {"datasetVersion": "\ud800"}),
        (("run", "facets", "nominalTime"), {"nominalStartTime": 7}),
        (("run", "facets", "parent"), {}),
        (("blob",), "x" * (MOST_BYTES + 1)),
        (("run", "facets", "unknown"), {"x": "x" * (MOST_BYTES - 1000)}),
        (("schemaURL",), "#/$defs/DatasetEvent"),
    ],
    ids=lambda value: ".".join(map(str, value)) if isinstance(value, tuple) else "",
)
def test_what_differs_from_run_to_run_is_checked_also_where_the_rest_is_known(
    place: tuple[str | int, ...], value: object
) -> None:
    bad = _with(value, *place)
    known: dict[bytes, KnownBody] = {}
    assert isinstance(_judged(FULL, known), bytes)
    cold = _judged(bad, {})
    assert not isinstance(cold, bytes)
    assert _judged(bad, known) == cold


@pytest.mark.parametrize("listed", ["inputs", "dataset"])
def test_a_version_without_a_run_is_checked_also_where_the_rest_is_known(listed: str) -> None:
    of = next(event for event in EXAMPLES if listed in event and "run" not in event)
    known: dict[bytes, KnownBody] = {}
    assert isinstance(_judged(of, known), bytes)
    place = ("inputs", 0, "facets", "version") if listed == "inputs" else ("dataset", "facets", "version")
    where = "inputs[0]" if listed == "inputs" else "dataset"
    bad = _with({"datasetVersion": ""}, *place, of=of)
    assert _judged(bad, known) == _judged(bad, {}) == (f"{where}.facets.version.datasetVersion", "is empty")


def test_a_body_means_the_same_in_every_event_that_has_it() -> None:
    """With a run, a dataset beside a job is one more field; without one, it is not the event of a dataset."""
    both = {**FULL, "dataset": 7}
    del both["schemaURL"]
    known: dict[bytes, KnownBody] = {}
    assert isinstance(_judged(both, known), bytes)
    alone = {key: value for key, value in both.items() if key not in {"run", "eventType"}}
    assert _judged(alone, known) == _judged(alone, {}) == ("run", "is missing")
    dataset = {"eventTime": FULL["eventTime"], "dataset": FULL["outputs"][0]}
    assert isinstance(_judged(dataset, known), bytes)
    assert _judged({**dataset, "eventType": "START"}, known) == ("job", "is missing")


@pytest.mark.parametrize("levels", [MOST_LEVELS, MOST_LEVELS + 1, 900, 100_000])
@pytest.mark.parametrize("place", [("job", "facets", "x"), ("run", "facets", "x")], ids=["body", "rest"])
def test_the_depth_of_an_event_has_one_limit_however_deep_the_call_is(place: tuple[str, ...], levels: int) -> None:
    around = len(place)  # the levels around the facet, without the event itself
    text = json.dumps(_with("DEEP", *place)).replace(
        '"DEEP"', '{"a":' * (levels - around + 1) + "1" + "}" * (levels - around + 1)
    )

    def judged(deeper: int) -> object:
        if deeper:
            return judged(deeper - 1)
        result = verdict(text.encode(), {})
        return (result.field, result.reason) if isinstance(result, BadEvent) else result.hash

    assert isinstance(judged(0), bytes) == (levels == MOST_LEVELS)
    assert judged(0) == judged(300) or levels > MOST_LEVELS


@pytest.mark.parametrize("seed", range(8))
def test_any_event_gets_the_same_verdict_wherever_it_comes_in_and_whatever_was_seen_before(
    seed: int, store: Store, tmp_path: Path, natural_view: Callable[[Store], View]
) -> None:
    random = Random(seed)  # noqa: S311  data
    known: dict[bytes, KnownBody] = {}
    lines: list[bytes] = []
    for _ in range(150):
        example = random.choice(EXAMPLES)
        _judged(example, known)  # its twin
        line = written(changed(example, random), random).replace(b"\n", b" ")
        lines.append(line)
        cold, warm, again = (verdict(line, cache) for cache in ({}, known, known))
        if isinstance(cold, BadEvent):
            assert isinstance(warm, BadEvent), line
            assert str(warm) == str(cold), line
            with pytest.raises(ApiError):
                read_event(store, line, _DEPTH)
            continue
        for other in (warm, again, read_event(store, line, _DEPTH), make_ready(event_of(line))):
            assert not isinstance(other, BadEvent), line
            assert (other.hash, other.body_hash, other.rest, other.kind) == (
                cold.hash,
                cold.body_hash,
                cold.rest,
                cold.kind,
            )
        cold.remember(known)
        assert store.ingest([event_of(line)]).rejected == ()
    good = [line for line in lines if not isinstance(verdict(line, {}), BadEvent)]
    assert 20 < len(good) < len(lines) - 20
    # In one batch, after the events one by one; those of a batch that are bad are left out, and no more.
    batch = read_batch(store, b"\n".join(line for line in lines if _is_utf8(line)), _DEPTH, len(lines))
    assert {event.hash for event in batch.ready} == {make_ready(event_of(line)).hash for line in good}
    exported = [json.loads(json.dumps(event)) for event in store.events()]
    with open_store(str(tmp_path / "again.db")) as again_store:
        result = again_store.ingest(exported)
        assert result.rejected == ()
        assert list(again_store.events()) == exported
        assert natural_view(again_store) == natural_view(store)


@pytest.mark.parametrize("seed", range(6))
def test_an_event_is_the_same_where_its_body_is_known_by_how_it_is_written(seed: int) -> None:
    random = Random(seed)  # noqa: S311  data
    known: dict[bytes, KnownBody] = {}
    recognized = 0
    for _ in range(120):
        event = random.choice(EXAMPLES)
        twin = json.dumps(event, ensure_ascii=random.random() < 0.5, indent=random.choice((None, 1))).encode()
        _of_text(twin, known).remember(known)
        # As another run says it; then with more that differs, in what repeats or in the rest.
        again = deepcopy(event)
        again["eventTime"] = f"2026-03-01T00:00:{random.randrange(60):02}Z"
        for dataset in (*again.get("inputs", ()), *again.get("outputs", ())):
            if "version" in dataset.get("facets", {}):
                dataset["facets"]["version"]["datasetVersion"] = str(random.randrange(100))
        for line in (json.dumps(again).encode(), _changed_rest(again, random), written(changed(again, random), random)):
            for _twice in range(2):
                cold, warm = _outcome(line, {}), _outcome(line, known)
                if isinstance(cold, Ready) and isinstance(warm, Ready):
                    recognized += isinstance(warm.raw, bytes)
                    assert warm.read() == cold.read(), line
                    assert warm.content() == cold.content(), line
                    same = {name: getattr(cold, name) for name in _SAME}
                    assert {name: getattr(warm, name) for name in _SAME} == same, line
                    warm.remember(known)
                else:
                    assert warm == cold, line
    assert recognized > 150


_SAME = ("hash", "stamp", "kind", "us", "type", "run", "parent", "versions", "body_hash", "rest")


def _changed_rest(event: dict[str, Any], random: Random) -> bytes:
    """The event with something odd in what does not repeat."""
    event = deepcopy(event)
    holders = [event, event.get("run", {})]
    holders += [dataset.get(key, {}) for dataset in event.get("outputs", ()) for key in ("outputFacets", "facets")]
    holder = random.choice(holders)
    names = [
        name for name in ("eventTime", "eventType", "runId", "facets", "outputStatistics", "version") if name in holder
    ]
    if names and holder is not event.get("outputs"):
        holder[random.choice(names)] = odd_value(random)
    return json.dumps(event).encode()


def _of_text(line: bytes, known: dict[bytes, KnownBody]) -> Ready:
    return ready_of_text(line, event_of, known)


def _outcome(line: bytes, known: dict[bytes, KnownBody]) -> object:
    """The event of a line, or why it is refused."""
    try:
        return _of_text(line, known)
    except BadEvent as bad:
        return str(bad)


def _is_utf8(line: bytes) -> bool:
    try:
        line.decode()
    except UnicodeDecodeError:
        return False
    return True
