"""Marquez's API over the store, with the version proposal: Marquez's clients and web app work unchanged."""

from fastapi import APIRouter

from headwater.server.marquez.routes import (
    column_lineage,
    counts,
    datasets,
    delete,
    jobs,
    lineage,
    namespaces,
    raw_events,
    register,
    runs,
    search,
    sources,
    tags,
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
    tags,
    delete,
    register,
    raw_events,
    search,
    counts,
):
    router.include_router(_part.router)
