"""DataHub's model: URNs of datasets and fields, and schemas of many formats as one tree with DataHub's field paths."""
