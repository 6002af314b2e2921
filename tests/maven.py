"""Jars from Maven Central, by the Ivy that comes with Spark: a Java and PySpark are all that it needs."""

from __future__ import annotations

import subprocess
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import pyspark

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

FETCH_TRIES = 3
FETCH_SECONDS = 600
# Else Ivy asks for the sources and the documentation of each jar, which takes a third of the time.
_ONLY_JARS = ("-Divy.maven.lookup.sources=false", "-Divy.maven.lookup.javadoc=false")


class NotFetched(Exception):  # noqa: N818 (a sentence for whoever runs the tests)
    """Not all jars came."""


class NotThere(NotFetched):
    """Maven Central answers, and has no such jar."""


@dataclass(frozen=True)
class Artifact:
    """A jar as Maven names it; with what it needs, unless it is to come alone."""

    group: str
    name: str
    version: str
    alone: bool = False

    def __str__(self) -> str:
        return f"{self.group}:{self.name}:{self.version}"

    def as_ivy(self, folder: str) -> str:
        """The dependency as Ivy has it."""
        parts = 'master" transitive="false' if self.alone else "default"
        return f'<dependency org="{self.group}" name="{self.name}" rev="{self.version}" conf="{folder}-&gt;{parts}"/>'


def fetch(java: Path, folder: Path, wanted: Mapping[str, Sequence[Artifact]]) -> dict[str, tuple[Path, ...]]:
    """Bring jars into folders below one: the artifacts wanted in each, by its name.

    Raises:
        NotThere: Maven Central does not have one of them.
        NotFetched: not all of them came, for another reason.
    """
    module = folder / "ivy.xml"
    dependencies = "".join(artifact.as_ivy(name) for name, artifacts in wanted.items() for artifact in artifacts)
    names = "".join(f'<conf name="{name}"/>' for name in wanted)
    module.write_text(
        '<ivy-module version="2.0"><info organisation="headwater" module="tests"/>'
        f"<configurations>{names}</configurations>"
        f"<dependencies>{dependencies}</dependencies></ivy-module>",
        encoding="utf-8",
    )
    (ivy,) = (Path(pyspark.__file__).parent / "jars").glob("ivy-*.jar")
    # Spark's own cache of jars notes where each came from, in the words of Spark's settings: this is another.
    cache = Path.home() / ".cache" / "headwater" / "ivy"
    missing = ", ".join(str(artifact) for artifacts in wanted.values() for artifact in artifacts)
    for _ in range(FETCH_TRIES):  # one of a hundred downloads may fail; what has come stays in the cache
        done = subprocess.run(
            [java, *_ONLY_JARS, "-jar", ivy, "-warn", "-cache", cache, "-ivy", module,
             "-retrieve", f"{folder}/[conf]/[artifact]-[revision].[ext]"],
            capture_output=True, text=True, timeout=FETCH_SECONDS, check=False,
        )  # fmt: skip
        found = {name: tuple(sorted((folder / name).glob("*.jar"))) for name in wanted}
        if done.returncode == 0 and all(len(found[name]) >= len(artifacts) for name, artifacts in wanted.items()):
            return found
        said = done.stdout + done.stderr
        if ": not found" in said and "Server access error" not in said:
            raise NotThere(f"{missing}: not on Maven Central")
    raise NotFetched(f"{missing} from Maven Central: {said[-2000:]}")
