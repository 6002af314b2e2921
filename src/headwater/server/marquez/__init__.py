"""Marquez's API over the store, with the version proposal: Marquez's clients and web app work unchanged."""

from importlib import import_module
from pkgutil import iter_modules

from fastapi import APIRouter

from headwater.server.marquez import routes

router = APIRouter()
for _part in iter_modules(routes.__path__):
    router.include_router(import_module(f"{routes.__name__}.{_part.name}").router)
