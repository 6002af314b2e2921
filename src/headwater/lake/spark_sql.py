"""Spark SQL for the bits of a field's id, which differs from the store's databases.

The rest of `headwater.store.db.predicates` is the same text for Spark.
"""

from headwater.store.db.codes import FIELD_BITS, FIELD_NUMBERS, ROWS


def dataset_of_field(field: str) -> str:
    """The dataset of a field, or of a dataset's rows, by its id.

    >>> dataset_of_field("edge.in_field")
    'shiftright(edge.in_field, 20)'
    """
    return f"shiftright({field}, {FIELD_BITS})"


def rows_of_dataset(dataset: str) -> str:
    """The id of the node that stands for a dataset's rows.

    >>> rows_of_dataset("slot.dataset")
    'shiftleft(slot.dataset, 20)'
    """
    return f"shiftleft({dataset}, {FIELD_BITS})"


def is_column(field: str) -> str:
    """Whether an id is that of a column, and not of a dataset's rows.

    >>> is_column("edge.out_field")
    'edge.out_field & 1048575 <> 0'
    """
    return f"{field} & {FIELD_NUMBERS} <> {ROWS}"
