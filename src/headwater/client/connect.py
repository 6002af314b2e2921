"""`headwater.connect`: lineage in a file, a database or a lake, or behind a server."""

from __future__ import annotations

import os
from importlib.util import find_spec
from typing import TYPE_CHECKING

from headwater.common.address import is_server
from headwater.common.errors import StoreError
from headwater.lake.address import is_lake, lake_path

if TYPE_CHECKING:
    from headwater.client.lineage import Lineage


def connect(path_or_url: str | os.PathLike[str] = "headwater.db", *, token: str | None = None) -> Lineage:
    """Lineage in a store, behind a server, or in a lake.

    Args:
        path_or_url: a path, `sqlite:///file.db`, `postgresql://host/database`, a server's `https://host:5000`, or a
            lake: `lake:/path`, `lake:s3a://bucket/path`. Spark reads a lake, in the running session or in one that
            lasts until the lineage is closed. Nothing is opened or created before the first use.
        token: the token for a server; by default the one in the URL (`https://token@host`), then the environment
            variable HEADWATER_TOKEN.

    Raises:
        StoreError: this is not the address of a store, a server or a lake.
    """
    url = os.fspath(path_or_url)
    if is_server(url):
        from headwater.client.remote import RemoteLineage  # noqa: PLC0415  only where a server is asked

        return RemoteLineage(url, token)
    if is_lake(url):
        if find_spec("pyspark") is None or find_spec("pyarrow") is None:
            raise StoreError("Reading a lake needs Spark: pip install 'headwater[spark]' pyarrow pandas.")
        from headwater.client.lake import LakeLineage  # noqa: PLC0415  only where a lake is asked

        return LakeLineage(lake_path(url))
    from headwater.client.local import StoredLineage  # noqa: PLC0415  only where a store is asked
    from headwater.store import open_store  # noqa: PLC0415

    return StoredLineage(open_store(url))
