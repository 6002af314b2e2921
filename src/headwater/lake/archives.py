"""Archives on Python's path, whose lists Python need not read again and again.

Before each task, PySpark has Python forget what its path holds. Python 3.12 and earlier then read the lists of all
archives there, among them Spark's own jar, once for each package in them: 0.1 seconds a task and more, where the task
itself may take a hundredth of that. What is in an archive that has not changed is still there.
"""

import zipimport
from pathlib import Path
from typing import Any, TypeAlias

_forget: Any = zipimport.zipimporter.invalidate_caches
_Sign: TypeAlias = tuple[int, int]
_signs: dict[int, _Sign] = {}


def remember_archives() -> None:
    """Have this process forget the list of an archive only where the archive has changed."""
    if zipimport.zipimporter.invalidate_caches is _forget:
        zipimport.zipimporter.invalidate_caches = _forget_if_changed  # type: ignore[assignment,method-assign]


def _forget_if_changed(importer: zipimport.zipimporter) -> None:
    try:
        stat = Path(importer.archive).stat()
    except OSError:
        _forget(importer)
        return
    sign = stat.st_mtime_ns, stat.st_size
    if _signs.get(id(importer)) != sign:
        _forget(importer)
        _signs[id(importer)] = sign
