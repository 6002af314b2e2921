"""The address of a server, and the token it asks for."""

import os
from dataclasses import dataclass, field
from urllib.parse import unquote, urlsplit

from headwater.common.errors import StoreError


def is_server(url: str) -> bool:
    """Whether a store's URL is the URL of a server.

    >>> is_server("HTTPS://lineage.example"), is_server("lineage.db")
    (True, False)
    """
    return url.lower().startswith(("http://", "https://"))


@dataclass(frozen=True, slots=True)
class Address:
    """A server's URL without secrets, and the token, which is never shown; an empty token means none.

    >>> Address.read("https://hunter2@lineage.example:5000/base/")
    Address(url='https://lineage.example:5000/base')
    """

    url: str
    token: str = field(repr=False)

    @classmethod
    def read(cls, url: str, token: str | None = None, *, variable: str = "HEADWATER_TOKEN") -> "Address":
        """Read an address as people write it; the token is an argument, precedes the host, or is in a variable.

        Raises:
            StoreError: the URL or the token is invalid.
        """
        shown = url.rpartition("@")[2]
        try:
            parts = urlsplit(url)
            _ = parts.port  # raises if it is not a number
        except ValueError as error:
            raise StoreError(f"Invalid server address {shown!r}: write http://host:5000.") from error
        if not parts.hostname:
            raise StoreError(f"The server address {shown!r} has no host: write http://host:5000.")
        plain = parts._replace(netloc=parts.netloc.rpartition("@")[2], query="", fragment="").geturl().rstrip("/")
        secret = token or unquote(parts.password or parts.username or "") or os.environ.get(variable, "").strip()
        if not (secret.isascii() and secret.isprintable()) or " " in secret:
            raise StoreError(f"The token for {plain} contains invalid characters.")
        return cls(plain, secret)

    def hidden(self, text: str) -> str:
        """The text with the token masked.

        >>> Address("http://h", "hunter2").hidden("hunter2 is not known")
        '*** is not known'
        """
        return text.replace(self.token, "***") if self.token else text
