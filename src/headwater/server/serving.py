"""Runs a server: checks its settings, opens the socket, starts the workers, and stops them."""

import gc
import logging
import math
import os
import signal
import socket
import ssl
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from multiprocessing import parent_process
from multiprocessing.connection import wait
from typing import TYPE_CHECKING, Any, NoReturn

import uvicorn
from uvicorn.supervisors import Multiprocess

from headwater._version import __version__
from headwater.server.http.logs import LOG, set_up_logs
from headwater.server.http.protocol import PatientProtocol
from headwater.server.settings.settings import METRICS_FOLDER, ServerSettings
from headwater.store import Store, StoreError, open_store
from headwater.store.db.clock import Clock
from headwater.store.tokens import all_tokens

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

_KEEP_ALIVE_SECONDS = 65
_BACKLOG = 2048
# How long a worker may take to end after its last request.
_LAST_SECONDS = 3.0
UNFINISHED = 4
"""The exit code of a server that stopped although the store did not answer."""
# The threshold of the garbage collector. One answer has more objects than Python's default of 700, and none of them is
# in a cycle. Objects from the start are frozen.
_NEW_OBJECTS = 20_000
# The switch interval of threads; shorter than Python's default, since the writer shares the process with requests.
_SWITCH_SECONDS = 0.002


class CannotServe(RuntimeError):  # noqa: N818  a sentence for the user
    """The server cannot start; says why, and what to do."""


def serve(settings: ServerSettings, say: Callable[[str], None]) -> None:
    """Serve until SIGTERM or SIGINT; running requests are finished first.

    Raises:
        CannotServe: it cannot start.
        StoreError: the store cannot be opened.
    """
    signal.signal(signal.SIGTERM, _stop)
    _check_tls(settings)
    tokens = _tokens(settings)
    if not tokens and not settings.on_loopback and not settings.allow_open:
        raise CannotServe(
            f"There is no token yet, so anyone who can reach {settings.host} could read and write the store:"
            " create one with `headwater token create --scope admin --name me`, or start with --allow-open."
        )
    set_up_logs(settings)
    with _bound(settings) as listening:
        for line in _welcome(settings, listening.getsockname()[1], tokens):
            say(line)
        _run(settings, listening)


def _run(settings: ServerSettings, listening: socket.socket) -> None:
    config = uvicorn.Config(
        partial(make_app, settings),
        factory=True,
        workers=settings.workers,
        http=protocol(settings),
        ws="none",
        lifespan="on",
        log_config=None,
        access_log=False,
        server_header=False,
        proxy_headers=bool(settings.trusted_proxy),
        forwarded_allow_ips=list(settings.trusted_proxy),
        root_path=settings.root_path,
        backlog=_BACKLOG,
        timeout_keep_alive=_KEEP_ALIVE_SECONDS,
        timeout_graceful_shutdown=math.ceil(settings.shutdown_grace),
        ssl_certfile=settings.tls_cert or None,
        ssl_keyfile=settings.tls_key or None,
    )
    try:
        if settings.workers == 1:
            uvicorn.Server(config).run([listening])
        else:
            with tempfile.TemporaryDirectory(prefix="headwater-metrics-") as folder:
                # Set here, before the workers import prometheus_client.
                os.environ[METRICS_FOLDER] = folder
                workers = _Workers(config, [listening])
                workers.run()
                if any(worker.exitcode == UNFINISHED for worker in workers.processes):
                    sys.exit(UNFINISHED)
    except KeyboardInterrupt:
        pass  # stopped from the keyboard, after running requests were finished
    finally:
        LOG.info("Stopped")


class _Workers(Multiprocess):
    """The processes that serve."""

    def terminate_all(self) -> None:
        """Stop them; close the sockets first, so that new connections are refused and do not hang."""
        for listening in self.sockets:
            listening.close()
        super().terminate_all()


def make_app(settings: ServerSettings) -> "ASGIApp":
    """The application of one worker."""
    gc.disable()  # nearly all objects made at the start stay
    # Imported here: the process that only starts workers does not need it.
    from headwater.server.app import create_app  # noqa: PLC0415

    set_up_logs(settings)
    sys.setswitchinterval(_SWITCH_SECONDS)
    if parent := parent_process():
        threading.Thread(target=_stop_with, args=(parent.sentinel,), daemon=True).start()
    try:
        with _ended_by_signals():
            app = create_app(_store(settings), settings)
    except StoreError as error:
        LOG.error("%s", error)
        sys.exit(1)
    gc.freeze()
    gc.set_threshold(_NEW_OBJECTS)
    gc.enable()
    return Ending(app)


class Ending:
    """An application, and the end of its process: soon after its requests are over, whatever the store does."""

    def __init__(self, app: "ASGIApp") -> None:
        self._app = app

    async def __call__(self, scope: "Scope", receive: "Receive", send: "Send") -> None:
        """Serve a request, or the lifespan of the process."""
        if scope["type"] != "lifespan":
            await self._app(scope, receive, send)
            return

        async def seen() -> "Message":
            message = await receive()
            if message["type"] == "lifespan.shutdown":
                threading.Thread(target=_end_soon, daemon=True).start()
            return message

        await self._app(scope, seen, send)


def _end_soon() -> None:
    """End the process although a thread waits for the store; unless it ends before by itself."""
    time.sleep(_LAST_SECONDS)
    LOG.error(
        "Stopped while the store did not answer: what was being written may or may not be stored, and was not"
        " acknowledged. Send it again."
    )
    logging.shutdown()
    os._exit(UNFINISHED)


@contextmanager
def _ended_by_signals() -> Iterator[None]:
    """While the block runs, a stop ends it: uvicorn would note the signal, and wait for what may wait for the store."""
    before = {number: signal.signal(number, _stop) for number in (signal.SIGTERM, signal.SIGINT)}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def _store(settings: ServerSettings) -> Store:
    """The store of a worker: its waits end."""
    # One connection for each question, one to write, one to read tokens, one to see whether it is ready.
    return open_store(
        settings.store,
        timeout=settings.store_timeout,
        idle=settings.connections + 3,
        write_limit=settings.write_limit,
        clock=Clock(settings.clock_tolerance),
    )


def protocol(settings: ServerSettings) -> Any:  # noqa: ANN401  uvicorn's types know a class only, and take any callable
    """The protocol of connections."""
    return partial(PatientProtocol, settings=settings)


def _stop_with(parent: int) -> None:
    """Stop when the parent process has ended: nothing else would stop this one."""
    wait([parent])
    os.kill(os.getpid(), signal.SIGTERM)


def _stop(_number: int, _frame: object) -> NoReturn:
    """Exit with 0: before uvicorn handles signals, and again after it has shut down."""
    raise SystemExit(0)


def _tokens(settings: ServerSettings) -> int:
    """The number of tokens in the store, which is created or upgraded first."""
    with _store(settings) as store:
        store.prepare()
        with store.read() as session:
            return len(all_tokens(session))


def _check_tls(settings: ServerSettings) -> None:
    if not settings.tls_cert:
        return
    try:
        # Without a password function, OpenSSL would prompt on the terminal.
        ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER).load_cert_chain(settings.tls_cert, settings.tls_key, lambda: b"")
    except (OSError, ValueError) as error:
        reason = getattr(error, "reason", None) or getattr(error, "strerror", None) or "they cannot be parsed"
        raise CannotServe(
            f"tls_cert, tls_key: cannot use {settings.tls_cert} and {settings.tls_key}: {reason}. They must be"
            " matching PEM files, and the key must not have a password."
        ) from error


def _bound(settings: ServerSettings) -> socket.socket:
    """A listening socket: connections are served as soon as the workers are up."""
    try:
        family, kind, number, _, address = socket.getaddrinfo(
            settings.host, settings.port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
        )[0]
        listening = socket.socket(family, kind, number)
    except OSError as error:
        raise CannotServe(f"host: {settings.host} is not an address of this machine: {error.strerror}.") from error
    try:
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listening.bind(address)
        listening.listen(_BACKLOG)
    except OSError as error:
        listening.close()
        raise CannotServe(
            f"Cannot listen on {settings.host}:{settings.port}: {error.strerror}. If another server uses the port,"
            " choose another one with --port."
        ) from error
    listening.set_inheritable(True)
    return listening


def _welcome(settings: ServerSettings, port: int, tokens: int) -> list[str]:
    host = f"[{settings.host}]" if ":" in settings.host else settings.host
    address = f"{'https' if settings.tls_cert else 'http'}://{host}:{port}{settings.root_path}"
    store = open_store(settings.store, clock=Clock(settings.clock_tolerance))
    if tokens:
        access = "requires a token"
    elif settings.allow_open:
        access = "open to everyone who can reach it (--allow-open)"
    else:
        who = "everyone on this machine"
        if settings.allowed_hosts:
            who += f", and whom a proxy lets in as {', '.join(settings.allowed_hosts)},"
        access = f"open to {who} until you create a token with `headwater token create`"
    return [
        f"Headwater {__version__} at {address}",
        f"store      {store.database.name}, {store.database}",
        f"page       {address}/",
        f"interface  {address}/docs",
        f"events     POST {address}/api/v1/lineage",
        f"access     {access}",
    ]
