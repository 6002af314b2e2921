"""Sources of data: those that `dataSource` facets name, and those that people described."""

from typing import NamedTuple

from headwater.store.db.codes import NoteKind
from headwater.store.db.predicates import first_event, last_event
from headwater.store.db.session import Session

_IN_FACETS = f"""
SELECT note.content, min({first_event("note.shape")}),
       max({last_event("note.shape")})
FROM note WHERE note.kind = {NoteKind.DATASET} AND note.name = 'dataSource' AND note.content <> '' GROUP BY note.content
"""  # noqa: S608  our own words
_DESCRIBED = (
    "SELECT source.name, source.type, source.url, source.description, source.created_us, source.updated_us FROM source"
)


class SourceFacet(NamedTuple):
    """A `dataSource` facet as JSON, and the times of the first and the last event that carries it."""

    content: str
    first_us: int | None
    last_us: int | None


class SourceRow(NamedTuple):
    """A described source; times in microseconds."""

    name: str
    type: str
    url: str
    description: str | None
    created_us: int
    updated_us: int


def source_facets(session: Session) -> list[SourceFacet]:
    """The `dataSource` facets of all datasets, each once."""
    return [SourceFacet._make(row) for row in session.rows(_IN_FACETS)]


def described_sources(session: Session) -> list[SourceRow]:
    """The sources that people described."""
    return [SourceRow._make(row) for row in session.rows(_DESCRIBED)]
