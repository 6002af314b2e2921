"""URNs: those of the RFC literally, what DataHub's own tests say, and that what is written is read back."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.datahub.schemas.samples import RFC

from headwater.datahub.schemas.avro import from_avro
from headwater.fields import make_urn
from headwater.fields.errors import BadUrn
from headwater.fields.paths_rfc import rfc_paths
from headwater.fields.urn import Urn, escape, unescape

ORDERS = "urn:li:dataset:(urn:li:dataPlatform:kafka,demo.orders,PROD)"
# DataHub leaves the percent sign as it is, so that what looks like an escape cannot be told from one.
TEXTS = st.text(st.characters(exclude_characters="%\0", exclude_categories=["Cs"]), min_size=1, max_size=30)


def test_the_fields_of_the_rfc_have_the_urns_of_the_rfc() -> None:
    pytest.importorskip("fastavro", reason="needs fastavro: pip install 'headwater[datahub]'")
    assert [str(make_urn.dataset_field(ORDERS, found.path)) for found in rfc_paths(from_avro(RFC))] == [
        "urn:li:datasetField:(urn:li:dataset:(urn:li:dataPlatform:kafka,demo.orders,PROD),/foo1)",
        "urn:li:datasetField:(urn:li:dataset:(urn:li:dataPlatform:kafka,demo.orders,PROD),/foo2/bar1)",
        "urn:li:datasetField:(urn:li:dataset:(urn:li:dataPlatform:kafka,demo.orders,PROD),/foo2/bar2/int)",
    ]


def test_a_field_gives_its_dataset_and_its_path() -> None:
    field = Urn.parse(f"urn:li:datasetField:({ORDERS},/header/customerId)", "datasetField")
    assert str(field.urn(0)) == ORDERS
    assert field.text(1) == "/header/customerId"
    assert field.urn(0).urn(0) == make_urn.data_platform("kafka")


@given(TEXTS, TEXTS, TEXTS, st.sampled_from(sorted(make_urn.ENVIRONMENTS)))
def test_whatever_is_in_a_name_the_urn_is_read_back(platform: str, name: str, path: str, env: str) -> None:
    field = make_urn.schema_field(make_urn.dataset(platform, name, env), path)
    back = Urn.parse(str(field))
    assert back == field
    assert (back.text(1), back.urn(0).text(1), back.urn(0).urn(0).text(0)) == (path, name, platform)


@given(
    st.text(max_size=60),
    st.sampled_from(["{}", "urn:li:{}", "urn:li:dataset:({})", f"urn:li:schemaField:({ORDERS},{{}})"]),
)
def test_any_text_is_a_urn_or_a_clear_error(text: str, around: str) -> None:
    tried = around.format(text)
    said = ""
    try:
        assert str(Urn.parse(tried)) == tried
    except BadUrn as error:
        said = str(error)
    assert not said or "is not a valid URN" in said


def test_urns_inside_one_another_come_to_an_end() -> None:
    with pytest.raises(BadUrn, match="too many URNs"):
        Urn.parse("urn:li:x:(" * 2000 + "a" + ",b)" * 2000)


def test_only_what_datahub_reserves_is_escaped() -> None:
    assert escape("a,b(c)d␟ %/:&") == "a%2Cb%28c%29d%E2%90%9F %/:&"
    assert unescape("a%2Cb%28c%29d%e2%90%9f %41") == "a,b(c)d␟ %41"


@pytest.mark.parametrize(
    ("made", "said"),
    [
        (lambda: make_urn.dataset_field(ORDERS, "foo"), "begin with a slash"),
        (lambda: make_urn.dataset_field(ORDERS, "/" + "x" * 500), "501 characters"),
        (lambda: make_urn.dataset_field("urn:li:tag:x", "/foo"), "urn:li:dataset:"),
        (lambda: make_urn.dataset("kafka", "x", "NOWHERE"), "is not a DataHub environment"),
        (lambda: make_urn.dataset("kafka", ""), "empty"),
        (lambda: make_urn.dataset("kafka", "x" * 600), "512"),
        (lambda: make_urn.data_job("urn:li:tag:x", "job"), "urn:li:dataFlow:"),
    ],
)
def test_what_cannot_be_a_urn_is_said(made, said: str) -> None:  # type: ignore[no-untyped-def]  # noqa: ANN001
    with pytest.raises(BadUrn, match=said):
        made()


def test_jobs_tags_terms_and_people() -> None:
    flow = make_urn.data_flow("airflow", "etl", "prod")
    assert str(make_urn.data_job(flow, "load")) == "urn:li:dataJob:(urn:li:dataFlow:(airflow,etl,prod),load)"
    assert str(make_urn.tag("pii")) == "urn:li:tag:pii"
    assert str(make_urn.glossary_term("a.b")) == "urn:li:glossaryTerm:a.b"
    assert str(make_urn.corp_user("jane@example.com")) == "urn:li:corpuser:jane@example.com"


def test_a_very_long_urn_is_refused() -> None:
    assert Urn.parse(f"urn:li:tag:{'x' * 20_000}").kind == "tag"
    with pytest.raises(BadUrn, match="a URN has at most 30,000"):
        Urn.parse(f"urn:li:tag:{'x' * 30_000}")
