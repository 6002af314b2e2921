"""Formats of answers: JSON that clients read back, or another format of `headwater export`."""

import gzip
import json
from collections.abc import Iterator, Mapping

from fastapi import Request, Response

from headwater.common import codec
from headwater.query.names import answer_text
from headwater.render.formats import Exportable, Format, text
from headwater.server.http.errors import ApiError
from headwater.server.questions.limits import WORTH_COMPRESSING

CONTENT_TYPES: Mapping[Format, str] = {
    Format.JSON: "application/json",
    Format.CSV: "text/csv",
    Format.GRAPHML: "application/graphml+xml",
    Format.MERMAID: "text/vnd.mermaid",
    Format.DOT: "text/vnd.graphviz",
}
_BY_TYPE: Mapping[str, Format] = {
    **{kind: chosen for chosen, kind in CONTENT_TYPES.items()},
    "*/*": Format.JSON,
    "application/*": Format.JSON,
    "text/*": Format.CSV,
}


def chosen_format(request: Request, named: Format | None) -> Format:
    """The format of an answer: the one that the client names, else one that it accepts, else JSON.

    Raises:
        ApiError: the client accepts none of the formats (406).
    """
    if named is not None:
        return named
    for kind in _by_preference(request.headers.get("accept") or "*/*"):
        if kind in _BY_TYPE:
            return _BY_TYPE[kind]
    raise ApiError(406, f"Accept: none of these types is supported; use {', '.join(CONTENT_TYPES.values())}.")


def _by_preference(accepted: str) -> Iterator[str]:
    """The types of an Accept header by preference; those with weight 0 are left out.

    >>> list(_by_preference("text/csv;q=0.5, */*;q=0, application/json"))
    ['application/json', 'text/csv']
    """
    weighed = []
    for place, choice in enumerate(accepted.split(",")):
        kind, *parameters = (part.strip().lower() for part in choice.split(";"))
        weighed.append((-_weight(parameters), place, kind))
    return (kind for weight, _, kind in sorted(weighed) if weight)


def _weight(parameters: list[str]) -> float:
    for parameter in parameters:
        if parameter.startswith("q="):
            try:
                return float(parameter[2:])
            except ValueError:
                return 0.0
    return 1.0


def written(answer: Exportable, chosen: Format) -> bytes:
    """An answer as bytes.

    Raises:
        CannotExport: the answer has no such format.
    """
    if chosen is Format.JSON:
        return f'{{"wire":{codec.VERSION},{answer_text(answer)[1:]}'.encode()
    return text(answer, chosen).encode()


def packed(document: object) -> bytes:
    """Compact JSON in ASCII."""
    return json.dumps(document, separators=(",", ":")).encode()


def compressed(request: Request, body: bytes) -> tuple[bytes, dict[str, str]]:
    """A body, compressed if the client accepts it and it is worth it; and its headers."""
    headers = {"Vary": "Accept, Accept-Encoding"}
    if len(body) < WORTH_COMPRESSING or "gzip" not in request.headers.get("accept-encoding", ""):
        return body, headers
    return gzip.compress(body, compresslevel=5, mtime=0), {**headers, "Content-Encoding": "gzip"}


def response(sent: tuple[bytes, dict[str, str]], chosen: Format = Format.JSON) -> Response:
    """The response with a body and headers from `compressed`."""
    body, headers = sent
    charset = "" if chosen is Format.JSON else "; charset=utf-8"
    return Response(body, headers=headers, media_type=f"{CONTENT_TYPES[chosen]}{charset}")
