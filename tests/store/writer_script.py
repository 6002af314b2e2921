"""A process that writes: events from a file of lines, in small batches, each said on standard output once it is stored.

    python writer.py URL FILE SEED [again] [waits]

Each seed has an order of its own. `again`: a batch that fails is said with its reason, and sent once more. `waits`: the
last events wait for a line on standard input, or its end, so that the writer is not done before somebody disturbs it.
"""

from __future__ import annotations

import json
import random
import sys
import time
from pathlib import Path

from headwater.store import StoreError, open_store

_LAST = 10


def main(url: str, file: str, seed: str, *modes: str) -> None:
    """Write all of it."""
    lines = Path(file).read_text(encoding="utf-8").splitlines()
    order = list(range(len(lines)))
    chance = random.Random(seed)  # noqa: S311  an order, no secret
    chance.shuffle(order)
    waits = "waits" in modes
    with open_store(url) as store:
        while order:
            if waits and len(order) <= _LAST:
                sys.stdin.readline()
                waits = False
            batch = order[: chance.choice([1, 2, 5])]
            try:
                store.ingest([json.loads(lines[place]) for place in batch])
            except StoreError as error:
                if "again" not in modes:
                    raise
                print("failed", error, flush=True)  # noqa: T201
                time.sleep(0.05)
                continue
            print(*batch, flush=True)  # noqa: T201
            del order[: len(batch)]


if __name__ == "__main__":
    main(*sys.argv[1:])
