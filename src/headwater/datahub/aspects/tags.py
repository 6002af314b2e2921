"""DataHub's tags, glossary terms and descriptions as OpenLineage facets, so that answers and search have them.

Readers raise `DataHubError` for an aspect that is not as DataHub writes it.
"""

from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from typing import Any

from headwater.datahub.aspects.aspect_store import Key
from headwater.datahub.json_values import a_list, a_text, an_object, text_or_none
from headwater.fields.paths import SchemaFields, field_of, path_of
from headwater.fields.urn import Urn
from headwater.query.metadata.notes import TERM

OWN_SOURCE = "urn:li:dataHubAction:headwater"
"""The source that Headwater names in the attribution of propagated tags and descriptions."""
_OF_FIELDS = ("globalTags", "glossaryTerms")
_FIELDS = ("urn:li:schemaField:(urn:li:dataset:", "urn:li:datasetField:(")
ABOUT = ("globalTags", "glossaryTerms", "editableSchemaMetadata", "schemaMetadata")
"""The aspects with tags and terms of a dataset and its fields."""
DESCRIBED = ("editableDatasetProperties", "datasetProperties", "dataJobInfo", "editableDataJobProperties")
"""The aspects with a description, those that people write first."""


def tags_of(aspects: Mapping[str, Any], fields: SchemaFields | None) -> list[dict[str, str]]:
    """All tags and terms in the aspects of a dataset, as OpenLineage's tags facet lists them.

    >>> tags_of({"globalTags": {"tags": [{"tag": "urn:li:tag:pii"}]}}, None)
    [{'key': 'pii', 'value': 'true', 'source': 'DATAHUB'}]
    """
    tags = [*_of(aspects, None)]
    for aspect, key in (("schemaMetadata", "fields"), ("editableSchemaMetadata", "editableSchemaFieldInfo")):
        value = an_object(aspects.get(aspect) or {}, aspect)
        for place, raw in enumerate(a_list(value.get(key), f"{aspect}.{key}")):
            info = raw if type(raw) is dict else an_object(raw, f"{aspect}.{key}[{place}]")
            if info.get("globalTags") or info.get("glossaryTerms"):
                path = path_of(a_text(info.get("fieldPath"), f"{aspect}.{key}[{place}].fieldPath"))
                tags += _of(info, (fields.find(path) if fields else None) or path)
    return once(tags)


def once(tags: Iterable[dict[str, str]]) -> list[dict[str, str]]:
    """Each tag once, in their order."""
    return [dict(items) for items in dict.fromkeys(tuple(tag.items()) for tag in tags)]


def tags_a_field(key: Key) -> bool:
    """Whether an aspect has the tags or terms of a field.

    >>> tags_a_field(Key("globalTags")), tags_a_field(Key("globalTags", "urn:li:chart:(looker,1)"))
    (False, False)
    """
    return key.aspect in _OF_FIELDS and key.urn.startswith(_FIELDS)


def tags_on_fields(aspects: Mapping[Key, Any], fields: SchemaFields | None) -> list[dict[str, str]]:
    """The tags and terms in aspects of fields; those that Headwater itself propagated are left out."""
    tags: list[dict[str, str]] = []
    for key, aspect in aspects.items():
        if tags_a_field(key) and aspect is not None:
            of = field_of(key.urn)
            path = (fields.find(of.path, rfc=of.rfc) if fields else None) or of.path
            tags += _of({key.aspect: _without_own(an_object(aspect, key.aspect))}, path)
    return tags


def _without_own(aspect: Mapping[str, Any]) -> dict[str, Any]:
    def own(entry: Any) -> bool:  # noqa: ANN401  JSON
        attribution = entry.get("attribution") if isinstance(entry, Mapping) else None
        return isinstance(attribution, Mapping) and attribution.get("source") == OWN_SOURCE

    return {
        name: [entry for entry in value if not own(entry)] if isinstance(value, list) else value
        for name, value in aspect.items()
    }


def _of(holder: Mapping[str, Any], field: str | None) -> Iterator[dict[str, str]]:
    about = {} if field is None else {"field": field}
    tags = an_object(holder.get("globalTags") or {}, "globalTags")
    for place, raw in enumerate(a_list(tags.get("tags"), "globalTags.tags")):
        name = _name_in(raw, "tag", f"globalTags.tags[{place}]")
        yield {"key": name, "value": "true", "source": "DATAHUB", **about}
    terms = an_object(holder.get("glossaryTerms") or {}, "glossaryTerms")
    for place, raw in enumerate(a_list(terms.get("terms"), "glossaryTerms.terms")):
        name = _name_in(raw, "urn", f"glossaryTerms.terms[{place}]")
        yield {"key": TERM, "value": name, "source": "DATAHUB", **about}


def _name_in(raw: Any, key: str, where: str) -> str:  # noqa: ANN401  JSON
    return _name(a_text(an_object(raw, where).get(key), f"{where}.{key}"))


# The tags of a company are few.
@lru_cache(maxsize=10_000)
def _name(urn: str) -> str:
    return Urn.parse(urn).text(0)


def description_of(aspects: Mapping[str, Any]) -> str | None:
    """The description of a dataset or a job.

    >>> description_of({"datasetProperties": {"description": "All orders."}})
    'All orders.'
    """
    for name in DESCRIBED:
        aspect = aspects.get(name)
        if isinstance(aspect, Mapping) and isinstance(words := aspect.get("description"), str) and words:
            return words
    return None


def field_descriptions(aspects: Mapping[str, Any]) -> dict[str, str]:
    """The descriptions that people wrote of fields; they take precedence over those of a schema."""
    aspect = an_object(aspects.get("editableSchemaMetadata") or {}, "editableSchemaMetadata")
    descriptions: dict[str, str] = {}
    for place, raw in enumerate(a_list(aspect.get("editableSchemaFieldInfo"), "editableSchemaFieldInfo")):
        where = f"editableSchemaFieldInfo[{place}]"
        info = an_object(raw, where)
        words = text_or_none(info.get("description"), f"{where}.description")
        if words:
            descriptions[path_of(a_text(info.get("fieldPath"), f"{where}.fieldPath"))] = words
    return descriptions


def check_words(aspects: Mapping[str, Any]) -> None:
    """Refuse tags, terms and descriptions that are not as DataHub writes them."""
    tags_of(aspects, None)
    field_descriptions(aspects)
