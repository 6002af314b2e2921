"""Tags, terms and descriptions of fields that did not come from DataHub, as aspects of schemaField entities.

What only came with the data says so in its attribution, with the field that it came from.
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
    """What is set on a field here, or came to it: tags by name, each with how it came, or None; its description."""

    tags: dict[str, Mapping[str, Any] | None] = field(default_factory=dict)
    description: Mapping[str, Any] | None = None


Words = Mapping[Name, Mapping[str, FieldWords]]


_Found: TypeAlias = defaultdict[Name, defaultdict[str, FieldWords]]


def words_of_fields(session: Session, at: int) -> tuple[Words, dict[Name, int]]:
    """What is set on fields here, by dataset and path; and when what came to each dataset was found."""
    told, came = datasets_with_note(session, "tags", at), datasets_with_note(session, DERIVED, at)
    names = {key: (name.namespace, name.name) for key, name in tables(session, "dataset", {*told, *came}).items()}
    found: _Found = defaultdict(lambda: defaultdict(FieldWords))
    for key, (_, facet) in came.items():
        _add_what_came(found[names[key]], facet)
    for key, (_, facet) in told.items():
        # Those of DataHub itself go out with the aspects that they came in.
        ours = [one for one in facet.get("tags") or () if isinstance(one, dict) and one.get("source") != "DATAHUB"]
        for path, tag in tag_names({"tags": ours}):
            if path is not None:
                found[names[key]][path].tags[tag] = None
    _add_by_hand(session, found)
    return found, {names[key]: us for key, (us, _) in came.items()}


def _add_what_came(fields: defaultdict[str, FieldWords], facet: Mapping[str, Any]) -> None:
    for one in facet.get("tags") or ():
        for path, tag in tag_names({"tags": [one]}):
            fields[path or ""].tags[tag] = one
    for one in facet.get("descriptions") or ():
        fields[one["field"]].description = one


def _add_by_hand(session: Session, found: _Found) -> None:
    hand = all_by_hand(session, Kind.FIELD)
    names = label_fields(session, hand).names
    for key, tags in hand.items():
        name = names[key]
        words = found[name.namespace, name.name][name.field or ""]
        for tag, given in tags.items():
            if given:
                words.tags[tag] = None
            else:
                words.tags.pop(tag, None)


def field_aspects(
    name: Name,
    words: Mapping[str, FieldWords],
    kept: Mapping[Key, Any],
    urn_of: FieldUrn,
    us: int,
) -> Iterator[tuple[Key, Any]]:
    """The aspects of the fields of a dataset, with what is kept of them from DataHub.

    Args:
        name: the dataset.
        words: what is set on each field, by its path.
        kept: aspects as they came from DataHub.
        urn_of: the schemaField of a dataset and a path.
        us: when what came with the data was found.
    """
    for path, one in sorted(words.items()):
        urn = urn_of(name, path)
        attributed = {tag: _attribution(how, urn_of, us) for tag, how in one.tags.items()}
        tags = [{"tag": str(make_urn.tag(tag)), **how} for tag, how in sorted(attributed.items()) if not _is_term(tag)]
        terms = [
            {"urn": str(make_urn.glossary_term(tag.removeprefix(f"{TERM}:"))), **how}
            for tag, how in sorted(attributed.items())
            if _is_term(tag)
        ]
        described = []
        if one.description is not None:
            text = one.description.get("description")
            described = [{"documentation": text, **_attribution(one.description, urn_of, us)}]
        for aspect, key, by, listed, more in (
            (_TAGS, "tags", "tag", tags, {}),
            (_TERMS, "terms", "urn", terms, {"auditStamp": stamp_of(us)}),
            (_WORDS, "documentations", "documentation", described, {}),
        ):
            if listed:
                before = kept.get(Key(aspect, urn)) or {}
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
