"""Brings jars from Maven Central into the cache before the tests that need them ask: python -m tests.prefetch."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory

from headwater.capture.jvm.java import ensure_java
from tests.capture.connectors.kafka import fetch_jars
from tests.maven import fetch
from tests.server.marquez.test_java_client import RELEASED

if __name__ == "__main__":
    java = ensure_java()
    with TemporaryDirectory() as client, TemporaryDirectory() as kafka:
        fetch(java, Path(client), {"client": [RELEASED]})
        fetch_jars(java, Path(kafka))
