"""scripts/marquez_web.py: without Marquez's sources it says what it needs, and builds nothing."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import pytest
from tests.scripts import load_script

if TYPE_CHECKING:
    from pathlib import Path


@pytest.mark.parametrize("given", [[], [""], ["nowhere"]])
def test_without_a_checkout_it_says_what_it_needs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], given: list[str]
) -> None:
    script = load_script("marquez_web")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "argv", ["marquez_web.py", *given])
    monkeypatch.delenv("HEADWATER_STRICT_SKIPS", raising=False)
    script.main()
    assert "needs a checkout of Marquez" in capsys.readouterr().out
    monkeypatch.setenv("HEADWATER_STRICT_SKIPS", "1")
    with pytest.raises(SystemExit, match="needs a checkout of Marquez"):
        script.main()


def test_the_app_is_built_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    script = load_script("marquez_web")
    app = tmp_path / "web"
    app.mkdir()
    (app / "setupProxy.js").touch()
    assert script.app_in(str(tmp_path)) == app
    done: list[list[str]] = []

    class Done:
        returncode = 0

    def run(command: list[str], **_: object) -> Done:
        done.append(command[1:])
        return Done()

    monkeypatch.setattr(script.page, "npm", lambda: ("npm", {}))
    monkeypatch.setattr(script.subprocess, "run", run)
    script.build(app)
    assert done == [["ci", "--silent", "--ignore-scripts"], ["run", "--silent", "build"]]
    for made in ("node_modules", "dist"):
        (app / made).mkdir()
    script.build(app)
    assert len(done) == 2
