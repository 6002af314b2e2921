"""The spool: where events wait on disk until their endpoint takes them.

    spool/                          0700
      http-418815e43cb5/            one folder for each endpoint
        endpoint.json               what it is, for people
        20260101T….jsonl            segments, oldest first (see `segments`)
        rejected/….jsonl            events that the endpoint refused, each with the reason

Nothing in it is a secret of ours, but lineage may be confidential: only this user can read it.
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
    """How events wait.

    Attributes:
        directory: where; None is `default_directory()`.
        max_bytes: how much disk all that waits may take, for all endpoints together.
        disabled: nothing waits on disk.
    """

    directory: str | None = None
    max_bytes: int = 256 * 1024 * 1024
    disabled: bool = False


def default_directory(environment: Mapping[str, str] = os.environ) -> Path:
    """The spool in the user's state directory.

    >>> default_directory({"XDG_STATE_HOME": "/var/state"}).as_posix()
    '/var/state/headwater/spool'

    Raises:
        OSError: this user has no home.
    """
    return state_directory(environment) / "spool"


def segment_paths(directory: Path) -> list[Path]:
    """The segments of a spool, or of one of its endpoints, oldest first, whoever owns them."""
    folders = [directory, *(path for path in directory.iterdir() if path.is_dir() and path.name != _REJECTED)]
    found = [path for folder in folders for path in folder.glob(f"*{SUFFIX}") if not path.name.startswith(".")]
    return sorted(found, key=lambda path: path.name)


class Spool:
    """One endpoint's part of the spool. What it does may raise OSError; nothing is made before the first event."""

    def __init__(self, settings: SpoolSettings, endpoint: Endpoint) -> None:
        self._root = at_home(settings.directory).absolute() if settings.directory else default_directory()
        self._max_bytes = settings.max_bytes
        self._endpoint = endpoint
        self._room = 0
        self._refused: Segment | None = None
        self.folder = self._root / endpoint.key
        self.rejected = self.folder / _REJECTED
        # A bound of a few kilobytes must still hold some segments, or nothing could be removed before all was sent.
        self.segment_bytes = min(_SEGMENT_BYTES, settings.max_bytes // 8)

    def create(self) -> Segment:
        """A new segment."""
        self._make_folders(self.folder)
        described = self.folder / "endpoint.json"
        if not described.exists():
            described.touch(0o600)
            described.write_text(json.dumps({"type": self._endpoint.kind, "address": self._endpoint.address}) + "\n")
        self._room = self._measured_room()
        return Segment.create(self.folder)

    def left_over(self) -> Iterator[Segment]:
        """The segments of processes that are gone, oldest first; each is ours until it is closed."""
        if self._endpoint.address is None or not self.folder.is_dir():
            # Another process's events must not go to an endpoint that only looks the same.
            return
        for path in segment_paths(self.folder):
            with suppress(OSError):  # one that cannot be opened does not stop the others
                segment = Segment.claim(path)
                if segment is not None:
                    yield segment

    def reserve(self, size: int) -> None:
        """Take some of the room that there is.

        Raises:
            OSError: there is not enough.
        """
        if size > self._room:
            self._room = self._measured_room()
        if size > self._room:
            raise OSError(errno.EDQUOT, f"the spool is full: its limit is {self._max_bytes} bytes")
        self._room -= size

    def reject(self, text: bytes, reason: str) -> None:
        """Keep an event that its endpoint refused."""
        refused = b'{"refused": %s, "event": %s}' % (json.dumps(reason).encode(), text)
        self.reserve(len(refused) + 1)
        if self._refused is None:
            self._make_folders(self.rejected)
            self._refused = Segment.create(self.rejected)
        self._refused.append(refused)

    def close(self) -> None:
        """Let go of the refused events."""
        if self._refused is not None:
            self._refused.close()
            self._refused = None

    def _make_folders(self, innermost: Path) -> None:
        self._root.parent.mkdir(parents=True, exist_ok=True)
        for folder in (self._root, self.folder, innermost):
            folder.mkdir(mode=0o700, exist_ok=True)

    def _measured_room(self) -> int:
        taken = 0
        for folder, _, names in os.walk(self._root):
            for name in names:
                with suppress(OSError):  # removed since
                    taken += os.stat(os.path.join(folder, name)).st_size  # noqa: PTH116, PTH118 (there may be thousands)
        return self._max_bytes - taken
