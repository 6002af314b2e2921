"""What can be set: `spark.headwater.*`, and what users of OpenLineage's own agent have set already."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

_OURS = "spark.headwater."
_THEIRS = "spark.openlineage."


@dataclass(frozen=True)
class Settings:
    """The settings of one application.

    Attributes:
        disabled: track nothing.
        namespace: the namespace of the application's jobs.
        app_name: the name of the application's job, if it is not to be Spark's.
        store: the URL of the store to write to, if one was named.
        transport: a transport's settings in openlineage-python's words, if there are any.
        nested: whether lineage goes down to nested fields, or stays with the columns that they are in.
        queue_length: how many messages may wait for Python before new ones are dropped.
        queue_chars: how many characters they may have together.
        plan_millis: how long the reading of one plan may take.
        plan_chars: how many characters it may give.
    """

    disabled: bool = False
    namespace: str = "default"
    app_name: str | None = None
    store: str | None = None
    transport: Mapping[str, Any] | None = None
    nested: bool = True
    queue_length: int = 10_000
    queue_chars: int = 256_000_000
    plan_millis: int = 10_000
    plan_chars: int = 64_000_000


def settings(conf: Mapping[str, str], environment: Mapping[str, str]) -> Settings:
    """Read the settings from Spark's configuration and the environment.

    >>> settings({"spark.headwater.namespace": "food"}, {}).namespace
    'food'
    >>> settings({"spark.openlineage.transport.type": "console"}, {}).transport
    {'type': 'console'}
    """

    def text(key: str) -> str | None:
        return conf.get(_OURS + key) or conf.get(_THEIRS + key)

    def number(key: str, default: int) -> int:
        value = conf.get(_OURS + key, "")
        return int(value) if value.isdigit() else default

    defaults = Settings()
    return Settings(
        disabled=(text("disabled") or "").lower() == "true",
        namespace=text("namespace") or environment.get("OPENLINEAGE_NAMESPACE") or defaults.namespace,
        app_name=text("appName"),
        store=conf.get(_OURS + "store") or environment.get("HEADWATER_STORE"),
        transport=_nested(conf, _OURS + "transport.") or _theirs(_nested(conf, _THEIRS + "transport.")),
        nested=conf.get(_OURS + "columnLineage.nested", "true").lower() != "false",
        queue_length=number("queueLength", defaults.queue_length),
        queue_chars=number("queueChars", defaults.queue_chars),
        plan_millis=number("planMillis", defaults.plan_millis),
        plan_chars=number("planChars", defaults.plan_chars),
    )


def _nested(conf: Mapping[str, str], prefix: str) -> dict[str, Any]:
    """Keys with dots as nested dictionaries: `auth.type` becomes `{"auth": {"type": …}}`."""
    found: dict[str, Any] = {}
    for key, value in sorted(conf.items()):
        if key.startswith(prefix):
            *above, last = key.removeprefix(prefix).split(".")
            level = found
            for part in above:
                level = level.setdefault(part, {})
            level[last] = {"true": True, "false": False}.get(value.lower(), value)
    return found


def _theirs(transport: dict[str, Any]) -> dict[str, Any]:
    """The agent's words in openlineage-python's: a file's `location`, a timeout in milliseconds, an API key."""
    if not transport:
        return transport
    if "location" in transport:
        transport["log_file_path"] = transport.pop("location")
        transport.setdefault("append", True)
    if "timeoutInMillis" in transport:
        transport["timeout"] = float(transport.pop("timeoutInMillis")) / 1000
    auth = transport.get("auth")
    if isinstance(auth, dict) and "apiKey" in auth:
        auth["api_key"] = auth.pop("apiKey")
    return transport
