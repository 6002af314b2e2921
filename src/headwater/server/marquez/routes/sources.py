"""Routes of sources: `dataSource` facets name them; people may describe them."""

import json
from urllib.parse import urlsplit

from fastapi import APIRouter
from fastapi.responses import Response

from headwater.openlineage.build.redact import redact
from headwater.server.http.errors import ApiError
from headwater.server.http.query_threads import Asking
from headwater.server.marquez.bodies import SourceBody
from headwater.server.marquez.clock import now_us
from headwater.server.marquez.entities.values import Json, instant
from headwater.server.marquez.graphs.json import json_response
from headwater.server.marquez.models import SourceModel, Sources
from headwater.server.marquez.parameters import NOT_FOUND, WRONG, Limit, Offset
from headwater.store.by_hand import SourceRow, describe, described_sources
from headwater.store.db.session import Session
from headwater.store.reads.notes import source_facets

router = APIRouter(prefix="/api/v1", tags=["Marquez: sources"])

_TYPES = {"postgres": "POSTGRESQL", "postgresql": "POSTGRESQL", "mysql": "MYSQL", "redshift": "REDSHIFT"}


@router.get("/sources", response_model=Sources, responses=WRONG)
async def list_sources(asker: Asking, limit: Limit = 100, offset: Offset = 0) -> Response:
    """List all sources, by name."""

    def answer(session: Session) -> Json:
        sources = sorted(all_sources(session).values(), key=lambda source: source.name)
        return {"sources": [_source_json(source) for source in sources[offset : offset + limit]]}

    return json_response(await asker.ask(answer))


@router.get("/sources/{source}", response_model=SourceModel, responses=NOT_FOUND)
async def get_source(asker: Asking, source: str) -> Response:
    """Get a source."""

    def answer(session: Session) -> Json:
        row = all_sources(session).get(source)
        if row is None:
            raise ApiError(404, f"Source '{source}' not found.")
        return _source_json(row)

    return json_response(await asker.ask(answer))


@router.put("/sources/{source}", response_model=SourceModel, responses=WRONG)
async def put_source(asker: Asking, source: str, body: SourceBody) -> Response:
    """Describe a source."""

    def work(session: Session) -> Json:
        before, now = all_sources(session).get(source), now_us()
        created = before.created_us if before else now
        row = SourceRow(source, body.type.upper(), body.connection_url, body.description, created, now)
        describe(session, row)
        return _source_json(row)

    return json_response(await asker.change(work))


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
