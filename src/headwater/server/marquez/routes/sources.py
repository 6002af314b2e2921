"""Routes of sources: they are there by the dataSource facets that name them; people may describe them."""

import json
from dataclasses import dataclass
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
from headwater.store.db.codes import NoteKind
from headwater.store.db.predicates import first_event, last_event
from headwater.store.db.session import Session
from headwater.store.entities.keys import hash_of

router = APIRouter(prefix="/api/v1", tags=["Marquez: sources"])

_SAID = f"""
SELECT note.content, min({first_event("note.shape")}),
       max({last_event("note.shape")})
FROM note WHERE note.kind = {NoteKind.DATASET} AND note.name = 'dataSource' AND note.content <> '' GROUP BY note.content
"""  # noqa: S608  our own words
_BY_HAND = (
    "SELECT source.name, source.type, source.url, source.description, source.created_us, source.updated_us FROM source"
)
_TYPES = {"postgres": "POSTGRESQL", "postgresql": "POSTGRESQL", "mysql": "MYSQL", "redshift": "REDSHIFT"}


@dataclass(frozen=True, slots=True)
class Source:
    """A source; times in microseconds."""

    name: str
    type: str
    url: str
    description: str | None
    created: int
    updated: int

    def to_json(self) -> Json:
        """As Marquez shows it."""
        return {
            "type": self.type,
            "name": self.name,
            "createdAt": instant(self.created),
            "updatedAt": instant(self.updated),
            "connectionUrl": redact(self.url),
            "description": self.description,
        }


@router.get("/sources", response_model=Sources, responses=WRONG)
async def list_sources(asker: Asking, limit: Limit = 100, offset: Offset = 0) -> Response:
    """List all sources, by name."""

    def answer(session: Session) -> Json:
        found = sorted(all_sources(session).values(), key=lambda source: source.name)
        return {"sources": [source.to_json() for source in found[offset : offset + limit]]}

    return json_response(await asker.ask(answer))


@router.get("/sources/{source}", response_model=SourceModel, responses=NOT_FOUND)
async def get_source(asker: Asking, source: str) -> Response:
    """Get a source."""

    def answer(session: Session) -> Json:
        found = all_sources(session).get(source)
        if found is None:
            raise ApiError(404, f"Source '{source}' not found.")
        return found.to_json()

    return json_response(await asker.ask(answer))


@router.put("/sources/{source}", response_model=SourceModel, responses=WRONG)
async def put_source(asker: Asking, source: str, body: SourceBody) -> Response:
    """Describe a source."""

    def work(session: Session) -> Json:
        before, now = all_sources(session).get(source), now_us()
        described = Source(
            source, body.type.upper(), body.connection_url, body.description, before.created if before else now, now
        )
        session.insert(
            "source",
            "key, created_us, updated_us, name, type, url, description",
            [
                (
                    hash_of(source),
                    described.created,
                    described.updated,
                    source,
                    described.type,
                    described.url,
                    described.description,
                )
            ],
            conflict="(key) DO UPDATE SET updated_us = excluded.updated_us, type = excluded.type, url = excluded.url,"
            " description = excluded.description",
        )
        return described.to_json()

    return json_response(await asker.change(work))


def all_sources(session: Session) -> dict[str, Source]:
    """All sources by name: those that events name, and those that people described."""
    found: dict[str, Source] = {}
    for content, first, last in sorted(session.rows(_SAID), key=lambda row: row[2] or 0):
        facet = json.loads(content)
        name, url = facet.get("name"), facet.get("uri")
        if not isinstance(name, str) or first is None:
            continue
        before = found.get(name)
        url = url if isinstance(url, str) else ""
        found[name] = Source(name, type_of(url), url, None, min(first, before.created) if before else first, last)
    for row in session.rows(_BY_HAND):
        found[row[0]] = Source(*row)
    return found


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
