"""The tables of a simulated warehouse: layer on layer, each built independently."""

from bisect import bisect_right
from dataclasses import dataclass
from functools import lru_cache
from itertools import accumulate

from headwater.simulate.chance import chance_of
from headwater.simulate.settings import Settings
from headwater.simulate.words import COLUMNS, STRUCTS, SUBJECTS, Word, layer_name

LAKE = "s3://lake"
CATALOG = "hive://metastore.example.com:9083"
_DATABASE = "postgres://erp.example.com:5432"
_BROKER = "kafka://broker.example.com:9092"
_NARROWER = 0.6  # the last layer has this share fewer tables than the first
_EVERY_STREAM, _FIRST_STREAM = 40, 1
_EVERY_SECOND_WRITER, _FIRST_SECOND_WRITER = 20, 3
_EVERY_TOPIC, _FIRST_TOPIC = 4, 1
_MIX = ((0.6, 5, 15), (0.9, 20, 40), (1.0, 80, 200))  # narrow, middling and wide: up to which share, from, to
_CACHED = 20_000


@dataclass(frozen=True, slots=True)
class Table:
    """A table.

    Attributes:
        leaves: all columns with the fields of structs, by path.
        alias: its name in the catalog, where it has one.
        versioned: whether its writes have versions.
    """

    number: int
    layer: int
    namespace: str
    name: str
    columns: tuple[Word, ...]
    structs: tuple[tuple[str, tuple[Word, ...]], ...]
    leaves: tuple[Word, ...]
    alias: str | None
    versioned: bool


class Warehouse:
    """All tables, by number: raw ones first, then layer by layer."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self._starts = _starts(settings)
        self.table = lru_cache(_CACHED)(self._make)

    @property
    def first_written(self) -> int:
        """The first table that a job writes."""
        return self._starts[1]

    def layer(self, number: int) -> range:
        """The tables of a layer."""
        return range(self._starts[number], self._starts[number + 1])

    def layer_of(self, table: int) -> int:
        """The layer of a table."""
        return bisect_right(self._starts, table) - 1

    def is_streamed(self, table: int) -> bool:
        """Whether a streaming job writes this table."""
        place = table - self.first_written
        return table in self.layer(1) and place % _EVERY_STREAM == _FIRST_STREAM

    def has_second_writer(self, table: int) -> bool:
        """Whether two jobs append to this table."""
        place = table - self.first_written
        return place >= 0 and place % _EVERY_SECOND_WRITER == _FIRST_SECOND_WRITER

    @property
    def topics(self) -> range:
        """The raw tables that are topics of a broker."""
        return self.layer(0)[_FIRST_TOPIC::_EVERY_TOPIC]

    def _make(self, number: int) -> Table:
        settings = self.settings
        chance = chance_of(settings.seed, "table", number)
        layer = self.layer_of(number)
        subject = SUBJECTS[chance.randrange(len(SUBJECTS))]
        called = layer_name(layer, settings.layers)
        plain = f"{subject}_{number}"
        if layer:
            namespace, name = LAKE, f"{called}/{plain}"
        elif number in self.topics:
            namespace, name = _BROKER, plain
        else:
            namespace, name = _DATABASE, f"erp.public.{plain}"
        count = settings.columns or _column_count(chance.random(), chance.random())
        structs = _structs(chance.randrange(len(STRUCTS))) if chance.random() < settings.nested else ()
        nested = sum(len(words) for _, words in structs)
        if nested >= count:
            structs, nested = (), 0
        columns = _columns(chance.randrange(len(COLUMNS)), count - nested)
        inside = (Word(f"{outer}.{word.name}", word.type) for outer, words in structs for word in words)
        return Table(
            number=number,
            layer=layer,
            namespace=namespace,
            name=name,
            columns=columns,
            structs=structs,
            leaves=(*columns, *inside),
            alias=f"{called}.{plain}" if layer and chance.random() < 0.3 else None,  # noqa: PLR2004  a share
            versioned=layer > 0 and chance.random() < 0.2,  # noqa: PLR2004  a share
        )


def _starts(settings: Settings) -> list[int]:
    """The first table of each layer, and the end of the last; later layers have fewer tables, at least two."""
    layers = settings.layers
    shares = [1 - _NARROWER * layer / (layers - 1) for layer in range(layers)]
    free = settings.datasets - 2 * layers
    ends = [round(free * share / sum(shares)) for share in accumulate(shares)]
    return [0, *(end + 2 * (layer + 1) for layer, end in enumerate(ends))]


def _column_count(kind: float, size: float) -> int:
    _, least, most = next(band for band in _MIX if kind < band[0])
    return least + int(size * (most - least + 1))


def _columns(first: int, count: int) -> tuple[Word, ...]:
    """Columns from a position in the word list on, numbered where the list repeats."""
    words = []
    for place in range(count):
        word, turn = COLUMNS[(first + place) % len(COLUMNS)], place // len(COLUMNS)
        words.append(word._replace(name=f"{word.name}_{turn + 1}") if turn else word)
    return tuple(words)


def _structs(index: int) -> tuple[tuple[str, tuple[Word, ...]], ...]:
    name, fields = STRUCTS[index]
    return ((name, tuple(Word(field, "string") for field in fields)),)
