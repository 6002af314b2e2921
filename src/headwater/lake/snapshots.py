"""Snapshots of a lake: small JSON files that say which files of its tables are in force; the newest is the truth."""

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from headwater.lake.errors import LakeChanged, LakeError
from headwater.lake.files import Files

VERSION = 2
"""The version of what is written here; a reader refuses others. In the first there was no table `job_event`."""
HOME = "_headwater"
"""The directory of what is no table."""
STREAMS = "streams"
"""Under this a note has the last batch of each stream; every later snapshot has it, too, whoever makes it."""
_FOLDER = f"{HOME}/snapshots"
_NAME = re.compile(r"(\d+)\.json")


@dataclass(frozen=True, slots=True)
class Snapshot:
    """A state of the whole lake.

    Attributes:
        number: 0 where nothing was committed yet.
        note: what the run that made it wrote beside its tables.
        format: how the tables are kept.
        lake: what tells this lake from one that was at the same place before.
        tables: of each table what finds it in this state, in words of the format.
    """

    number: int = 0
    note: Mapping[str, Any] = field(default_factory=dict)
    format: str | None = None
    lake: str = ""
    tables: Mapping[str, Any] = field(default_factory=dict)


def file_of(number: int) -> str:
    """Where a snapshot is.

    >>> file_of(7)
    '_headwater/snapshots/000007.json'
    """
    return f"{_FOLDER}/{number:06}.json"


def numbers(files: Files) -> list[int]:
    """The snapshots that there are, from the oldest to the newest."""
    found = (_NAME.fullmatch(name) for name in files.names(_FOLDER))
    return sorted(int(one.group(1)) for one in found if one)


def prepare(files: Files) -> None:
    """Make the place for snapshots."""
    files.make(_FOLDER)


def load(files: Files, number: int) -> Snapshot:
    """A snapshot by its number.

    Raises:
        LakeError: it was written by another version of Headwater, or is not there.
    """
    place = files.path(file_of(number))
    if not files.exists(file_of(number)):
        raise LakeError(f"The lake {files.root} no longer has snapshot {number}: use one of those in {_FOLDER}.")
    try:
        said = json.loads(files.read(file_of(number)))
        version = int(said["version"])
    except (ValueError, TypeError, KeyError):
        raise LakeError(f"The file {place} is not a lake snapshot: restore it, or remove it.") from None
    if version > VERSION:
        raise LakeError(
            f"The lake {files.root} was written by a newer Headwater (lake version {version}; this one reads"
            f" {VERSION}): upgrade Headwater."
        )
    if version < VERSION:
        raise LakeError(
            f"The lake {files.root} was written by an older Headwater (lake version {version}; this one reads"
            f" {VERSION}): run the pipeline on its events again, into a new directory."
        )
    return Snapshot(int(said["number"]), said["note"], said["format"], said["lake"], said["tables"])


def newest(files: Files) -> Snapshot:
    """The newest snapshot."""
    found = numbers(files)
    return load(files, found[-1]) if found else Snapshot()


def publish(files: Files, snapshot: Snapshot) -> None:
    """Make a snapshot the newest.

    Raises:
        LakeChanged: another writer was faster.
    """
    said = {
        "version": VERSION,
        "number": snapshot.number,
        "format": snapshot.format,
        "lake": snapshot.lake,
        "note": dict(snapshot.note),
        "tables": dict(snapshot.tables),
    }
    if not files.create(file_of(snapshot.number), json.dumps(said, indent=1, sort_keys=True)):
        raise LakeChanged(
            f"Another run wrote snapshot {snapshot.number} of the lake {files.root} at the same time: nothing from"
            " this run was saved. Let only one run write to a lake at a time, and run this one again."
        )
