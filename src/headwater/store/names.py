"""Keys for names and contents: found, or made when first seen. One object serves one transaction."""

import sqlite3
import zlib

from headwater.paths import ancestors
from headwater.store.order import canonical, digest


class Names:
    """Looks keys up by name and remembers them while the transaction lasts."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection
        self._datasets: dict[tuple[str, str], int] = {}
        self._fields: dict[tuple[int, str], int] = {}
        self._jobs: dict[tuple[str, str], int] = {}
        self._runs: dict[str, int] = {}

    def dataset(self, namespace: str, name: str) -> int:
        """The key of a dataset."""
        key = (namespace, name)
        if key not in self._datasets:
            self._datasets[key] = self._find_or_add("dataset", "namespace = ? AND name = ?", "namespace, name", key)
        return self._datasets[key]

    def job(self, namespace: str, name: str) -> int:
        """The key of a job."""
        key = (namespace, name)
        if key not in self._jobs:
            self._jobs[key] = self._find_or_add("job", "namespace = ? AND name = ?", "namespace, name", key)
        return self._jobs[key]

    def run(self, uuid: str) -> int:
        """The key of a run."""
        if uuid not in self._runs:
            self._runs[uuid] = self._find_or_add("run", "uuid = ?", "uuid", (uuid,))
        return self._runs[uuid]

    def field(self, dataset: int, path: str) -> int:
        """The key of a field; where a nested field is, so are the structs around it."""
        key = (dataset, path)
        if key not in self._fields:
            if "." in path:
                for outer in ancestors(path):
                    self.field(dataset, outer)
            self._fields[key] = self._find_or_add("field", "dataset = ? AND path = ?", "dataset, path", key)
        return self._fields[key]

    def body(self, content: object) -> int:
        """The key of a JSON content, stored once."""
        written = canonical(content)
        hashed = digest(written)
        if (found := self._find("body", "hash = ?", (hashed,))) is not None:
            return found
        return self._add("body", "hash, content", (hashed, zlib.compress(written)))

    def _find_or_add(self, table: str, where: str, columns: str, values: tuple[str | int, ...]) -> int:
        found = self._find(table, where, values)
        return self._add(table, columns, values) if found is None else found

    def _find(self, table: str, where: str, values: tuple[str | int | bytes, ...]) -> int | None:
        row = self._connection.execute(f"SELECT id FROM {table} WHERE {where}", values).fetchone()  # noqa: S608  our own words
        return None if row is None else int(row[0])

    def _add(self, table: str, columns: str, values: tuple[str | int | bytes, ...]) -> int:
        places = ", ".join("?" * len(values))
        added = self._connection.execute(f"INSERT INTO {table} ({columns}) VALUES ({places})", values)  # noqa: S608  our own words
        if added.lastrowid is None:
            raise sqlite3.DatabaseError(f"no key for a new row of {table}")
        return added.lastrowid
