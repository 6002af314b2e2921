"""Folds slots on the executors: a dataset's writes, in order, become versions with their effects, and intervals.

The rules are the store's own (5, 7 and 8). The state of a dataset is that of each job's slot.
"""

from dataclasses import dataclass, field
from typing import Any

import pyarrow as pa

from headwater.lake.frames import Batches
from headwater.store.db.codes import FOREVER
from headwater.store.model.folds import DECLARED, DROP, Interval, Keeper, effect_of

TAIL, END, WRITE = 0, 1, 2
"""The kinds of input rows: where a slot was left, an end without a write (rule 8), a write; in this order."""
VERSION, SLOT = 10, 11
"""The kinds of output rows, beside `TAIL`: a version with its effect, an interval."""

_BIG, _SMALL = pa.int64(), pa.int16()
VERSION_COLUMNS = (
    ("dataset", _BIG), ("job", _BIG), ("us", _BIG), ("read_us", _BIG), ("run", _BIG), ("mapping", _BIG),
    ("inputs", _BIG), ("name_key", _BIG), ("carried", _SMALL), ("whole", _SMALL), ("removal", _SMALL),
    ("renamed", _BIG), ("stamp", pa.binary()), ("uuid", pa.binary()), ("lifecycle", pa.string()), ("name", pa.string()),
)  # fmt: skip
HISTORY = pa.schema([("what", _SMALL), ("fresh", _SMALL), *VERSION_COLUMNS, ("until_us", _BIG)])
"""The output. A version: its columns, and whether it is new (1), has another effect than before (2), or neither (0).
An interval: dataset, job, `us` as its start, `until_us`, mapping and inputs. A tail: the last write of a slot."""
_READ = (
    "dataset", "part", "what", "job", "us", "stamp", "mapping", "inputs", "removal", "whole", "fresh", "old_mapping",
    "carried", "from_us", "lifecycle",
)  # fmt: skip


@dataclass(slots=True)
class _Slot:
    """The state of a slot: the mapping in effect, what it keeps in force, and its last write."""

    mapping: int | None = None
    keeper: Keeper = field(default_factory=Keeper)
    last: tuple[Any, ...] = ()


class _Dataset:
    """A dataset, or a job that writes none: its slots, and the output rows."""

    def __init__(self, dataset: int, rows: list[tuple[Any, ...]]) -> None:
        self._dataset = dataset
        self._slots: dict[int, _Slot] = {}
        self._rows = rows

    def go_on(self, job: int, last: tuple[Any, ...], from_us: int | None) -> None:
        """Resume a slot where it was left."""
        _, us, mapping, _, inputs, _ = last
        begun = None if from_us is None else Interval(from_us, FOREVER, mapping, inputs)
        self._slots[job] = _Slot(mapping, Keeper(begun, us), last)

    def end(self, job: int, us: int) -> None:
        """End what a slot has in force."""
        slot = self._slots.get(job)
        if slot is not None:
            self._add_intervals(job, slot.keeper.end(us))

    def write(  # noqa: PLR0913  a write
        self,
        job: int,
        us: int,
        stamp: bytes,
        mapping: int | None,
        inputs: int | None,
        *,
        removal: bool,
        whole: bool,
        lifecycle: str | None,
    ) -> tuple[int | None, int]:
        """Apply a write; returns the mapping in effect, and whether it was carried over."""
        slot = self._slots.get(job)
        if slot is None:
            slot = self._slots[job] = _Slot()
        effect = effect_of(mapping, slot.mapping, removal=removal)
        self.end(job, us)
        if whole:
            for other, held in self._slots.items():
                # One event may also say what another job feeds into the dataset: neither write comes first.
                if held.last[:1] != (stamp,) and (other != DECLARED or lifecycle != DROP):
                    self.end(other, us)
        slot.keeper.begin(us, effect.mapping, inputs, removal=removal)
        slot.mapping = effect.mapping
        slot.last = (stamp, us, effect.mapping, int(effect.carried), inputs, int(removal))
        return effect.mapping, int(effect.carried)

    def close(self) -> None:
        """Finish: what is in force stays so."""
        for job, slot in self._slots.items():
            self._add_intervals(job, slot.keeper.end(FOREVER))
            self._add_intervals(job, slot.keeper.rest())
            stamp, us, mapping, carried, inputs, removal = slot.last
            self._rows.append((TAIL, self._dataset, job, us, mapping, inputs, carried, removal, stamp, None))

    def _add_intervals(self, job: int, intervals: Any) -> None:  # noqa: ANN401  an iterator of intervals
        for each in intervals:
            self._rows.append(
                (SLOT, self._dataset, job, each.from_us, each.mapping, each.inputs, None, None, None, each.until_us)
            )


_SLOT_COLUMNS = ("what", "dataset", "job", "us", "mapping", "inputs", "carried", "removal", "stamp", "until_us")


def follow_slots(batches: Batches) -> Batches:
    """Sorted rows of datasets to versions with their effects, intervals and tails; for `mapInArrow`."""
    rows: list[tuple[Any, ...]] = []
    key: tuple[int, int] | None = None
    dataset = _Dataset(0, rows)
    for batch in batches:
        columns = [batch.column(name).to_pylist() for name in _READ]
        places: list[int] = []
        effects: list[tuple[int | None, int]] = []
        changed: list[int] = []
        for place, row in enumerate(zip(*columns, strict=True)):
            of, part, row_kind, job, us, stamp, mapping, inputs, removal, whole, *rest = row
            fresh, before, carried, from_us, lifecycle = rest
            if (of, part) != key:
                dataset.close()
                key, dataset = (of, part), _Dataset(of, rows)
            if row_kind == WRITE:
                effect = dataset.write(
                    job, us, stamp, mapping, inputs, removal=bool(removal), whole=bool(whole), lifecycle=lifecycle
                )
                places.append(place)
                effects.append(effect)
                changed.append(1 if fresh else 0 if effect == (before, carried) else 2)
            elif row_kind == END:
                dataset.end(job, us)
            else:
                dataset.go_on(job, (stamp, us, mapping, carried, inputs, removal), from_us)
        if places:
            yield _version_batch(batch, places, effects, changed)
        if rows:
            yield _slot_batch(rows)
            rows.clear()
    dataset.close()
    if rows:
        yield _slot_batch(rows)


def _version_batch(batch: Any, places: list[int], effects: list[tuple[int | None, int]], changed: list[int]) -> Any:  # noqa: ANN401  PyArrow has no types
    """The versions of a batch in their order, each with its effect."""
    selected = batch.take(pa.array(places)) if len(places) < batch.num_rows else batch
    mappings, carried = zip(*effects, strict=True)
    own = {
        "what": pa.array([VERSION] * len(places), _SMALL),
        "fresh": pa.array(changed, _SMALL),
        "mapping": pa.array(mappings, _BIG),
        "carried": pa.array(carried, _SMALL),
        "until_us": pa.nulls(len(places), _BIG),
    }
    arrays = [
        own[column.name] if column.name in own else selected.column(column.name).cast(column.type) for column in HISTORY
    ]
    return pa.RecordBatch.from_arrays(arrays, schema=HISTORY)


def _slot_batch(rows: list[tuple[Any, ...]]) -> Any:  # noqa: ANN401  as above
    columns = dict(zip(_SLOT_COLUMNS, zip(*rows, strict=True), strict=True))
    arrays = [
        pa.array(columns[column.name], column.type) if column.name in columns else pa.nulls(len(rows), column.type)
        for column in HISTORY
    ]
    return pa.RecordBatch.from_arrays(arrays, schema=HISTORY)
