"""A transport's settings, under the names of OpenLineage's agent or openlineage-python, translated to the latter's."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any
from urllib.parse import parse_qsl, urlencode, urlsplit

from openlineage.client.transport import get_default_factory

from headwater.capture.settings.conf import Conf, listed

# Below these, dots are part of the name: `properties.bootstrap.servers`.
_FLAT = frozenset(
    {"properties", "urlParams", "headers", "config", "custom_headers", "storage_options", "transformer_properties"}
)
_AUTH = ("api_key", "jwt", "oauth2")
_KINDS = tuple(get_default_factory().transports)
_SUPPORTED = f"one of {', '.join(_KINDS)}, or the import path of a Python class"
# Producer properties that only a Java client has.
_OF_JAVAS_KAFKA = ("key.serializer", "value.serializer")
_IN_JAVAS_STORES = ("keyStorePath", "keyStoreType", "storePassword", "keyPassword")


def transport(conf: Conf) -> dict[str, Any] | None:
    """The transport in Spark's settings; None if there is none, or an unknown one.

    >>> transport(Conf({"spark.openlineage.transport.type": "file", "spark.openlineage.transport.location": "/e"}))
    {'type': 'file', 'append': True, 'log_file_path': '/e'}
    """
    options = nested(conf.below_one("transport."))
    if "type" not in options and "url" not in options:
        if options:
            conf.problems.append(f"{conf.key('transport.type')} is missing: set it to {_SUPPORTED}.")
        return None
    return _Reader(conf).read(options, "transport.")


def nested(settings: Mapping[str, str]) -> dict[str, Any]:
    """Dotted keys as nested dictionaries, true and false as booleans.

    >>> nested({"auth.type": "api_key", "properties.bootstrap.servers": "a:9092"})
    {'auth': {'type': 'api_key'}, 'properties': {'bootstrap.servers': 'a:9092'}}
    """
    tree: dict[str, Any] = {}
    for key, value in settings.items():
        parts = key.split(".")
        flat = next((place for place, part in enumerate(parts) if part in _FLAT), len(parts))
        above, last = parts[: flat + 1], ".".join(parts[flat + 1 :])
        if not last:
            last = above.pop()
        level = tree
        for part in above:
            inside = level.setdefault(part, {})
            level = inside if isinstance(inside, dict) else {}
        level[last] = {"true": True, "false": False}.get(value.lower(), value)
    return tree


class _Reader:
    """Translates the agent's settings to openlineage-python's, and reports those without a counterpart."""

    def __init__(self, conf: Conf) -> None:
        self._conf = conf

    def read(self, options: dict[str, Any], prefix: str) -> dict[str, Any] | None:
        kind = str(options.pop("type", "http"))
        kind = {"dataplex": "gcplineage"}.get(kind, kind)
        if kind not in _KINDS and ("." not in kind or kind.startswith("io.openlineage.")):
            self._conf.refuse(prefix + "type", f"it must be {_SUPPORTED}", "Its settings are ignored.")
            return None
        words: dict[str, Callable[[dict[str, Any], str], dict[str, Any] | None]] = {
            "http": self._http,
            "async_http": self._http,
            "kafka": self._kafka,
            "msk-iam": self._kafka,
            "file": _file,
            "composite": self._composite,
            "transform": self._transform,
            "gcplineage": _gcplineage,
        }
        read = words[kind](options, prefix) if kind in words else options
        return None if read is None else {"type": kind, **read}

    def _http(self, options: dict[str, Any], prefix: str) -> dict[str, Any] | None:
        if "url" not in options:
            self._conf.problems.append(f"{self._conf.key(prefix + 'url')} is missing: set it to the server's address.")
            return None
        if not self._conf.is_ours(prefix + "url"):
            options = {**_from_url(str(options.pop("url"))), **options}
        params = options.pop("urlParams", {})
        if params:
            options["endpoint"] = f"{options.get('endpoint', 'api/v1/lineage')}?{urlencode(params)}"
        _rename(options, {"headers": "custom_headers"})
        for word, seconds in (("timeoutInMillis", 1000), ("timeout", 1)):
            if word in options:
                number = _positive(options.pop(word))
                if number is None:
                    self._conf.refuse(prefix + word, "it must be a positive number", "Using the default.")
                else:
                    options["timeout"] = number / seconds
        if "auth" in options:
            options["auth"] = self._auth(options["auth"], prefix + "auth.")
        if "sslContext" in options:
            options["sslContext"] = self._tls(options["sslContext"], prefix + "sslContext.")
        retry = options.get("retry")
        if isinstance(retry, dict):
            options["retry"] = {key: _number(value) for key, value in retry.items()}
        return options

    def _auth(self, options: object, prefix: str) -> dict[str, Any]:
        auth = dict(options) if isinstance(options, dict) else {}
        kind = str(auth.get("type", ""))
        auth["type"] = kind = {"apiKey": "api_key"}.get(kind, kind)
        if kind not in _AUTH and not self._conf.is_ours(prefix + "type"):
            # Our setting may name a Python class of the user; the agent's names a Java class.
            self._conf.refuse(
                prefix + "type", f"it must be one of {', '.join(_AUTH)}", "Events are sent without a token."
            )
            return {}
        if isinstance(auth.get("tokenFields"), str):
            auth["tokenFields"] = list(listed(auth["tokenFields"]))
        return auth

    def _tls(self, options: object, prefix: str) -> dict[str, Any]:
        tls = dict(options) if isinstance(options, dict) else {}
        stores = [prefix + word for word in _IN_JAVAS_STORES if tls.pop(word, None) is not None]
        if stores:
            self._conf.problems.append(
                f"{self._conf.key(stores[0])} names a Java key store, which Python cannot read: use PEM files in"
                f" {prefix}caCertPath, {prefix}clientCertPath and {prefix}clientKeyPath."
            )
        return tls

    def _kafka(self, options: dict[str, Any], prefix: str) -> dict[str, Any]:
        _rename(options, {"topicName": "topic", "properties": "config", "localServerId": "messageKey"})
        config = {key: value for key, value in options.get("config", {}).items() if key not in _OF_JAVAS_KAFKA}
        for key in [key for key in config if key.endswith(("store.location", "jaas.config"))]:
            del config[key]
            self._conf.problems.append(
                f"{self._conf.key(prefix + 'properties.' + key)} only applies to Java's Kafka client: use the"
                " matching librdkafka setting (ssl.ca.location, sasl.username, …)."
            )
        return {**options, "config": config}

    def _composite(self, options: dict[str, Any], prefix: str) -> dict[str, Any] | None:
        _rename(options, {"continueOnFailure": "continue_on_failure"})
        options.pop("withThreadPool", None)
        inner = options.get("transports")
        if not isinstance(inner, dict):
            self._conf.problems.append(
                f"{self._conf.key(prefix + 'transports')} lists no transports: add some, each with its own"
                f" settings: {prefix}transports.first.type, …"
            )
            return None
        read = {
            name: self.read(settings, f"{prefix}transports.{name}.")
            for name, settings in inner.items()
            if isinstance(settings, dict)
        }
        options["transports"] = {name: settings for name, settings in read.items() if settings is not None}
        return options if options["transports"] else None

    def _transform(self, options: dict[str, Any], prefix: str) -> dict[str, Any] | None:
        if "transformerClass" in options:
            key = self._conf.key(prefix + "transformerClass")
            self._conf.problems.append(
                f"{key} names a Java class, which Python cannot use: name a Python class in {prefix}transformer_class."
            )
            return None
        inner = self.read(dict(options.get("transport", {})), prefix + "transport.")
        return None if inner is None else {**options, "transport": inner}


def _file(options: dict[str, Any], _prefix: str) -> dict[str, Any]:
    _rename(options, {"location": "log_file_path"})
    return {"append": True, **options}


def _gcplineage(options: dict[str, Any], _prefix: str) -> dict[str, Any]:
    _rename(options, {"projectId": "project_id", "credentialsFile": "credentials_path"})
    return options


def _from_url(url: str) -> dict[str, Any]:
    """The settings that the agent reads from a URL: the server, the API's version, a key, further parameters.

    >>> _from_url("https://host:5000/api/v2/lineage?api_key=k&team=a")
    {'url': 'https://host:5000', 'endpoint': '/api/v2/lineage', 'auth': {'type': 'api_key', 'apiKey': 'k'}, \
'urlParams': {'team': 'a'}}
    """
    parts = urlsplit(url)
    options: dict[str, Any] = {"url": f"{parts.scheme}://{parts.netloc}"}
    folders = parts.path.strip("/").split("/")
    if folders[0] == "api" and len(folders) > 1:
        options["endpoint"] = f"/api/{folders[1]}/lineage"
    params = dict(parse_qsl(parts.query))
    if "api_key" in params:
        options["auth"] = {"type": "api_key", "apiKey": params.pop("api_key")}
    if "timeout" in params:
        options["timeout"] = params.pop("timeout")
    if params:
        options["urlParams"] = params
    return options


def _rename(options: dict[str, Any], words: Mapping[str, str]) -> None:
    for theirs, ours in words.items():
        if theirs in options:
            options.setdefault(ours, options.pop(theirs))


def _positive(text: object) -> float | None:
    number = _number(text)
    return float(number) if isinstance(number, int | float) and number > 0 else None


def _number(text: object) -> object:
    try:
        return int(str(text))
    except ValueError:
        pass
    try:
        return float(str(text))
    except ValueError:
        return text
