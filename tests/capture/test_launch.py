"""`run_script` and `headwater run`, as far as they go without Spark: where sessions are made, they are empty shells."""

from __future__ import annotations

import atexit
import json
import os
import subprocess
import sys
import threading
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
import typer
from pyspark.sql import SparkSession
from typer.testing import CliRunner

import headwater
from headwater.capture import launch
from headwater.capture.jvm.java import NoJava
from headwater.capture.launch import LaunchError, run_script
from headwater.cli.jobs.run import RUN_SETTINGS, run

if TYPE_CHECKING:
    from collections.abc import Callable


class FakeTracker:
    def __init__(self) -> None:
        self.stops = 0

    def stop(self) -> None:
        self.stops += 1


@pytest.fixture(autouse=True)
def java_is_there(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(launch, "ensure_java", lambda: Path("java"))
    monkeypatch.delenv("SPARK_REMOTE", raising=False)
    monkeypatch.delenv("PYSPARK_GATEWAY_PORT", raising=False)
    monkeypatch.delenv("HEADWATER_STORE", raising=False)


@pytest.fixture
def tracked(monkeypatch: pytest.MonkeyPatch) -> tuple[FakeTracker, list[object]]:
    """One tracker for all sessions, and the sessions it was asked for; sessions start no JVM."""
    tracker, sessions = FakeTracker(), list[object]()

    def track(session: object) -> FakeTracker:
        sessions.append(session)
        # Tracking may make sessions itself.
        type(session)()
        return tracker

    def init(self: SparkSession, *args: object, **kwargs: object) -> None:
        self.given = (args, kwargs)  # type: ignore[attr-defined]

    monkeypatch.setattr(SparkSession, "__init__", init)
    monkeypatch.setattr("headwater.capture.tracker.track", track)
    return tracker, sessions


@pytest.fixture
def script(tmp_path: Path) -> Callable[[str], str]:
    def write(text: str) -> str:
        path = tmp_path / "job.py"
        path.write_text(text, encoding="utf-8")
        return str(path)

    return write


def test_the_script_sees_what_python_would_show_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    jobs = tmp_path / "jobs"
    jobs.mkdir()
    (jobs / "neighbour_of_job.py").write_text("HELLO = 'hello'\n", encoding="utf-8")
    (jobs / "job.py").write_text(
        "import json, pickle, sys\n"
        "from pathlib import Path\n"
        "from neighbour_of_job import HELLO\n"
        "class Row: pass\n"
        "def annotated(x: int) -> None: ...\n"
        "seen = {'argv': sys.argv, 'path': sys.path[0], 'file': __file__, 'name': __name__, 'hello': HELLO,\n"
        "        'main': sys.modules['__main__'].Row is Row, 'row': type(pickle.loads(pickle.dumps(Row()))) is Row,\n"
        "        'package': __package__, 'spec': __spec__, 'doc': __doc__, 'loader': type(__loader__).__name__,\n"
        "        'annotation': annotated.__annotations__['x'] is int}\n"
        "Path(sys.argv[1]).write_text(json.dumps(seen))\n",
        encoding="utf-8",
    )
    monkeypatch.chdir(tmp_path)
    before = (sys.argv, list(sys.path), sys.modules["__main__"])

    assert run_script("jobs/job.py", ["ours.json", "--help", "a b", ""]) == 0

    assert (sys.argv, list(sys.path), sys.modules["__main__"]) == before
    ours = json.loads(Path("ours.json").read_text(encoding="utf-8"))
    subprocess.run([sys.executable, "jobs/job.py", "python.json", "--help", "a b", ""], check=True)
    python = json.loads(Path("python.json").read_text(encoding="utf-8"))
    assert ours["argv"] == ["jobs/job.py", "ours.json", "--help", "a b", ""]
    assert {**ours, "argv": None} == {**python, "argv": None}
    sys.modules.pop("neighbour_of_job")


@pytest.mark.parametrize(
    ("text", "code", "said"),
    [
        ("", 0, ""),
        ("import sys; sys.exit()", 0, ""),
        ("import sys; sys.exit(0)", 0, ""),
        ("import sys; sys.exit(3)", 3, ""),
        ("import sys; sys.exit(True)", 1, ""),
        ("import sys; sys.exit('no orders today')", 1, "no orders today\n"),
        ("raise SystemExit(['a', 1])", 1, "['a', 1]\n"),
    ],
)
def test_exit_codes_are_pythons(
    text: str, code: int, said: str, script: Callable[[str], str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert run_script(script(text), []) == code
    assert capsys.readouterr().err == said


@pytest.mark.parametrize(
    "text",
    [
        "def f():\n    return 1 / 0\n\nf()\n",
        "try:\n    {}['a']\nexcept KeyError as error:\n    raise ValueError('bad row') from error\n",
        "x = (\n",
    ],
)
def test_a_traceback_is_what_python_prints(
    text: str, script: Callable[[str], str], capsys: pytest.CaptureFixture[str]
) -> None:
    path = script(text)
    assert run_script(path, []) == 1
    # A subprocess of the test has no terminal either: both are without colours.
    python = subprocess.run([sys.executable, path], capture_output=True, encoding="utf-8", check=False)
    assert capsys.readouterr().err == python.stderr


def test_an_interrupt_ends_with_130(script: Callable[[str], str], capsys: pytest.CaptureFixture[str]) -> None:
    assert run_script(script("raise KeyboardInterrupt"), []) == 130
    error = capsys.readouterr().err
    assert error.endswith("KeyboardInterrupt\n")
    assert str(launch.__file__) not in error


def test_the_scripts_own_hook_sees_its_exception(
    script: Callable[[str], str], capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "excepthook", sys.excepthook)
    text = "import sys\nsys.excepthook = lambda kind, error, trace: print('hook', error, trace.tb_lineno)\n1 / 0\n"
    assert run_script(script(text), []) == 1
    assert capsys.readouterr().out == "hook division by zero 3\n"


SESSIONS = (
    "from pyspark.sql import SparkSession\none = SparkSession('context', options={})\ntwo = SparkSession('other')\n"
)


@pytest.mark.parametrize(("end", "code"), [("", 0), ("raise SystemExit(4)", 4), ("1 / 0", 1)])
def test_every_session_is_tracked_and_the_tracker_stopped_once(
    end: str, code: int, script: Callable[[str], str], tracked: tuple[FakeTracker, list[Any]]
) -> None:
    tracker, sessions = tracked
    init = SparkSession.__init__
    assert run_script(script(SESSIONS + end), []) == code
    assert [session.given for session in sessions] == [(("context",), {"options": {}}), (("other",), {})]
    assert tracker.stops == 1
    assert SparkSession.__init__ is init


def test_a_failure_of_tracking_is_one_line_and_the_job_runs_on(
    script: Callable[[str], str],
    tracked: tuple[FakeTracker, list[object]],
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    def broken(*_: object) -> FakeTracker:
        raise OSError("disk full")

    monkeypatch.setattr(FakeTracker, "stop", broken)
    assert run_script(script(SESSIONS), []) == 0
    assert caplog.messages == ["Headwater could not send everything it tracked: disk full"]
    caplog.clear()
    monkeypatch.setattr("headwater.capture.tracker.track", broken)
    assert run_script(script(SESSIONS), []) == 0
    assert caplog.messages == ["Headwater is not tracking this application: disk full"] * 2
    assert tracked[0].stops == 0


def test_our_frames_are_not_in_the_traceback_of_a_session_that_fails(
    script: Callable[[str], str], capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def init(_: SparkSession) -> None:
        raise ValueError("no master")

    monkeypatch.setattr(SparkSession, "__init__", init)
    assert run_script(script("from pyspark.sql import SparkSession\nSparkSession()\n"), []) == 1
    error = capsys.readouterr().err
    assert "ValueError: no master" in error
    assert "job.py" in error
    assert str(launch.__file__) not in error


def test_threads_left_running_are_tracked_to_their_end(
    script: Callable[[str], str], tracked: tuple[FakeTracker, list[object]], monkeypatch: pytest.MonkeyPatch
) -> None:
    at_exit: list[Callable[[], object]] = []
    monkeypatch.setattr(atexit, "register", lambda function, *args: at_exit.append(lambda: function(*args)))
    monkeypatch.setattr(sys, "argv", sys.argv)
    monkeypatch.setattr(sys, "path", list(sys.path))
    monkeypatch.setitem(sys.modules, "__main__", sys.modules["__main__"])
    go = threading.Event()
    monkeypatch.setitem(vars(headwater), "go", go)
    text = (
        "import threading, headwater\nfrom pyspark.sql import SparkSession\n"
        "def work():\n    headwater.go.wait(60)\n    SparkSession('late')\n"
        "threading.Thread(target=work, name='late').start()\n"
    )
    assert run_script(script(text), []) == 0
    tracker, sessions = tracked
    assert (tracker.stops, sessions, len(at_exit)) == (0, [], 1)
    go.set()
    next(thread for thread in threading.enumerate() if thread.name == "late").join(60)
    at_exit[0]()
    assert (tracker.stops, len(sessions)) == (1, 1)


def test_a_missing_script_is_one_sentence(tmp_path: Path) -> None:
    with pytest.raises(LaunchError, match=r"^The script no/such\.py does not exist\.$"):
        run_script("no/such.py", [])
    with pytest.raises(LaunchError, match="is a folder, not a script"):
        run_script(str(tmp_path), [])


def test_missing_pyspark_is_one_sentence(script: Callable[[str], str], monkeypatch: pytest.MonkeyPatch) -> None:
    path = script("")
    # None is how Python marks a module as not to be found.
    monkeypatch.setitem(sys.modules, "pyspark", None)
    with pytest.raises(LaunchError, match=r"^PySpark is not installed: run `pip install"):
        run_script(path, [])


@pytest.mark.parametrize(
    ("name", "value"), [("SPARK_REMOTE", "sc://localhost"), ("PYSPARK_GATEWAY_PORT", "1234"), ("NOTHING", "1")]
)
def test_java_is_looked_for_only_where_this_process_starts_it(
    name: str, value: str, script: Callable[[str], str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def none_here() -> Path:
        raise NoJava("no Java")

    monkeypatch.setattr(launch, "ensure_java", none_here)
    monkeypatch.setenv(name, value)
    path = script("")
    if name == "NOTHING":
        with pytest.raises(NoJava):
            run_script(path, [])
    else:
        assert run_script(path, []) == 0


@pytest.fixture
def app() -> typer.Typer:
    app = typer.Typer()
    app.command(context_settings=RUN_SETTINGS)(run)

    @app.command()
    def other() -> None:
        """Make `run` one command of several, as it is."""

    return app


def test_command_passes_all_after_the_script_and_returns_its_code(
    app: typer.Typer, script: Callable[[str], str]
) -> None:
    path = script("import os, sys; print(sys.argv[1:], os.environ['HEADWATER_STORE']); sys.exit(7)")
    result = CliRunner().invoke(app, ["run", "--store", "a.db", path, "--help", "--store", "b", "--", "-x"])
    assert result.exit_code == 7
    assert result.stdout == "['--help', '--store', 'b', '--', '-x'] a.db\n"
    assert "HEADWATER_STORE" not in os.environ


def test_command_keeps_the_store_of_the_environment(
    app: typer.Typer, script: Callable[[str], str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HEADWATER_STORE", "mine.db")
    path = script("import os; print(os.environ['HEADWATER_STORE'])")
    assert CliRunner().invoke(app, ["run", path]).stdout == "mine.db\n"
    assert CliRunner().invoke(app, ["run", "--store", "other.db", path]).stdout == "other.db\n"
    assert os.environ["HEADWATER_STORE"] == "mine.db"


def test_command_says_in_one_sentence_what_is_missing(
    app: typer.Typer, script: Callable[[str], str], monkeypatch: pytest.MonkeyPatch
) -> None:
    missing = CliRunner().invoke(app, ["run", "no_such.py"])
    assert (missing.exit_code, missing.stdout) == (2, "")
    assert missing.stderr == "The script no_such.py does not exist.\n"

    def none_here() -> Path:
        raise NoJava("Install a Java.")

    monkeypatch.setattr(launch, "ensure_java", none_here)
    no_java = CliRunner().invoke(app, ["run", script("")])
    assert (no_java.exit_code, no_java.stderr) == (1, "Install a Java.\n")


def test_command_does_not_take_an_unknown_option_for_a_script(app: typer.Typer) -> None:
    result = CliRunner().invoke(app, ["run", "--stroe", "a.db", "job.py"])
    assert result.exit_code == 2
    assert "--stroe" in result.stderr
