"""The user's directory for files that outlive a process."""

import errno
import os
from collections.abc import Mapping
from pathlib import Path


def state_directory(environment: Mapping[str, str] = os.environ) -> Path:
    """Headwater's folder in the user's state directory.

    >>> state_directory({"XDG_STATE_HOME": "/var/state"}).as_posix()
    '/var/state/headwater'

    Raises:
        OSError: the user has no home directory.
    """
    state = Path(environment.get("XDG_STATE_HOME", ""))
    # The XDG specification ignores relative paths.
    return (state if state.is_absolute() else at_home("~/.local/state")) / "headwater"


def at_home(path: str) -> Path:
    """Expand a path that may begin with ~.

    Raises:
        OSError: the user has no home directory.
    """
    try:
        return Path(path).expanduser()
    except RuntimeError as error:
        raise OSError(errno.ENOENT, "there is no home directory", path) from error
