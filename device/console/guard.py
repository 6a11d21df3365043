"""Who may talk to the console: somebody in the box's own network, by a page that the console has served.

A box on the family's network is reached by every web page that the family opens, and by the whole internet
where a router forwards its port. Four checks keep those out: the connection must come from a private address,
or from the box's own link; the Host must be an address or a name of this box (so no foreign name can be
pointed at it); a POST must carry the console's own Origin and JSON; and every answer forbids the browser to
be embedded, sniffed, kept or mixed with anything from elsewhere.
"""

import ipaddress
import re
import socket
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal
from urllib.parse import urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from device.console.answers import answer
from engine.wording import phrase

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


Address = ipaddress.IPv4Address | ipaddress.IPv6Address


@dataclass(frozen=True, slots=True, kw_only=True)
class Doors:
    """To whom the console answers, and by which names."""

    visitors: Literal["local", "anybody"] = "local"
    """Whether only connections from private addresses and the box's own link are answered."""
    names: Sequence[str] = ()
    """Names of this box beside its own: such as a router gives it."""
    own_name: str = ""
    """This machine's name."""


def peer_is_local(peer: str) -> bool:
    """Whether an address is this machine's, of a private network (RFC 1918, 4193), or of a single link."""
    address = _address(peer)
    return address is not None and (address.is_loopback or address.is_link_local or _is_private(address))


def peer_is_at_home(peer: str, reached: str) -> bool:
    """Whether an address is local by `peer_is_local`, or this very machine's, or of its link of IPv6.

    `reached` is the address of this machine at which the peer called. Who calls from that same address sits
    at this machine, whatever network it is in. A home's devices share the first 64 bits of their public
    addresses of IPv6 (RFC 4291, 2.5.4), and a browser may well choose that one for a box it knows by name.
    """
    if peer_is_local(peer):
        return True
    there, here = _address(peer), _address(reached)
    if there is None or here is None or there.version != here.version:
        return False
    return there == here or (there.version == 6 and int(there) >> 64 == int(here) >> 64)


def peer_is_here(scope: Scope) -> bool:
    """Whether a connection comes from this very machine."""
    peer, reached = (_address(str((scope[end] or ("",))[0])) for end in ("client", "server"))
    return peer is not None and (peer.is_loopback or peer == reached)


def host_is_ours(host: str, doors: Doors, reached: str) -> bool:
    """Whether a Host header names this box: by an address of it, `reached` or another, or by a name."""
    try:
        name = (urlsplit(f"//{host}").hostname or "").rstrip(".")
    except ValueError:
        return False
    if (address := _address(name)) is not None:
        return address.is_loopback or address == _address(reached) or is_own_number(address)
    own = re.escape(doors.own_name.lower())
    # Where two boxes have one name, the network calls the second callbox-2.local.
    ours = bool(own) and re.fullmatch(rf"{own}|{own}(-[0-9]+)?\.local", name) is not None
    return ours or name == "localhost" or name in {each.lower() for each in doors.names}


def is_own_number(address: Address) -> bool:
    """Whether this machine has that address, though it was reached at another: by a proxy on it, say."""
    if address.is_unspecified or address.is_multicast:
        return False
    family = socket.AF_INET if address.version == 4 else socket.AF_INET6
    try:
        with socket.socket(family, socket.SOCK_DGRAM) as probe:
            probe.bind((str(address), 0))  # nothing is sent; only an own address can be bound
    except OSError:
        return False
    return True


def _address(text: str) -> Address | None:
    """The address that a text is; an IPv4 one also where it comes in the clothes of IPv6."""
    try:
        found = ipaddress.ip_address(text)
    except ValueError:
        return None
    return getattr(found, "ipv4_mapped", None) or found


_PRIVATE = tuple(map(ipaddress.ip_network, ("10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "fc00::/7")))


def _is_private(address: Address) -> bool:
    return any(address in network for network in _PRIVATE)


def same_origin(origin: str, host: str) -> bool:
    """Whether an Origin header is the page that the Host header's console serves."""
    scheme, found, authority = origin.partition("://")
    return bool(found) and scheme in ("http", "https") and authority.lower() == host.lower()


def trouble_with(scope: Scope, doors: Doors) -> tuple[int, str] | None:
    """The status and sentence for a request that is turned away; None for one that may pass."""
    headers, method = Headers(scope=scope), scope["method"]
    peer, reached = (str((scope[end] or ("",))[0]) for end in ("client", "server"))
    if doors.visitors == "local" and not peer_is_at_home(peer, reached):
        return (
            403,
            phrase(
                "The console answers in its own network only, and this came from {peer}.",
                peer=peer[:80] or phrase("nowhere"),
            ),
        )
    host = headers.get("host", "")
    if not host_is_ours(host, doors, reached):
        return 421, phrase(
            "The console does not answer to the name {host!r}. Open it by its number, or add that name to "
            "names under [console] in callbox.toml.",
            host=host[:80],
        )
    if method in ("GET", "HEAD"):
        return None
    if not same_origin(headers.get("origin", ""), host):
        return 403, phrase(
            "This did not come from the console's own page. Open the console itself and try there."
        )
    kind = headers.get("content-type", "").split(";")[0].strip().lower()
    if method == "POST" and kind != "application/json":
        return 415, phrase("The console takes JSON only: send it with Content-Type: application/json.")
    return None


class Guard:
    """ASGI middleware: turns strangers away and puts the protecting headers on every answer."""

    def __init__(self, app: ASGIApp, doors: Doors) -> None:
        self.app = app
        self.doors = doors

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

        trouble = trouble_with(scope, self.doors)
        app = self.app if trouble is None else answer(False, trouble[1], status=trouble[0])
        await app(scope, receive, send_guarded)
