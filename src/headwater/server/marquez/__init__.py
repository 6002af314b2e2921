"""Marquez's API over the store, and the version proposal: its clients and its web app work against it unchanged."""

from fastapi import APIRouter

from headwater.server.marquez import (
    column_lineage,
    counting,
    datasets,
    deleting,
    events,
    jobs,
    lineage,
    namespaces,
    registering,
    runs,
    searching,
    sources,
    tagging,
)

router = APIRouter()
for _part in (
    lineage,
    column_lineage,
    namespaces,
    sources,
    datasets,
    runs,
    jobs,
    tagging,
    deleting,
    registering,
    events,
    searching,
    counting,
):
    router.include_router(_part.router)
