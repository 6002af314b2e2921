"""Make `.venv` hold exactly what `requirements.lock` says. Standard library only: it runs on a bare Python.

`--spark 3.5.9` installs another PySpark beside the pinned one, in `.venv/spark-3.5.9`. `--datahub` makes an environment
in `.venv/datahub` with DataHub's own package, which the tests ask whether ours says the same, and puts what a Spark
Connect session is made of into `.venv/connect`.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
import venv
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
VENV = ROOT / ".venv"
LOCK = ROOT / "requirements.lock"
ORACLE = ROOT / "scripts" / "datahub-oracle.lock"
CONNECT = ROOT / "scripts" / "connect.lock"
BIN = VENV / ("Scripts" if os.name == "nt" else "bin")
OLDEST_PYTHON = (3, 10)


def pinned(name: str) -> str:
    """Return `name==version` as the lock file has it."""
    for line in LOCK.read_text(encoding="utf-8").splitlines():
        if line.startswith(f"{name}=="):
            return line.split()[0]
    raise SystemExit(f"{LOCK.name} does not pin {name}; run `make lock`.")


def create_venv() -> None:
    """Create `.venv`, with pip when this Python has it to give."""
    if (BIN / "python").exists():
        return
    try:
        venv.create(VENV, with_pip=True)
    except (subprocess.CalledProcessError, ImportError):
        # Debian splits ensurepip off Python. uv needs no pip inside the environment.
        shutil.rmtree(VENV, ignore_errors=True)
        venv.create(VENV, with_pip=False)


def find_uv() -> str:
    """Return a uv: the one in `.venv`, the machine's, or a fresh one from PyPI."""
    if (BIN / "uv").exists():
        return str(BIN / "uv")
    if machine_uv := shutil.which("uv"):
        return machine_uv
    for python in (str(BIN / "python"), sys.executable):
        if subprocess.run([python, "-m", "pip", "--version"], capture_output=True, check=False).returncode == 0:
            break
    else:
        raise SystemExit("This Python has neither pip nor venv: install uv, or your system's python3-venv package.")
    into = [] if python != sys.executable else ["--target", str(VENV / "uv")]
    quietly = ["--quiet", "--disable-pip-version-check"]
    subprocess.run([python, "-m", "pip", "install", *quietly, *into, pinned("uv")], check=True)
    return str(BIN / "uv") if not into else str(VENV / "uv" / "bin" / "uv")


def main() -> None:
    """Bring the environment up to date; a second run with nothing changed takes well under a second."""
    if sys.version_info < OLDEST_PYTHON:
        raise SystemExit(f"Headwater needs Python 3.10 or newer; this is {sys.version.split()[0]}.")
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--spark", default="", help="another PySpark version to install beside the pinned one")
    parser.add_argument("--datahub", action="store_true", help="an environment with DataHub's own package as well")
    given = parser.parse_args()
    spark: str = given.spark

    create_venv()
    uv = find_uv()
    python = ["--python", str(BIN / "python")]
    stamp = VENV / ".installed"
    pinned = LOCK.read_text(encoding="utf-8") + (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    if not stamp.exists() or stamp.read_text(encoding="utf-8") != pinned:
        print("Installing the pinned dependencies into .venv (the first time takes a minute or two) …", flush=True)
        subprocess.run([uv, "pip", "sync", "--quiet", *python, "--require-hashes", str(LOCK)], check=True)
        subprocess.run(
            [uv, "pip", "install", "--quiet", *python, "--no-deps", "--no-build-isolation", "-e", str(ROOT)], check=True
        )
        stamp.write_text(pinned, encoding="utf-8")
    target = VENV / f"spark-{spark}"
    if spark and not target.exists():
        print(f"Installing PySpark {spark} into {target.relative_to(ROOT)} …", flush=True)
        partial = target.with_suffix(".partial")
        shutil.rmtree(partial, ignore_errors=True)
        subprocess.run(
            [uv, "pip", "install", "--quiet", *python, "--target", str(partial), f"pyspark=={spark}"], check=True
        )
        partial.rename(target)
    if given.datahub:
        install_oracle(uv)
        install_connect(uv)


def install_connect(uv: str) -> None:
    """Make `.venv/connect` a folder of packages, beside those of the environment: they want another protobuf."""
    target = VENV / "connect"
    stamp = target / ".installed"
    pinned = CONNECT.read_text(encoding="utf-8")
    if stamp.exists() and stamp.read_text(encoding="utf-8") == pinned:
        return
    print(f"Installing what Spark Connect needs, for tests only, into {target.relative_to(ROOT)} …", flush=True)
    shutil.rmtree(target, ignore_errors=True)
    python = ["--python", str(BIN / "python")]
    subprocess.run([uv, "pip", "install", "--quiet", *python, "--target", str(target), "-r", str(CONNECT)], check=True)
    stamp.write_text(pinned, encoding="utf-8")


def install_oracle(uv: str) -> None:
    """Make `.venv/datahub` hold what its lock file says."""
    target = VENV / "datahub"
    stamp = target / ".installed"
    pinned = ORACLE.read_text(encoding="utf-8")
    if stamp.exists() and stamp.read_text(encoding="utf-8") == pinned:
        return
    print(f"Installing DataHub's package, for tests only, into {target.relative_to(ROOT)} …", flush=True)
    python = str(BIN / "python")
    subprocess.run([uv, "venv", "--quiet", "--clear", "--python", python, str(target)], check=True)
    subprocess.run([uv, "pip", "sync", "--quiet", "--python", str(target), str(ORACLE)], check=True)
    stamp.write_text(pinned, encoding="utf-8")


if __name__ == "__main__":
    main()
