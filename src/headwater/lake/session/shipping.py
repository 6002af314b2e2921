"""A zip of this package for workers that lack it; it needs only Python's own library."""

import zipfile
from pathlib import Path

_TAKEN = (".py", ".sql")


def zipped(folder: Path) -> Path:
    """The package as a zip in a folder."""
    home = Path(__file__).parents[2]
    target = folder / "headwater.zip"
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as archive:
        for file in sorted(home.rglob("*")):
            if file.suffix in _TAKEN and "__pycache__" not in file.parts:
                archive.write(file, Path("headwater") / file.relative_to(home))
    return target
