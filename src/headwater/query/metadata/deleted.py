"""What was deleted: datasets and jobs are hidden until an event of a later time names them."""

from collections.abc import Collection, Iterable

from headwater.store.db.codes import Kind
from headwater.store.db.session import Session, ids

DATASET, JOB = Kind.DATASET, Kind.JOB

# An event that is later than the deletion, for each kind.
_NAMED_LATER = {
    DATASET: "SELECT 1 FROM mention JOIN event ON event.shape = mention.shape AND event.us > hidden.us"
    " WHERE mention.dataset = hidden.entity",
    JOB: "SELECT 1 FROM shape JOIN event ON event.shape = shape.id AND event.us > hidden.us"
    " WHERE shape.job = hidden.entity",
}
NOT_HIDDEN = {
    kind: f"NOT EXISTS (SELECT 1 FROM hidden WHERE hidden.kind = {kind} AND hidden.entity = t.id"  # noqa: S608  our own words
    f" AND NOT EXISTS ({later}))"
    for kind, later in _NAMED_LATER.items()
}
"""What a statement says of a dataset or a job `t` that is to be seen."""
_HIDDEN = {
    kind: "SELECT hidden.entity FROM {given} {join} hidden ON hidden.kind = :kind AND hidden.entity = given.id"  # noqa: S608  our own words
    f" WHERE NOT EXISTS ({later})"
    for kind, later in _NAMED_LATER.items()
}


def hidden_among(session: Session, kind: Kind, keys: Collection[int]) -> set[int]:
    """Those of some datasets or jobs that are hidden now."""
    return {key for (key,) in session.rows(_HIDDEN[kind], ids(keys), kind=int(kind))}


def show(session: Session, kind: Kind, key: int) -> None:
    """Hide a dataset or a job no longer."""
    session.delete("hidden", "kind, entity", [(int(kind), key)])


def hide(session: Session, kind: Kind, keys: Iterable[int], us: int) -> None:
    """Hide datasets or jobs from now on."""
    session.insert(
        "hidden",
        "kind, entity, us",
        [(int(kind), key, us) for key in sorted(keys)],
        conflict="(kind, entity) DO UPDATE SET us = excluded.us",
    )
