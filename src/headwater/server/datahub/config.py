"""`GET /config`: what DataHub's clients request first, to learn what the server supports."""

from typing import Any

from fastapi import APIRouter
from starlette.responses import Response

from headwater._version import __version__
from headwater.server.http.json_responses import JSONResponse

router = APIRouter(tags=["DataHub"])

# The first version of DataHub whose clients send by OpenAPI by default. All that this version requests, by OpenAPI or
# by Rest.li, is here; later additions are not.
_AS_DATAHUB = "v1.0.1"
_CONFIG: dict[str, Any] = {
    "noCode": "true",
    "patchCapable": True,
    "statefulIngestionCapable": False,
    "supportsImpactAnalysis": False,
    "datasetUrnNameCasing": False,
    "retention": "true",
    "models": {},
    "managedIngestion": {"enabled": False},
    "telemetry": {"enabledCli": False, "enabledIngestion": False},
    "datahub": {"serverType": "headwater", "serverEnv": "core"},
    "versions": {"acryldata/datahub": {"version": _AS_DATAHUB}, "headwater": {"version": __version__}},
}


@router.get("/config", response_model=dict[str, Any])
async def get_config() -> Response:
    """The configuration that DataHub's clients request first, to choose how to send."""
    return JSONResponse(_CONFIG)
