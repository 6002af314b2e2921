"""What expressions do to the masking of their arguments: by Spark's class, and by the names that a user declares.

Masking are hashes, counts and the sketches that count distinct values, which hold hashes (IRREVERSIBLE); encryption and
keyed hashes (KEYED); and `mask` (PARTIAL), if it replaces all letters and digits. Not masking is whatever restores or
keeps values: base64, hex, compression; substrings; quantile sketches, top-k and histograms, which hold values as they
are; bitmaps, whose positions are the values.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field

from headwater.common.masking import Masking
from headwater.rules.expressions.text import function_name, is_function
from headwater.rules.plan.tree import Expr

_IRREVERSIBLE = (
    "ApproxCountDistinctForIntervals", "BitmapCount", "CollationAwareMurmur3Hash", "CollationAwareXxHash64", "Count",
    "CountIf", "CountMinSketchAgg", "Crc32", "HiveHash", "HllSketchAgg", "HllSketchEstimate", "HyperLogLogPlusPlus",
    "KllSketchGetNBigint", "KllSketchGetNDouble", "KllSketchGetNFloat", "Md5", "Murmur3Hash", "RegrCount", "Sha1",
    "Sha2", "ThetaSketchAgg", "ThetaSketchEstimate", "TupleSketchEstimateDouble", "TupleSketchEstimateInteger",
    "XxHash64",
)  # fmt: skip
_KEYED = ("AesEncrypt", "Hmac")
_DECRYPTION = ("AesDecrypt", "TryAesDecrypt")

MASKING: Mapping[str, Masking] = {
    **dict.fromkeys(_IRREVERSIBLE, Masking.IRREVERSIBLE),
    **dict.fromkeys(_KEYED, Masking.KEYED),
    "Mask": Masking.PARTIAL,
}
"""Spark's classes that mask, and how."""
UNMASKING: Mapping[str, Masking] = dict.fromkeys(_DECRYPTION, Masking.UNMASKS)
"""Spark's classes that restore what was encrypted."""

OPAQUE = frozenset({
    "ApplyFunctionExpression", "CallMethodViaReflection", "ComplexTypedAggregateExpression",
    "ExternalUserDefinedFunction", "HiveGenericUDF", "HiveGenericUDTF", "HiveSimpleUDF", "HiveUDAFFunction", "Invoke",
    "PrettyPythonUDF", "PythonUDAF", "PythonUDF", "PythonUDTF", "ScalaAggregator", "ScalaUDAF", "ScalaUDF",
    "SimpleTypedAggregateExpression", "StaticInvoke", "TranspiledPythonUDF", "TryReflect", "UserDefinedGenerator",
    "V2Aggregator",
})  # fmt: skip
"""Classes that run code that nobody can look into: it may undo a keyed masking."""
OTHER_FUNCTION = "sql.function"
"""The kind of a function of another engine that nobody knows."""
_BY_KIND: Mapping[str, Masking] = {
    **MASKING,
    **UNMASKING,
    **dict.fromkeys([*OPAQUE, OTHER_FUNCTION], Masking.MAY_UNMASK),
}
# Spark calls methods of its own by these, too; a method of this name is that of a connector's function.
_BY_METHOD = frozenset({"Invoke", "StaticInvoke"})
_MAGIC_METHOD = "invoke"
# `mask` leaves a class of characters as it is if its argument for that class is NULL. Others than letters and digits
# stay by default.
_REPLACED_BY_MASK = ("upperChar", "lowerChar", "digitChar")


@dataclass(frozen=True)
class DeclaredMasking:
    """What the functions of a user do to masking, by their names in lower case; they come before what is known here.

    A name with dots is that of a function in a database or catalog. It also means functions whose full names end in it.

    >>> declared = DeclaredMasking({"tokenise": Masking.KEYED, "secure.restore": Masking.UNMASKS})
    >>> declared.of("Tokenise"), declared.of("spark_catalog.secure.restore"), declared.of("other.restore")
    (<Masking.KEYED: 8>, <Masking.UNMASKS: 16>, None)
    """

    functions: Mapping[str, Masking] = field(default_factory=dict)

    def of(self, name: str) -> Masking | None:
        """What a function does, by its name, with or without its database and catalog; None if it is not declared."""
        rest = name.replace("`", "").lower()
        while True:
            declared = self.functions.get(rest)
            if declared is not None:
                return declared
            _, dot, rest = rest.partition(".")
            if not dot:
                return None

    @contextmanager
    def applied(self) -> Iterator[None]:
        """Let it count for the statements that this thread analyzes."""
        before = _declared.set(self if self.functions else None)
        try:
            yield
        finally:
            _declared.reset(before)


_declared: ContextVar[DeclaredMasking | None] = ContextVar("declared_masking", default=None)


def masking_of(node: Expr) -> Masking:
    """What an expression does to the masking of its arguments."""
    declared = _declared.get()
    if declared is not None and is_function(node):
        found = declared.of(function_name(node))
        if found is not None:
            return found
    if node.kind == "Mask" and not all(_is_given(node, argument) for argument in _REPLACED_BY_MASK):
        return Masking.NONE
    if node.kind in _BY_METHOD and node.args.get("functionName") != _MAGIC_METHOD:
        return Masking.NONE
    return _BY_KIND.get(node.kind, Masking.NONE)


def _is_given(node: Expr, argument: str) -> bool:
    """Whether an argument of `mask` is a character; another engine's `mask` has no arguments of these names."""
    value = node.args.get(argument)
    if not isinstance(value, Expr):
        return True
    return value.kind == "Literal" and not str(value.args.get("sql")).startswith(("NULL", "CAST(NULL "))
