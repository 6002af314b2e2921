"""Every question by URL and by body, in every format; and what is refused."""

from __future__ import annotations

import gzip
import json
from typing import TYPE_CHECKING, Any

import pytest
from pydantic import TypeAdapter
from starlette.testclient import TestClient

from headwater.client.local import StoredLineage
from headwater.query.answering import answer
from headwater.query.names import QUESTIONS, read_answer, read_question
from headwater.query.questions import parts_of
from headwater.render.formats import Format, text
from headwater.server.app import create_app
from headwater.server.questions import batch
from headwater.server.questions.batch import answer_all
from headwater.server.questions.models import reply_model
from headwater.server.settings.settings import ServerSettings

if TYPE_CHECKING:
    from headwater.query.questions import Question
    from headwater.store import Session, Store

_NODES = 10_000
_RUN = "a9e30449-b5fe-5791-b1c6-a2971b0220c7"
ASKED: dict[str, dict[str, Any]] = {
    "upstream": {"dataset": "revenue_by_city", "column": "revenue", "as_of": "2025-05-13", "direct": True},
    "downstream": {"job": "customers", "namespaces": ["file", "other"], "collapse": True},
    "provenance": {"dataset": "warehouse/customers", "version": _RUN, "column": "email"},
    "roots": {"dataset": "revenue_by_city", "column": "revenue", "direct": True},
    "impact": {"dataset": "landing/customers", "column": "email", "depth": 1},
    "pii": {"dataset": "landing/customers", "column": "email", "as_of": "2025-05-14"},
    "diff": {"dataset": "warehouse/customers", "since": "2025-05-13", "until": "2025-05-14"},
    "history": {"dataset": "warehouse/customers", "column": "email"},
    "search": {"text": "custmer emial", "kinds": ["field"], "limit": 3},
    "dataset": {"dataset": "revenue_by_city"},
    "outlines": {"datasets": ["file//food/warehouse/revenue_by_city", "file//food/none"]},
    "versions": {"dataset": "revenue_by_city", "limit": 2},
    "job": {"job": "newsletter"},
    "runs": {"job": "newsletter", "limit": 2},
    "run": {"run": _RUN},
    "datasets": {"limit": 3},
    "jobs": {"namespaces": ["food_delivery"]},
    "events": {"since": "2025-05-14", "limit": 2},
    "stats": {},
    "overview": {"limit": 3},
}


@pytest.mark.parametrize("name", QUESTIONS)
def test_by_url_and_by_body_it_is_the_same_answer(client: TestClient, food_store: Store, name: str) -> None:
    by_url, by_body = client.get(name, params=ASKED[name]), client.post(name, json=ASKED[name])
    assert (by_url.status_code, by_url.headers["content-type"]) == (200, "application/json")
    assert by_url.content == by_body.content
    expected = StoredLineage(food_store).ask(read_question(name, ASKED[name]))
    assert read_answer(by_url.json()) == expected


@pytest.mark.parametrize("name", QUESTIONS)
def test_an_answer_is_as_the_openapi_page_has_it(client: TestClient, name: str) -> None:
    TypeAdapter(reply_model(name)).validate_json(client.get(name, params=ASKED[name]).content, strict=True)


def test_the_openapi_page_has_every_question_with_all_its_parts(client: TestClient) -> None:
    paths = client.get("http://testserver/openapi.json").json()["paths"]
    for name, named in QUESTIONS.items():
        path = paths[f"/api/v1/questions/{name}"]
        parameters = {part["name"] for part in path["get"]["parameters"]}
        assert parameters == {*parts_of(named.question), "format"} - named.said.keys()
        assert path["post"]["requestBody"]["content"].keys() == {"application/json"}
        assert path["get"]["responses"]["200"]["content"]["application/json"]["schema"]
    assert "422" not in json.dumps(paths["/api/v1/questions/batch"])


_TYPES = {
    "json": "application/json",
    "csv": "text/csv; charset=utf-8",
    "graphml": "application/graphml+xml; charset=utf-8",
    "mermaid": "text/vnd.mermaid; charset=utf-8",
    "dot": "text/vnd.graphviz; charset=utf-8",
}


@pytest.mark.parametrize("chosen", Format)
def test_a_format_is_what_the_command_writes(client: TestClient, food_store: Store, chosen: Format) -> None:
    expected: Any = StoredLineage(food_store).ask(read_question("upstream", ASKED["upstream"]))
    reply = client.get("upstream", params={**ASKED["upstream"], "format": chosen.value})
    assert reply.headers["content-type"] == _TYPES[chosen.value]
    if chosen is Format.JSON:
        assert reply.content == client.get("upstream", params=ASKED["upstream"]).content
    else:
        assert reply.text == text(expected, chosen)
    assert client.post(f"upstream?format={chosen.value}", json=ASKED["upstream"]).content == reply.content
    accept = {"Accept": _TYPES[chosen.value].partition(";")[0]}
    assert client.get("upstream", params=ASKED["upstream"], headers=accept).content == reply.content


@pytest.mark.parametrize("name", QUESTIONS)
@pytest.mark.parametrize("chosen", ["json", "csv"])
def test_every_answer_has_rows_and_json(client: TestClient, name: str, chosen: str) -> None:
    reply = client.get(name, params={**ASKED[name], "format": chosen})
    assert (reply.status_code, reply.headers["content-type"]) == (200, _TYPES[chosen])
    assert reply.text.strip()


@pytest.mark.parametrize(
    ("accept", "kind"),
    [
        ("*/*", "application/json"),
        ("text/html, application/xhtml+xml, */*;q=0.8", "application/json"),
        ("text/csv;q=0.9, application/json", "application/json"),
        ("text/csv, application/json;q=0.5", "text/csv; charset=utf-8"),
    ],
)
def test_what_is_accepted_decides(client: TestClient, accept: str, kind: str) -> None:
    reply = client.get("upstream", params=ASKED["upstream"], headers={"Accept": accept})
    assert reply.headers["content-type"] == kind


def test_what_nothing_can_be_written_as_is_refused(client: TestClient) -> None:
    reply = client.get("stats", headers={"Accept": "image/png"})
    assert (reply.status_code, reply.json()["code"]) == (406, 406)
    assert "Accept: " in reply.json()["message"]


@pytest.mark.parametrize(
    ("path", "status", "words"),
    [
        ("upstream?dataset=revenue_by_city&depth=-1", 400, "depth: "),
        ("upstream?dataset=revenue_by_city&depth=99999999999", 400, "depth: "),
        ("upstream?dataset=revenue_by_city&depth=many", 400, "depth: "),
        ("upstream?dataset=revenue_by_city&limit=0", 400, "limit: "),
        ("upstream?dataset=revenue_by_city&limit=99999999999", 400, "limit: "),
        ("upstream?dataset=revenue_by_city&as_of=soon", 400, "as_of is not"),
        ("upstream?dataset=revenue_by_city&as_of=2025-05-13T00:00:00", 400, "as_of has no time zone"),
        (
            "upstream?dataset=revenue_by_city&as_of=2025-05-13&since=2025-05-13",
            400,
            "Use either as_of or since and until",
        ),
        ("upstream?dataset=revenue_by_city&asof=2025-05-13", 400, "asof: "),
        ("upstream?dataset=revenue_by_city&direct=perhaps", 400, "direct: "),
        ("upstream?dataset=revenue_by_city&format=xlsx", 400, "format: "),
        ("upstream?dataset=a%00b", 400, "NUL"),
        ("upstream", 400, "Give a dataset or a job"),
        ("downstream?dataset=revenue_by_city&version=1", 400, "version only works upstream"),
        ("provenance?dataset=revenue_by_city", 400, "version: "),
        (
            "provenance?dataset=revenue_by_city&version=17",
            404,
            "No version of file//food/warehouse/revenue_by_city matches '17'",
        ),
        ("impact?dataset=landing/customers&format=dot", 400, "is not a graph"),
        ("events?format=dot", 400, "is not a graph"),
        ("diff?dataset=revenue_by_city", 400, "Nothing to compare with"),
        ("diff?dataset=revenue_by_city&versions=1", 400, "versions needs two values"),
        ("diff?dataset=revenue_by_city&since=2025-05-12&direction=sideways", 400, "direction: "),
        ("search?text=x&kinds=table", 400, "kinds"),
        ("run?run=7", 404, "No run matches '7'"),
        ("datasets?cursor=x", 400, "cursor: "),
        ("datasets?cursor=99999999999999999999", 400, "cursor: "),
        ("versions?dataset=revenue_by_city&cursor=1-zz", 400, "cursor: "),
        ("events?cursor=99999999999999999999-00", 400, "cursor: "),
        ("events?limit=10001", 400, "limit: "),
        ("upstream?dataset=revenue_by_cty", 404, "No dataset matches 'revenue_by_cty'"),
        ("upstream?dataset=customers", 400, "matches 2 datasets"),
        ("nothing", 404, "Not Found"),
    ],
)
def test_what_is_wrong_is_named(client: TestClient, path: str, status: int, words: str) -> None:
    reply = client.get(path)
    assert (reply.status_code, reply.headers["content-type"]) == (status, "application/json")
    assert reply.json()["code"] == status
    assert words in reply.json()["message"]


@pytest.mark.parametrize("body", [b"", b"{", b"[]", b'"x"', b"null", b'{"dataset": 7}', b'{"dataset": "\\ud800"}'])
def test_a_body_that_is_no_question_is_refused(client: TestClient, body: bytes) -> None:
    for path in ("upstream", "history", "batch"):
        reply = client.post(path, content=body, headers={"Content-Type": "application/json"})
        assert reply.status_code == 400
        assert reply.json()["message"]


def test_the_nearest_names_are_there_for_programs(client: TestClient) -> None:
    error = client.get("upstream", params={"dataset": "revenue_by_cty"}).json()
    assert error["kind"] == "UnknownName"
    assert error["candidates"] == ["file//food/warehouse/revenue_by_city"]


def test_a_limit_gives_a_part_that_says_so(client: TestClient) -> None:
    asked = {"dataset": "revenue_by_city", "column": "revenue"}
    whole = client.get("upstream", params=asked).json()["answer"]
    part = client.get("upstream", params={**asked, "limit": 4}).json()["answer"]
    assert (whole["partial"], part["partial"]) == (False, True)
    assert part["nodes"] == whole["nodes"][:4]


@pytest.mark.parametrize(
    ("name", "asked", "listed"),
    [
        ("datasets", {}, "names"),
        ("jobs", {}, "names"),
        ("events", {}, "events"),
        ("versions", {"dataset": "revenue_by_city"}, "versions"),
        ("runs", {"job": "newsletter"}, "runs"),
    ],
)
def test_pages_by_cursor_are_the_whole_list(client: TestClient, name: str, asked: dict[str, str], listed: str) -> None:
    whole = client.get(name, params=asked).json()["answer"]
    assert whole["cursor"] is None
    names, cursor, pages = [], None, 0
    while cursor is not None or not pages:
        more = asked if cursor is None else {**asked, "cursor": cursor}
        page = client.get(name, params={**more, "limit": 2}).json()["answer"]
        names += page[listed]
        cursor, pages = page["cursor"], pages + 1
    assert names == whole[listed]
    assert pages == len(names) // 2 + 1


def test_a_batch_has_a_result_for_each_question(client: TestClient) -> None:
    questions = [
        {"question": "upstream", "dataset": "revenue_by_city", "column": "revenue"},
        {"question": "upstream", "dataset": "revenue_by_cty"},
        {"question": "upstream", "dataset": "revenue_by_city", "depth": -1},
        {"question": "downstream", "dataset": "landing/menus", "as_of": "2025-05-13"},
        {"question": "what"},
        {},
        {"question": "stats"},
    ]
    reply = client.post("batch", json={"questions": questions}).json()
    assert reply["wire"] == 1
    kinds = [result.get("kind") or result["error"]["kind"] for result in reply["results"]]
    assert kinds == ["Answer", "UnknownName", "BadQuestion", "TableAnswer", "BadQuestion", "BadQuestion", "Stats"]
    alone = client.get("upstream", params={"dataset": "revenue_by_city", "column": "revenue"}).json()
    assert reply["results"][0] == {"kind": "Answer", "answer": alone["answer"]}


def test_a_batch_of_too_many_questions_is_refused(client: TestClient) -> None:
    assert client.post("batch", json={"questions": [{"question": "stats"}] * 100}).status_code == 200
    reply = client.post("batch", json={"questions": [{"question": "stats"}] * 101})
    assert reply.status_code == 400
    assert reply.json()["message"].startswith("questions: ")


def test_no_answer_has_more_nodes_than_the_server_gives(food_store: Store) -> None:
    client = TestClient(create_app(food_store, ServerSettings(allow_open=True, max_result_nodes=2)))
    asked = {"question": "upstream", "dataset": "revenue_by_city", "limit": 1_000}
    alone = client.get("/api/v1/questions/upstream?dataset=revenue_by_city").json()["answer"]
    (result,) = client.post("/api/v1/questions/batch", json={"questions": [asked]}).json()["results"]
    page = client.get("/api/v1/questions/datasets").json()["answer"]
    assert (len(alone["nodes"]), alone["partial"]) == (2, True)
    assert result["answer"] == alone
    assert (len(page["names"]), bool(page["cursor"])) == (2, True)


def test_a_batch_stops_answering_when_it_is_full(food_store: Store) -> None:
    asked = [{"question": "upstream", "dataset": "revenue_by_city"}] * 4
    with food_store.read() as session:
        size = len(answer_all(asked[:1], food_store, session, _NODES))
        reply = json.loads(answer_all(asked, food_store, session, _NODES, most_bytes=2 * size - 100))
    kinds = [result.get("kind") or result["error"]["kind"] for result in reply["results"]]
    assert kinds == ["TableAnswer", "TableAnswer", "NoRoom", "NoRoom"]


def test_a_batch_is_answered_from_one_moment(client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    asked = []

    def watched(question: Question[Any], store: Store, session: Session) -> object:
        asked.append(session)
        return answer(question, store, session)

    monkeypatch.setattr(batch, "answer", watched)
    client.post("batch", json={"questions": [{"question": "job", "job": "newsletter"}] * 9})
    assert len(asked) == 9
    assert len({id(session) for session in asked}) == 1


def test_a_large_answer_is_compressed_for_those_who_take_it(client: TestClient) -> None:
    path = "upstream?dataset=revenue_by_city&column=*"
    with client.stream("GET", path, headers={"Accept-Encoding": "gzip"}) as packed:
        raw = b"".join(packed.iter_raw())
    assert packed.headers["content-encoding"] == "gzip"
    plain = client.get(path, headers={"Accept-Encoding": "identity"})
    assert "content-encoding" not in plain.headers
    assert gzip.decompress(raw) == plain.content
    assert "Accept-Encoding" in plain.headers["vary"]
