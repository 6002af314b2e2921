"""A real PostgreSQL for the tests, from the binaries on this machine."""

from __future__ import annotations

import os
import pwd
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

START_SECONDS = 60


class NoPostgres(Exception):  # noqa: N818 (a sentence for whoever runs the tests)
    """There are no binaries here."""


@dataclass(frozen=True)
class Postgres:
    """A server that is running, and the one user that may do everything in it."""

    binaries: Path
    port: int
    user: str = "warehouse"
    # Long and strange enough that it stands nowhere by chance.
    password: str = "Kept-Secret-81c7f3"  # noqa: S105 (of a server that lives as long as the tests)

    @property
    def namespace(self) -> str:
        """What OpenLineage calls the server."""
        return f"postgres://127.0.0.1:{self.port}"

    def url(self, database: str = "shop") -> str:
        """The address of a database, without user and password."""
        return f"jdbc:postgresql://127.0.0.1:{self.port}/{database}"

    def options(self, database: str = "shop") -> dict[str, str]:
        """What Spark needs to read and write there."""
        # A driver that came with `spark.jars.packages` is found only by its name.
        driver = "org.postgresql.Driver"
        return {"url": self.url(database), "user": self.user, "password": self.password, "driver": driver}

    def run(self, sql: str, database: str = "shop") -> str:
        """Run statements, and return what they answer, one row a line."""
        program = [str(self.binaries / "psql"), "--no-psqlrc", "-v", "ON_ERROR_STOP=1", "-qAtc", sql]
        place = {"PGHOST": "127.0.0.1", "PGPORT": str(self.port), "PGUSER": self.user, "PGDATABASE": database}
        environment = {**os.environ, **place, "PGPASSWORD": self.password}
        done = subprocess.run(program, env=environment, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
        return done.stdout.strip()


@contextmanager
def running_postgres() -> Iterator[Postgres]:
    """A server of one's own on a free port, with an empty database `shop`; it stops at the end.

    Raises:
        NoPostgres: there are no binaries.
    """
    server = Postgres(_binaries(), free_port())
    folder = Path(tempfile.mkdtemp(prefix="headwater-postgres-"))
    owner = _owner(folder)
    try:
        password = folder / "password"
        password.write_text(server.password, encoding="utf-8")
        password.chmod(0o644)
        subprocess.run(
            [server.binaries / "initdb", "-D", folder / "data", "-U", server.user, f"--pwfile={password}",
             "--auth=scram-sha-256", "--encoding=UTF8", "--locale=C", "--no-sync"],
            cwd=folder, user=owner, check=True, capture_output=True,
        )  # fmt: skip
        with (folder / "log").open("wb") as log, subprocess.Popen(
            [server.binaries / "postgres", "-D", folder / "data", "-p", str(server.port), "-k", folder, "-F",
             "-c", "listen_addresses=127.0.0.1"],
            cwd=folder, user=owner, stdout=log, stderr=log,
        ) as process:  # fmt: skip
            try:
                _wait(server, process, folder / "log")
                server.run("CREATE DATABASE shop", "postgres")
                yield server
            finally:
                process.send_signal(signal.SIGINT)  # ends the connections that are left, too
                process.wait(START_SECONDS)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def free_port() -> int:
    """A port that nobody listens on now."""
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        port: int = taken.getsockname()[1]
        return port


def _binaries() -> Path:
    """Debian keeps them away from PATH, one folder a version."""
    found = sorted(Path("/usr/lib/postgresql").glob("*/bin/postgres"), key=lambda path: int(path.parts[-3]))
    on_path = shutil.which("postgres")
    if not found and on_path is None:
        raise NoPostgres("PostgreSQL: install the package `postgresql`")
    return found[-1].parent if found else Path(str(on_path)).resolve().parent


def _owner(folder: Path) -> str | None:
    """PostgreSQL refuses to run as root: the user to run it as, who then owns the folder."""
    if os.geteuid() != 0:
        return None
    users = {user.pw_name for user in pwd.getpwall()}
    owner = "postgres" if "postgres" in users else "nobody"
    shutil.chown(folder, owner)
    return owner


def _wait(server: Postgres, process: subprocess.Popen[bytes], log: Path) -> None:
    until = time.monotonic() + START_SECONDS
    ready = [str(server.binaries / "pg_isready"), "-q", "-h", "127.0.0.1", "-p", str(server.port)]
    while subprocess.run(ready, check=False).returncode != 0:
        if process.poll() is not None or time.monotonic() > until:
            raise RuntimeError(f"PostgreSQL did not start:\n{log.read_text(encoding='utf-8', errors='replace')}")
        time.sleep(0.1)
