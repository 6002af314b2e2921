"""Smaller forms of an event that an endpoint refuses."""

from __future__ import annotations

from typing import Any

from headwater.openlineage.build.fallback import smaller


def test_without_column_lineage_the_views_that_were_read_are_still_named() -> None:
    lineage: dict[str, Any] = {"fields": {}, "dataset": []}
    views = {"views": [{"namespace": "file", "name": "/warehouse/v"}]}
    event = {
        "run": {"runId": "…"},
        "job": {"namespace": "shop", "name": "daily"},
        "inputs": [{"namespace": "file", "name": "/t", "inputFacets": {"headwater_behindViews": views}}],
        "outputs": [
            {"namespace": "file", "name": "/u", "facets": {"columnLineage": lineage, "headwater_views": lineage}}
        ],
    }
    first = next(smaller(event, "too large"))
    assert first["outputs"][0]["facets"] == {}
    assert first["inputs"][0]["inputFacets"] == {"headwater_behindViews": views}
