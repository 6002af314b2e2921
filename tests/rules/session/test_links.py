"""What is behind checkpoints, batches and transposed frames, as later plans refer to it."""

from __future__ import annotations

from tests.rules.plans import columns, edges, known, place, project, rdd

from headwater.rules.operators.analysis import Analysis
from headwater.rules.plan.sources import Output, Relation
from headwater.rules.plan.tree import Plan
from headwater.rules.session.links import Known, Links


def test_an_rdd_has_the_columns_of_what_is_behind_it_by_position() -> None:
    links = Links()
    links.remember_rdd(7, known("orders", "a", "b", rows=["b"]))
    analysis = Analysis(links=links)

    relation = analysis.relation(project(rdd(7, *columns("x", "y", first=20)), *columns("x", "y", first=20)))

    assert edges(relation) == {"x": {"orders.a IDENTITY"}, "y": {"orders.b IDENTITY"}, "rows": {"orders.b FILTER"}}
    assert list(analysis.reads) == [place("orders")]
    assert not analysis.opaque


def test_an_rdd_with_other_columns_or_another_number_is_not_the_one() -> None:
    links = Links()
    links.remember_rdd(7, known("orders", "a", "b"))

    assert links.behind(rdd(7, *columns("a"))) is None
    assert links.behind(rdd(8, *columns("a", "b"))) is None
    assert links.behind(Plan("LogicalRDD", output=columns("a", "b"))) is None
    assert links.behind(rdd(7, *columns("a", "b"))) is links.of_rdd(7)


def test_a_checkpoint_is_found_by_its_rdd_and_by_the_ids_of_its_columns() -> None:
    links = Links()
    orders, users = known("orders", "a", "b"), known("users", "a", "b", ids=[11, 12])
    links.remember_checkpoint(orders, 7)
    links.remember_checkpoint(users, None)

    links.learn([rdd(9, *columns("a", "b", first=11)), rdd(8, *columns("a", "b", first=30))])

    assert links.of_rdd(7) is orders
    assert links.of_rdd(9) is users, "the columns have the ids of the checkpoint"
    assert links.of_rdd(8) is None


def test_what_an_rdd_is_known_to_be_is_not_learned_anew() -> None:
    links = Links()
    links.remember_checkpoint(known("orders", "a"), None)
    links.remember_rdd(9, known("users", "a"))

    links.learn([rdd(9, *columns("a")), Plan("LocalRelation", output=columns("a"))])

    behind = links.of_rdd(9)
    assert behind is not None
    assert list(behind.reads) == [place("users")]


def test_two_checkpoints_with_the_same_ids_may_be_either() -> None:
    links = Links()
    links.remember_checkpoint(known("orders", "a", rows=["a"]), 1)
    links.remember_checkpoint(known("users", "a"), 2)
    links.learn([rdd(3, *columns("a"))])

    either = links.of_rdd(3)

    assert either is not None
    assert edges(either.relation) == {"a": {"orders.a IDENTITY", "users.a IDENTITY"}, "rows": {"orders.a FILTER"}}
    assert list(either.reads) == [place("orders"), place("users")]
    assert either.opaque == {"checkpoint": 1}
    for rdd_id, table in ((1, "orders"), (2, "users")):
        alone = links.of_rdd(rdd_id)
        assert alone is not None
        assert list(alone.reads) == [place(table)], "by its RDD it is the one"


def test_the_same_checkpoint_again_is_not_ambiguous() -> None:
    links = Links()
    links.remember_checkpoint(known("orders", "a"), None)
    links.remember_checkpoint(known("orders", "a"), None)
    links.learn([rdd(3, *columns("a"))])

    behind = links.of_rdd(3)

    assert behind is not None
    assert not behind.opaque


def test_the_next_batch_takes_the_place_of_the_last() -> None:
    links = Links()
    links.remember_batch(known("monday", "a"))
    links.remember_batch(known("tuesday", "a"))
    links.learn([rdd(3, *columns("a"))])

    behind = links.of_rdd(3)

    assert behind is not None
    assert list(behind.reads) == [place("tuesday")]
    assert not behind.opaque


def test_a_transposed_column_may_come_from_any_column_of_the_frame() -> None:
    links = Links()
    links.remember_transposed([5, 6], known("orders", "a", "b", rows=["b"]))
    analysis = Analysis(links=links)

    relation = analysis.relation(Plan("Transpose", output=columns("x", "y", first=5)))

    every = {"orders.a TRANSFORMATION", "orders.b TRANSFORMATION"}
    assert {name: every <= found for name, found in edges(relation).items()} == {"x": True, "y": True, "rows": False}
    assert {"orders.a FILTER", "orders.b FILTER"} <= edges(relation)["rows"]
    assert list(analysis.reads) == [place("orders")]
    assert analysis.opaque == {"Transpose": 1}


def test_a_transposed_frame_that_nobody_saw_is_opaque() -> None:
    for links in (Links(), None):
        analysis = Analysis(links=links)

        relation = analysis.relation(Plan("Transpose", output=columns("x")))

        assert edges(relation) == {"x": set()}
        assert analysis.opaque == {"Transpose": 1}


def test_a_snapshot_keeps_what_is_known_now() -> None:
    links = Links()
    links.remember_rdd(1, known("orders", "a"))
    links.remember_batch(known("orders", "a", ids=[21]))
    links.remember_transposed([5], known("orders", "a"))

    before = links.snapshot()
    links.remember_rdd(1, known("users", "a"))
    links.remember_rdd(2, known("users", "a"))
    before.learn([rdd(4, *columns("a", first=21))])

    assert before.of_rdd(2) is None
    for behind in (
        before.of_rdd(1),
        before.of_rdd(4),
        before.transposed(Plan("Transpose", output=columns("x", first=5))),
    ):
        assert behind is not None
        assert list(behind.reads) == [place("orders")]
    assert links.of_rdd(4) is None


def test_the_weight_counts_what_columns_share_once() -> None:
    behind = known("orders", "a", "b", rows=["a"])
    shared = behind.relation.outputs[0].column
    twice = Relation.of([Output(1, "x", shared), Output(2, "y", shared)], behind.relation.rows)

    assert behind.weight == 3
    assert Known(twice).weight == 2
