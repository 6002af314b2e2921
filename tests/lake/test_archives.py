"""An archive on Python's path is read again where it has changed."""

from __future__ import annotations

import importlib
import sys
import zipfile
import zipimport
from typing import TYPE_CHECKING

import pytest

from headwater.lake import archives

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def archive(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An archive of modules on the path, in a process that is as a worker is in its first task."""
    path = tmp_path / "modules.zip"
    _pack(path, "first_of_archive")
    monkeypatch.syspath_prepend(str(path))
    monkeypatch.setattr(zipimport.zipimporter, "invalidate_caches", zipimport.zipimporter.invalidate_caches)
    monkeypatch.setattr(archives, "_signs", {})
    archives.remember_archives()
    return path


def _pack(path: Path, *modules: str) -> None:
    with zipfile.ZipFile(path, "w") as file:
        for module in modules:
            file.writestr(f"{module}.py", "")


def test_an_archive_that_is_as_it_was_is_not_read_again(archive: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    read: list[str] = []
    forget = archives._forget

    def counted(importer: zipimport.zipimporter) -> None:
        read.append(importer.archive)
        forget(importer)

    monkeypatch.setattr(archives, "_forget", counted)
    importlib.import_module("first_of_archive")
    for _ in range(3):
        importlib.invalidate_caches()
    assert read.count(str(archive)) == 1
    assert sys.modules.pop("first_of_archive").__file__


def test_what_is_new_in_an_archive_is_found(archive: Path) -> None:
    importlib.import_module("first_of_archive")
    importlib.invalidate_caches()
    _pack(archive, "first_of_archive", "second_of_archive")
    importlib.invalidate_caches()
    assert importlib.import_module("second_of_archive").__file__
    for module in ("first_of_archive", "second_of_archive"):
        del sys.modules[module]
