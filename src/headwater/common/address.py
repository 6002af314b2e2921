"""Where a server is, and the token that lets you in."""

import os
from dataclasses import dataclass, field
from urllib.parse import unquote, urlsplit

from headwater.common.errors import StoreError


def is_server(url: str) -> bool:
    """Whether a store's URL is that of a server.

    >>> is_server("HTTPS://lineage.example"), is_server("lineage.db")
    (True, False)
    """
    return url.lower().startswith(("http://", "https://"))


@dataclass(frozen=True, slots=True)
class Address:
    """A server's URL without secrets, and the token, which is never shown; empty is none.

    >>> Address.read("https://hunter2@lineage.example:5000/base/")
    Address(url='https://lineage.example:5000/base')
    """

    url: str
    token: str = field(repr=False)

    @classmethod
    def read(cls, url: str, token: str | None = None, *, variable: str = "HEADWATER_TOKEN") -> "Address":
        """An address as people write it: a token is given, or stands before the host, or in an environment variable.

        Raises:
            StoreError: it is no address.
        """
        shown = url.rpartition("@")[2]
        try:
            parts = urlsplit(url)
            _ = parts.port  # read to see whether it is a number
        except ValueError as error:
            raise StoreError(f"Invalid server address {shown!r}: write http://host:5000.") from error
        if not parts.hostname:
            raise StoreError(f"The server address {shown!r} has no host: write http://host:5000.")
        plain = parts._replace(netloc=parts.netloc.rpartition("@")[2], query="", fragment="").geturl().rstrip("/")
        said = token or unquote(parts.password or parts.username or "") or os.environ.get(variable, "").strip()
        if not (said.isascii() and said.isprintable()) or " " in said:
            raise StoreError(f"The token for {plain} contains invalid characters.")
        return cls(plain, said)

    def hidden(self, text: str) -> str:
        """A text without the token.

        >>> Address("http://h", "hunter2").hidden("hunter2 is not known")
        '*** is not known'
        """
        return text.replace(self.token, "***") if self.token else text
