"""The tags and terms in the aspects of a dataset, as relations."""

from collections.abc import Iterator, Mapping
from typing import Any

from headwater.datahub.json_values import a_list, a_text, an_object
from headwater.fields.errors import DataHubError

_OWN = (("globalTags", "tags", "tag", "TaggedWith"), ("glossaryTerms", "terms", "urn", "TermedWith"))
# The list of fields in an aspect, and the relations to their tags and terms.
_OF_FIELDS = (
    ("schemaMetadata", "fields", ("SchemaFieldTaggedWith", "SchemaFieldWithGlossaryTerm")),
    (
        "editableSchemaMetadata",
        "editableSchemaFieldInfo",
        ("EditableSchemaFieldTaggedWith", "EditableSchemaFieldWithGlossaryTerm"),
    ),
)


def tag_relations(aspects: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """The relations, each with the URN of a tag or a term.

    >>> list(tag_relations({"globalTags": {"tags": [{"tag": "urn:li:tag:pii"}]}}))
    [('TaggedWith', 'urn:li:tag:pii')]
    """
    yield from _named(aspects, [kind for *_, kind in _OWN])
    for aspect, key, kinds in _OF_FIELDS:
        value = aspects.get(aspect)
        for info in a_list(value.get(key), key) if isinstance(value, Mapping) else ():
            yield from _named(info, kinds)


def _named(holder: Any, kinds: list[str] | tuple[str, ...]) -> Iterator[tuple[str, str]]:  # noqa: ANN401  JSON
    for (aspect, key, urn, _), kind in zip(_OWN, kinds, strict=True):
        value = holder.get(aspect) if isinstance(holder, Mapping) else None
        for entry in a_list(value.get(key), key) if isinstance(value, Mapping) else ():
            try:
                yield kind, a_text(an_object(entry, key).get(urn), urn)
            except DataHubError:  # noqa: PERF203  each is good or bad by itself
                continue
