r"""Column paths: nested fields joined by dots; names with dots or backticks are quoted with backticks, as in Spark.

>>> split_path("header.customerId")
('header', 'customerId')
>>> join_path(("a.b", "c"))
'`a.b`.c'
"""

from collections.abc import Iterable


def quote(name: str) -> str:
    """Quote a name if it needs it: ``a.b`` becomes a single segment in backticks.

    >>> quote("total"), quote("a.b")
    ('total', '`a.b`')
    """
    if "." in name or "`" in name:
        return "`" + name.replace("`", "``") + "`"
    return name


def join_path(segments: Iterable[str]) -> str:
    """Join segments to a path."""
    return ".".join(quote(segment) for segment in segments)


def split_path(path: str) -> tuple[str, ...]:
    """Split a path into its segments; a backtick that quotes nothing is an ordinary character."""
    if "`" not in path:
        return tuple(path.split("."))
    segments: list[str] = []
    at = 0
    while at <= len(path):
        if (end := _end_of_quote(path, at)) is not None:
            segments.append(path[at + 1 : end].replace("``", "`"))
        else:
            end = path.find(".", at)
            end = len(path) - 1 if end < 0 else end - 1
            segments.append(path[at : end + 1])
        at = end + 2
    return tuple(segments)


def _end_of_quote(path: str, start: int) -> int | None:
    """The index of the backtick that closes the quote opened at `start`, if a segment ends there."""
    if not path.startswith("`", start):
        return None
    at = start + 1
    while (at := path.find("`", at)) >= 0:
        if path.startswith("`", at + 1):
            at += 2
        else:
            return at if at + 1 == len(path) or path[at + 1] == "." else None
    return None


def normal_path(path: str) -> str:
    """The canonical spelling of a path.

    >>> normal_path("`plain`.x")
    'plain.x'
    """
    return path if "`" not in path else join_path(split_path(path))


def top_level(path: str) -> str:
    """The top-level column of a path.

    >>> top_level("header.customerId"), top_level("`a.b`.c")
    ('header', '`a.b`')
    """
    return quote(split_path(path)[0])


def ancestors(path: str) -> list[str]:
    """The paths that enclose this one, outermost first.

    >>> ancestors("a.b.c")
    ['a', 'a.b']
    """
    segments = split_path(path)
    return [join_path(segments[:count]) for count in range(1, len(segments))]
