"""Headwater's own questions over HTTP: each under its name, alone or many in one request."""

from headwater.server.questions.routes import router

__all__ = ["router"]
