"""DataHub's own package as an oracle: in an environment of its own, since it brings many dependencies with versions.

`HEADWATER_DATAHUB_PYTHON` names the Python that has acryl-datahub; `.venv/datahub/bin/python` is tried without it.
"""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path
from typing import Any

import pytest

REPO = Path(__file__).resolve().parents[2]
_SCRIPT = Path(__file__).with_name("oracle_script.py")


def python() -> str | None:
    """The Python that has acryl-datahub, where there is one."""
    given = os.environ.get("HEADWATER_DATAHUB_PYTHON")
    tried = [given] if given else [str(REPO / ".venv" / "datahub" / "bin" / "python")]
    return next((one for one in tried if Path(one).is_file()), None)


def ask(question: str, items: list[Any]) -> list[Any]:
    """Ask all in one process; each answer is what DataHub made of it, or None where it failed."""
    found = python()
    if found is None:
        pytest.skip("needs acryl-datahub: name a Python that has it in HEADWATER_DATAHUB_PYTHON")
    run = subprocess.run(
        [found, str(_SCRIPT), question],
        input=json.dumps(items),
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "DATAHUB_TELEMETRY_ENABLED": "false", "PYTHONPATH": ""},
    )
    if run.returncode != 0:
        pytest.fail(f"the oracle failed: {run.stderr[-2000:]}")
    answers: list[Any] = json.loads(run.stdout.splitlines()[-1])
    return answers
