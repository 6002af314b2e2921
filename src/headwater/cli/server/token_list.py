"""The tokens of a store as `headwater token list` shows them."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from rich.console import RenderableType
from rich.text import Text

from headwater.notebook.words import count, printable
from headwater.openlineage.model.instants import instant_text, time_text
from headwater.render.text.grid import grid
from headwater.store.tokens import Token


@dataclass(frozen=True, slots=True)
class TokenList:
    """Tokens without their secrets, which the store does not have either."""

    COLUMNS = ("token", "scope", "name", "created", "expires", "used", "revoked")
    tokens: Sequence[Token]
    now: int

    def to_dict(self) -> dict[str, object]:
        """As plain JSON."""
        return {"tokens": self.rows()}

    def rows(self) -> list[dict[str, object]]:
        """One row a token."""
        return [
            {
                "token": token.public,
                "scope": token.scope.value,
                "name": token.name,
                "created": instant_text(token.created),
                "expires": _instant(token.expires),
                "used": _instant(token.used),
                "revoked": _instant(token.revoked),
            }
            for token in self.tokens
        ]

    def _end(self, token: Token) -> str:
        if token.revoked is not None:
            return f"revoked {time_text(token.revoked)}"
        if token.expires is None:
            return ""
        return f"{'expired' if token.is_expired(self.now) else 'expires'} {time_text(token.expires)}"

    def draw(self) -> Iterator[RenderableType]:
        """For people."""
        yield from grid(
            (
                token.public,
                token.scope.value,
                printable(token.name),
                "never used" if token.used is None else f"used {time_text(token.used)}",
                self._end(token),
            )
            for token in self.tokens
        )
        yield Text(f"{count(len(self.tokens), 'token')}.", "dim")


def _instant(us: int | None) -> str | None:
    return None if us is None else instant_text(us)
