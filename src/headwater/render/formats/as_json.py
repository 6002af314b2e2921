"""Answers as JSON."""

import json

from headwater.render.formats.exportable import Exportable


def text(answer: Exportable, *, ascii_only: bool = False) -> str:
    """One JSON document, indented; what UTF-8 cannot hold is escaped."""
    document = answer.to_dict()
    written = json.dumps(document, indent=2, ensure_ascii=ascii_only)
    try:
        written.encode()
    except UnicodeEncodeError:
        # A half of a pair of surrogates: JSON can say it, UTF-8 cannot.
        written = json.dumps(document, indent=2)
    return written + "\n"
