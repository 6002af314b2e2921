"""The schemas of DataHub's request bodies, for the OpenAPI page."""

from typing import Any

_OBJECT = {"type": "object"}
_PROPOSAL = {
    "type": "object",
    "description": "A change proposal (MCP).",
    "required": ["entityUrn", "aspectName", "aspect"],
    "properties": {
        "entityType": {"type": "string"},
        "entityUrn": {"type": "string"},
        "changeType": {"enum": ["UPSERT", "CREATE", "UPDATE", "RESTATE", "PATCH", "DELETE"]},
        "aspectName": {"type": "string"},
        "aspect": {
            "type": "object",
            "required": ["value"],
            "properties": {
                "value": {"type": "string", "description": "The aspect, or the patch, as a JSON string."},
                "contentType": {"type": "string"},
            },
        },
        "systemMetadata": _OBJECT,
    },
}
_SNAPSHOT = {
    "type": "object",
    "required": ["value"],
    "properties": {"value": {"type": "object", "description": "A snapshot under the name of its class."}},
}
_ASPECT = {"type": "object", "required": ["value"], "properties": {"value": _OBJECT, "systemMetadata": _OBJECT}}
_ENTITY = {
    "type": "object",
    "required": ["urn"],
    "properties": {"urn": {"type": "string"}},
    "additionalProperties": _ASPECT,
}


def _body(schema: object) -> dict[str, Any]:
    return {"requestBody": {"required": True, "content": {"application/json": {"schema": schema}}}}


PROPOSALS_BODY = _body(
    {"type": "object", "properties": {"proposal": _PROPOSAL, "proposals": {"type": "array", "items": _PROPOSAL}}}
)
ENTITIES_BODY = _body(
    {
        "type": "object",
        "properties": {
            "entity": _SNAPSHOT,
            "entities": {"type": "array", "items": _SNAPSHOT},
            "systemMetadata": {"type": ["object", "array"]},
            "urn": {"type": "string", "description": "What to delete."},
        },
    }
)
ENTITY_LIST_BODY = _body({"type": "array", "items": _ENTITY})
ASPECT_BODY = _body(_ASPECT)
ASKED_BODY = _body({"type": "array", "items": {"type": "object", "required": ["urn"]}})
