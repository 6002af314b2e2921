"""The settings for events: which are sent, and what they contain."""

from __future__ import annotations

import re
from collections.abc import Mapping

from headwater.capture.settings.conf import OURS, Conf, is_uuid
from headwater.openlineage.build.options import EventOptions, Owner, RunName, Tag

_FACETS = frozenset(
    [
        *("schema", "dataSource", "version", "lifecycleStateChange", "symlinks", "catalog", "storage", "datasetType"),
        *("columnLineage", "lineage", "inputStatistics", "outputStatistics", "subset"),
        *("jobType", "sql", "ownership", "tags", "parent", "processing_engine", "errorMessage", "headwater_capture"),
        *("headwater_rows", "headwater_views", "headwater_behindViews"),
    ]
)
_PATTERNS_OF_SECRETS = ("spark.sql.redaction.string.regex", "spark.redaction.string.regex")


def event_options(conf: Conf, namespace: str, spark: Mapping[str, str], environment: Mapping[str, str]) -> EventOptions:
    """The options, from Spark's settings and the environment; `namespace` is the application's."""
    return EventOptions(
        nested=conf.flag("columnLineage.nested", default=True),
        dataset_lineage=conf.flag("columnLineage.datasetLineageEnabled", default=True),
        descriptions=conf.flag("columnLineage.descriptionsEnabled", default=True),
        schema_limit=conf.number_or_none("columnLineage.schemaSizeLimit", least=1),
        lineage_facet=conf.flag("lineageFacet", default=False),
        disabled_facets=_disabled_facets(conf),
        append_dataset_name=conf.flag("jobName.appendDatasetName", default=True),
        replace_dots=conf.flag("jobName.replaceDotWithUnderscore", default=False),
        emit_reads=conf.flag("emitReads", default=False),
        allowed=_classes(conf, "filter.allowedSparkNodes"),
        denied=_classes(conf, "filter.deniedSparkNodes"),
        owners=tuple(Owner(type_, name) for type_, name in conf.below("job.owners.").items()),
        job_tags=tags(conf.text("job.tags") or ""),
        run_tags=tags(conf.text("run.tags") or ""),
        parent=_run(conf, "parent", namespace) or _run_of(environment.get("OPENLINEAGE_PARENT_ID")),
        root=_run(conf, "rootParent", namespace) or _run_of(environment.get("OPENLINEAGE_ROOT_PARENT_ID")),
        secrets=_secrets(conf, spark),
    )


def _run(conf: Conf, role: str, namespace: str) -> RunName | None:
    """The run that the settings name: `parentJobNamespace`, `parentJobName`, `parentRunId`."""
    run_id, name = conf.uuid(f"{role}RunId"), conf.text(f"{role}JobName")
    its_namespace = conf.text(f"{role}JobNamespace") or namespace
    if run_id and name:
        return RunName(its_namespace, name, run_id)
    for key, other in ((f"{role}RunId", f"{role}JobName"), (f"{role}JobName", f"{role}RunId")):
        if key in conf and other not in conf:
            conf.problems.append(f"{conf.key(key)} has no effect without {OURS}{other}: events then name no such run.")
    return None


def _run_of(text: str | None) -> RunName | None:
    """The run that an environment variable names.

    >>> _run_of("airflow/dag.task/01890a5d-ac96-774b-bcce-b302099a8057").name
    'dag.task'
    """
    job, _, run_id = (text or "").rpartition("/")
    namespace, _, name = job.rpartition("/")
    return RunName(namespace, name, run_id) if namespace and name and is_uuid(run_id) else None


def _disabled_facets(conf: Conf) -> frozenset[str]:
    disabled = set(conf.items("facets.disabled"))
    for key in conf.below("facets."):
        name, _, last = key.rpartition(".")
        if last != "disabled":
            conf.problems.append(f"Headwater has no setting {conf.key('facets.' + key)}: it is ignored.")
        elif name and conf.flag(f"facets.{key}", default=False):
            disabled.add(name)
        elif name and name not in _FACETS:
            conf.problems.append(f"{conf.key('facets.' + key)}: Headwater does not send a facet {name}.")
        else:
            disabled.discard(name)
    return frozenset(disabled)


def _classes(conf: Conf, key: str) -> frozenset[str]:
    """Spark's classes by their simple names, as in plans."""
    return frozenset(name.rpartition(".")[2] for name in conf.items(key))


def tags(text: str) -> tuple[Tag, ...]:
    r"""Tags between semicolons: key, value and source, between colons; a backslash escapes a colon or semicolon.

    >>> [tuple(tag) for tag in tags(r"urgent;at:12\:30:CLOCK;:nothing")]
    [('urgent', 'true', 'CONFIG'), ('at', '12:30', 'CLOCK')]
    """
    inside = text[1:-1] if text.startswith("[") and text.endswith("]") else text
    result = []
    for text_of_tag in re.split(r"(?<!\\);", inside):
        parts = [re.sub(r"\\([:;])", r"\1", part).strip() for part in re.split(r"(?<!\\):", text_of_tag)][:3]
        if all(parts):
            result.append(Tag(*parts))
    return tuple(result)


def _secrets(conf: Conf, spark: Mapping[str, str]) -> re.Pattern[str] | None:
    """Spark's own pattern for secrets in the texts that it shows."""
    key = next((key for key in _PATTERNS_OF_SECRETS if spark.get(key)), "")
    try:
        return re.compile(spark[key]) if key else None
    except re.error as error:
        conf.problems.append(f"Cannot use {key} for events: {error}.")
        return None
