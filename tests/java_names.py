"""Names of Java's packages and classes, asked for once a JVM.

For each part of `jvm.java.util.HashMap`, py4j asks the JVM whether it is a class, and the JVM looks into 250 jars
before it answers that it is none. PySpark writes such names for nearly each call: this took a third of a JVM's time.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

from py4j.java_gateway import JavaClass, JavaPackage, JVMView

_KNOWN = "_names_known_to_tests"


@cache
def remember() -> None:
    """Have py4j keep what it was told of a name."""
    JavaPackage.__getattr__ = _remembered(JavaPackage.__getattr__, lambda package: (package._jvm_id, package._fqn))
    JVMView.__getattr__ = _remembered(JVMView.__getattr__, lambda view: (view._id, ""))


def _remembered(ask: Callable[[Any, str], Any], place: Callable[[Any], tuple[str, str]]) -> Callable[[Any, str], Any]:
    def look_up(parent: Any, name: str) -> Any:  # noqa: ANN401 (py4j has no types)
        # With the connection: another JVM may have other classes.
        known = vars(parent._gateway_client).setdefault(_KNOWN, {})
        key = (*place(parent), name)
        if key not in known:
            answer = ask(parent, name)
            if not _stays(answer, name):
                return answer
            known[key] = answer
        return known[key]

    return look_up


def _stays(answer: object, name: str) -> bool:
    """What is no class is a package to py4j: a name that looks like a class's may be one when a jar has been added."""
    return isinstance(answer, JavaClass) or (isinstance(answer, JavaPackage) and name[:1].islower())
