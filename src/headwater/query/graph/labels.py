"""Names for keys: what an answer shows of fields, datasets, jobs and steps."""

from collections.abc import Collection, Iterable
from operator import itemgetter
from typing import NamedTuple

from headwater.common.masking import Masking
from headwater.query.graph.answer import FieldName, TableName, Transformation, kind_of
from headwater.store.db.codes import RENAME_STEP, ROWS_ON_STEP, ROWS_STEP
from headwater.store.db.session import Session
from headwater.store.entities.keys import dataset_of
from headwater.store.reads.edges import steps_by_id
from headwater.store.reads.fields import NamedField, fields_by_id
from headwater.store.reads.names import Table, names_by_id

_OWN_STEPS = {
    RENAME_STEP: ("DIRECT", "IDENTITY", Masking.NONE),
    ROWS_STEP: ("INDIRECT", "ROWS", Masking.NONE),
    ROWS_ON_STEP: ("INDIRECT", "COPIED_ROWS", Masking.NONE),
}


class Labels(NamedTuple):
    """Names of fields, their types, and their places by name; the rows of a dataset come before its columns."""

    names: dict[int, FieldName]
    types: dict[int, str]
    places: dict[int, int]


def label_fields(session: Session, fields: Iterable[int], rows: Collection[int] = ()) -> Labels:
    """The names of fields and of datasets' rows."""
    labelled = fields_by_id(session, fields)
    if rows:
        datasets = {dataset_of(field.id): TableName(field.namespace, field.name) for field in labelled}
        datasets |= tables(session, "dataset", {dataset_of(key) for key in rows} - datasets.keys())
        for key in rows:
            dataset = datasets[dataset_of(key)]
            labelled.append(NamedField(key, dataset.namespace, dataset.name, "", ""))
    labelled.sort(key=itemgetter(1, 2, 3))
    return Labels(
        {key: FieldName(namespace, name, path or None) for key, namespace, name, path, _ in labelled},
        {field.id: field.type for field in labelled},
        {field.id: place for place, field in enumerate(labelled)},
    )


def tables(session: Session, table: Table, keys: Collection[int]) -> dict[int, TableName]:
    """The names of datasets or jobs."""
    return {key: TableName(*name) for key, name in names_by_id(session, table, keys).items()}


class Step(NamedTuple):
    """A way in which a value goes into another, what it does to masking, and its class."""

    type: str
    subtype: str
    masking: Masking
    kind: int

    def transformation(self, description: str) -> Transformation:
        """As an answer shows it."""
        return Transformation(self.type, self.subtype, self.masking.masks, description, self.masking.words)


def steps(session: Session, keys: Iterable[int]) -> dict[int, Step]:
    """Steps by key."""
    by_key = _OWN_STEPS | steps_by_id(session, keys)
    return {key: Step(*step, int(kind_of(step[0], step[1]))) for key, step in by_key.items()}
