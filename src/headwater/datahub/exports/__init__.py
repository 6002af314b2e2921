"""A store's lineage for DataHub: as change proposals in a file, or sent to its server."""
