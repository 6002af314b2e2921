"""Attacks on a server with little memory, while a client works beside them.

Each attack gets a server of its own, on a store with a few tables, and lasts some seconds. The server must stay
below the limit: it is killed as soon as more is seen, and the kernel's note of its peak (VmHWM) tells what was missed
between two looks. A process beside it asks `/livez` and for a column's lineage, and sends events, all the time.

    python benchmarks/bench_attacks.py
    python benchmarks/bench_attacks.py --checkout ../an-earlier-headwater     # the same attacks on its server
    python benchmarks/bench_attacks.py --only gzip --seconds 5
"""

from __future__ import annotations

import argparse
import gzip
import json
import multiprocessing
import os
import re
import socket
import sys
import tempfile
import threading
import time
import uuid
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager, suppress
from datetime import datetime, timedelta, timezone
from multiprocessing.connection import Connection as Pipe
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1]))  # so that the file runs by itself

from benchmarks.over_http import Server, path_of, served
from rich.console import Console
from rich.table import Table

LIMIT = 512.0  # MB
ASKED = 250.0  # ms, p95 of the client beside
GIVEN_UP = 15.0  # seconds, after which an answer counts as never
_NAMESPACE = "file"
_COLUMNS = 20
_TABLES = 10
_EVENT, _BATCH = "/api/v1/lineage", "/api/v1/lineage/batch"
_SCHEMA = "https://openlineage.io/spec/2-0-2/OpenLineage.json#/$defs/RunEvent"
_FACET = {"_producer": "https://example.com", "_schemaURL": "https://openlineage.io/spec/facets/1-0-0/F.json"}
_QUESTION = path_of(
    "/api/v1/column-lineage", nodeId=f"datasetField:{_NAMESPACE}:t{_TABLES}:c1", depth=20, withDownstream="false"
)


def main() -> int:
    """Attack, and print a table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--checkout", type=Path, help="the source of the server to attack; this one by default")
    parser.add_argument("--only", default="", help="attacks whose name contains this")
    parser.add_argument("--seconds", type=float, default=8.0, help="how long each attack goes on")
    given = parser.parse_args()
    source = (given.checkout or Path(__file__).parents[1]).resolve() / "src"
    os.environ["PYTHONPATH"] = str(source)
    os.environ["HEADWATER_SHUTDOWN_GRACE"] = "1"  # for readers that never read
    out = Console()
    table = Table(
        "attack", "survived", "peak MB", "p95 ms /livez", "p95 ms column", "events refused", "answers",
        title=f"Attacks on a server with {LIMIT:.0f} MB",
    )  # fmt: skip
    missed = []
    for name, attack in ATTACKS.items():
        if given.only not in name:
            continue
        with out.status(name):
            row, good = _attacked(attack, given.seconds)
        table.add_row(name, *row)
        if not out.is_terminal:
            out.print(name, *row, sep="  ")  # a log shows how far it is
        if not good:
            missed.append(name)
    out.print(table)
    if missed:
        out.print(f"[red]Not survived, or others waited more than {ASKED:.0f} ms: {', '.join(missed)}")
    return 1 if missed else 0


def _attacked(attack: Callable[[Target], str], seconds: float) -> tuple[list[str], bool]:
    with tempfile.TemporaryDirectory() as folder, served(f"{folder}/x.db") as server:
        for table in range(1, _TABLES + 1):
            _send(server.port, _copy(f"t{table - 1}", f"t{table}"))
        here, there = multiprocessing.Pipe()
        client = multiprocessing.get_context("spawn").Process(target=_work, args=(server.port, there))
        with _within(server) as memory:
            client.start()
            here.recv()  # it has begun
            memory.reset()
            try:
                answers = attack(Target(server.port, seconds))
            except OSError as error:
                answers = f"none: {error.strerror or error}"
            time.sleep(1)  # some attacks are over before the client has asked for anything
            here.send(None)
            live, column, statuses = here.recv()
            client.join()
            peak = memory.peak()
        survived = server.process.poll() is None and peak <= LIMIT
        p95s = [sorted(took)[int(0.95 * len(took))] for took in (live, column)]
    refused = sum(count for status, count in statuses.items() if status != 201)  # noqa: PLR2004  created
    row = [
        "yes" if survived else "no",
        f"{peak:.0f}",
        *(f"{p95:.0f}" for p95 in p95s),
        f"{refused} of {sum(statuses.values())}",
        answers,
    ]
    return row, survived and max(p95s) <= ASKED


class _Memory:
    """Watches the memory of a server, and kills it where it is over the limit."""

    def __init__(self, server: Server) -> None:
        self._server = server
        self._status = Path(f"/proc/{server.process.pid}/status")
        self._peak = 0.0
        self.stop = threading.Event()

    def reset(self) -> None:
        """Forget what was before the attack."""
        with suppress(OSError):
            Path(f"/proc/{self._server.process.pid}/clear_refs").write_text("5", encoding="ascii")
        self._peak = 0.0

    def peak(self) -> float:
        """The most megabytes at once."""
        with suppress(OSError):
            read = re.search(r"VmHWM:\s+(\d+) kB", self._status.read_text(encoding="ascii"))
            self._peak = max(self._peak, int(read[1]) / 1000 if read else 0.0)
        return self._peak

    def watch(self) -> None:
        """Look every few milliseconds."""
        while not self.stop.wait(0.02):
            if self.peak() > LIMIT:
                self._server.process.kill()
                return


@contextmanager
def _within(server: Server) -> Iterator[_Memory]:
    memory = _Memory(server)
    watching = threading.Thread(target=memory.watch)
    watching.start()
    try:
        yield memory
    finally:
        memory.stop.set()
        watching.join()


def _work(port: int, pipe: Pipe) -> None:
    """The client beside: what each question took in milliseconds, and the statuses of its events."""
    live: list[float] = []
    column: list[float] = []
    statuses: Counter[int] = Counter()
    pipe.send(None)
    number = 0
    while not pipe.poll(0.02):
        number += 1
        live.append(_asked(port, "GET", "/livez")[1])
        column.append(_asked(port, "GET", _QUESTION)[1])
        if number % 5 == 0:
            statuses[_asked(port, "POST", _EVENT, json.dumps(_copy("beside", f"beside{number % 50}")).encode())[0]] += 1
    pipe.send((live, column, statuses))


def _asked(port: int, method: str, path: str, body: bytes = b"") -> tuple[int, float]:
    began = time.perf_counter()
    try:
        status = _ask(port, method, path, body)[0]
    except (OSError, ValueError, IndexError):
        status = 0
    took = (time.perf_counter() - began) * 1000
    # No answer is as bad as one after a long time.
    return status, took if status else GIVEN_UP * 1000


def _ask(
    port: int, method: str, path: str, body: bytes = b"", headers: Mapping[str, str] | None = None
) -> tuple[int, bytes]:
    """One request on a connection of its own."""
    lines = {"Host": "localhost", "Connection": "close", "Content-Type": "application/json", **(headers or {})}
    head = "".join(f"{name}: {value}\r\n" for name, value in lines.items())
    with _connected(port) as connection:
        # The server may answer, and close, before it has taken all.
        with suppress(BrokenPipeError, ConnectionResetError):
            connection.sendall(f"{method} {path} HTTP/1.1\r\n{head}Content-Length: {len(body)}\r\n\r\n".encode() + body)
        received = _received(connection)
    return int(received.split(b" ", 2)[1]), received.partition(b"\r\n\r\n")[2]


def _connected(port: int) -> socket.socket:
    return socket.create_connection(("127.0.0.1", port), timeout=GIVEN_UP)


def _received(connection: socket.socket) -> bytes:
    parts: list[bytes] = []
    with suppress(ConnectionResetError):
        while part := connection.recv(1 << 20):
            parts.append(part)
    return b"".join(parts)


def _send(port: int, event: object) -> int:
    return _ask(port, "POST", _EVENT, json.dumps(event).encode())[0]


def _copy(source: str, target: str, when: datetime | None = None, job: str = "", **facets: object) -> dict[str, Any]:
    """The event of a job that copies one table to another."""
    fields = {
        f"c{number}": {"inputFields": [{"namespace": _NAMESPACE, "name": source, "field": f"c{number}"}]}
        for number in range(_COLUMNS)
    }
    lineage = {"columnLineage": {**_FACET, "fields": fields}}
    return {
        "eventType": "COMPLETE",
        "eventTime": (when or datetime.now(timezone.utc)).isoformat(),
        "producer": "https://example.com",
        "schemaURL": _SCHEMA,
        "run": {"runId": str(uuid.uuid4())},
        "job": {"namespace": "bench", "name": job or f"{source} to {target}"},
        "inputs": [{"namespace": _NAMESPACE, "name": source}],
        "outputs": [{"namespace": _NAMESPACE, "name": target, "facets": {**lineage, **facets}}],
    }


class Target:
    """The server under attack, and how long to go on."""

    def __init__(self, port: int, seconds: float) -> None:
        self.port = port
        self._until = time.monotonic() + seconds

    @property
    def goes_on(self) -> bool:
        """Whether there is time left."""
        return time.monotonic() < self._until

    def wait(self) -> None:
        """Do nothing for the rest of the time."""
        time.sleep(max(0.0, self._until - time.monotonic()))

    def ask(self, method: str, path: str, body: bytes = b"", headers: Mapping[str, str] | None = None) -> str:
        """The status of an answer."""
        try:
            return str(_ask(self.port, method, path, body, headers)[0])
        except TimeoutError:
            return f"none in {GIVEN_UP:.0f} s"
        except (OSError, IndexError):
            return "closed"

    def again(self, *asked: Callable[[], str]) -> str:
        """Ask for as long as there is time, one after the other; how often each status came."""
        statuses: Counter[str] = Counter()
        while self.goes_on:
            statuses.update(ask() for ask in asked)
        return _counts(statuses)


def _counts(statuses: Counter[str]) -> str:
    return ", ".join(f"{count} of {status}" for status, count in statuses.most_common())


def _search(target: Target) -> str:
    text = "a" * 20_000 + "/b"
    short = "a" * 10_000 + "/b"
    return target.again(
        lambda: target.ask("GET", path_of("/api/v1/search", q=text)),
        lambda: target.ask("GET", path_of("/api/v1/search", q=short)),
        lambda: target.ask("GET", path_of("/api/v1/questions/upstream", dataset=short)),
        lambda: target.ask("POST", "/api/v1/questions/upstream", json.dumps({"dataset": text}).encode()),
    )


def _names(target: Target) -> str:
    event = _copy("in", "out")
    event["outputs"][0]["namespace"] = "a" * 20_000 + "/b"
    described = _copy("in", "out2")
    fields = described["outputs"][0]["facets"]["columnLineage"]["fields"]
    fields["c1"]["inputFields"][0]["transformations"] = [
        {"type": "DIRECT", "subtype": "TRANSFORMATION", "description": "'a\\" * 8000, "masking": False}
    ]
    source = {"dataSource": {**_FACET, "name": "db", "uri": "pwd." * 500 + " @"}}
    events = [json.dumps(sent).encode() for sent in (event, described, _copy("in", "out3", None, "", **source))]
    sent = [target.ask("POST", _EVENT, body) for body in events]
    return f"{', '.join(sent)}; sources: " + target.again(lambda: target.ask("GET", "/api/v1/sources"))


def _endless(begin: bytes, part: bytes, most: int, connections: int = 1) -> Callable[[Target], str]:
    """What never ends, on some connections in turn, up to so many bytes for each."""

    def attack(target: Target) -> str:
        answers: Counter[str] = Counter()
        with ExitStack() as opened:
            waiting = [opened.enter_context(_connected(target.port)) for _ in range(connections)]
            for connection in waiting:
                answers[_status_of(connection, begin, part, most, target)] += 1
            target.wait()
        return _counts(answers)

    return attack


def _status_of(connection: socket.socket, begin: bytes, part: bytes, most: int, target: Target) -> str:
    connection.settimeout(0.2)
    with suppress(OSError):
        connection.sendall(begin)
        for _ in range(most // len(part)):
            connection.sendall(part)
            if not target.goes_on:
                break
    try:
        answer = connection.recv(65536)
    except TimeoutError:
        return "taken without an answer"
    except OSError:
        return "closed"
    return answer.split(b" ", 2)[1].decode() if answer else "closed"


def _heads(target: Target) -> str:
    """Many connections with a head that fits and never ends."""
    begin = b"GET /livez HTTP/1.1\r\nHost: localhost\r\n" + b"X: " + b"a" * 30_000
    open_ones: list[socket.socket] = []
    count = 0
    with ExitStack() as opened:
        while target.goes_on and count < 3_000:  # noqa: PLR2004  enough
            with suppress(OSError):
                connection = opened.enter_context(_connected(target.port))
                connection.sendall(begin)
                count += 1
                open_ones.append(connection)
                if len(open_ones) > 900:  # noqa: PLR2004  what a process may open
                    open_ones.pop(0).close()
        target.wait()
    return f"{count} connections"


def _claims(target: Target) -> str:
    """Bodies that are announced and do not come."""
    with ExitStack() as opened:
        waiting = []
        for path in ("/livez", _EVENT):
            for method in ("POST", "GET"):
                for _ in range(4):
                    connection = opened.enter_context(_connected(target.port))
                    connection.sendall(
                        f"{method} {path} HTTP/1.1\r\nHost: localhost\r\nContent-Length: 33554432\r\n\r\n".encode()
                    )
                    waiting.append(connection)
        target.wait()
        answers = Counter(_status_of(connection, b"", b"x", 0, target) for connection in waiting)
    return _counts(answers)


def _stalled(target: Target) -> str:
    """Large bodies that stop just before their end, again and again."""
    with ExitStack() as opened:
        waiting: list[socket.socket] = []
        while target.goes_on:
            for _ in range(6):
                with suppress(OSError):
                    connection = opened.enter_context(_connected(target.port))
                    connection.sendall(
                        f"POST {_EVENT} HTTP/1.1\r\nHost: localhost\r\nContent-Length: 33554432\r\n\r\n".encode()
                        + b" " * 33_000_000
                    )
                    waiting.append(connection)
            time.sleep(2)
        answers = Counter(_status_of(connection, b"", b"x", 0, target) for connection in waiting)
    return _counts(answers)


def _gzips(body: bytes, path: str = _EVENT) -> Callable[[Target], str]:
    """Four at once, whose clients leave at once; then some that wait for the answer."""

    def attack(target: Target) -> str:
        head = (
            f"POST {path} HTTP/1.1\r\nHost: localhost\r\nContent-Encoding: gzip\r\nContent-Length: {len(body)}\r\n\r\n"
        )
        for _ in range(4):
            with _connected(target.port) as leaving, suppress(OSError):
                leaving.sendall(head.encode() + body)
        return target.again(lambda: target.ask("POST", path, body, {"Content-Encoding": "gzip"}))

    return attack


def _lazy_readers(target: Target) -> str:
    """Thirty clients ask for large answers, and read nothing."""
    filler = {"filler": {**_FACET, "text": "x" * 1_000_000}}
    for number in range(20):
        _send(target.port, _copy("in", f"large{number}", None, "", **filler))
    with ExitStack() as opened:
        waiting = []
        for _ in range(30):
            connection = opened.enter_context(_connected(target.port))
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            connection.sendall(b"GET /api/v1/events/lineage?limit=100 HTTP/1.1\r\nHost: localhost\r\n\r\n")
            waiting.append(connection)
        target.wait()
        answers = Counter(_status_of(connection, b"", b"x", 0, target) for connection in waiting)
    return _counts(answers)


def _cached(target: Target) -> str:
    event = _copy("in", "out")
    bad = json.loads(json.dumps(event))
    bad["inputs"][0]["inputFacets"] = {"inputStatistics": "x"}
    later = {**bad, "eventTime": (datetime.now(timezone.utc) + timedelta(seconds=1)).isoformat()}
    return ", ".join(str(_send(target.port, sent)) for sent in (bad, event, later, bad))


def _malformed(target: Target) -> str:
    odd = json.loads(json.dumps(_copy("in", "out")))
    fields = odd["outputs"][0]["facets"]["columnLineage"]["fields"]
    fields["\ud800"] = fields["c1"]
    offset = {**_copy("in", "out"), "eventTime": "2026-01-01T00:00:00+99:99"}
    batch = json.dumps([_copy("in", "fine"), odd]).encode()
    asked = [
        target.ask("POST", _EVENT, json.dumps(odd).encode()),
        target.ask("POST", _BATCH, batch),
        target.ask("POST", _EVENT, json.dumps(_copy("in", "out")).encode(), {"Origin": "http://[x"}),
        target.ask("POST", _EVENT, json.dumps(offset).encode()),
        target.ask("GET", "/openapi/v3/entity/dataset/urn:li:dataset:%ED%A0%80"),
    ]
    return ", ".join(asked)


def _wrong_clock(target: Target) -> str:
    """An event of the year 9999, then one of now: which of them do answers about now show?"""
    far = datetime(9999, 1, 1, tzinfo=timezone.utc)
    sent = [_copy("old", "clock", far, "job"), _copy("new", "clock", None, "job")]
    statuses = [_send(target.port, event) for event in sent]
    question = path_of("/api/v1/column-lineage", nodeId=f"datasetField:{_NAMESPACE}:clock:c1", depth=1)
    answer = _ask(target.port, "GET", question)[1].decode()
    shown = "what came later" if f"{_NAMESPACE}:new" in answer else "the year 9999 alone"
    return f"{', '.join(map(str, statuses))}; now shows {shown}"


_LIVE = b"GET /livez HTTP/1.1\r\nHost: localhost\r\n"
_CHUNKED = f"POST {_EVENT} HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n".encode()
_EMPTY = gzip.compress(b"", mtime=0)
_SENT = 64_000_000
ATTACKS: dict[str, Callable[[Target], str]] = {
    "1 long names in questions": _search,
    "1 long names in events": _names,
    "2 headers without end": _endless(_LIVE, b"X: aaaaaaaa\r\n" * 5_000, _SENT),
    "2 one header without end": _endless(_LIVE + b"X: ", b"a" * 65_536, _SENT),
    "2 a URL without end": _endless(b"GET /", b"a" * 65_536, _SENT),
    "2 trailers without end": _endless(_CHUNKED + b"0\r\n", b"X: aaaaaaaa\r\n" * 5_000, _SENT),
    "2 requests that wait for no answer": _endless(b"", (_LIVE + b"\r\n") * 1_000, _SENT, 20),
    "2 many heads": _heads,
    "3 bodies that are only announced": _claims,
    "3 bodies that stop before their end": _stalled,
    "3 gzip of empty members": _gzips(_EMPTY * (32_000_000 // len(_EMPTY))),
    "3 gzip bomb": _gzips(gzip.compress(b" " * 500_000_000, 9, mtime=0)),
    "4 batch of zeros": _gzips(gzip.compress(b"[" + b"0," * 4_000_000 + b"0]", mtime=0), _BATCH),
    "4 batch of empty objects": _gzips(gzip.compress(b"[" + b"{}," * 20_000_000 + b"{}]", 6, mtime=0), _BATCH),
    "4 lines of zeros": _gzips(gzip.compress(b"0\n" * 20_000_000, 6, mtime=0), _BATCH),
    "4 an event of empty lists": _gzips(gzip.compress(b"[" + b"[]," * 20_000_000 + b"[]]", 6, mtime=0)),
    "4 readers that do not read": _lazy_readers,
    "5 an event, then the same with a bad facet": _cached,
    "6 lone surrogates, odd origins and offsets": _malformed,
    "8 an event of the year 9999": _wrong_clock,
}


if __name__ == "__main__":
    sys.exit(main())
