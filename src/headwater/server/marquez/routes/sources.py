"""Routes of sources: `dataSource` facets name them; people may describe them."""

import json
from urllib.parse import urlsplit

from headwater.common.redaction.text import redact
from headwater.server.http.errors import ApiError
from headwater.server.marquez.bodies import SourceBody
from headwater.server.marquez.entities.values import Json, instant, now_us
from headwater.server.marquez.models import SourceModel, Sources
from headwater.server.marquez.parameters import NOT_FOUND, WRONG, Limit, Offset
from headwater.server.marquez.routing import SessionRoutes
from headwater.store.by_hand import SourceRow, describe, described_sources
from headwater.store.db.session import Session
from headwater.store.reads.notes import source_facets

router = SessionRoutes("sources")

_TYPES = {"postgres": "POSTGRESQL", "postgresql": "POSTGRESQL", "mysql": "MYSQL", "redshift": "REDSHIFT"}


@router.get("/sources", response_model=Sources, responses=WRONG)
def list_sources(session: Session, limit: Limit = 100, offset: Offset = 0) -> Json:
    """List all sources, by name."""
    sources = sorted(all_sources(session).values(), key=lambda source: source.name)
    return {"sources": [_source_json(source) for source in sources[offset : offset + limit]]}


@router.get("/sources/{source}", response_model=SourceModel, responses=NOT_FOUND)
def get_source(session: Session, source: str) -> Json:
    """Get a source."""
    row = all_sources(session).get(source)
    if row is None:
        raise ApiError(404, f"Source '{source}' not found.")
    return _source_json(row)


@router.put("/sources/{source}", response_model=SourceModel, responses=WRONG)
def put_source(session: Session, source: str, body: SourceBody) -> Json:
    """Describe a source."""
    before, now = all_sources(session).get(source), now_us()
    created = before.created_us if before else now
    row = SourceRow(source, body.type.upper(), body.connection_url, body.description, created, now)
    describe(session, row)
    return _source_json(row)


def _source_json(source: SourceRow) -> Json:
    return {
        "type": source.type,
        "name": source.name,
        "createdAt": instant(source.created_us),
        "updatedAt": instant(source.updated_us),
        "connectionUrl": redact(source.url),
        "description": source.description,
    }


def all_sources(session: Session) -> dict[str, SourceRow]:
    """All sources by name: those that events name, and those that people described."""
    sources: dict[str, SourceRow] = {}
    for content, first, last in sorted(source_facets(session), key=lambda facet: facet[2] or 0):
        facet = json.loads(content)
        name, url = facet.get("name"), facet.get("uri")
        if not isinstance(name, str) or first is None or last is None:
            continue
        before = sources.get(name)
        url = url if isinstance(url, str) else ""
        created = min(first, before.created_us) if before else first
        sources[name] = SourceRow(name, type_of(url), url, None, created, last)
    return sources | {source.name: source for source in described_sources(session)}


def type_of(url: str) -> str:
    """What kind of source an address is of.

    >>> type_of("postgres://db.example:5432/food"), type_of("s3://bucket"), type_of("")
    ('POSTGRESQL', 'S3', 'UNKNOWN')
    """
    try:
        scheme = urlsplit(url.removeprefix("jdbc:")).scheme
    except ValueError:
        scheme = ""
    return _TYPES.get(scheme, scheme.upper()) or "UNKNOWN"
