"""The user's own functions that mask or unmask: `spark.headwater.masking.*`, and a file.

Nothing here raises: what cannot be used is left out, and a message says so.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from headwater.capture.settings.conf import Conf
from headwater.common.masking import Masking
from headwater.rules.expressions.masking import DeclaredMasking

KINDS: Mapping[str, Masking] = {
    "unmask": Masking.UNMASKS,
    "none": Masking.NONE,
    "partial": Masking.PARTIAL,
    "keyed": Masking.KEYED,
    "irreversible": Masking.IRREVERSIBLE,
}
"""What a function may be declared as. Where one is declared twice, the first of these counts: it hides the least."""
_FILE = "masking.file"
_MOST_BYTES = 1_000_000
_BETWEEN = re.compile("[;,]")
_NAME = re.compile(r"[^\s.()\[\]{}'\"]+(?:\.[^\s.()\[\]{}'\"]+)*")
_NAMES = "it must list names of functions, separated by semicolons"


class _Unusable(ValueError):  # noqa: N818 (the end of a sentence)
    """What is wrong with a file, as the end of a sentence."""


def declared_masking(conf: Conf) -> DeclaredMasking:
    """The declared functions; a setting counts more than the file.

    >>> conf = Conf({"spark.headwater.masking.keyed": "tokenise; vault.seal", "spark.headwater.masking.unmask": "a b"})
    >>> sorted(declared_masking(conf).functions)
    ['tokenise', 'vault.seal']
    >>> conf.problems[0].partition(";")[0]
    'spark.headwater.masking.unmask is a b'
    """
    of_settings: dict[str, list[str]] = {}
    for kind in KINDS:
        key = f"masking.{kind}"
        names = [name.strip() for name in _BETWEEN.split((conf.text(key) or "").strip("[]")) if name.strip()]
        if all(map(_NAME.fullmatch, names)):
            of_settings[kind] = names
        else:
            conf.refuse(key, _NAMES, "The setting is ignored.")
    return DeclaredMasking({**_by_name(conf, _of_file(conf)), **_by_name(conf, of_settings)})


def _by_name(conf: Conf, listed: Mapping[str, list[str]]) -> dict[str, Masking]:
    by_name: dict[str, Masking] = {}
    kinds: dict[str, str] = {}
    for kind in KINDS:
        for name in (_plain(name) for name in listed.get(kind, ())):
            if kinds.setdefault(name, kind) == kind:
                by_name[name] = KINDS[kind]
            else:
                conf.problems.append(
                    f"The function {name} is declared as {kinds[name]} and as {kind} masking. Using {kinds[name]}."
                )
    return by_name


def _plain(name: str) -> str:
    return name.replace("`", "").lower()


def _of_file(conf: Conf) -> dict[str, list[str]]:
    file = conf.text(_FILE)
    if file is None:
        return {}
    try:
        return dict(_lists(_content(Path(file.removeprefix("file://").removeprefix("file:")))))
    except _Unusable as error:
        conf.problems.append(f"{conf.key(_FILE)} is {file}, which {error}. The file is ignored.")
        return {}


def _content(path: Path) -> object:
    try:
        with path.open("rb") as opened:
            text = opened.read(_MOST_BYTES + 1)
    except (OSError, ValueError) as error:
        raise _Unusable(f"cannot be read: {getattr(error, 'strerror', None) or error}") from error
    if len(text) > _MOST_BYTES:
        raise _Unusable(f"has more than {_MOST_BYTES:,} bytes")
    try:
        import yaml  # noqa: PLC0415 (only who has a file needs it)

        return yaml.safe_load(text)  # JSON is YAML, too
    except ImportError as error:
        raise _Unusable("cannot be read without PyYAML: install it") from error
    except (yaml.YAMLError, UnicodeDecodeError, RecursionError, ValueError) as error:
        place = getattr(error, "problem_mark", None)
        raise _Unusable(f"is neither YAML nor JSON{f': see line {place.line + 1}' if place else ''}") from error


def _lists(content: Any) -> Iterator[tuple[str, list[str]]]:  # noqa: ANN401 (what YAML gives)
    kinds = ", ".join(KINDS)
    if not isinstance(content, Mapping):
        raise _Unusable(f"must be a mapping with these keys: {kinds}")
    for kind, names in content.items():
        if kind not in KINDS:
            raise _Unusable(f"has an unknown key {str(kind)[:100]!r}; the keys are: {kinds}")
        listed = [names] if isinstance(names, str) else names or []
        if not isinstance(listed, list) or not all(isinstance(n, str) and _NAME.fullmatch(n) for n in listed):
            raise _Unusable(f"must have a list of names of functions under {kind}")
        yield kind, listed
