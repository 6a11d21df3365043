"""Who may talk to the console: a page that the console itself has served, and nobody else's page.

A box on the family's network is reached by every web page that the family opens. Three checks keep those out:
the Host must be an address or a local name (so no foreign name can be pointed at the box), a POST must carry
the console's own Origin and JSON, and every answer forbids the browser to be embedded, sniffed, kept or mixed
with anything from elsewhere.
"""

import ipaddress
import socket
from urllib.parse import urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from device.console.answers import answer

POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob:; media-src 'self'; "
    "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
ALWAYS = {
    "content-security-policy": POLICY,
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": "no-referrer",
    "cross-origin-resource-policy": "same-origin",
}


def host_is_local(host: str, own_name: str) -> bool:
    """Whether a Host header names this box by number, as localhost, by its own name or by a .local name."""
    try:
        name = urlsplit(f"//{host}").hostname or ""
        ipaddress.ip_address(name)
    except ValueError:
        name = host.rsplit(":", 1)[0].lower().rstrip(".")
        own = own_name.lower()
        return name in {"localhost", own} - {""} or (name.endswith(".local") and name.count(".") == 1)
    return True


def same_origin(origin: str, host: str) -> bool:
    """Whether an Origin header is the page that the Host header's console serves."""
    scheme, found, authority = origin.partition("://")
    return bool(found) and scheme in ("http", "https") and authority.lower() == host.lower()


def trouble_with(method: str, headers: Headers, own_name: str) -> tuple[int, str] | None:
    """The status and sentence for a request that is turned away; None for one that may pass."""
    host = headers.get("host", "")
    if not host_is_local(host, own_name):
        return 421, f"The console does not answer to the name {host[:80]!r}. Open it by its number."
    if method in ("GET", "HEAD"):
        return None
    if not same_origin(headers.get("origin", ""), host):
        return 403, "This did not come from the console's own page. Open the console itself and try there."
    kind = headers.get("content-type", "").split(";")[0].strip().lower()
    if method == "POST" and kind != "application/json":
        return 415, "The console takes JSON only: send it with Content-Type: application/json."
    return None


class Guard:
    """ASGI middleware: turns strangers away and puts the protecting headers on every answer."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app
        self.own_name = socket.gethostname()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """One request."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return

        async def send_guarded(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in ALWAYS.items():
                    headers[name] = value
                headers.setdefault("cache-control", "no-store")
            await send(message)

        trouble = trouble_with(scope["method"], Headers(scope=scope), self.own_name)
        app = self.app if trouble is None else answer(False, trouble[1], status=trouble[0])
        await app(scope, receive, send_guarded)
