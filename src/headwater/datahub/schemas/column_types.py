"""Types of columns in Hive, Spark and SQL, under the names of DataHub's converter for Hive."""

from collections.abc import Mapping

from headwater.fields.schema_tree import Scalar

_NAMES: Mapping[str, str] = {
    **dict.fromkeys(("tinyint", "smallint", "int", "integer", "byte", "short", "date", "timestamp"), "int"),
    **dict.fromkeys(("timestamp_ntz", "timestamp_ltz", "timestamptz", "timestampntz", "timestampltz"), "int"),
    **dict.fromkeys(("bigint", "long"), "long"),
    **dict.fromkeys(("float", "real"), "float"),
    **dict.fromkeys(("double", "double precision"), "double"),
    **dict.fromkeys(("string", "varchar", "char", "text", "nvarchar", "nchar", "character varying"), "string"),
    **dict.fromkeys(("binary", "varbinary"), "string"),  # as in DataHub
    **dict.fromkeys(("decimal", "numeric"), "bytes"),
    **dict.fromkeys(("boolean", "bool"), "boolean"),
}


def column_type(native: str) -> Scalar:
    """A type without parts; an unknown name stays.

    >>> column_type("decimal(10,2)"), column_type("variant").name
    (Scalar(name='bytes', native='decimal(10,2)'), 'variant')
    """
    base = native.partition("(")[0].strip().lower()
    return Scalar(_NAMES.get(base, base), native)
