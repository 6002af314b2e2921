"""A long-running application: 2,000 random statements leave memory, threads and what is remembered as they were."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = [pytest.mark.spark, pytest.mark.slow]


def test_two_thousand_statements_leave_nothing_behind() -> None:
    """In a process of its own: what other tests leave in this one would be counted."""
    run = subprocess.run(
        [sys.executable, "-m", "tests.truth.programs.soak"],
        cwd=Path(__file__).parents[2], capture_output=True, text=True, check=False,
    )  # fmt: skip

    assert run.returncode == 0, run.stdout + run.stderr
