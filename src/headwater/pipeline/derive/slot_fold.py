"""What an executor does with slots: a dataset's writes, in order, to what each has in effect and what is in force.

The rules are the store's own (5, 7 and 8). What is remembered of a dataset is the state of each job's slot.
"""

from typing import Any

import pyarrow as pa

from headwater.lake.frames import Batches
from headwater.store.db.codes import FOREVER
from headwater.store.model.folds import Interval, Keeper, effect_of

TAIL, END, WRITE = 0, 1, 2
"""What a row is: where a slot was left, an end that is no write (rule 8), a write. In this order at one place."""
VERSION, SLOT = 10, 11
"""What a row that is given is, beside `TAIL`: a version with its effect, an interval."""

_BIG, _SMALL = pa.int64(), pa.int16()
VERSION_COLUMNS = (
    ("dataset", _BIG), ("job", _BIG), ("us", _BIG), ("read_us", _BIG), ("run", _BIG), ("mapping", _BIG),
    ("inputs", _BIG), ("name_key", _BIG), ("carried", _SMALL), ("whole", _SMALL), ("removal", _SMALL),
    ("stamp", pa.binary()), ("uuid", pa.binary()), ("lifecycle", pa.string()), ("name", pa.string()),
)  # fmt: skip
FOUND = pa.schema([("what", _SMALL), ("fresh", _SMALL), *VERSION_COLUMNS, ("until_us", _BIG)])
"""What is given. A version: its columns, and whether it is new (1), has another effect than before (2), or neither (0).
An interval: dataset, job, `us` from which on, `until_us`, mapping and inputs. A tail: the last write of a slot."""
_READ = (
    "dataset", "part", "what", "job", "us", "stamp", "mapping", "inputs", "removal", "whole", "fresh", "old_mapping",
    "carried", "from_us",
)  # fmt: skip


class _Slot:
    """The state of a slot: the mapping in effect, what it keeps in force, and its last write."""

    __slots__ = ("keeper", "last", "mapping")

    def __init__(self, mapping: int | None = None, keeper: Keeper | None = None, last: tuple[Any, ...] = ()) -> None:
        self.mapping = mapping
        self.keeper = keeper or Keeper()
        self.last = last


class _Dataset:
    """A dataset, or of what is no dataset one job: its slots, and what was found of them."""

    def __init__(self, dataset: int, found: list[tuple[Any, ...]]) -> None:
        self._dataset = dataset
        self._slots: dict[int, _Slot] = {}
        self._found = found

    def go_on(self, job: int, last: tuple[Any, ...], from_us: int | None) -> None:
        """Where a slot was left."""
        _, us, mapping, _, inputs, _ = last
        begun = None if from_us is None else Interval(from_us, FOREVER, mapping, inputs)
        self._slots[job] = _Slot(mapping, Keeper(begun, us), last)

    def end(self, job: int, us: int) -> None:
        """The end of what a slot has in force."""
        slot = self._slots.get(job)
        if slot is not None:
            self._keep(job, slot.keeper.end(us))

    def write(  # noqa: PLR0913  a write
        self, job: int, us: int, stamp: bytes, mapping: int | None, inputs: int | None, *, removal: bool, whole: bool
    ) -> tuple[int | None, int]:
        """A write; gives the mapping in effect, and whether it was carried over."""
        slot = self._slots.get(job)
        if slot is None:
            slot = self._slots[job] = _Slot()
        effect = effect_of(mapping, slot.mapping, removal=removal)
        for other in self._slots if whole else (job,):
            self.end(other, us)
        slot.keeper.begin(us, effect.mapping, inputs, removal=removal)
        slot.mapping = effect.mapping
        slot.last = (stamp, us, effect.mapping, int(effect.carried), inputs, int(removal))
        return effect.mapping, int(effect.carried)

    def close(self) -> None:
        """No more comes: what is in force stays so."""
        for job, slot in self._slots.items():
            self._keep(job, slot.keeper.end(FOREVER))
            self._keep(job, slot.keeper.rest())
            stamp, us, mapping, carried, inputs, removal = slot.last
            self._found.append((TAIL, self._dataset, job, us, mapping, inputs, carried, removal, stamp, None))

    def _keep(self, job: int, intervals: Any) -> None:  # noqa: ANN401  an iterator of intervals
        for one in intervals:
            self._found.append(
                (SLOT, self._dataset, job, one.from_us, one.mapping, one.inputs, None, None, None, one.until_us)
            )


_GIVEN = ("what", "dataset", "job", "us", "mapping", "inputs", "carried", "removal", "stamp", "until_us")


def follow_slots(batches: Batches) -> Batches:
    """Sorted rows of datasets to versions with their effects, intervals and tails; for `mapInArrow`."""
    found: list[tuple[Any, ...]] = []
    key: tuple[int, int] | None = None
    dataset = _Dataset(0, found)
    for batch in batches:
        columns = [batch.column(name).to_pylist() for name in _READ]
        places: list[int] = []
        effects: list[tuple[int | None, int]] = []
        changed: list[int] = []
        for place, row in enumerate(zip(*columns, strict=True)):
            of, part, what, job, us, stamp, mapping, inputs, removal, whole, fresh, before, carried, from_us = row
            if (of, part) != key:
                dataset.close()
                key, dataset = (of, part), _Dataset(of, found)
            if what == WRITE:
                effect = dataset.write(job, us, stamp, mapping, inputs, removal=bool(removal), whole=bool(whole))
                places.append(place)
                effects.append(effect)
                changed.append(1 if fresh else 0 if effect == (before, carried) else 2)
            elif what == END:
                dataset.end(job, us)
            else:
                dataset.go_on(job, (stamp, us, mapping, carried, inputs, removal), from_us)
        if places:
            yield _versions(batch, places, effects, changed)
        if found:
            yield _others(found)
            found.clear()
    dataset.close()
    if found:
        yield _others(found)


def _versions(batch: Any, places: list[int], effects: list[tuple[int | None, int]], changed: list[int]) -> Any:  # noqa: ANN401  PyArrow has no types
    """The versions of a batch as they came, with what is in effect."""
    taken = batch.take(pa.array(places)) if len(places) < batch.num_rows else batch
    mappings, carried = zip(*effects, strict=True)
    own = {
        "what": pa.array([VERSION] * len(places), _SMALL),
        "fresh": pa.array(changed, _SMALL),
        "mapping": pa.array(mappings, _BIG),
        "carried": pa.array(carried, _SMALL),
        "until_us": pa.nulls(len(places), _BIG),
    }
    arrays = [own[one.name] if one.name in own else taken.column(one.name).cast(one.type) for one in FOUND]
    return pa.RecordBatch.from_arrays(arrays, schema=FOUND)


def _others(rows: list[tuple[Any, ...]]) -> Any:  # noqa: ANN401  as above
    given = dict(zip(_GIVEN, zip(*rows, strict=True), strict=True))
    arrays = [
        pa.array(given[one.name], one.type) if one.name in given else pa.nulls(len(rows), one.type) for one in FOUND
    ]
    return pa.RecordBatch.from_arrays(arrays, schema=FOUND)
