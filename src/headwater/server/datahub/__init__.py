"""DataHub's endpoints over the store: its stock emitter and its graph client work against them unchanged."""

from fastapi import APIRouter

from headwater.datahub.naming.datasets import naming_of
from headwater.server.datahub import config
from headwater.server.datahub.deleting import delete_routes
from headwater.server.datahub.openapi_in import change_routes
from headwater.server.datahub.openapi_out import entity_routes
from headwater.server.datahub.reading import reading_routes
from headwater.server.datahub.relating import relation_routes
from headwater.server.datahub.restli import restli_routes
from headwater.server.datahub.taking import Taker
from headwater.server.http.metrics import Metrics
from headwater.server.settings.settings import ServerSettings
from headwater.store import Store


def datahub_routes(store: Store, settings: ServerSettings, metrics: Metrics) -> APIRouter:
    """All of them."""
    naming = naming_of(settings.datahub_env, settings.datahub_instances)
    taker = Taker(store, naming, settings, metrics)
    router = APIRouter()
    for part in (
        config.router,
        restli_routes(taker, settings.max_json_depth),
        change_routes(taker, settings.max_json_depth),
        delete_routes(taker),
        entity_routes(naming, settings.max_json_depth),
        reading_routes(naming),
        relation_routes(naming),
    ):
        router.include_router(part)
    return router
