"""Where a store is: from a URL or a path to a file."""

from pathlib import Path
from urllib.parse import unquote

from headwater.store.errors import StoreError

DEFAULT_STORE_URL = "sqlite:///headwater.db"
_PREFIX = "sqlite:///"


def store_path(url: str) -> Path:
    """The file that a store's URL names.

    Three slashes and a relative path, four for an absolute one; anything without a scheme is a path.

    >>> store_path("sqlite:///lineage/headwater.db").as_posix()
    'lineage/headwater.db'
    >>> store_path("sqlite:////var/lib/headwater.db").as_posix()
    '/var/lib/headwater.db'
    """
    if url.startswith(_PREFIX):
        path = unquote(url.removeprefix(_PREFIX))
    elif url.startswith(("postgresql:", "postgres:")):
        raise StoreError("PostgreSQL is not supported yet: use a file, such as --store sqlite:///headwater.db.")
    elif "://" in url or url.startswith("sqlite:"):
        raise StoreError(f"The store {url!r} is not understood: write sqlite:///file.db or a path.")
    else:
        path = url
    if not path or "\0" in path:
        raise StoreError(f"The store {url!r} names no file: write sqlite:///file.db or a path.")
    return Path(path).expanduser()
