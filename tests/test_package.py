"""What `import headwater` offers."""

from __future__ import annotations

import headwater
from headwater.capture.tracker import Tracker
from headwater.query.search.resolve import AmbiguousName, UnknownName


def test_what_is_loaded_late_is_listed() -> None:
    assert {"connect", "lineage", "track", "Tracker"} <= set(dir(headwater))


def test_a_tracker_that_is_off_says_so() -> None:
    assert repr(Tracker.off()) == "<headwater.Tracker: not tracking; the log says why, or it was stopped>"


def test_an_unknown_name_tells_the_nearest() -> None:
    assert str(UnknownName("No dataset matches 'x'", ["lake/x1", "lake/x2"])) == (
        "No dataset matches 'x'. Closest names: lake/x1, lake/x2."
    )
    assert str(UnknownName("No dataset matches 'x'", [])) == "No dataset matches 'x'"
    assert str(AmbiguousName("'x' matches 2 datasets", ["a/x"])) == "'x' matches 2 datasets. Choose one: a/x."
