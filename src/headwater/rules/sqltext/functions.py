"""What the functions of other engines are, by name."""

from __future__ import annotations

import re

from sqlglot import exp

from headwater.common.masking import DECRYPTIONS
from headwater.rules.expressions.masking import OTHER_FUNCTION
from headwater.rules.sqltext.nodes import Node

# Counts, hashes and encryption do not tell what went in; rows have places and groups, whatever is in them.
_COUNTS = (
    "approx_count_distinct", "approx_distinct", "count", "count_big", "count_if", "countif", "regr_count", "uniq",
    "uniqcombined", "uniqexact", "uniqhll12",
)  # fmt: skip
_HASHES = (
    "binary_checksum", "checksum", "cityhash64", "crc32", "crypt", "digest", "farm_fingerprint",
    "farmfingerprint64", "fnv_hash", "hash", "hashbytes", "hashrow", "md5", "md5_digest", "md5_hex",
    "md5_number_lower64", "murmur3", "murmurhash3_128", "murmurhash3_x86_128", "ora_hash", "sha", "sha1",
    "sha1_binary", "sha1_digest", "sha1_hex", "sha2", "sha224", "sha256", "sha2_binary", "sha2_digest", "sha2_hex",
    "sha384", "sha512", "siphash64", "standard_hash", "xxhash64",
)  # fmt: skip
_ENCRYPTION = (
    "aes_encrypt", "des_encrypt", "encode_aes", "encrypt", "encrypt_raw", "encryptbycert", "encryptbykey",
    "encryptbypassphrase", "pgp_pub_encrypt", "pgp_sym_encrypt",
)  # fmt: skip
_KEYED_HASHES = ("hmac", "hmac_md5", "hmac_sha1", "hmac_sha256", "hmac_sha512")
_PLACES = (
    "cume_dist", "dense_rank", "grouping", "grouping_id", "percent_rank", "rank", "row_number",
)  # fmt: skip

# Spark's class that has the same rule.
KINDS = {
    **dict.fromkeys(_COUNTS, "Count"),
    **dict.fromkeys(_HASHES, "Md5"),
    **dict.fromkeys(_ENCRYPTION, "AesEncrypt"),
    **dict.fromkeys(_KEYED_HASHES, "Hmac"),
    **dict.fromkeys(DECRYPTIONS, "AesDecrypt"),
    "mask": "Mask",
    **dict.fromkeys(_PLACES, "Rank"),
}


def kind_of(node: Node, name: str) -> str:
    """Spark's class with the same rule as a function; empty for what has no rule of its own."""
    unknown = OTHER_FUNCTION if isinstance(node, (exp.Anonymous, exp.AnonymousAggFunc)) else ""
    return KINDS.get(name, unknown)


# Their key comes first.
KEY_FIRST = frozenset({
    "decryptbycert", "decryptbykey", "decryptbypassphrase", "encryptbycert", "encryptbykey", "encryptbypassphrase",
})  # fmt: skip

# Window functions that take the value of one row; sqlglot counts some of them among the aggregates.
_OF_ONE_ROW = frozenset({
    "cume_dist", "dense_rank", "lag", "lead", "nth_value", "ntile", "percent_rank", "rank", "row_number",
})  # fmt: skip

# Aggregates that sqlglot knows only by name, in some dialect or version.
_AGGREGATES = frozenset({
    "any_value", "array_agg", "bit_and", "bit_or", "bit_xor", "bool_and", "bool_or", "checksum_agg", "collect",
    "count_big", "every", "json_agg", "json_arrayagg", "json_object_agg", "json_objectagg", "jsonb_agg",
    "jsonb_object_agg", "listagg", "median", "mode", "percentile_cont", "percentile_disc", "regr_avgx", "regr_avgy",
    "regr_count", "regr_intercept", "regr_r2", "regr_slope", "regr_sxx", "regr_sxy", "regr_syy", "stats_mode",
    "stdev", "stdevp", "string_agg", "var", "varp", "wm_concat", "xmlagg",
})  # fmt: skip

# Aggregates that put values one behind the other: WITHIN GROUP gives their order. For others it gives their values.
IN_ORDER = frozenset({"array_agg", "group_concat", "listagg", "string_agg", "wm_concat", "xmlagg"})

# One row becomes several, out of the arguments alone.
_MULTIPLYING = frozenset({
    "explode", "explode_outer", "exploding_generate_series", "generate_date_array", "generate_series",
    "generate_subscripts", "inline", "inline_outer", "json_array_elements", "json_array_elements_text", "json_each",
    "json_each_text", "json_object_keys", "json_populate_recordset", "json_table", "json_to_recordset",
    "jsonb_array_elements", "jsonb_array_elements_text", "jsonb_each", "jsonb_each_text", "jsonb_object_keys",
    "jsonb_to_recordset", "openjson", "open_json", "posexplode", "posexplode_outer", "regexp_matches",
    "regexp_split_to_table", "split_to_table", "stack", "string_split", "string_to_table", "unnest", "xml_table",
    "xmltable",
})  # fmt: skip


# sqlglot makes j_s_o_n_table of JSONTable.
_SPELLED_OUT = re.compile(r"(?<=\b[a-z])_(?=[a-z](?:_|$))|(?<=_[a-z])_(?=[a-z](?:_|$))")


def written_name(node: Node) -> str:
    """The name of a function as it was written, as far as sqlglot keeps it, in lower case."""
    if isinstance(node, (exp.Anonymous, exp.AnonymousAggFunc)):
        return node.name.lower()
    if isinstance(node, exp.Func):
        names = [node.meta.get("name"), *node.sql_names(), type(node).__name__]
        return _SPELLED_OUT.sub("", next(str(name).lower() for name in names if name))
    return type(node).__name__.lower()


def is_aggregate(node: Node) -> bool:
    """Whether a function makes one value of many rows."""
    name = written_name(node)
    return name not in _OF_ONE_ROW and (isinstance(node, exp.AggFunc) or name in _AGGREGATES)


def multiplies(node: Node) -> bool:
    """Whether a function makes several rows of one, out of its arguments alone."""
    return isinstance(node, (exp.Unnest, exp.Func)) and written_name(node) in _MULTIPLYING
