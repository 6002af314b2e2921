"""All settings: `spark.headwater.*`, and `spark.openlineage.*` for users of OpenLineage's own agent.

docs/configuration.md is the reference. Nothing here raises: see `Conf`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from headwater.capture.settings.conf import OURS, Conf
from headwater.capture.settings.events import event_options
from headwater.capture.settings.limits import Limits, limits
from headwater.capture.settings.masking import declared_masking
from headwater.capture.settings.transports import transport
from headwater.openlineage.build.options import EventOptions
from headwater.openlineage.delivery.spool import SpoolSettings
from headwater.rules.expressions.masking import DeclaredMasking

_RESOLVERS = ("hostList", "pattern", "patternGroup")
# These only concern the agent: they are accepted and ignored.
_IGNORED = (
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
        app_name: the name of the application's job, if not Spark's.
        run_id: the id of the application's run, if it is set.
        store: the URL of the store to write to, if it is set.
        transport: a transport's settings under openlineage-python's names, if there are any.
        events: which events are sent, and what they contain.
        masking: the user's functions that mask or unmask.
        remove_path: a Java regular expression; the match of its group `remove` is cut out of datasets' names.
        namespace_resolvers: the settings of the namespace resolvers, by name.
        disabled_trimmers: which partitions stay in datasets' names, as the agent's class names between semicolons.
        spool_disabled: events that cannot be sent do not wait on disk.
        spool_directory: where they wait, if not in the default directory.
        spool_bytes: the disk space they may take, if not the default.
        problems: a message for each invalid setting.
    """

    disabled: bool = False
    namespace: str = "default"
    app_name: str | None = None
    run_id: str | None = None
    store: str | None = None
    transport: Mapping[str, Any] | None = None
    events: EventOptions = field(default_factory=EventOptions)
    masking: DeclaredMasking = field(default_factory=DeclaredMasking)
    remove_path: str | None = None
    namespace_resolvers: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    disabled_trimmers: str = ""
    spool_disabled: bool = False
    spool_directory: str | None = None
    spool_bytes: int | None = None
    problems: tuple[str, ...] = ()

    @property
    def spool(self) -> SpoolSettings:
        """Where events wait for an endpoint that does not accept them."""
        spool = SpoolSettings(self.spool_directory, disabled=self.spool_disabled)
        return spool if self.spool_bytes is None else replace(spool, max_bytes=self.spool_bytes)


def settings(conf: Mapping[str, str], environment: Mapping[str, str]) -> Settings:
    """Read the settings from Spark's configuration and the environment.

    >>> settings({"spark.headwater.namespace": "food"}, {}).namespace
    'food'
    >>> settings({"spark.openlineage.transport.type": "console"}, {}).transport
    {'type': 'console'}
    """
    reader = Conf(conf)
    disabled = environment.get("OPENLINEAGE_DISABLED", "").strip().lower() == "true"
    namespace = reader.text("namespace") or environment.get("OPENLINEAGE_NAMESPACE") or Settings.namespace
    for key in _IGNORED:
        reader.text(key)
    chosen = Settings(
        disabled=reader.flag("disabled", default=False) or disabled,
        namespace=namespace,
        app_name=reader.text("appName"),
        run_id=reader.uuid("applicationRunId"),
        store=reader.text("store") or environment.get("HEADWATER_STORE"),
        transport=transport(reader),
        events=event_options(reader, namespace, conf, environment),
        masking=declared_masking(reader),
        remove_path=reader.text("dataset.removePath.pattern"),
        namespace_resolvers=_resolvers(reader),
        disabled_trimmers=reader.text("dataset.disabledTrimmers") or "",
        spool_disabled=reader.flag("spool.disabled", default=False),
        spool_directory=reader.text("spool.directory"),
        spool_bytes=reader.number_or_none("spool.maxBytes", least=1),
        **vars(limits(reader)),
    )
    return replace(chosen, problems=(*reader.problems, *reader.unknown()))


def _resolvers(conf: Conf) -> dict[str, dict[str, str]]:
    resolvers: dict[str, dict[str, str]] = {}
    for key, value in conf.below("dataset.namespaceResolvers.").items():
        name, _, word = key.rpartition(".")
        resolvers.setdefault(name, {})[word] = value
    for name in list(resolvers):
        kind = f"dataset.namespaceResolvers.{name}.type"
        if conf.choice(kind, _RESOLVERS) is None:
            del resolvers[name]
            if kind not in conf:
                conf.problems.append(f"{OURS}{kind} is missing: set it to one of {', '.join(_RESOLVERS)}.")
    return resolvers
