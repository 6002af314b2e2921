"""Tags, glossary terms and descriptions of DataHub as facets of OpenLineage, by which they are shown and found."""

from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from typing import Any

from headwater.datahub.aspects.aspect_store import Key
from headwater.datahub.json_values import a_list, a_text, an_object, text_or_none
from headwater.fields.paths import SchemaFields, field_of, path_of
from headwater.fields.urn import Urn
from headwater.query.metadata.notes import TERM

OWN_SOURCE = "urn:li:dataHubAction:headwater"
"""The source that Headwater names in the attribution of what came to a field with the data."""
_OF_FIELDS = ("globalTags", "glossaryTerms")
_FIELDS = ("urn:li:schemaField:(urn:li:dataset:", "urn:li:datasetField:(")
ABOUT = ("globalTags", "glossaryTerms", "editableSchemaMetadata", "schemaMetadata")
"""The aspects that hold tags and terms of a dataset and its fields."""
DESCRIBED = ("editableDatasetProperties", "datasetProperties", "dataJobInfo", "editableDataJobProperties")
"""The aspects that describe a thing, what a person wrote first."""


def tags_of(aspects: Mapping[str, Any], fields: SchemaFields | None) -> list[dict[str, str]]:
    """All tags and terms that the aspects of a dataset hold, as OpenLineage's tags facet lists them.

    >>> tags_of({"globalTags": {"tags": [{"tag": "urn:li:tag:pii"}]}}, None)
    [{'key': 'pii', 'value': 'true', 'source': 'DATAHUB'}]

    Raises:
        DataHubError: one of them is not as DataHub writes it.
    """
    found = [*_of(aspects, None)]
    for aspect, key in (("schemaMetadata", "fields"), ("editableSchemaMetadata", "editableSchemaFieldInfo")):
        held = an_object(aspects.get(aspect) or {}, aspect)
        for place, raw in enumerate(a_list(held.get(key), f"{aspect}.{key}")):
            info = raw if type(raw) is dict else an_object(raw, f"{aspect}.{key}[{place}]")
            if info.get("globalTags") or info.get("glossaryTerms"):
                path = path_of(a_text(info.get("fieldPath"), f"{aspect}.{key}[{place}].fieldPath"))
                found += _of(info, (fields.find(path) if fields else None) or path)
    return once(found)


def once(tags: Iterable[dict[str, str]]) -> list[dict[str, str]]:
    """Each tag once, in their order."""
    return [dict(one) for one in dict.fromkeys(tuple(tag.items()) for tag in tags)]


def tags_a_field(key: Key) -> bool:
    """Whether an aspect holds tags or terms of a field itself.

    >>> tags_a_field(Key("globalTags")), tags_a_field(Key("globalTags", "urn:li:chart:(looker,1)"))
    (False, False)
    """
    return key.aspect in _OF_FIELDS and key.urn.startswith(_FIELDS)


def tags_on_fields(kept: Mapping[Key, Any], fields: SchemaFields | None) -> list[dict[str, str]]:
    """The tags and terms of fields that are aspects of the fields themselves; what we derived ourselves is left out.

    Raises:
        DataHubError: one of them is not as DataHub writes it.
    """
    found: list[dict[str, str]] = []
    for key, aspect in kept.items():
        if tags_a_field(key) and aspect is not None:
            of = field_of(key.urn)
            path = (fields.find(of.path, rfc=of.rfc) if fields else None) or of.path
            found += _of({key.aspect: _without_own(an_object(aspect, key.aspect))}, path)
    return found


def _without_own(aspect: Mapping[str, Any]) -> dict[str, Any]:
    def own(entry: Any) -> bool:  # noqa: ANN401  JSON
        said = entry.get("attribution") if isinstance(entry, Mapping) else None
        return isinstance(said, Mapping) and said.get("source") == OWN_SOURCE

    return {
        name: [one for one in value if not own(one)] if isinstance(value, list) else value
        for name, value in aspect.items()
    }


def _of(holder: Mapping[str, Any], field: str | None) -> Iterator[dict[str, str]]:
    about = {} if field is None else {"field": field}
    tags = an_object(holder.get("globalTags") or {}, "globalTags")
    for place, raw in enumerate(a_list(tags.get("tags"), "globalTags.tags")):
        name = _named(raw, "tag", f"globalTags.tags[{place}]")
        yield {"key": name, "value": "true", "source": "DATAHUB", **about}
    terms = an_object(holder.get("glossaryTerms") or {}, "glossaryTerms")
    for place, raw in enumerate(a_list(terms.get("terms"), "glossaryTerms.terms")):
        name = _named(raw, "urn", f"glossaryTerms.terms[{place}]")
        yield {"key": TERM, "value": name, "source": "DATAHUB", **about}


def _named(raw: Any, key: str, what: str) -> str:  # noqa: ANN401  JSON
    return _name(a_text(an_object(raw, what).get(key), f"{what}.{key}"))


# The tags of a company are few.
@lru_cache(maxsize=10_000)
def _name(urn: str) -> str:
    return Urn.parse(urn).text(0)


def description_of(aspects: Mapping[str, Any]) -> str | None:
    """What is said of a thing in words.

    >>> description_of({"datasetProperties": {"description": "All orders."}})
    'All orders.'
    """
    for name in DESCRIBED:
        held = aspects.get(name)
        if isinstance(held, Mapping) and isinstance(words := held.get("description"), str) and words:
            return words
    return None


def field_descriptions(aspects: Mapping[str, Any]) -> dict[str, str]:
    """What people wrote of fields, which goes before what a schema says."""
    held = an_object(aspects.get("editableSchemaMetadata") or {}, "editableSchemaMetadata")
    found: dict[str, str] = {}
    for place, raw in enumerate(a_list(held.get("editableSchemaFieldInfo"), "editableSchemaFieldInfo")):
        what = f"editableSchemaFieldInfo[{place}]"
        info = an_object(raw, what)
        words = text_or_none(info.get("description"), f"{what}.description")
        if words:
            found[path_of(a_text(info.get("fieldPath"), f"{what}.fieldPath"))] = words
    return found


def check_words(aspects: Mapping[str, Any]) -> None:
    """Refuse tags, terms and descriptions that are not as DataHub writes them.

    Raises:
        DataHubError: they are not.
    """
    tags_of(aspects, None)
    field_descriptions(aspects)
