"""Sizes in words."""

_STEP = 1000


def size(number: float) -> str:
    """A number of bytes.

    >>> size(900), size(12_345), size(3_600_000_000)
    ('900 B', '12.3 kB', '3.6 GB')
    """
    for unit in ("B", "kB", "MB", "GB"):
        if abs(number) < _STEP:
            return f"{number:.0f} B" if unit == "B" else f"{number:.1f} {unit}"
        number /= _STEP
    return f"{number:.1f} TB"
