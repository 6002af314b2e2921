"""Snapshots of a lake: small JSON files that list the files of its tables; the newest counts."""

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from headwater.lake.errors import LakeChanged, LakeError
from headwater.lake.files import Files

VERSION = 2
"""The version of the lake's layout; others are refused. Version 1 had no table `job_event`."""
HOME = "_headwater"
"""The directory for everything but tables."""
STREAMS = "streams"
"""The key in a note for the last batch of each stream; every later snapshot keeps it."""
_FOLDER = f"{HOME}/snapshots"
_NAME = re.compile(r"(\d+)\.json")


@dataclass(frozen=True, slots=True)
class Snapshot:
    """A state of the lake.

    Attributes:
        number: 0 before the first commit.
        note: written by the run beside its tables.
        format: of the tables.
        lake: a unique id, which differs from that of an earlier lake at the same path.
        tables: the state of each table, as its format defines it.
    """

    number: int = 0
    note: Mapping[str, Any] = field(default_factory=dict)
    format: str | None = None
    lake: str = ""
    tables: Mapping[str, Any] = field(default_factory=dict)


def file_of(number: int) -> str:
    """The file of a snapshot.

    >>> file_of(7)
    '_headwater/snapshots/000007.json'
    """
    return f"{_FOLDER}/{number:06}.json"


def numbers(files: Files) -> list[int]:
    """The numbers of all snapshots, oldest first."""
    matches = (_NAME.fullmatch(name) for name in files.names(_FOLDER))
    return sorted(int(match.group(1)) for match in matches if match)


def prepare(files: Files) -> None:
    """Create the directory of snapshots."""
    files.make(_FOLDER)


def load(files: Files, number: int) -> Snapshot:
    """A snapshot by its number.

    Raises:
        LakeError: it does not exist, or another version of Headwater wrote it.
    """
    place = files.path(file_of(number))
    if not files.exists(file_of(number)):
        raise LakeError(f"The lake {files.root} no longer has snapshot {number}: use one of those in {_FOLDER}.")
    try:
        fields = json.loads(files.read(file_of(number)))
        version = int(fields["version"])
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
    return Snapshot(int(fields["number"]), fields["note"], fields["format"], fields["lake"], fields["tables"])


def newest(files: Files) -> Snapshot:
    """The newest snapshot."""
    known = numbers(files)
    return load(files, known[-1]) if known else Snapshot()


def publish(files: Files, snapshot: Snapshot) -> None:
    """Publish a snapshot as the newest.

    Raises:
        LakeChanged: another writer was faster.
    """
    fields = {
        "version": VERSION,
        "number": snapshot.number,
        "format": snapshot.format,
        "lake": snapshot.lake,
        "note": dict(snapshot.note),
        "tables": dict(snapshot.tables),
    }
    if not files.create(file_of(snapshot.number), json.dumps(fields, indent=1, sort_keys=True)):
        raise LakeChanged(
            f"Another run wrote snapshot {snapshot.number} of the lake {files.root} at the same time: nothing from"
            " this run was saved. Let only one run write to a lake at a time, and run this one again."
        )
