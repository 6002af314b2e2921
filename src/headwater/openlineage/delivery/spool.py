"""The spool: where events wait on disk until their endpoint accepts them.

    spool/                          0700
      http-418815e43cb5/            one folder per endpoint
        endpoint.json               its type and address, for people
        20260101T….jsonl            segments, oldest first (see `segments`)
        rejected/….jsonl            events that the endpoint refused, each with the reason

It holds no credentials, but lineage may be confidential: only this user can read it.
"""

from __future__ import annotations

import errno
import json
import os
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from headwater.common.state_directory import at_home, state_directory
from headwater.openlineage.delivery.endpoint import Endpoint
from headwater.openlineage.delivery.segments import SUFFIX, Segment

_SEGMENT_BYTES = 4 * 1024 * 1024
_REJECTED = "rejected"


@dataclass(frozen=True, slots=True)
class SpoolSettings:
    """Where events wait, and how many.

    Attributes:
        directory: None is `default_directory()`.
        max_bytes: the disk space that all endpoints' events may take.
        disabled: events wait in memory only.
    """

    directory: str | None = None
    max_bytes: int = 256 * 1024 * 1024
    disabled: bool = False


def default_directory(environment: Mapping[str, str] = os.environ) -> Path:
    """The spool in the user's state directory.

    >>> default_directory({"XDG_STATE_HOME": "/var/state"}).as_posix()
    '/var/state/headwater/spool'

    Raises:
        OSError: the user has no home directory.
    """
    return state_directory(environment) / "spool"


def segment_paths(directory: Path) -> list[Path]:
    """The segments of a spool, or of one of its endpoints, oldest first, with or without an owner."""
    folders = [directory, *(path for path in directory.iterdir() if path.is_dir() and path.name != _REJECTED)]
    paths = [path for folder in folders for path in folder.glob(f"*{SUFFIX}") if not path.name.startswith(".")]
    return sorted(paths, key=lambda path: path.name)


class Spool:
    """One endpoint's part of the spool. Its methods may raise OSError; it creates nothing before the first event."""

    def __init__(self, settings: SpoolSettings, endpoint: Endpoint) -> None:
        self._root = at_home(settings.directory).absolute() if settings.directory else default_directory()
        self._max_bytes = settings.max_bytes
        self._endpoint = endpoint
        self._room = 0
        self._refused: Segment | None = None
        self.folder = self._root / endpoint.key
        self.rejected = self.folder / _REJECTED
        # Even a limit of a few kilobytes must hold several segments, else nothing could be removed before all is sent.
        self.segment_bytes = min(_SEGMENT_BYTES, settings.max_bytes // 8)

    def create(self) -> Segment:
        """A new segment."""
        self._make_folders(self.folder)
        description = self.folder / "endpoint.json"
        if not description.exists():
            description.touch(0o600)
            description.write_text(json.dumps({"type": self._endpoint.kind, "address": self._endpoint.address}) + "\n")
        self._room = self._measure_room()
        return Segment.create(self.folder)

    def orphaned_segments(self) -> Iterator[Segment]:
        """Claim the segments of ended processes, oldest first; each is owned until it is closed."""
        if self._endpoint.address is None or not self.folder.is_dir():
            # Another process's events must not go to an endpoint that only looks like theirs.
            return
        for path in segment_paths(self.folder):
            with suppress(OSError):  # a segment that cannot be opened does not block the others
                segment = Segment.claim(path)
                if segment is not None:
                    yield segment

    def reserve(self, size: int) -> None:
        """Reserve disk space.

        Raises:
            OSError: the spool is full.
        """
        if size > self._room:
            self._room = self._measure_room()
        if size > self._room:
            raise OSError(errno.EDQUOT, f"the spool is full: its limit is {self._max_bytes} bytes")
        self._room -= size

    def reject(self, text: bytes, reason: str) -> None:
        """Keep an event that its endpoint refused."""
        line = b'{"refused": %s, "event": %s}' % (json.dumps(reason).encode(), text)
        self.reserve(len(line) + 1)
        if self._refused is None:
            self._make_folders(self.rejected)
            self._refused = Segment.create(self.rejected)
        self._refused.append(line)

    def close(self) -> None:
        """Release the segment of refused events."""
        if self._refused is not None:
            self._refused.close()
            self._refused = None

    def _make_folders(self, innermost: Path) -> None:
        self._root.parent.mkdir(parents=True, exist_ok=True)
        for folder in (self._root, self.folder, innermost):
            folder.mkdir(mode=0o700, exist_ok=True)

    def _measure_room(self) -> int:
        used = 0
        for folder, _, names in os.walk(self._root):
            for name in names:
                with suppress(OSError):  # removed since
                    used += os.stat(os.path.join(folder, name)).st_size  # noqa: PTH116, PTH118 (there may be thousands)
        return self._max_bytes - used
