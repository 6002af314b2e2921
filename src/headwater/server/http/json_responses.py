"""Responses in JSON, whatever text is in them."""

import json
from typing import Any

from starlette import responses


class JSONResponse(responses.JSONResponse):
    r"""JSON in UTF-8; where a text has half a character, which UTF-8 cannot express, it is escaped.

    >>> JSONResponse("\ud800").body
    b'"\\ud800"'
    """

    def render(self, content: Any) -> bytes:  # noqa: ANN401  JSON
        """The body."""
        try:
            return super().render(content)
        except UnicodeEncodeError:
            return json.dumps(content, allow_nan=False, separators=(",", ":")).encode()
