"""DataHub's aspects and change proposals: read, written, and patched."""
