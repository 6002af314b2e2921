"""Names of DataHub's classes: those of aspects, and those that servers and proposals write unlike snapshots."""

import json
from collections.abc import Mapping
from typing import Any

_ROOT = "com.linkedin"
_IN_SNAPSHOTS = f"{_ROOT}.pegasus2avro."
# By namespace: aspects that have the name of their class, with a small first letter.
_CALLED: Mapping[str, str] = {
    "chart": "chartInfo chartQuery editableChartProperties",
    "common": "access browsePaths browsePathsV2 cost dataPlatformInstance dataTransformLogic deprecation documentation"
    " embed forms globalTags glossaryTerms incidentsSummary inputFields institutionalMemory operation origin ownership"
    " siblings status subTypes",
    "container": "container containerProperties editableContainerProperties",
    "dashboard": "dashboardInfo editableDashboardProperties",
    "datajob": "dataFlowInfo dataJobInfo dataJobInputOutput editableDataFlowProperties editableDataJobProperties"
    " versionInfo",
    "dataplatform": "dataPlatformInfo",
    "dataplatforminstance": "dataPlatformInstanceProperties",
    "dataprocess": "dataProcessInfo dataProcessInstanceInput dataProcessInstanceOutput dataProcessInstanceProperties"
    " dataProcessInstanceRelationships",
    "dataproduct": "dataProductKey dataProductProperties",
    "dataset": "datasetDeprecation datasetProperties datasetUpstreamLineage editableDatasetProperties upstreamLineage"
    " viewProperties",
    "domain": "domainProperties domains",
    "glossary": "glossaryNodeInfo glossaryRelatedTerms glossaryTermInfo",
    "identity": "corpGroupEditableInfo corpGroupInfo corpUserEditableInfo corpUserInfo corpUserStatus groupMembership"
    " nativeGroupMembership roleMembership",
    "metadata.key": "chartKey containerKey corpGroupKey corpUserKey dashboardKey dataFlowKey dataJobKey"
    " dataPlatformInstanceKey dataPlatformKey dataProcessInstanceKey datasetKey domainKey glossaryNodeKey"
    " glossaryTermKey notebookKey queryKey schemaFieldKey tagKey",
    "notebook": "editableNotebookProperties notebookContent notebookInfo",
    "ownership": "ownershipTypeInfo",
    "query": "queryProperties querySubjects",
    "schema": "editableSchemaMetadata schemaMetadata",
    "structured": "structuredProperties",
    "tag": "tagProperties",
}
_CLASSES = {
    aspect: f"{_ROOT}.{space}.{aspect[0].upper()}{aspect[1:]}"
    for space, aspects in _CALLED.items()
    for aspect in aspects.split()
}


def class_of(aspect: str) -> str:
    """The class of an aspect; an unknown one has its own name.

    >>> class_of("upstreamLineage"), class_of("somethingNew")
    ('com.linkedin.dataset.UpstreamLineage', 'somethingNew')
    """
    return _CLASSES.get(aspect, aspect)


def without_avro(value: Any) -> Any:  # noqa: ANN401  JSON
    """An aspect with the names that clients expect from a server: as in Rest.li, not as in snapshots.

    >>> without_avro({"com.linkedin.pegasus2avro.schema.OtherSchema": {"rawSchema": ""}})
    {'com.linkedin.schema.OtherSchema': {'rawSchema': ''}}
    """
    if isinstance(value, dict):
        return {
            f"{_ROOT}.{key[len(_IN_SNAPSHOTS) :]}" if key.startswith(_IN_SNAPSHOTS) else key: without_avro(inner)
            for key, inner in value.items()
        }
    return [without_avro(item) for item in value] if isinstance(value, list) else value


def text_without_avro(value: Any) -> str:  # noqa: ANN401  JSON
    """The same as JSON text, and faster: there are many proposals.

    DataHub adds the prefix when it reads them, and takes a name that has it already for another type.

    >>> text_without_avro({"type": {"com.linkedin.pegasus2avro.schema.StringType": {}}})
    '{"type":{"com.linkedin.schema.StringType":{}}}'
    """
    # Inside a text, the quotes would be escaped.
    return json.dumps(value, separators=(",", ":")).replace(f'{{"{_IN_SNAPSHOTS}', f'{{"{_ROOT}.')
