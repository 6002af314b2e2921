"""Which datasets and jobs people deleted: these stay hidden until an event of a later time names them."""

from collections.abc import Collection

from headwater.store.db.codes import Kind
from headwater.store.db.session import Session, ids

# An event that is later than the deletion, for each kind.
_NAMED_LATER = {
    Kind.DATASET: "SELECT 1 FROM mention JOIN event ON event.shape = mention.shape AND event.us > hidden.us"
    " WHERE mention.dataset = hidden.entity",
    Kind.JOB: "SELECT 1 FROM shape JOIN event ON event.shape = shape.id AND event.us > hidden.us"
    " WHERE shape.job = hidden.entity",
}
NOT_HIDDEN = {
    kind: f"NOT EXISTS (SELECT 1 FROM hidden WHERE hidden.kind = {kind} AND hidden.entity = t.id"  # noqa: S608  our own words
    f" AND NOT EXISTS ({later}))"
    for kind, later in _NAMED_LATER.items()
}
"""The condition under which a statement shows the dataset or job `t`."""
_HIDDEN = {
    kind: "SELECT hidden.entity FROM {given} {join} hidden ON hidden.kind = :kind AND hidden.entity = given.id"  # noqa: S608  our own words
    f" WHERE NOT EXISTS ({later})"
    for kind, later in _NAMED_LATER.items()
}


def hidden_among(session: Session, kind: Kind, keys: Collection[int]) -> set[int]:
    """The datasets or jobs among these that are hidden now."""
    return {key for (key,) in session.rows(_HIDDEN[kind], ids(keys), kind=int(kind))}
