"""A store's lineage as files that DataHub's own package takes."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from tests.datahub.oracle import ask

from headwater.datahub.exports.proposals import Form, export_of
from headwater.datahub.files import write_records
from headwater.datahub.naming.datasets import Naming

if TYPE_CHECKING:
    from pathlib import Path

    from headwater.store import Store


def check_files(store: Store, folder: Path) -> None:
    """Export a store in every form; DataHub's file source reads each, its classes hold it, its recipe copies it."""
    counts, asked = {}, []
    for form in Form:
        export = export_of(store, Naming(), form=form)
        file = folder / f"{form.value}.json"
        with file.open("w", encoding="utf-8") as written:
            counts[form] = write_records(export.records(), written)
        assert export.problems == []
        asked.append([str(file), str(folder / f"{form.value}-copied.json")])
    answers = dict(zip(Form, ask("copy", asked), strict=True))
    assert answers == {form: {"records": counts[form], "valid": True, "same": True} for form in Form}
    for form in Form:
        # What DataHub writes of it says the same, but for what the recipe adds to say which run it was.
        first, second = (_aspects(folder / f"{form.value}{ending}.json") for ending in ("", "-copied"))
        assert second == first


def _aspects(file: Path) -> dict[tuple[str, str], object]:
    records = json.loads(file.read_text(encoding="utf-8"))
    return {(record["entityUrn"], record["aspectName"]): record["aspect"]["json"] for record in records}
