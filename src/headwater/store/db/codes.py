"""The numbers that stand for something in the store's tables, by name; schema.sql has the columns that hold them.

A statement writes a code by its name. An f-string puts the number there, as a literal: partial indexes are found by it,
which they would not be by a value that comes later.

>>> f"mention.role = {Role.WRITTEN} AND field.id >> {FIELD_BITS} = :dataset"
'mention.role = 2 AND field.id >> 20 = :dataset'

The types of events (`event.type`, `run.end_type`) are OpenLineage's: `headwater.openlineage.model.event.EventType`.
"""

from enum import IntEnum

FIELD_BITS = 20
"""A field's id is its dataset's, shifted by so many bits, plus the field's number."""
FIELD_NUMBERS = (1 << FIELD_BITS) - 1
"""The bits of a field's id that hold its number."""
ROWS = 0
"""The number of the node that stands for a dataset's rows; fields begin after it."""

FOREVER = (1 << 63) - 1
"""The end (`until_us`) of what is still in force."""
NOW = FOREVER - 1
"""The last moment there is: what is in force then has no end yet."""
ALWAYS = -(1 << 63)
"""A moment before all others."""
NO_LIMIT = FOREVER
"""A LIMIT that is never reached: it has PostgreSQL carry out a query inside another by itself, and first."""
MOST_RENAMES = 1_000
"""How many renames of one table are followed, one after the other; those of a moment may go in a circle."""

NOTHING = 0
"""In place of a dataset: what a job wrote that only read."""
NO_JOB = 0
"""In place of a job: what a dataset says of itself."""
NO_SHAPE = 0
"""In place of a shape: that of an event whose content was purged."""
RENAME_STEP = 0
"""In place of a step: a column's values, under the dataset's other name, by no statement."""
ROWS_STEP = -1
"""In place of a step: how many rows a dataset has decides how many another has, and no column says so."""
ROWS_ON_STEP = -2
"""The same, where columns say so: it matters to what counts the rows of the other."""


class Flag(IntEnum):
    """Yes or no: `version.whole`, `.carried`, `.removal`, `run.streaming`, `shape.streaming`."""

    NO = 0
    YES = 1


class Kind(IntEnum):
    """What a row is about: `term_use.kind`, `tagged.kind`, `hidden.kind`."""

    DATASET = 0
    FIELD = 1
    JOB = 2


class NoteKind(IntEnum):
    """What a facet is about: `note.kind`."""

    DATASET = 0
    JOB = 1


class What(IntEnum):
    """Where a word that search finds stands: `term_use.what`."""

    NAME = 0
    TAG = 1
    DESCRIPTION = 2


class Role(IntEnum):
    """What an event has to do with a dataset: `mention.role`, `named.role`; from WRITTEN on, it says what is in it.

    What is BEHIND is read through views only: the views are READ.
    """

    BEHIND = 0
    READ = 1
    WRITTEN = 2
    DECLARED = 3


class EventKind(IntEnum):
    """What an event is of: `event.kind`, `shape.kind`."""

    RUN = 0
    JOB = 1
    DATASET = 2


class Stated(IntEnum):
    """What an event does to a facet: `mention.said` (columnLineage), `mention.partial` (subset)."""

    DELETED = -1
    NOT = 0
    THERE = 1


class TagState(IntEnum):
    """What people did with a tag by hand: `tagged.state`."""

    TAKEN = 0
    GIVEN = 1


class Kin(IntEnum):
    """What another field of the same dataset is to a field: `kin.how`. A field itself is in no row of the table."""

    ITSELF = -1
    INSIDE = 0
    AROUND = 1
    ALIKE = 2
