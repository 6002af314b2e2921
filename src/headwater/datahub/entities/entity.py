"""One entity of DataHub's as a store knows it: the aspects that came, and those that follow from its lineage."""

from collections.abc import Mapping
from typing import Any

from headwater.datahub.aspects.aspect_store import ever_kept, kept_aspects, kept_beside
from headwater.datahub.aspects.reading import Name
from headwater.datahub.exports.inventory import inventory_of
from headwater.datahub.exports.proposals import Form, export_in
from headwater.datahub.imports.entity_state import JOB_IO, Thing
from headwater.datahub.naming.datasets import Naming
from headwater.datahub.naming.named_datasets import keys_of, named_by_urn
from headwater.datahub.naming.store_names import ENTITIES, job_name
from headwater.fields.errors import DataHubError
from headwater.fields.paths import field_of
from headwater.fields.urn import Urn
from headwater.store.db.codes import NOW
from headwater.store.db.session import Session

# The parts of a key aspect, by kind of entity; the aspect is called by the kind and `Key`, but for people.
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
    """The aspect that says what the URN says.

    >>> key_aspect(Urn.parse("urn:li:tag:pii"))
    ('tagKey', {'name': 'pii'})
    """
    names = _KEYS.get(urn.kind, _ID)
    kind = "corpUser" if urn.kind == "corpuser" else urn.kind
    return f"{kind}Key", {name: urn.text(place) for place, name in enumerate(names) if place < len(urn.parts)}


def aspects_of(session: Session, naming: Naming, urn: str, at: int | None = None) -> dict[str, Any] | None:
    """All aspects of an entity, its key's among them; None where the store has no such entity.

    Args:
        session: the store.
        naming: how URNs are made.
        urn: the entity.
        at: when; None for now.

    Raises:
        DataHubError: it is no URN, or several datasets have it.
    """
    parsed = Urn.parse(urn)
    found = _found(session, naming, parsed, NOW if at is None else at, at)
    if found is None:
        return None
    name, key = key_aspect(parsed)
    return {name: key, **found}


def dataset_of(session: Session, naming: Naming, urn: str, at: int) -> Name | None:
    """The dataset of a URN, where the store has one.

    Raises:
        DataHubError: it is no URN of a dataset, or several datasets have it.
    """
    names = named_by_urn(session, naming, [urn], at).names
    name = names.name_of(urn)
    return name if name in names.datasets else None


def _found(session: Session, naming: Naming, urn: Urn, moment: int, at: int | None) -> dict[str, Any] | None:
    text = str(urn)
    if urn.kind == "dataset":
        name = dataset_of(session, naming, text, moment)
        return None if name is None else _of_dataset(session, naming, name, at)
    if urn.kind == "datasetField" or (urn.kind == "schemaField" and urn.urn(0).kind == "dataset"):
        name = dataset_of(session, naming, str(urn.urn(0)), moment)
        return None if name is None else _of_field(session, naming, name, text, at)
    kept = kept_beside(session, ENTITIES, text, moment)
    if urn.kind == "dataJob":
        made = _of_job(session, naming, job_name(text, naming.env), at)
        return {**kept, **made} or None
    return kept or None


def _of_dataset(session: Session, naming: Naming, name: Name, at: int | None) -> dict[str, Any] | None:
    moment = NOW if at is None else at
    thing = Thing(kept_aspects(session, "dataset", [name], moment).get(name, {}))
    beside = named_by_urn(session, naming, thing.mentioned(), moment).shown
    found = inventory_of(session, naming, [name], at=at, beside=beside)
    aspects = export_in(session, found, naming, at=at, form=Form.DATASETS).aspects(name)
    # What DataHub deleted is gone; what events name without a word of it is there.
    return aspects if aspects or not ever_kept(session, name) else None


def _of_field(session: Session, naming: Naming, name: Name, urn: str, at: int | None) -> dict[str, Any] | None:
    moment = NOW if at is None else at
    kept = kept_beside(session, name, urn, moment)
    if kept:
        return kept
    export = export_in(session, inventory_of(session, naming, [name], at=at), naming, at=at)
    found = field_of(urn)
    paths = [one.path for one in export.found.schemas.get(name, [])]
    written = export.dataset_field if found.rfc else export.schema_field
    return {} if found.path in paths or urn in {written(name, path) for path in paths} else None


def _of_job(session: Session, naming: Naming, job: Name, at: int | None) -> dict[str, Any]:
    if not keys_of(session, "job", [job]):
        return {}
    export = export_in(session, inventory_of(session, naming, [], at=at, jobs=[job]), naming, at=at)
    outputs = [one for one in export.found.written if one.job == job]
    try:
        return {JOB_IO: export.job_io(job, outputs)} if outputs else {}
    except DataHubError:  # a name that DataHub cannot hold
        return {}
