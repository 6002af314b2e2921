"""The classes of aspects, under which Rest.li's `GET /aspects` gives them."""

from collections.abc import Mapping

_ROOT = "com.linkedin"
# By namespace: aspects that are called as their class, the first letter small.
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
    """The class of an aspect; one that is not known is given under its own name.

    >>> class_of("upstreamLineage"), class_of("somethingNew")
    ('com.linkedin.dataset.UpstreamLineage', 'somethingNew')
    """
    return _CLASSES.get(aspect, aspect)
