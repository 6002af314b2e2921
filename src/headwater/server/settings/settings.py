"""The settings of a server: from defaults, a YAML file, the environment and flags; later ones win."""

import os
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from ipaddress import ip_address
from pathlib import Path
from typing import Any

from headwater.datahub.naming.datasets import naming_of
from headwater.fields.errors import BadUrn, DataHubError
from headwater.server.settings.values import BadSetting, read_value
from headwater.store.db.clock import DEFAULT_TOLERANCE, MOST_TOLERANCE

FILE = "headwater.yml"
METRICS_FOLDER = "PROMETHEUS_MULTIPROC_DIR"
"""The environment variable of the folder in which workers share their metrics."""
_PREFIX = "HEADWATER_"
_CONFIG = f"{_PREFIX}CONFIG"
_KIB = 1024
_MIB = 1024 * _KIB


def _setting(default: Any, help_: str, kind: str, least: float | None = None) -> Any:  # noqa: ANN401  as dataclasses' own
    # Values may be secrets, such as a password in the store's URL: `repr` leaves them out.
    return field(default=default, repr=False, metadata={"help": help_, "kind": kind, "least": least})


@dataclass(frozen=True, slots=True, kw_only=True)
class ServerSettings:
    """All options and limits of a server.

    >>> ServerSettings(port=5001).port
    5001
    """

    store: str = _setting(
        "sqlite:///headwater.db", "The store: sqlite:///file.db, a path, or postgresql://user@host/database.", "text"
    )
    host: str = _setting(
        "127.0.0.1", "The address to listen on. Any address other than loopback requires tokens.", "text"
    )
    port: int = _setting(5000, "The port to listen on; 0 for any free port.", "number", 0)
    workers: int = _setting(1, "Number of server processes.", "number", 1)
    allow_open: bool = _setting(
        default=False,
        help_="Serve other machines without tokens. Anyone who can reach the server has full access.",
        kind="yes or no",
    )
    allowed_hosts: tuple[str, ...] = _setting(
        (), "Host names under which a proxy serves this server without tokens, such as lineage.example.com.", "list"
    )
    tls_cert: str = _setting("", "The certificate (PEM, with its chain) to serve HTTPS with.", "text")
    tls_key: str = _setting("", "The certificate's private key (PEM).", "text")
    trusted_proxy: tuple[str, ...] = _setting(
        (), "Addresses of proxies whose X-Forwarded-For and X-Forwarded-Proto headers are trusted.", "list"
    )
    root_path: str = _setting("", "The path under which a proxy publishes the server, such as /headwater.", "text")
    cors_origins: tuple[str, ...] = _setting(
        (), "Origins whose pages may call the server from a browser, such as https://lineage.example.com.", "list"
    )
    store_timeout: float = _setting(
        15.0,
        "Seconds to wait for the store: for other writers, or for a database that does not answer; then 503.",
        "seconds",
        0.001,
    )
    connections: int = _setting(8, "How many questions a worker runs on the store at once.", "number", 1)
    waiting_questions: int = _setting(
        64, "How many questions may wait for their turn; further ones get 503.", "number", 0
    )
    query_timeout: float = _setting(
        30.0, "Seconds a question may take before it is cancelled with 504.", "seconds", 0.001
    )
    max_result_nodes: int = _setting(
        10_000, "The most nodes an answer may have; a shortened one says `partial`.", "number", 1
    )
    clock_tolerance: float = _setting(
        DEFAULT_TOLERANCE,
        "Seconds by which events may be ahead of this machine's clock; later ones count from their time on.",
        "seconds",
        0,
    )
    max_connections: int = _setting(
        800, "Open connections of a worker; beyond that, the one that waits longest is closed.", "number", 1
    )
    max_url_bytes: int = _setting(64 * _KIB, "The longest URL of a request; longer ones get 414.", "bytes", 1)
    max_header_bytes: int = _setting(
        96 * _KIB, "The largest head of a request, with its URL and all headers; larger ones get 431.", "bytes", 1
    )
    max_header_lines: int = _setting(100, "The most headers of a request; more get 431.", "number", 1)
    max_body_bytes: int = _setting(
        32 * _MIB, "The largest request body as sent, compressed or not; larger ones get 413.", "bytes", 1
    )
    max_inflated_bytes: int = _setting(
        64 * _MIB, "The largest request body after decompression; larger ones get 413.", "bytes", 1
    )
    max_json_depth: int = _setting(
        200, "How deep the JSON of an event may be nested; deeper ones get 400.", "number", 1
    )
    max_json_values: int = _setting(
        2_000_000, "The most values (texts, numbers, lists, objects) in a request body; more get 413.", "number", 1
    )
    max_gzip_members: int = _setting(
        10_000, "The most gzip members that a request body may consist of; more get 413.", "number", 1
    )
    max_batch_events: int = _setting(20_000, "The most events in a batch; larger ones get 413.", "number", 1)
    max_bytes_in_flight: int = _setting(
        256 * _MIB,
        "Memory for request bodies and their JSON that a worker takes at once; requests beyond that get 429.",
        "bytes",
        1,
    )
    max_answer_bytes: int = _setting(
        32 * _MIB, "The largest answer; larger ones are replaced by 413, which says how to ask for less.", "bytes", 1
    )
    max_answers_in_flight: int = _setting(
        64 * _MIB,
        "Bytes of answers that wait for clients to read them; beyond that, the slowest readers are cut off.",
        "bytes",
        1,
    )
    max_queued_events: int = _setting(
        20_000, "Events that may wait to be written; events beyond that get 429.", "number", 1
    )
    body_timeout: float = _setting(60.0, "Seconds in which a request body must arrive; else 408.", "seconds", 0.001)
    min_body_rate: int = _setting(
        _KIB, "Bytes of a request body that must arrive each second, over any 5 seconds; else 408.", "bytes", 0
    )
    header_timeout: float = _setting(
        30.0, "Seconds in which the headers of a request must arrive; else the connection is closed.", "seconds", 0.001
    )
    read_timeout: float = _setting(
        60.0, "Seconds in which a client must read part of an answer; else the connection is closed.", "seconds", 0.001
    )
    shutdown_grace: float = _setting(
        30.0, "Seconds that running requests have to finish when the server stops.", "seconds", 0
    )
    keep_secrets: bool = _setting(
        default=False,
        help_="Also keep events as they came, passwords and keys included. Nothing shows them; see `Store.events`.",
        kind="yes or no",
    )
    datahub_env: str = _setting("PROD", "The environment of datasets and jobs in DataHub URNs.", "text")
    datahub_instances: tuple[str, ...] = _setting(
        (), "Platform instances in DataHub URNs: NAMESPACE=NAME, with OpenLineage's namespace.", "list"
    )
    log_format: str = _setting("text", "The log format: text, or json with one object per line.", "text")
    log_clients: str = _setting(
        "full", "How the log names clients: full (their address), network (the first part of it) or none.", "text"
    )
    log_level: str = _setting("info", "The log level: debug, info, warning or error.", "text")

    def __post_init__(self) -> None:
        for setting in fields(self):
            least = setting.metadata["least"]
            if least is not None and getattr(self, setting.name) < least:
                raise BadSetting(setting.name, f"must be {least} or more, not {getattr(self, setting.name)}")
        _one_of("log_format", self.log_format, ("text", "json"))
        _one_of("log_clients", self.log_clients, ("full", "network", "none"))
        _one_of("log_level", self.log_level, ("debug", "info", "warning", "error"))
        try:
            naming_of(self.datahub_env, self.datahub_instances)
        except BadUrn as error:
            raise BadSetting("datahub_env", str(error).rstrip(".")) from None
        except DataHubError as error:
            raise BadSetting("datahub_instances", str(error).rstrip(".")) from None
        if not self.clock_tolerance <= MOST_TOLERANCE:  # nor may it be no number
            raise BadSetting("clock_tolerance", f"must be {MOST_TOLERANCE:.0f} or less, not {self.clock_tolerance}")
        if self.port > 65535:  # noqa: PLR2004  the last port there is
            raise BadSetting("port", f"must be 65535 or less, not {self.port}")
        if bool(self.tls_cert) != bool(self.tls_key):
            missing = "tls_key" if self.tls_cert else "tls_cert"
            raise BadSetting(missing, "is missing: HTTPS needs both the certificate and its key")
        if self.root_path and (not self.root_path.startswith("/") or self.root_path.endswith("/")):
            raise BadSetting("root_path", f"must begin with a slash and end without one, not {self.root_path!r}")

    @property
    def write_limit(self) -> float:
        """Seconds after which a write that does not come on is given up, although the store seems to be there."""
        return 2 * self.store_timeout

    @property
    def on_loopback(self) -> bool:
        """Whether only this machine can connect.

        >>> ServerSettings(host="::1").on_loopback, ServerSettings(host="0.0.0.0").on_loopback
        (True, False)
        """
        try:
            return ip_address(self.host).is_loopback
        except ValueError:
            return self.host == "localhost"


def _one_of(name: str, value: str, choices: tuple[str, ...]) -> None:
    if value not in choices:
        raise BadSetting(name, f"must be one of {', '.join(choices)}, not {value!r}")


def load_settings(
    flags: Mapping[str, object], config: str | None = None, environment: Mapping[str, str] | None = None
) -> ServerSettings:
    """Load the settings of a server.

    Args:
        flags: the options of the command line; None where one is not given.
        config: the YAML file; else the one that HEADWATER_CONFIG names, else headwater.yml if it exists.
        environment: `HEADWATER_PORT` and so on; by default that of the process.

    Raises:
        BadSetting: names the setting, where it is set, and what is wrong with it.
    """
    environment = os.environ if environment is None else environment
    kinds = {setting.name: setting.metadata["kind"] for setting in fields(ServerSettings)}
    values: dict[str, Any] = {}
    file = config or environment.get(_CONFIG) or (FILE if Path(FILE).is_file() else None)
    for name, value in (_in_file(file) if file else {}).items():
        if name not in kinds:
            raise BadSetting(str(name), f"is not a setting of the server (in {file})")
        values[name] = read_value(name, kinds[name], value)
    for name, kind in kinds.items():
        variable = _PREFIX + name.upper()
        if environment.get(variable):
            values[name] = read_value(variable, kind, environment[variable])
    values |= {name: value for name, value in flags.items() if value is not None}
    return ServerSettings(**values)


def _in_file(file: str) -> Mapping[Any, object]:
    import yaml  # noqa: PLC0415  only who has a file needs it

    try:
        read = yaml.safe_load(Path(file).read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise BadSetting("config", f"cannot read the file {file}: {reason}") from error
    except yaml.YAMLError as error:
        place = getattr(error, "problem_mark", None)
        line = f" in line {place.line + 1}" if place else ""
        # The parser's message may quote a password.
        raise BadSetting("config", f"the file {file} is not valid YAML{line}") from None
    if read is None:
        return {}
    if not isinstance(read, dict):
        raise BadSetting("config", f"the file {file} must be a mapping of names to values")
    return read
