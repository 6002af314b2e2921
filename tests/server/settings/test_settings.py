"""Settings: from defaults, a file, the environment and flags, and what is said of bad ones."""

from __future__ import annotations

import re
from dataclasses import fields
from pathlib import Path

import pytest
from typer.testing import CliRunner

from headwater.cli import app as commands
from headwater.server.settings.settings import ServerSettings, load_settings
from headwater.server.settings.values import BadSetting
from headwater.store import DEFAULT_STORE_URL

DOCS = Path(__file__).parents[3] / "docs" / "server.md"


@pytest.fixture(autouse=True)
def _empty_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def test_without_any_setting_it_is_this_machine_and_the_embedded_store() -> None:
    settings = load_settings({}, environment={})
    assert (settings.host, settings.port, settings.store) == ("127.0.0.1", 5000, DEFAULT_STORE_URL)
    assert settings == ServerSettings()


def test_the_later_wins() -> None:
    Path("headwater.yml").write_text("port: 1\nhost: ::1\nworkers: 2\nconnections: 3\n")
    environment = {"HEADWATER_PORT": "4", "HEADWATER_WORKERS": "5", "HEADWATER_STORE": ""}
    settings = load_settings({"port": 6, "host": None}, environment=environment)
    assert (settings.port, settings.workers, settings.host, settings.connections) == (6, 5, "::1", 3)


def test_a_file_is_named_by_the_flag_or_by_the_environment() -> None:
    for number in (1, 2, 3):
        Path(["headwater.yml", "a.yml", "b.yml"][number - 1]).write_text(f"port: {number}\n")
    assert load_settings({}, environment={}).port == 1
    assert load_settings({}, environment={"HEADWATER_CONFIG": "a.yml"}).port == 2
    assert load_settings({}, "b.yml", {"HEADWATER_CONFIG": "a.yml"}).port == 3


def test_values_are_written_as_people_write_them() -> None:
    Path("headwater.yml").write_text(
        "max_body_bytes: 16 MiB\nquery_timeout: 5\nallow_open: yes\ncors_origins: [https://a.example]\n"
    )
    environment = {"HEADWATER_TRUSTED_PROXY": "10.0.0.1, 10.0.0.2", "HEADWATER_MAX_BYTES_IN_FLIGHT": "1.5kB"}
    settings = load_settings({}, environment=environment)
    assert settings.max_body_bytes == 16 * 1024 * 1024
    assert settings.max_bytes_in_flight == 1500
    assert settings.query_timeout == 5.0
    assert settings.allow_open is True
    assert settings.cors_origins == ("https://a.example",)
    assert settings.trusted_proxy == ("10.0.0.1", "10.0.0.2")


@pytest.mark.parametrize(
    ("written", "environment", "message"),
    [
        ("prot: 1", {}, "prot: is not a setting of the server (in headwater.yml)."),
        ("port: many", {}, "port: must be a whole number."),
        ("port: true", {}, "port: must be a whole number."),
        ("port: 70000", {}, "port: must be 65535 or less, not 70000."),
        ("workers: 0", {}, "workers: must be 1 or more, not 0."),
        ("allow_open: maybe", {}, "allow_open: must be true or false."),
        ("max_body_bytes: 3 apples", {}, "max_body_bytes: must be a number of bytes, such as 1048576 or 32 MiB."),
        ("cors_origins: [1]", {}, "cors_origins: must be a list, or a comma-separated string."),
        ("store: [a]", {}, "store: must be a string."),
        ("log_format: xml", {}, "log_format: must be one of text, json, not 'xml'."),
        ("tls_cert: a.pem", {}, "tls_key: is missing: HTTPS needs both the certificate and its key."),
        ("root_path: headwater/", {}, "root_path: must begin with a slash and end without one, not 'headwater/'."),
        ("", {"HEADWATER_QUERY_TIMEOUT": "soon"}, "HEADWATER_QUERY_TIMEOUT: must be a number of seconds."),
        ("- a", {}, "config: the file headwater.yml must be a mapping of names to values."),
        ("a: [secret", {}, "config: the file headwater.yml is not valid YAML in line 1."),
        ("", {"HEADWATER_CONFIG": "none.yml"}, "config: cannot read the file none.yml: No such file or directory."),
    ],
)
def test_a_bad_setting_is_named_with_the_reason(written: str, environment: dict[str, str], message: str) -> None:
    Path("headwater.yml").write_text(written)
    with pytest.raises(BadSetting) as error:
        load_settings({}, environment=environment)
    assert str(error.value) == message


def test_the_command_says_what_is_bad_and_ends_with_2() -> None:
    Path("headwater.yml").write_text("prot: 1")
    result = CliRunner().invoke(commands, ["serve"])
    assert (result.exit_code, result.output) == (2, "prot: is not a setting of the server (in headwater.yml).\n")


def test_the_docs_list_every_setting_with_its_default_and_words() -> None:
    rows = re.findall(r"^\| `(\w+)` \| (.*?) \| (.*?) \|$", DOCS.read_text(encoding="utf-8"), re.MULTILINE)
    assert rows == [
        (setting.name, _shown(setting.default, setting.metadata["kind"]), setting.metadata["help"])
        for setting in fields(ServerSettings)
    ]


def _shown(default: object, kind: str) -> str:
    if default in ("", ()):
        return "none"
    if isinstance(default, bool):
        return "true" if default else "false"
    if kind == "bytes":
        assert isinstance(default, int)
        return f"{default // 1024 // 1024} MiB" if default % 1024**2 == 0 else f"{default // 1024} KiB"
    return f"`{default}`" if kind == "text" else f"{default:g}" if isinstance(default, float) else str(default)
