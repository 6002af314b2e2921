"""A real PostgreSQL for tests and benchmarks, from the binaries on this machine."""

from __future__ import annotations

import os
import pwd
import re
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

import psycopg

START_SECONDS = 60
_WITH_STRATEGIES = 15


class NoPostgres(Exception):  # noqa: N818 (a sentence for whoever runs the tests)
    """There are no binaries here."""


class Postgres:
    """A server of one's own, and the one user that may do everything in it.

    Attributes:
        folder: what it keeps; `data` in it is the data directory.
        durable: whether what is committed is on disk. Without it, everything is faster.
    """

    user = "warehouse"
    # Long and strange enough that it stands nowhere by chance.
    password = "Kept-Secret-81c7f3"  # noqa: S105 (of a server that lives as long as the tests)

    def __init__(self, folder: Path, *, durable: bool = False, settings: Mapping[str, str] | None = None) -> None:
        self.binaries = _binaries()
        self.port = free_port()
        self.folder = folder
        self.durable = durable
        self._settings = {"listen_addresses": "127.0.0.1", **(settings or {})}
        self._owner = _owner(folder)
        said = subprocess.run([self.binaries / "postgres", "-V"], capture_output=True, text=True, check=True).stdout
        self._version = int(re.findall(r"\d+", said)[0])
        self._process: subprocess.Popen[bytes] | None = None
        self._connection: psycopg.Connection | None = None

    @property
    def namespace(self) -> str:
        """What OpenLineage calls the server."""
        return f"postgres://127.0.0.1:{self.port}"

    def url(self, database: str = "shop") -> str:
        """The JDBC address of a database, without user and password."""
        return f"jdbc:postgresql://127.0.0.1:{self.port}/{database}"

    def options(self, database: str = "shop") -> dict[str, str]:
        """What Spark needs to read and write there."""
        # A driver that came with `spark.jars.packages` is found only by its name.
        driver = "org.postgresql.Driver"
        return {"url": self.url(database), "user": self.user, "password": self.password, "driver": driver}

    def store_url(self, database: str) -> str:
        """The address of a database as a store's URL, with user and password."""
        return f"postgresql://{self.user}:{self.password}@127.0.0.1:{self.port}/{database}"

    def run(self, sql: str, database: str = "shop") -> str:
        """Run statements, and return what they answer, one row a line."""
        program = [str(self.binaries / "psql"), "--no-psqlrc", "-v", "ON_ERROR_STOP=1", "-qAtc", sql]
        place = {"PGHOST": "127.0.0.1", "PGPORT": str(self.port), "PGUSER": self.user, "PGDATABASE": database}
        environment = {**os.environ, **place, "PGPASSWORD": self.password}
        done = subprocess.run(program, env=environment, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
        return done.stdout.strip()

    def create(self, database: str, template: str = "template1") -> str:
        """Make a database, empty or a copy of another; returns its store's URL."""
        # Copying the files of a small one is faster than writing them through the log, where there is the choice.
        strategy = "STRATEGY file_copy" if self._version >= _WITH_STRATEGIES else ""
        self._administer(f'CREATE DATABASE "{database}" TEMPLATE "{template}" {strategy}')
        return self.store_url(database)

    def drop(self, database: str) -> None:
        """Remove a database, and end the connections to it."""
        self._administer(f'DROP DATABASE "{database}" WITH (FORCE)')

    def _administer(self, statement: str) -> None:
        """Run a statement over one connection for all of them: hundreds of tests have a database of their own."""
        if self._connection is None:
            self._connection = psycopg.connect(self.store_url("postgres"), autocommit=True)
        self._connection.execute(statement.encode())

    def _disconnect(self) -> None:
        if self._connection is not None:
            self._connection.close()
            self._connection = None

    def initialise(self) -> None:
        """Make the data directory."""
        password = self.folder / "password"
        password.write_text(self.password, encoding="utf-8")
        password.chmod(0o644)
        subprocess.run(
            [self.binaries / "initdb", "-D", self.folder / "data", "-U", self.user, f"--pwfile={password}",
             "--auth=scram-sha-256", "--encoding=UTF8", "--locale=C", *([] if self.durable else ["--no-sync"])],
            cwd=self.folder, user=self._owner, check=True, capture_output=True,
        )  # fmt: skip

    def start(self) -> None:
        """Start, on the port that it always has, and wait until it answers."""
        settings = [part for name, value in self._settings.items() for part in ("-c", f"{name}={value}")]
        with (self.folder / "log").open("ab") as log:
            self._process = subprocess.Popen(
                [self.binaries / "postgres", "-D", self.folder / "data", "-p", str(self.port), "-k", self.folder,
                 *([] if self.durable else ["-F"]), *settings],
                cwd=self.folder, user=self._owner, stdout=log, stderr=log,
            )  # fmt: skip
        self._wait(self._process)

    def stop(self) -> None:
        """Stop, ending the connections that are left."""
        self._disconnect()
        if self._process is not None:
            self._process.send_signal(signal.SIGINT)
            self._process.wait(START_SECONDS)
            self._process = None

    def restart(self) -> None:
        """Stop it, if it has not ended by itself, and start it again."""
        self.stop()
        self.start()

    def kill(self) -> None:
        """End it and every process of it by kill -9, as a machine that loses its power would."""
        assert self._process is not None
        self._disconnect()
        self._process.send_signal(signal.SIGSTOP)  # so that it starts no other in the meantime
        below = self.processes()
        for pid in (self._process.pid, *below):
            os.kill(pid, signal.SIGKILL)
        self._process.wait(START_SECONDS)
        self._process = None
        until = time.monotonic() + START_SECONDS
        while any(map(_is_alive, below)):  # it does not start again while one of them has its memory
            assert time.monotonic() < until, "a process of PostgreSQL survived kill -9"
            time.sleep(0.01)

    @contextmanager
    def hanging(self) -> Iterator[None]:
        """While the block runs, no process of it does anything: connections are open, and nobody answers on them."""
        stopped = (self.pid, *self.processes())
        for pid in stopped:
            os.kill(pid, signal.SIGSTOP)
        try:
            yield
        finally:
            for pid in stopped:
                os.kill(pid, signal.SIGCONT)

    @property
    def pid(self) -> int:
        """The first process, from which all others come."""
        assert self._process is not None
        return self._process.pid

    def processes(self) -> list[int]:
        """The processes below the first one: one a connection, and those that write behind them."""
        text = Path(f"/proc/{self.pid}/task/{self.pid}/children").read_text(encoding="ascii")
        return [int(pid) for pid in text.split()]

    def _wait(self, process: subprocess.Popen[bytes]) -> None:
        until = time.monotonic() + START_SECONDS
        ready = [str(self.binaries / "pg_isready"), "-q", "-h", "127.0.0.1", "-p", str(self.port)]
        while subprocess.run(ready, check=False).returncode != 0:
            if process.poll() is not None or time.monotonic() > until:
                log = (self.folder / "log").read_text(encoding="utf-8", errors="replace")
                raise RuntimeError(f"PostgreSQL did not start:\n{log}")
            time.sleep(0.1)


@contextmanager
def running_postgres(
    *,
    durable: bool = False,
    databases: Sequence[str] = ("shop",),
    folder: Path | None = None,
    settings: Mapping[str, str] | None = None,
) -> Iterator[Postgres]:
    """A server of one's own on a free port, with some empty databases; it stops at the end, and nothing is left of it.

    It keeps its files in a folder of its own, or in the one given, which stays.

    Raises:
        NoPostgres: there are no binaries.
    """
    place = Path(tempfile.mkdtemp(prefix="headwater-postgres-")) if folder is None else folder
    try:
        server = Postgres(place, durable=durable, settings=settings)
        server.initialise()
        try:
            server.start()
            for database in databases:
                server.create(database)
            yield server
        finally:
            server.stop()
    finally:
        if folder is None:
            shutil.rmtree(place, ignore_errors=True)


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


def _is_alive(pid: int) -> bool:
    try:
        state = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()[0]
    except (FileNotFoundError, ProcessLookupError):
        return False
    return state not in {"Z", "X"}
