"""Answers as JSON."""

import json

from headwater.render.formats import Exportable


def text(answer: Exportable, *, ascii_only: bool = False) -> str:
    """One JSON document, indented; characters that UTF-8 cannot express are escaped."""
    document = answer.to_dict()
    written = json.dumps(document, indent=2, ensure_ascii=ascii_only)
    try:
        written.encode()
    except UnicodeEncodeError:
        # A lone surrogate: JSON can express it, UTF-8 cannot.
        written = json.dumps(document, indent=2)
    return written + "\n"
