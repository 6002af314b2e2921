"""DataHub's endpoints over the store: its stock emitter and its graph client work against them unchanged."""

from fastapi import APIRouter

from headwater.datahub.naming.datasets import naming_of
from headwater.server.datahub import config
from headwater.server.datahub.change_writer import ChangeWriter
from headwater.server.datahub.deletions import delete_routes
from headwater.server.datahub.openapi_reads import openapi_read_routes
from headwater.server.datahub.openapi_writes import openapi_write_routes
from headwater.server.datahub.relations import relation_routes
from headwater.server.datahub.restli_reads import restli_read_routes
from headwater.server.datahub.restli_writes import restli_write_routes
from headwater.server.http.metrics import Metrics
from headwater.server.settings.settings import ServerSettings
from headwater.store import Store


def datahub_routes(store: Store, settings: ServerSettings, metrics: Metrics) -> APIRouter:
    """All routes for DataHub's clients."""
    naming = naming_of(settings.datahub_env, settings.datahub_instances)
    writer = ChangeWriter(store, naming, settings, metrics)
    router = APIRouter()
    for part in (
        config.router,
        restli_write_routes(writer, settings.max_json_depth),
        openapi_write_routes(writer, settings.max_json_depth),
        delete_routes(writer),
        openapi_read_routes(naming, settings.max_json_depth),
        restli_read_routes(naming),
        relation_routes(naming),
    ):
        router.include_router(part)
    return router
