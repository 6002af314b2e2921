"""Tags, terms and descriptions of fields that did not come from DataHub, as aspects of schemaField entities.

Propagated ones say so in their attribution, with the field that they come from.
"""

from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from headwater.datahub.aspects.aspect_store import Key
from headwater.datahub.aspects.fine_grained import FieldUrn
from headwater.datahub.aspects.lineage import ACTOR, stamp_of
from headwater.datahub.aspects.reading import Name
from headwater.datahub.aspects.tags import OWN_SOURCE
from headwater.fields import make_urn
from headwater.query.graph.labels import label_fields, tables
from headwater.query.metadata.notes import TERM, datasets_with_note, tag_names
from headwater.query.metadata.tags import all_by_hand
from headwater.store.db.codes import Kind
from headwater.store.db.session import Session
from headwater.store.model.meaning import DERIVED

_TAGS, _TERMS, _WORDS = "globalTags", "glossaryTerms", "documentation"


@dataclass
class FieldWords:
    """The tags of a field, and its description; what is propagated has its entry in the facet, other tags None."""

    tags: dict[str, Mapping[str, Any] | None] = field(default_factory=dict)
    description: Mapping[str, Any] | None = None


Words = Mapping[Name, Mapping[str, FieldWords]]


_Fields: TypeAlias = defaultdict[Name, defaultdict[str, FieldWords]]


def words_of_fields(session: Session, at: int) -> tuple[Words, dict[Name, int]]:
    """Tags and descriptions of fields, by dataset and path; and when each dataset's propagated ones were derived."""
    tagged, derived = datasets_with_note(session, "tags", at), datasets_with_note(session, DERIVED, at)
    names = {key: (name.namespace, name.name) for key, name in tables(session, "dataset", {*tagged, *derived}).items()}
    fields: _Fields = defaultdict(lambda: defaultdict(FieldWords))
    for key, (_, facet) in derived.items():
        _add_propagated(fields[names[key]], facet)
    for key, (_, facet) in tagged.items():
        # DataHub's own tags go out with the aspects that they came in.
        ours = [tag for tag in facet.get("tags") or () if isinstance(tag, dict) and tag.get("source") != "DATAHUB"]
        for path, name in tag_names({"tags": ours}):
            if path is not None:
                fields[names[key]][path].tags[name] = None
    _add_by_hand(session, fields)
    return fields, {names[key]: us for key, (us, _) in derived.items()}


def _add_propagated(fields: defaultdict[str, FieldWords], facet: Mapping[str, Any]) -> None:
    for entry in facet.get("tags") or ():
        for path, tag in tag_names({"tags": [entry]}):
            fields[path or ""].tags[tag] = entry
    for entry in facet.get("descriptions") or ():
        fields[entry["field"]].description = entry


def _add_by_hand(session: Session, fields: _Fields) -> None:
    hand = all_by_hand(session, Kind.FIELD)
    names = label_fields(session, hand).names
    for key, tags in hand.items():
        name = names[key]
        words = fields[name.namespace, name.name][name.field or ""]
        for tag, given in tags.items():
            if given:
                words.tags[tag] = None
            else:
                words.tags.pop(tag, None)


def field_aspects(
    name: Name,
    words: Mapping[str, FieldWords],
    stored: Mapping[Key, Any],
    urn_of: FieldUrn,
    us: int,
) -> Iterator[tuple[Key, Any]]:
    """The aspects of the fields of a dataset, joined with those from DataHub (`stored`).

    `words` are the fields' own by path; the propagated ones among them were derived at `us`.
    """
    for path, field_words in sorted(words.items()):
        urn = urn_of(name, path)
        attributed = {tag: _attribution(how, urn_of, us) for tag, how in field_words.tags.items()}
        tags = [{"tag": str(make_urn.tag(tag)), **how} for tag, how in sorted(attributed.items()) if not _is_term(tag)]
        terms = [
            {"urn": str(make_urn.glossary_term(tag.removeprefix(f"{TERM}:"))), **how}
            for tag, how in sorted(attributed.items())
            if _is_term(tag)
        ]
        described = []
        if (description := field_words.description) is not None:
            described = [{"documentation": description.get("description"), **_attribution(description, urn_of, us)}]
        for aspect, key, by, listed, more in (
            (_TAGS, "tags", "tag", tags, {}),
            (_TERMS, "terms", "urn", terms, {"auditStamp": stamp_of(us)}),
            (_WORDS, "documentations", "documentation", described, {}),
        ):
            if listed:
                before = stored.get(Key(aspect, urn)) or {}
                known = {entry.get(by) for entry in before.get(key) or ()}
                new = [entry for entry in listed if entry[by] not in known]
                yield Key(aspect, urn), {**more, **before, key: [*(before.get(key) or ()), *new]}


def _is_term(tag: str) -> bool:
    return tag.startswith(f"{TERM}:")


def _attribution(how: Mapping[str, Any] | None, urn_of: FieldUrn, us: int) -> dict[str, Any]:
    if how is None:
        return {}
    legs = how.get("path") or []
    ends = [leg["origin"] for leg in legs if leg["origin"]["field"] is not None]
    places = {"origin": ends[0], "via": ends[-1]} if ends else {}
    detail = {
        "propagated": "true",
        "certain": "true" if how.get("certain") else "false",
        "rule": str(how.get("rule") or ""),
        **{name: urn_of((end["namespace"], end["name"]), end["field"]) for name, end in places.items()},
    }
    return {"attribution": {"time": us // 1000, "actor": ACTOR, "source": OWN_SOURCE, "sourceDetail": detail}}
