"""What expressions do to masking: the kinds, what undoes them, and what a user declares."""

from __future__ import annotations

import pytest

from headwater.common.masking import Masking
from headwater.rules.expressions.expressions import evaluate
from headwater.rules.expressions.masking import DeclaredMasking
from headwater.rules.expressions.names import Names
from headwater.rules.operators.analysis import Analysis
from headwater.rules.plan.sources import Column, How, Mark, Output, Relation, SourceField
from headwater.rules.plan.tree import Dataset, Expr

_MAIL = SourceField(Dataset(table=("t",)), "mail")
_ATTRIBUTE = Expr("AttributeReference", name="mail", id=1, type="string")
_KEY = Expr("Literal", args={"sql": "'k'"})


def _masking(expr: Expr) -> str:
    """What an expression over a column does to it, in words."""
    column = Column({(): {_MAIL: frozenset({Mark(How.IDENTITY)})}}, "mail")
    names = Names([Relation.of([Output(1, "mail", column)])], Analysis(), None)
    (mark,) = evaluate(expr, names).sources[_MAIL]
    return mark.masking.words


def _call(kind: str, *arguments: Expr, name: str = "") -> Expr:
    return Expr(kind, name=name or kind.lower(), args={"arguments": arguments or (_ATTRIBUTE,)})


def _udf(name: str, argument: Expr = _ATTRIBUTE) -> Expr:
    return Expr("PythonUDF", name="pythonudf", args={"name": name, "children": (argument,)})


def _encrypted(argument: Expr = _ATTRIBUTE) -> Expr:
    return _call("AesEncrypt", argument, _KEY)


def _decrypted(argument: Expr = _ATTRIBUTE) -> Expr:
    return _call("AesDecrypt", argument, _KEY)


@pytest.mark.parametrize(
    ("kind", "words"),
    [
        *[(kind, "irreversible") for kind in ("Md5", "Sha2", "Crc32", "Count", "HyperLogLogPlusPlus", "BitmapCount")],
        *[(kind, "irreversible") for kind in ("HllSketchAgg", "ThetaSketchAgg", "CountMinSketchAgg")],
        *[(kind, "irreversible") for kind in ("TupleSketchEstimateDouble", "KllSketchGetNBigint")],
        *[(kind, "keyed") for kind in ("AesEncrypt", "Hmac")],
        *[(kind, "unmask") for kind in ("AesDecrypt", "TryAesDecrypt")],
        *[(kind, "") for kind in ("Base64", "UnBase64", "Hex", "Unhex", "Encode", "Decode", "Base32", "UrlEncode")],
        *[(kind, "") for kind in ("Substring", "Left", "Right", "Overlay", "RegExpReplace", "StringTranslate")],
        # Samples of the values themselves, or positions that are the values.
        *[(kind, "") for kind in ("KllSketchAggBigint", "KllSketchGetQuantileBigint", "ApproximatePercentile")],
        *[(kind, "") for kind in ("ApproxTopK", "ApproxTopKAccumulate", "HistogramNumeric", "BitmapConstructAgg")],
        *[(kind, "") for kind in ("BitmapBitPosition", "TupleSketchAggDouble", "TupleSketchSummaryDouble")],
    ],
)
def test_functions_of_spark(kind: str, words: str) -> None:
    assert _masking(_call(kind)) == words


def test_a_decryption_restores_what_was_encrypted() -> None:
    assert _masking(_decrypted(_call("UnBase64", _call("Base64", _encrypted())))) == "unmask"
    assert _masking(_encrypted(_decrypted())) == "keyed"
    assert _masking(_decrypted(_call("Sha2", _encrypted()))) == "irreversible"
    assert _masking(_call("Upper", _decrypted())) == "unmask"


def test_a_function_that_nobody_can_look_into_may_undo_an_encryption() -> None:
    assert _masking(_udf("f", _encrypted())) == "unmask possible"
    assert _masking(_udf("f", _call("Sha2"))) == "irreversible"
    assert _masking(_udf("f")) == "may-unmask"
    assert _masking(Expr("StaticInvoke", args={"functionName": "invoke", "arguments": (_encrypted(),)})) == (
        "unmask possible"
    )


def test_what_spark_wraps_around_a_value_undoes_nothing() -> None:
    padded = Expr("StaticInvoke", args={"functionName": "readSidePadding", "arguments": (_encrypted(), _KEY)})
    assert _masking(padded) == "keyed"
    replaced = Expr("StaticInvoke", args={"functionName": "encode", "arguments": (_encrypted(),)})
    assert _masking(Expr("UrlEncode", name="url_encode", args={"replacement": replaced})) == "keyed"


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({}, "partial"),
        ({"upperChar": "'X'", "lowerChar": "'x'", "digitChar": "'n'", "otherChar": "NULL"}, "partial"),
        ({"upperChar": "'X'", "lowerChar": "NULL", "digitChar": "'n'"}, ""),
        ({"upperChar": "'X'", "lowerChar": "'x'", "digitChar": "CAST(NULL AS STRING)"}, ""),
    ],
)
def test_mask_hides_only_the_characters_that_it_replaces(arguments: dict[str, str], words: str) -> None:
    given = {name: Expr("Literal", args={"sql": sql}) for name, sql in arguments.items()}
    assert _masking(Expr("Mask", name="mask", args={"input": _ATTRIBUTE, **given})) == words


def test_a_mask_by_what_a_column_says_may_hide_nothing() -> None:
    assert not _masking(Expr("Mask", name="mask", args={"input": _ATTRIBUTE, "upperChar": _ATTRIBUTE}))


def test_a_user_declares_a_tokeniser_and_its_inverse() -> None:
    declared = DeclaredMasking({"tokenise": Masking.KEYED, "vault.restore": Masking.UNMASKS})
    hive = Expr("HiveSimpleUDF", args={"name": "Vault.Restore", "children": (_udf("Tokenise"),)})
    with declared.applied():
        assert _masking(_udf("Tokenise")) == "keyed"
        assert _masking(hive) == "unmask"
        assert _masking(_udf("other", _udf("tokenise"))) == "unmask possible"
        # A function of that name, but in no database.
        assert _masking(_udf("restore", _udf("tokenise"))) == "unmask possible"
    assert _masking(_udf("tokenise")) == "may-unmask"


def test_a_user_may_think_otherwise_of_sparks_functions() -> None:
    declared = DeclaredMasking({"mask": Masking.IRREVERSIBLE, "crc32": Masking.NONE, "right": Masking.PARTIAL})
    with declared.applied():
        assert _masking(Expr("Mask", name="mask", args={"input": _ATTRIBUTE})) == "irreversible"
        assert not _masking(_call("Crc32"))
        assert _masking(_call("Right")) == "partial"


def test_a_declared_name_means_functions_and_no_fields() -> None:
    struct = {"type": "struct", "fields": [{"name": "tokenise", "type": "string", "nullable": True, "metadata": {}}]}
    row = Expr("AttributeReference", name="mail", id=1, type=struct)
    field = Expr("GetStructField", args={"child": row, "ordinal": 0, "name": "tokenise"})
    with DeclaredMasking({"tokenise": Masking.IRREVERSIBLE}).applied():
        assert not _masking(field)
