"""What the README shows works as shown."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from headwater.capture.jvm.java import ensure_java

README = (Path(__file__).parents[2] / "README.md").read_text(encoding="utf-8")


def _blocks(language: str) -> list[str]:
    return re.findall(rf"```{language}\n(.*?)```", README, flags=re.DOTALL)


def _environment() -> dict[str, str]:
    """That of a user who has the `headwater` of this environment, and no settings."""
    environment = {key: value for key, value in os.environ.items() if not key.startswith(("OPENLINEAGE", "HEADWATER"))}
    environment["PATH"] = f"{Path(sys.executable).parent}{os.pathsep}{environment['PATH']}"
    return environment


def _run(command: str, folder: Path) -> str:
    """Run a line of the README in a folder."""
    done = subprocess.run(
        ["sh", "-ec", command], cwd=folder, env=_environment(), capture_output=True, text=True, timeout=300, check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


@contextmanager
def _running(command: str, folder: Path) -> Iterator[str]:
    """Run a server of the README while the block runs, on a port that is free; yields its address."""
    environment = _environment() | {"HEADWATER_PORT": "0"}
    with subprocess.Popen(command.split(), cwd=folder, env=environment, stdout=subprocess.PIPE, text=True) as server:
        assert server.stdout
        try:
            said = ""
            while not (found := re.search(r"http://127\.0\.0\.1:\d+", said)):
                said += server.stdout.readline() or pytest.fail(f"it ended: {said}")
            yield found.group()
        finally:
            server.terminate()


def test_the_job_the_questions_and_their_answers(tmp_path: Path) -> None:
    ensure_java()  # for the plain `python` below
    script, one_line, connected, asked = _blocks("python")
    (tmp_path / "job.py").write_text(script, encoding="utf-8")
    shown = [
        (command, "".join(output))
        for block in _blocks("console")
        for command, *output in (part.splitlines(keepends=True) for part in block.split("$ ")[1:])
    ]
    assert [command.split()[1] for command, _ in shown] == ["run", "upstream", "downstream", "tags", "pii"]
    for command, output in shown:
        assert _run(command, tmp_path).startswith(output)
    _make, questions, serving, through_a_file = _blocks("sh")
    told = _run(questions, tmp_path)
    for part in ("sha2(email, 256)", "starts writing it", "orders.amount"):
        assert part in told
    (tmp_path / "asked.py").write_text(f"import headwater\n\n{connected}", encoding="utf-8")
    assert "sha2(email, 256)" in _run("COLUMNS=400 python asked.py", tmp_path).replace("\\n", "")

    _, (upstream, answer), *_ = shown
    install, serve = serving.splitlines()
    assert install == "pip install 'headwater[server]'"
    with _running(serve, tmp_path) as url:
        assert _run(f"{upstream.strip()} --store {url}", tmp_path).startswith(answer)

    # The same by the one line in the job itself, and through a file.
    (tmp_path / "tracked.py").write_text(
        script.replace("getOrCreate()\n", f"getOrCreate()\n{one_line}", 1) + asked, encoding="utf-8"
    )
    (tmp_path / "headwater.db").unlink()
    assert _run("python tracked.py", tmp_path) == "mail ← orders.email (transformed): upper(email)\n"
    assert _run(upstream, tmp_path).startswith(answer)

    (tmp_path / "headwater.db").unlink()
    assert _run(through_a_file, tmp_path) == "6 new events, 0 already stored.\n"
    assert _run(upstream, tmp_path).startswith(answer)


def test_the_make_targets_are_there() -> None:
    root = Path(__file__).parents[2]
    if not (root / "Makefile").exists():
        pytest.skip("needs a checkout")
    dry_run = subprocess.run(["make", "-n", "demo", "test"], cwd=root, capture_output=True, text=True, check=True)
    assert "headwater demo" in dry_run.stdout
    assert "-m pytest" in dry_run.stdout
