"""Tags, glossary terms and descriptions of DataHub as facets of OpenLineage, by which they are shown and found."""

from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Any

from headwater.datahub.field_paths import SchemaFields, path_of
from headwater.datahub.json_values import a_list, a_text, an_object, text_or_none
from headwater.datahub.urn import Urn

TERM = "glossaryTerm"
"""The key under which a term of the glossary is a tag here; a tag's own key is its name."""
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
    return [dict(one) for one in dict.fromkeys(tuple(tag.items()) for tag in found)]


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
