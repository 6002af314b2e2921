"""`make test`: a group of tests that fails stops none of the others, and the end says how each of them ended."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
GROUPS = {"test-server", "test-store", "test-page", "test-pipeline", "test-spark", "test-lake", "test-cli"}


def make(folder: Path, failing: str, *arguments: str, **variables: str) -> subprocess.CompletedProcess[str]:
    """Run make with stubs for pytest and for the scripts, which print what they have of Python's variables.

    A command with `failing` in it fails.
    """
    if shutil.which("make") is None:
        pytest.skip("needs make")
    stub = folder / "stub.sh"
    stub.write_text(f'#!/bin/sh\nenv | grep ^PYTHON\ncase "$*" in *{failing}*) exit 1;; esac\n', encoding="utf-8")
    stub.chmod(0o700)
    # A make that runs the tests hands its own variables on, RESULTS among them.
    environment = {name: os.environ[name] for name in ("PATH", "HOME", "TMPDIR") if name in os.environ}
    return subprocess.run(
        ["make", *arguments, f"PYTEST={stub}", f"PYTHON={stub}"],
        cwd=ROOT,
        env={**environment, **variables},
        capture_output=True,
        text=True,
        check=False,
    )


def ended(output: str) -> dict[str, str]:
    """How each group ended, by the lines at the end."""
    return {name: how for how, name in re.findall(r"^(passed|FAILED) +\d+ s  (.*)$", output, re.MULTILINE)}


@pytest.mark.parametrize("jobs", ["JOBS=", "JOBS=2"])
def test_a_group_that_fails_stops_no_other(tmp_path: Path, jobs: str) -> None:
    result = make(tmp_path, "'slow tests/pipeline'", "test", jobs, "SPARKS=3.5.9")

    others = {*GROUPS, "test-spark on Spark 3.5.9", "test-lake on Spark 3.5.9"} - {"test-pipeline"}
    assert ended(result.stdout) == {"test-pipeline": "FAILED", **dict.fromkeys(others, "passed")}
    assert result.stdout.splitlines()[-1] == "failed: test-pipeline"
    assert result.returncode != 0


def test_all_that_fail_are_named(tmp_path: Path) -> None:
    result = make(tmp_path, "not", "test", "JOBS=1")

    failed = "test-spark, test-server, test-lake, test-store, test-pipeline, test-cli"
    assert result.stdout.splitlines()[-1] == f"failed: {failed}"


def test_a_spark_that_cannot_be_installed_is_named(tmp_path: Path) -> None:
    result = make(tmp_path, "'--spark 3.5.9'", "test", "SPARKS=3.5.9 4.3.0")

    assert ended(result.stdout)["on-spark-3.5.9"] == "FAILED"
    assert ended(result.stdout)["test-spark on Spark 4.3.0"] == "passed"
    assert "test-spark on Spark 3.5.9" not in ended(result.stdout)
    assert result.returncode != 0


def test_where_all_pass_so_does_make(tmp_path: Path) -> None:
    result = make(tmp_path, "'no such thing'", "test")

    assert ended(result.stdout) == dict.fromkeys(GROUPS, "passed")
    assert result.returncode == 0


def test_a_group_alone_fails_as_any_target(tmp_path: Path) -> None:
    result = make(tmp_path, "tests/capture", "test-spark")

    assert ended(result.stdout) == {}
    assert result.returncode != 0


def test_python_keeps_what_it_compiles_and_not_among_the_sources(tmp_path: Path) -> None:
    result = make(tmp_path, "'no such thing'", "test-spark", PYTHONDONTWRITEBYTECODE="1")

    assert f"PYTHONPYCACHEPREFIX={ROOT}/.venv/bytecode" in result.stdout.splitlines()
    assert "PYTHONDONTWRITEBYTECODE" not in result.stdout
