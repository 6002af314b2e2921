"""The user's functions that mask or unmask: in settings and in a file; what cannot be used is said, and no more."""

from __future__ import annotations

from pathlib import Path

import pytest

from headwater.capture.settings.settings import Settings, settings
from headwater.common.masking import Masking

_OURS = "spark.headwater.masking."


def _read(**of: str) -> Settings:
    return settings({f"{_OURS}{key}": value for key, value in of.items()}, {})


def _functions(chosen: Settings) -> dict[str, Masking]:
    return dict(chosen.masking.functions)


def test_functions_are_listed_by_what_they_do() -> None:
    chosen = _read(
        irreversible="scrub; Lake.`Blur`",
        keyed="[tokenise]",
        partial="last4",
        unmask="detokenise, open_it",
        none="crc32",
    )
    assert _functions(chosen) == {
        "scrub": Masking.IRREVERSIBLE,
        "lake.blur": Masking.IRREVERSIBLE,
        "tokenise": Masking.KEYED,
        "last4": Masking.PARTIAL,
        "detokenise": Masking.UNMASKS,
        "open_it": Masking.UNMASKS,
        "crc32": Masking.NONE,
    }
    assert chosen.problems == ()


@pytest.mark.parametrize(
    "content",
    ["keyed: [tokenise, vault.seal]\nunmask: open_it\n", '{"keyed": ["tokenise", "vault.seal"], "unmask": "open_it"}'],
)
def test_a_file_in_yaml_or_json(tmp_path: Path, content: str) -> None:
    file = tmp_path / "masking.yaml"
    file.write_text(content, encoding="utf-8")
    chosen = _read(file=str(file), partial="tokenise")
    assert _functions(chosen) == {
        "tokenise": Masking.PARTIAL,  # a setting counts more
        "vault.seal": Masking.KEYED,
        "open_it": Masking.UNMASKS,
    }
    assert chosen.problems == ()


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        (None, "which cannot be read: No such file or directory. The file is ignored."),
        (b"a: [", "which is neither YAML nor JSON: see line 1. The file is ignored."),
        (b"\xff\xfe\x00", "which is neither YAML nor JSON"),
        (b"[tokenise]", "which must be a mapping with these keys: unmask, none, partial, keyed, irreversible."),
        (b"reversible: [f]", "which has an unknown key 'reversible'; the keys are: unmask, none,"),
        (b"keyed: [f, 7]", "which must have a list of names of functions under keyed."),
        (b"keyed: {f: 1}", "which must have a list of names of functions under keyed."),
        (b"keyed: ['f(x)']", "which must have a list of names of functions under keyed."),
        (b"# " + b"x" * 1_000_000, "which has more than 1,000,000 bytes."),
        (b"[" * 100_000, "which is neither YAML nor JSON"),
    ],
)
def test_a_file_that_cannot_be_used_is_said_in_one_sentence(
    tmp_path: Path, content: bytes | None, problem: str
) -> None:
    file = tmp_path / "masking.yaml"
    if content is not None:
        file.write_bytes(content)
    chosen = _read(file=str(file), keyed="tokenise")
    (said,) = chosen.problems
    assert said.startswith(f"{_OURS}file is {file}, ")
    assert problem in said
    assert _functions(chosen) == {"tokenise": Masking.KEYED}


def test_bad_names_and_bad_keys_are_said() -> None:
    assert _read(keyed="f(x)", unmask="g").problems == (
        f"{_OURS}keyed is f(x); it must list names of functions, separated by semicolons. The setting is ignored.",
    )
    (said,) = _read(reversible="f").problems
    assert said.startswith(f"Headwater has no setting {_OURS}reversible: it is ignored.")


def test_of_two_declarations_the_one_that_hides_less_counts() -> None:
    chosen = _read(irreversible="f", unmask="f")
    assert _functions(chosen) == {"f": Masking.UNMASKS}
    assert chosen.problems == ("The function f is declared as unmask and as irreversible masking. Using unmask.",)
