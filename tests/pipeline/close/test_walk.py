"""Walks from many columns at once find what single walks find, cycles included."""

from __future__ import annotations

import random
from operator import itemgetter
from typing import Any

import numpy as np
import pytest
import rustworkx as rx

from headwater.common.masking import Passage
from headwater.pipeline.close import walk
from headwater.pipeline.close.aliases import tops
from headwater.pipeline.close.answers import reach, roots
from headwater.pipeline.close.walk import MASKED, Graph, kinds_of, label_of
from headwater.query.graph.answer import Kind
from headwater.query.lineage.summary import classes, in_the_clear
from headwater.store.db.codes import FIELD_BITS
from headwater.store.entities.keys import rows_of

NODES = 240
NONE = np.empty(0, np.int64)
# Most steps leave masking alone.
PASSAGES = (*[Passage.AS_IT_IS] * 5, *Passage)


def _field(number: int) -> int:
    """Six columns a dataset; the number after them is the dataset's rows."""
    dataset, place = divmod(number, 6)
    return rows_of(dataset + 1) + place + 1


@pytest.fixture(params=range(4))
def arcs(request: Any) -> list[tuple[int, int, int, Passage, int]]:  # noqa: ANN401  pytest's
    """Steps between columns at random, with cycles and loops: start, end, class, masking, job."""
    chance = random.Random(request.param)  # noqa: S311  data
    return [
        (
            _field(chance.randrange(NODES)),
            _field(chance.randrange(NODES)),
            chance.randrange(4),
            chance.choice(PASSAGES),
            chance.randrange(9),
        )
        for _ in range(chance.choice((150, 300, 500)))
    ]


def _graph(arcs: list[tuple[int, int, int, Passage, int]], free: tuple[Any, Any] = (NONE, NONE)) -> Graph:
    starts, ends, kinds, masking, _ = (np.array(side) for side in zip(*arcs, strict=True))
    labels = [label_of(int(kind), Passage(one)) for kind, one in zip(kinds, masking, strict=True)]
    every = np.array([_field(number) for number in range(NODES)])
    return Graph(starts, ends, np.array(labels, np.uint8), free, every)


def _reached(graph: Graph) -> dict[int, dict[int, tuple[int, Kind, bool]]]:
    found: dict[int, dict[int, tuple[int, Kind, bool]]] = {}
    for sources, walked in graph.walks(np.arange(graph.size)):
        kinds = kinds_of(walked.labels)
        for at, node, distance, kind, label in zip(
            walked.walks, walked.nodes, walked.distances, kinds, walked.labels, strict=True
        ):
            source = int(graph.ids[sources[at]])
            found.setdefault(source, {})[int(graph.ids[node])] = int(distance), Kind(kind), bool(label & MASKED)
    return found


def test_distances_are_those_of_rustworkx(arcs: list[tuple[int, int, int, Passage, int]]) -> None:
    graph = _graph(arcs)
    other = rx.PyDiGraph()
    other.add_nodes_from([int(one) for one in graph.ids])
    other.add_edges_from_no_data(list(zip(graph.starts.tolist(), graph.ends.tolist(), strict=True)))
    reached = _reached(graph)
    for number, source in enumerate(graph.ids.tolist()):
        found = reached[source]
        lengths = rx.digraph_dijkstra_shortest_path_lengths(other, number, lambda _: 1.0)
        expected = {other[node]: int(length) for node, length in lengths.items() if node != number}
        assert {node: told[0] for node, told in found.items() if told[0]} == expected


def test_classes_and_masking_are_those_of_one_answer(arcs: list[tuple[int, int, int, Passage, int]]) -> None:
    steps: dict[int, list[tuple[int, int, Passage]]] = {}
    for start, end, kind, masking, _ in arcs:
        steps.setdefault(start, []).append((end, kind, masking))
    for source, found in _reached(_graph(arcs)).items():
        assert {node: told[1] for node, told in found.items()} == classes([source], steps)
        assert {node for node, told in found.items() if not told[2]} == in_the_clear([source], steps, up=True)


def test_batches_of_any_size_find_the_same(
    arcs: list[tuple[int, int, int, Passage, int]], monkeypatch: pytest.MonkeyPatch
) -> None:
    expected = _reached(_graph(arcs))
    monkeypatch.setattr(walk, "_FIRST_BATCH", 3)
    monkeypatch.setattr(walk, "_PAIRS", 40)
    assert _reached(_graph(arcs)) == expected


def test_a_long_way_is_walked_to_its_end() -> None:
    ids = (np.arange(3_000) + 1) << FIELD_BITS | 1
    graph = Graph(
        ids[1:], ids[:-1], np.full(2_999, label_of(Kind.TRANSFORMATION, Passage.AS_IT_IS), np.uint8), (NONE, NONE), ids
    )
    walked = graph.walk(np.array([2_999, 10]))
    last = walked.only(walked.nodes == 0)
    assert last.distances.tolist() == [2_999, 10]
    assert kinds_of(last.labels).tolist() == [Kind.TRANSFORMATION] * 2


def test_rows_cost_nothing() -> None:
    column, other, source = rows_of(1) + 1, rows_of(1) + 2, rows_of(2) + 1
    free = np.array([column, other]), np.array([rows_of(1), rows_of(1)])
    label = np.array([label_of(Kind.INDIRECT, Passage.AS_IT_IS)], np.uint8)
    graph = Graph(np.array([rows_of(1)]), np.array([source]), label, free, NONE)
    (batch,) = roots(graph, np.searchsorted(graph.ids, [column, source]), graph.starts, np.array([7]))
    told = {"root": [source], "distance": [1], "kind": [Kind.INDIRECT], "masked": [False]}
    nothing: dict[str, list[int]] = {name: [] for name in told}
    assert sorted(batch.to_pylist(), key=itemgetter("field")) == [
        {"field": column, **told},
        {"field": source, **nothing},
    ]


def test_roots_and_reach_are_counted_as_one_would(
    arcs: list[tuple[int, int, int, Passage, int]], monkeypatch: pytest.MonkeyPatch
) -> None:
    graph = _graph(arcs)
    everywhere = np.arange(graph.size)
    jobs = np.array([job for *_, job in arcs])
    found = _reached(graph)
    ends = {node for node in found if node not in {start for start, *_ in arcs}}
    for marks in (1 << 20, 1):
        monkeypatch.setattr("headwater.pipeline.close.answers._MARKS", marks)
        told = [row for batch in reach(graph, everywhere, graph.starts, jobs) for row in batch.to_pylist()]
        for row in told:
            seen = found[row["field"]].keys()
            others = seen - {row["field"]}
            assert row["reach_columns"] == len(others)
            assert row["reach_datasets"] == len({node >> FIELD_BITS for node in others})
            assert row["reach_jobs"] == len({job for start, *_, job in arcs if start in seen} - {0})
            assert row["orphan"] == all(start != row["field"] or end == start for start, end, *_ in arcs)
    for batch in roots(graph, everywhere, graph.starts, jobs):
        for row in batch.to_pylist():
            assert set(row["root"]) == (found[row["field"]].keys() & ends) - {row["field"]}


def test_the_last_name_stands_for_all_and_a_circle_has_a_first() -> None:
    assert tops({1: 2, 2: 3, 4: 3}, {2: b"", 3: b""}) == {1: 3, 2: 3, 3: 3, 4: 3}
    assert tops({1: 2, 2: 3, 3: 2}, {2: b"z", 3: b"a"}) == {1: 3, 2: 3, 3: 3}
