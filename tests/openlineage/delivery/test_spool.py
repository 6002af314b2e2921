"""Processes that are killed, that fork, that share a spool, and that have no room: `headwater ingest --spool`."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest
from tests.openlineage.delivery.conftest import Deliver
from tests.openlineage.delivery.job import event
from tests.openlineage.delivery.receiver import Receiver, wait_until
from typer.testing import CliRunner

from headwater.cli import app
from headwater.openlineage.delivery.spool import default_directory
from headwater.store import Store

DOWN = "http://localhost:9"


def start(url: str, spool: Path, numbers: Sequence[int], *, within: Sequence[str] = (), **told: Any) -> Job:  # noqa: ANN401
    """A process that sends events by way of a spool."""
    order = json.dumps({"url": url, "spool": str(spool), "numbers": list(numbers), **told})
    command = [*within, sys.executable, str(Path(__file__).with_name("job.py")), order]
    return Job(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)


class Job(subprocess.Popen[str]):
    """A process that prints what it has done."""

    def lines(self, count: int) -> list[str]:
        """The next lines that it prints."""
        assert self.stdout
        return [self.stdout.readline().strip() for _ in range(count)]


def spooled(url: str, spool: Path, numbers: Sequence[int]) -> None:
    """Let a process leave events in a spool."""
    with start(url, spool, numbers, then="exit") as job:
        job.communicate(timeout=60)


def ingest(store: Store, *arguments: str) -> tuple[int, str, str]:
    result = CliRunner().invoke(app, ["ingest", "--spool", *arguments, "--store", str(store.path)])
    return result.exit_code, result.stdout, result.stderr


def stored(store: Store) -> list[int]:
    with store.read() as session:
        return sorted(int(name) for (name,) in session.rows("SELECT name FROM job"))


def test_kill_9_loses_nothing_and_ingest_stores_exactly_what_was_sent(spool: Path, store: Store) -> None:
    with start(DOWN, spool, [0, 200]) as job:
        assert job.lines(200) == [str(number) for number in range(200)]
        code, out, err = ingest(store, str(spool))
        assert (code, out) == (0, "0 new events, 0 already stored.\n")
        assert err == "Skipped 1 file that running applications still use.\n"
        job.kill()
    assert ingest(store, str(spool)) == (0, "200 new events, 0 already stored.\n", "")
    assert stored(store) == list(range(200))
    assert list(spool.rglob("*.jsonl")) == []
    assert ingest(store, str(spool)) == (0, "0 new events, 0 already stored.\n", "")


def test_the_default_spool_is_read_when_none_is_named(
    store: Store, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    assert ingest(store) == (0, "0 new events, 0 already stored.\n", "")
    spooled(DOWN, default_directory(), [0, 3])
    assert ingest(store) == (0, "3 new events, 0 already stored.\n", "")


def test_a_spool_that_is_not_there_and_no_file_at_all_are_errors(store: Store, spool: Path) -> None:
    code, _, err = ingest(store, str(spool))
    assert (code, err) == (1, f"{spool}: No such file or directory\n")
    assert CliRunner().invoke(app, ["ingest"]).exit_code == 2


def test_what_the_store_refuses_stays_and_what_was_cut_off_is_said(spool: Path, store: Store) -> None:
    spooled(DOWN, spool, [0, 3])
    (segment,) = spool.glob("*/*.jsonl")
    with segment.open("a") as file:
        file.write('{"eventTime": "never"}\n{"eventTime": "2026')
    code, out, err = ingest(store, str(segment.parent))
    assert code == 1
    assert out == "3 new events, 0 already stored, 2 bad.\n"
    assert err.splitlines()[0].startswith(f"{segment}:4: eventTime: ")
    assert err.splitlines()[1] == f"{segment}: 1 of its lines are truncated and lost"
    left = [line for line in segment.read_text().splitlines() if line.startswith("{")]
    assert left == ['{"eventTime": "never"}', '{"eventTime": "2026']


def test_a_line_that_was_cut_off_holds_up_nobody(receiver: Receiver, deliver: Deliver, spool: Path) -> None:
    receiver.stop()
    spooled(receiver.url, spool, [0, 3])
    receiver.start()
    (segment,) = spool.glob("*/*.jsonl")
    with segment.open("a") as file:
        file.write('{"eventTime": "2026')
    delivery = deliver()
    wait_until(lambda: delivery.counts().damaged == 1)
    assert receiver.numbers == [0, 1, 2]
    assert not segment.exists()


def test_kill_9_while_the_spool_is_sent(receiver: Receiver, deliver: Deliver, spool: Path, store: Store) -> None:
    receiver.stop()
    spooled(receiver.url, spool, [0, 50])
    victim: list[Job] = []

    def answer(number: int) -> int:
        if number == 20 and victim[0].poll() is None:
            victim[0].kill()
            victim[0].wait()
        return 200

    receiver.answer = answer
    receiver.start()
    with start(receiver.url, spool, [0, 0]) as job:
        victim.append(job)
        job.wait(60)
    delivery = deliver()
    wait_until(lambda: delivery.counts().recovered == 30)
    # The request whose answer nobody was there to hear, and no other, was sent twice.
    assert Counter(receiver.numbers) == {number: 2 if number == 20 else 1 for number in range(50)}
    assert store.ingest(receiver.events).accepted == 50
    assert stored(store) == list(range(50))


def test_two_processes_spool_at_once_and_a_third_sends(receiver: Receiver, deliver: Deliver, spool: Path) -> None:
    receiver.stop()
    with start(receiver.url, spool, [0, 50]) as one, start(receiver.url, spool, [50, 100]) as other:
        assert len({*one.lines(50), *other.lines(50)}) == 100
        receiver.start()
        wait_until(lambda: len(receiver.numbers) == 100)
        assert [n for n in receiver.numbers if n < 50] == list(range(50))
        assert [n for n in receiver.numbers if n >= 50] == list(range(50, 100))
        receiver.stop()
    receiver.start()
    third = deliver()
    third.emit(event(100))
    assert third.close(60)
    assert len(receiver.numbers) == 101


def test_nobody_sends_what_a_process_that_lives_still_has(receiver: Receiver, deliver: Deliver, spool: Path) -> None:
    receiver.answer = lambda number: 503 if number < 10 else 200
    with start(receiver.url, spool, [0, 3]) as job:
        job.lines(3)
        delivery = deliver()
        delivery.emit(event(10))
        assert delivery.close(60)
        assert (receiver.numbers, delivery.counts().recovered) == ([10], 0)
        job.kill()


def test_a_forked_process_sends_nothing_and_keeps_no_lock(receiver: Receiver, deliver: Deliver, spool: Path) -> None:
    receiver.stop()
    with start(receiver.url, spool, [0, 5], fork=True) as job:
        job.lines(5)
        _, child, closed, waited, written = job.lines(1)[0].split()
        assert (closed, waited, written) == ("True", "True", "0")
        job.kill()
        job.wait()
        try:
            receiver.start()
            delivery = deliver()
            wait_until(lambda: delivery.counts().recovered == 5)
        finally:
            os.kill(int(child), signal.SIGKILL)
    assert receiver.numbers == [0, 1, 2, 3, 4]


def test_a_program_that_ends_in_the_middle_of_a_request_ends(receiver: Receiver, spool: Path) -> None:
    receiver.answer = lambda _number: None
    with start(receiver.url, spool, [0, 3], then="exit") as job:
        assert job.wait(60) == 0
    (segment,) = spool.glob("*/*.jsonl")
    assert len(segment.read_text().splitlines()) == 3


def _tmpfs(folder: Path) -> list[str]:
    """What to start a process with that has a disk of 16 kB in that folder."""
    script = f"mount -t tmpfs -o size=16k tmpfs {folder} && exec " + '"$@"'
    return ["unshare", "--map-root-user", "--mount", "sh", "-c", script, "sh"]


def _limited(_folder: Path) -> list[str]:
    """What to start a process with that may write files of 16 kB only."""
    return [sys.executable, "-c", _LIMITED]


_LIMITED = """
import os, resource, sys
resource.setrlimit(resource.RLIMIT_FSIZE, (16384, 16384))
os.execv(sys.argv[1], sys.argv[1:])
"""


@pytest.mark.parametrize("limit", [_tmpfs, _limited])
@pytest.mark.parametrize("up", [True, False])
def test_a_full_disk_stops_neither_the_job_nor_events_to_an_endpoint_that_is_up(
    receiver: Receiver, spool: Path, limit: Callable[[Path], list[str]], *, up: bool
) -> None:
    spool.mkdir()
    within = limit(spool)
    if limit is _tmpfs and subprocess.run([*within, "true"], check=False, capture_output=True).returncode:
        pytest.skip("this machine lets nobody mount anything")
    if not up:
        receiver.stop()
    # About 35 kB, of which the disk takes a part and memory the rest.
    with start(receiver.url, spool, [0, 120], within=within, then="close") as job:
        assert job.lines(120) == [str(number) for number in range(120)]
        arrived, dropped = job.lines(1)[0].split()
        assert job.wait(60) == 0
    if up:
        assert receiver.numbers == list(range(120))
        assert (arrived, dropped) == ("True", "0")
    else:
        assert arrived == "False"
        assert 0 < int(dropped) < 120
    if limit is _limited:
        left = [line for file in spool.glob("*/*.jsonl") for line in file.read_text().splitlines(keepends=True)]
        assert len(left) == 120 - int(dropped) if not up else not left
        assert all(line.endswith("}\n") for line in left)
