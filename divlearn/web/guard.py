"""``Guard``: who may see the page, checked before anything else is.

``Host`` and ``Origin`` are compared letter by letter, on the loopback address too: a
page of another site that gets the browser to ask here is refused. Any other address
needs a token, and so does everything that writes.
"""

from __future__ import annotations

import hmac
import ipaddress
import socket
from collections.abc import Iterable
from typing import Any

#: Headers of every answer.
HEADERS = {
    "Content-Security-Policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; "
        "connect-src 'self'; base-uri 'none'; form-action 'none'; "
        "frame-ancestors 'none'"
    ),
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cache-Control": "no-store",
}
READING = ("GET", "HEAD")
LOOPBACK_NAMES = ("127.0.0.1", "localhost", "[::1]")


class Refusal(Exception):
    """A request that is not answered, with a status and a reason in words."""

    def __init__(self, status: int, reason: str) -> None:
        super().__init__(reason)
        self.status = status


class Guard:
    """Decides on requests by their method, ``Host``, ``Origin`` and token.

    Parameters
    ----------
    host, port
        Where the server listens.
    token
        What others have to know.
    """

    port: int
    token: str

    def __init__(self, host: str, port: int, token: str) -> None:
        self.port, self.token = port, token
        self.open: bool = is_loopback(host)
        self._hosts = frozenset(_authorities(_names(host), port))

    @property
    def cookie(self) -> str:
        """Name of the cookie; those of two servers on one host differ."""
        return f"divlearn-{self.port}"

    def require(self, request: Any) -> None:
        """Raise unless this request may be answered."""
        self.require_name(request)
        writes = request.method not in READING
        if writes and not request.headers.getlist("origin"):
            raise Refusal(403, "a request that writes must say where it comes from")
        if (writes or not self.open) and not self.knows(request):
            raise Refusal(
                403,
                "the token is missing, or of an earlier start; open the address that "
                "the server printed",
            )

    def require_name(self, request: Any) -> None:
        """Raise unless the request means this server and comes from its own page."""
        hosts = self._hosts_of(request)
        given = request.headers.getlist("host")
        if len(given) != 1 or given[0] not in hosts:
            raise Refusal(421, "this server has another name; open its printed address")
        origins = request.headers.getlist("origin")
        allowed = {f"http://{host}" for host in hosts}
        # A picture or a script of another site is asked for without an origin.
        site = request.headers.get("sec-fetch-site", "none")
        strange = site not in ("same-origin", "none") and request.scope["path"] != "/"
        foreign = any(origin not in allowed for origin in origins)
        if foreign or strange or len(origins) > 1:
            raise Refusal(403, "requests from other sites are refused")

    def knows(self, request: Any) -> bool:
        """Whether a request brings the token, compared in constant time."""
        said = request.headers.get("authorization", "")
        kept = request.cookies.get(self.cookie, "")
        return self.is_token(said.removeprefix("Bearer ")) | self.is_token(kept)

    def is_token(self, text: str) -> bool:
        """Whether this is the token, compared in constant time."""
        return hmac.compare_digest(text.encode(), self.token.encode())

    def _hosts_of(self, request: Any) -> frozenset[str]:
        """Names by which the server may be asked, its own address on this line too."""
        server = request.scope.get("server")
        if self.open or not server:
            return self._hosts
        return self._hosts | frozenset(_authorities([str(server[0])], self.port))


def is_loopback(host: str) -> bool:
    """Whether an address can be reached from this computer only."""
    try:
        return host == "localhost" or ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def _names(host: str) -> Iterable[str]:
    """Names of the server in addresses."""
    if is_loopback(host):
        return {*LOOPBACK_NAMES, host}
    if host in ("0.0.0.0", "::"):
        return {*LOOPBACK_NAMES, socket.gethostname(), socket.getfqdn()}
    return {host}


def _authorities(names: Iterable[str], port: int) -> Iterable[str]:
    """What stands in a ``Host`` header for these names."""
    for name in names:
        plain = f"[{name}]" if ":" in name and not name.startswith("[") else name
        yield f"{plain}:{port}".lower()
        if port == 80:
            yield plain.lower()
