"""The OpenAPI description of the routes that receive events."""

from http import HTTPStatus
from typing import Any

from starlette.responses import Response

from headwater.server.ingest.ahead import MOST_AHEAD_LISTED
from headwater.server.ingest.event_bodies import MOST_LISTED

# Databases cannot store NUL in a name.
_NAME = {"type": "string", "minLength": 1, "pattern": "^[^\\u0000]+$"}
_TIME = {"type": "string", "format": "date-time"}
# Optional fields may be null.
_OBJECT = {"type": ["object", "null"]}
_FACETS = {**_OBJECT, "description": "Facets by name.", "additionalProperties": _OBJECT}
_NAMED = {
    "type": "object",
    "required": ["namespace", "name"],
    "properties": {"namespace": _NAME, "name": _NAME, "facets": _FACETS},
}
_DATASETS = {"type": ["array", "null"], "items": _NAMED}
_RUN = {
    "type": "object",
    "required": ["runId"],
    "properties": {"runId": {**_NAME, "description": "A UUID; one is derived from any other text."}, "facets": _FACETS},
}
_TYPES = ["START", "RUNNING", "COMPLETE", "ABORT", "FAIL", "OTHER"]
_EVENT = {
    "description": "An OpenLineage event of a run, a job or a dataset.",
    "anyOf": [
        {
            "title": "RunEvent",
            "type": "object",
            "required": ["eventTime", "run", "job"],
            "properties": {
                "eventTime": _TIME,
                "eventType": {"enum": [*_TYPES, None]},
                "run": _RUN,
                "job": _NAMED,
                "inputs": _DATASETS,
                "outputs": _DATASETS,
            },
        },
        {
            "title": "JobEvent",
            "type": "object",
            "required": ["eventTime", "job", "schemaURL"],
            "properties": {
                "eventTime": _TIME,
                "schemaURL": {"type": "string", "pattern": "#/[$]defs/JobEvent$"},
                "job": _NAMED,
                "inputs": _DATASETS,
                "outputs": _DATASETS,
            },
        },
        {
            "title": "DatasetEvent",
            "type": "object",
            "required": ["eventTime", "dataset"],
            "properties": {"eventTime": _TIME, "dataset": _NAMED},
        },
    ],
}
_ERROR_FIELDS = {"code": {"type": "integer"}, "message": {"type": "string"}}
_ERROR = {"type": "object", "required": list(_ERROR_FIELDS), "properties": _ERROR_FIELDS}
_RESULT_FIELDS = {
    "received": {"type": "integer"},
    "accepted": {"type": "integer", "description": "New events."},
    "duplicates": {"type": "integer", "description": "Events that were already stored."},
    "rejected_count": {"type": "integer", "description": "All rejected events, listed or not."},
    "rejected": {
        "type": "array",
        "description": f"The first {MOST_LISTED} of the rejected events.",
        "items": {
            "type": "object",
            "required": ["index", "field", "reason"],
            "properties": {
                "index": {"type": "integer"},
                "field": {"type": ["string", "null"]},
                "reason": {"type": "string"},
            },
        },
    },
    "ahead_count": {
        "type": "integer",
        "description": "All events that lie ahead, listed or not; left out if none does.",
    },
    "ahead": {
        "type": "array",
        "description": (
            f"The first {MOST_AHEAD_LISTED} of the stored events whose time lies ahead of the server's clock; they"
            " count from then on."
        ),
        "items": {
            "type": "object",
            "required": ["index", "eventTime"],
            "properties": {"index": {"type": "integer"}, "eventTime": {"type": "string", "format": "date-time"}},
        },
    },
}
_AHEAD = {
    "Warning": {
        "description": "Says that the event's time lies ahead of the server's clock, where it does.",
        "schema": {"type": "string"},
    }
}
_ALWAYS = ("received", "accepted", "duplicates", "rejected")
_RESULT = {"type": "object", "required": list(_ALWAYS), "properties": _RESULT_FIELDS}


def _json(schema: object) -> dict[str, Any]:
    return {"application/json": {"schema": schema}}


def _error(words: str) -> dict[str, Any]:
    return {"description": words, "content": _json(_ERROR)}


_REFUSALS: dict[int | str, dict[str, Any]] = {
    400: _error("The body is not JSON, not UTF-8, not the gzip it claims to be, or nested too deeply."),
    401: _error("A token is required."),
    403: _error("The token does not allow writing."),
    408: _error("The body did not arrive in time, or too slowly."),
    413: _error("The body is too large: its bytes, as sent or decompressed, its JSON values, or its events."),
    415: _error("The body has an unsupported type, charset or encoding."),
    422: _error("Not an event that can be stored; names the field and the reason."),
    429: _error("The server is busy; Retry-After says when to send it again."),
    503: _error("The store is unavailable and nothing was stored; Retry-After says when to send it again."),
    507: _error("The store's disk is full. Nothing was stored."),
}
EVENT_DOCS: dict[str, Any] = {
    "summary": "Send one event",
    "status_code": HTTPStatus.CREATED,
    "response_class": Response,
    "responses": {
        201: {"description": "The event is stored, and every server on the store sees it.", "headers": _AHEAD},
        **_REFUSALS,
    },
    "openapi_extra": {"requestBody": {"required": True, "content": _json(_EVENT)}},
}
"""`POST /api/v1/lineage`."""

DATAHUB_EVENT_DOCS: dict[str, Any] = {
    **EVENT_DOCS,
    "summary": "Send one event, as to DataHub",
    "status_code": HTTPStatus.OK,
    "responses": {200: {"description": "The event is stored.", "headers": _AHEAD}, **_REFUSALS},
}
"""`POST /openapi/openlineage/api/v1/lineage`."""

BATCH_DOCS: dict[str, Any] = {
    "summary": "Send many events",
    "status_code": HTTPStatus.CREATED,
    "response_class": Response,
    "responses": {
        201: {"description": "All events are stored.", "content": _json(_RESULT)},
        207: {"description": "The valid events are stored; the others are listed.", "content": _json(_RESULT)},
        **_REFUSALS,
        422: {
            "description": "None of the events can be stored.",
            "content": _json({**_RESULT, "properties": {**_ERROR_FIELDS, **_RESULT_FIELDS}}),
        },
    },
    "openapi_extra": {
        "requestBody": {
            "required": True,
            "content": {
                **_json({"type": "array", "items": _EVENT}),
                "application/x-ndjson": {"schema": {"type": "string", "description": "One event per line."}},
            },
        }
    },
}
"""`POST /api/v1/lineage/batch`."""
