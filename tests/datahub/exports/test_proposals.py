"""What `headwater datahub export` writes is a file for DataHub."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from tests.datahub.exported_files import check_files

from headwater.simulate import History, Settings

if TYPE_CHECKING:
    from pathlib import Path

    from headwater.store import Store


def test_a_history_of_days_is_taken_in_every_form_by_datahubs_own_reader_and_recipe(
    store: Store, tmp_path: Path
) -> None:
    settings = Settings(datasets=20, days=2, change=0.9, nested=0.4, seed=3)
    history = History(settings)
    for day in range(settings.days):
        store.ingest([json.loads(line.text) for line in history.lines(day)])
    check_files(store, tmp_path)
