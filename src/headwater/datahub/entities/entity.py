"""An entity of DataHub in a store: the aspects that came from DataHub, and those that follow from its lineage."""

from collections.abc import Mapping
from typing import Any

from headwater.datahub.aspects.aspect_store import aspects_at, entity_aspects_at, ever_had_aspects
from headwater.datahub.aspects.reading import Name
from headwater.datahub.exports.inventory import inventory_of
from headwater.datahub.exports.proposals import Form, export_in
from headwater.datahub.imports.entity_state import JOB_IO, EntityState
from headwater.datahub.naming.datasets import Naming
from headwater.datahub.naming.named_datasets import named_by_urn
from headwater.datahub.naming.store_names import ENTITIES, job_name
from headwater.fields.errors import DataHubError
from headwater.fields.paths import field_of
from headwater.fields.urn import Urn
from headwater.store.db.session import Session
from headwater.store.reads.names import names_by_name

# The parts of a key aspect, by kind of entity; the aspect is named after the kind, but for `corpuser`.
_KEYS: Mapping[str, tuple[str, ...]] = {
    "chart": ("dashboardTool", "chartId"),
    "container": ("guid",),
    "corpGroup": ("name",),
    "corpuser": ("username",),
    "dashboard": ("dashboardTool", "dashboardId"),
    "dataFlow": ("orchestrator", "flowId", "cluster"),
    "dataJob": ("flow", "jobId"),
    "dataPlatform": ("platformName",),
    "dataPlatformInstance": ("platform", "instance"),
    "dataset": ("platform", "name", "origin"),
    "glossaryTerm": ("name",),
    "notebook": ("notebookTool", "notebookId"),
    "schemaField": ("parent", "fieldPath"),
    "tag": ("name",),
}
_ID = ("id",)


def key_aspect(urn: Urn) -> tuple[str, dict[str, str]]:
    """The key aspect: the parts of the URN.

    >>> key_aspect(Urn.parse("urn:li:tag:pii"))
    ('tagKey', {'name': 'pii'})
    """
    names = _KEYS.get(urn.kind, _ID)
    kind = "corpUser" if urn.kind == "corpuser" else urn.kind
    return f"{kind}Key", {name: urn.text(place) for place, name in enumerate(names) if place < len(urn.parts)}


def aspects_of(session: Session, naming: Naming, urn: str, at: int | None = None) -> dict[str, Any] | None:
    """All aspects of an entity, the key aspect included; None where the store has no such entity.

    Raises:
        DataHubError: it is no URN, or several datasets have it.
    """
    parsed = Urn.parse(urn)
    aspects = _aspects(session, naming, parsed, session.moment(at), at)
    if aspects is None:
        return None
    name, key = key_aspect(parsed)
    return {name: key, **aspects}


def dataset_of(session: Session, naming: Naming, urn: str, at: int) -> Name | None:
    """The dataset of a URN, where the store has one.

    Raises:
        DataHubError: it is no URN of a dataset, or several datasets have it.
    """
    names = named_by_urn(session, naming, [urn], at).names
    name = names.name_of(urn)
    return name if name in names.datasets else None


def _aspects(session: Session, naming: Naming, urn: Urn, moment: int, at: int | None) -> dict[str, Any] | None:
    text = str(urn)
    if urn.kind == "dataset":
        name = dataset_of(session, naming, text, moment)
        return None if name is None else _of_dataset(session, naming, name, at)
    if urn.kind == "datasetField" or (urn.kind == "schemaField" and urn.urn(0).kind == "dataset"):
        name = dataset_of(session, naming, str(urn.urn(0)), moment)
        return None if name is None else _of_field(session, naming, name, text, at)
    aspects = entity_aspects_at(session, ENTITIES, text, moment)
    if urn.kind == "dataJob":
        aspects |= _of_job(session, naming, job_name(text, naming.env), at)
    return aspects or None


def _of_dataset(session: Session, naming: Naming, name: Name, at: int | None) -> dict[str, Any] | None:
    moment = session.moment(at)
    state = EntityState(aspects_at(session, "dataset", [name], moment).get(name, {}))
    beside = named_by_urn(session, naming, state.mentioned(), moment).shown
    inventory = inventory_of(session, naming, [name], at=at, beside=beside)
    aspects = export_in(session, inventory, naming, at=at, form=Form.DATASETS).aspects(name)
    # A dataset without aspects was deleted by DataHub, unless it never had any.
    return aspects if aspects or not ever_had_aspects(session, name) else None


def _of_field(session: Session, naming: Naming, name: Name, urn: str, at: int | None) -> dict[str, Any] | None:
    moment = session.moment(at)
    aspects = entity_aspects_at(session, name, urn, moment)
    if aspects:
        return aspects
    export = export_in(session, inventory_of(session, naming, [name], at=at), naming, at=at)
    field = field_of(urn)
    paths = [column.path for column in export.inventory.schemas.get(name, [])]
    written = export.dataset_field if field.rfc else export.schema_field
    return {} if field.path in paths or urn in {written(name, path) for path in paths} else None


def _of_job(session: Session, naming: Naming, job: Name, at: int | None) -> dict[str, Any]:
    if not names_by_name(session, "job", [job]):
        return {}
    export = export_in(session, inventory_of(session, naming, [], at=at, jobs=[job]), naming, at=at)
    outputs = [output for output in export.inventory.written if output.job == job]
    try:
        return {JOB_IO: export.job_io(job, outputs)} if outputs else {}
    except DataHubError:  # a name that DataHub cannot hold
        return {}
