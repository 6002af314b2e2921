"""What can be set: `spark.headwater.*`, and what users of OpenLineage's own agent have set as `spark.openlineage.*`.

docs/configuration.md is the reference. Nothing here raises: see `Conf`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from headwater.capture.settings.conf import OURS, Conf
from headwater.capture.settings.events import event_options
from headwater.capture.settings.limits import Limits, limits
from headwater.capture.settings.transports import transport
from headwater.openlineage.build.options import EventOptions
from headwater.openlineage.delivery.spool import SpoolSettings

_RESOLVERS = ("hostList", "pattern", "patternGroup")
# Of use to the agent only: nobody waits for us, and nothing is sent for RDDs or measured in its way.
_NOT_NEEDED = (
    "circuitBreaker.threadCount",
    "circuitBreaker.blockingTimeInSeconds",
    "filter.rddEventsDisabled",
    "vendors.iceberg.metricsReporterDisabled",
)


@dataclass(frozen=True)
class Settings(Limits):
    """The settings of one application, besides its limits.

    Attributes:
        disabled: track nothing.
        namespace: the namespace of the application's jobs.
        app_name: the name of the application's job, if it is not to be Spark's.
        run_id: the id of the application's run, if somebody else has chosen it.
        store: the URL of the store to write to, if one was named.
        transport: a transport's settings in openlineage-python's words, if there are any.
        events: which events are sent, and what is in them.
        remove_path: a regular expression in Java's words; its group `remove` is taken out of datasets' names.
        namespace_resolvers: by name, the settings of what rewrites datasets' namespaces.
        disabled_trimmers: which partitions stay in datasets' names, as the agent's class names between semicolons.
        spool_disabled: events that cannot be sent do not wait on disk.
        spool_directory: where they wait, if not at the usual place.
        spool_bytes: how much disk they may take, if not as usual.
        problems: a sentence for each setting that could not be used.
    """

    disabled: bool = False
    namespace: str = "default"
    app_name: str | None = None
    run_id: str | None = None
    store: str | None = None
    transport: Mapping[str, Any] | None = None
    events: EventOptions = field(default_factory=EventOptions)
    remove_path: str | None = None
    namespace_resolvers: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    disabled_trimmers: str = ""
    spool_disabled: bool = False
    spool_directory: str | None = None
    spool_bytes: int | None = None
    problems: tuple[str, ...] = ()

    @property
    def spool(self) -> SpoolSettings:
        """How events wait for an endpoint that does not take them."""
        usual = SpoolSettings(self.spool_directory, disabled=self.spool_disabled)
        return usual if self.spool_bytes is None else replace(usual, max_bytes=self.spool_bytes)


def settings(conf: Mapping[str, str], environment: Mapping[str, str]) -> Settings:
    """Read the settings from Spark's configuration and the environment.

    >>> settings({"spark.headwater.namespace": "food"}, {}).namespace
    'food'
    >>> settings({"spark.openlineage.transport.type": "console"}, {}).transport
    {'type': 'console'}
    """
    given = Conf(conf)
    off_everywhere = environment.get("OPENLINEAGE_DISABLED", "").strip().lower() == "true"
    namespace = given.text("namespace") or environment.get("OPENLINEAGE_NAMESPACE") or Settings.namespace
    for key in _NOT_NEEDED:
        given.text(key)
    chosen = Settings(
        disabled=given.flag("disabled", default=False) or off_everywhere,
        namespace=namespace,
        app_name=given.text("appName"),
        run_id=given.uuid("applicationRunId"),
        store=given.text("store") or environment.get("HEADWATER_STORE"),
        transport=transport(given),
        events=event_options(given, namespace, conf, environment),
        remove_path=given.text("dataset.removePath.pattern"),
        namespace_resolvers=_resolvers(given),
        disabled_trimmers=given.text("dataset.disabledTrimmers") or "",
        spool_disabled=given.flag("spool.disabled", default=False),
        spool_directory=given.text("spool.directory"),
        spool_bytes=given.number_or_none("spool.maxBytes", least=1),
        **vars(limits(given)),
    )
    return replace(chosen, problems=(*given.problems, *given.unknown()))


def _resolvers(conf: Conf) -> dict[str, dict[str, str]]:
    found: dict[str, dict[str, str]] = {}
    for key, value in conf.below("dataset.namespaceResolvers.").items():
        name, _, word = key.rpartition(".")
        found.setdefault(name, {})[word] = value
    for name in list(found):
        kind = f"dataset.namespaceResolvers.{name}.type"
        if conf.choice(kind, _RESOLVERS) is None:
            del found[name]
            if kind not in conf:
                conf.problems.append(f"{OURS}{kind} is missing: set it to one of {', '.join(_RESOLVERS)}.")
    return found
