"""Prints the server's OpenAPI document, without starting one: the page's types are made from it."""

import json
import tempfile
from pathlib import Path

from headwater.server.app import create_app
from headwater.store import open_store


def main() -> None:
    """Print it."""
    with tempfile.TemporaryDirectory() as folder, open_store(str(Path(folder) / "empty.db")) as store:
        print(json.dumps(create_app(store).openapi(), sort_keys=True))


if __name__ == "__main__":
    main()
