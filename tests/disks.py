"""Small disks for tests, to be filled."""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest


@contextmanager
def small_disk(megabytes: int) -> Iterator[Path]:
    """A file system of its own in memory."""
    if os.geteuid() != 0:
        pytest.skip("needs root, to mount a small disk")
    folder = Path(tempfile.mkdtemp(prefix="headwater-disk-"))
    try:
        mount = ["mount", "-t", "tmpfs", "-o", f"size={megabytes}m", "tmpfs", str(folder)]
        if subprocess.run(mount, check=False, capture_output=True).returncode != 0:
            pytest.skip("needs the right to mount a small disk")
        try:
            yield folder
        finally:
            subprocess.run(["umount", "--lazy", str(folder)], check=True)
    finally:
        folder.rmdir()


def fill(folder: Path, *, leave: int) -> Path:
    """A file that takes all the room there is but so many bytes."""
    ballast = folder / "ballast"
    with ballast.open("wb") as file:
        os.posix_fallocate(file.fileno(), 0, shutil.disk_usage(folder).free - leave)
    return ballast
