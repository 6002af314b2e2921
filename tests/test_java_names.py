"""What is asked of a JVM about its names, and how often."""

from __future__ import annotations

from typing import Any

import pytest
from py4j.java_gateway import GatewayProperty, JavaClass, JavaPackage
from py4j.protocol import Py4JNetworkError

from tests import java_names


class Client:
    """A connection to a JVM that has one class, or has gone."""

    def __init__(self) -> None:
        self.asked: list[str] = []
        self.gone = False
        # As what it makes of a class has them.
        self.gateway_property = GatewayProperty(None, None)
        self.converters: list[object] = []

    def send_command(self, command: str) -> str:
        """Answer as py4j's side in the JVM does: `yc` and its name for a class, `yp` for all else."""
        if self.gone:
            raise Py4JNetworkError
        name = command.splitlines()[2]
        self.asked.append(name)
        return f"yc{name}" if name == "java.util.HashMap" else "yp"


@pytest.fixture
def client() -> Client:
    java_names.remember()
    return Client()


def java(client: Client) -> Any:  # noqa: ANN401 (py4j has no types)
    return JavaPackage("java", client, "j")


def test_a_name_is_asked_for_once(client: Client) -> None:
    for _ in range(2):
        found = java(client).util.HashMap
        assert isinstance(found, JavaClass)
        assert found._fqn == "java.util.HashMap"

    assert client.asked == ["java.util", "java.util.HashMap"]


def test_a_class_that_is_not_there_is_asked_for_again(client: Client) -> None:
    for _ in range(2):
        assert isinstance(java(client).util.Later, JavaPackage)

    assert client.asked == ["java.util", "java.util.Later", "java.util.Later"]


def test_another_jvm_is_asked_itself(client: Client) -> None:
    assert java(client).util
    other = Client()
    assert java(other).util

    assert other.asked == ["java.util"]


def test_an_error_is_not_remembered(client: Client) -> None:
    client.gone = True
    with pytest.raises(Py4JNetworkError):
        _ = java(client).util
    client.gone = False

    assert isinstance(java(client).util, JavaPackage)
