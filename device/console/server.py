"""Runs the console on a thread of its own, and knows the address that a phone can open."""

import asyncio
import errno
import fcntl
import ipaddress
import socket
import struct
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path

import uvicorn
from starlette.applications import Starlette

from device.console.connections import ServerConfig
from engine.wording import phrase

WORKERS = 32
"""How many people may ask the table at a time."""
GRACE_S = 1
"""How long a page's answer may still take when the console ends."""

AGAIN_S = 2.0
"""After so long an address is tried again that this machine did not have."""
EVERYWHERE = ("", "0.0.0.0", "::")  # noqa: S104 - the owner's settings say where it listens
"""What stands for all addresses of this machine, of IPv4 and IPv6 alike."""

_SIOCGIFADDR = 0x8915
"""Linux: the address of a network interface (netdevice(7))."""
_IPV6_ADDRESSES = Path("/proc/net/if_inet6")


class ConsoleError(Exception):
    """The console cannot be served. `str(error)` names cause and fix."""


class AddressMissing(ConsoleError):
    """This machine has no such address, or not yet: a network may come up later than the box."""


class _Server(uvicorn.Server):
    """Tells when it answers, so that nobody has to ask again and again."""

    def __init__(self, config: uvicorn.Config) -> None:
        super().__init__(config)
        self.answering = threading.Event()
        self.turns = 0

    async def on_tick(self, counter: int) -> bool:
        """As uvicorn does, ten times a second while nothing holds up the thread that answers; counted."""
        self.turns += 1
        return await super().on_tick(counter)

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """As uvicorn does, then says so; what people do gets threads of its own."""
        asyncio.get_running_loop().set_default_executor(ThreadPoolExecutor(WORKERS, "presses"))
        await super().startup(sockets)
        self.answering.set()


def bound_sockets(host: str, port: int) -> list[socket.socket]:
    """Listening sockets for all that `host` stands for, at one port; raises `ConsoleError`."""
    if host not in EVERYWHERE:
        return [bound_socket(host, port)]
    sockets = [bound_socket("0.0.0.0", port)]  # noqa: S104 - as it was asked for
    with suppress(ConsoleError):  # a machine without IPv6
        sockets.append(bound_socket("::", sockets[0].getsockname()[1], v6_only=True))
    return sockets


def bound_socket(host: str, port: int, *, v6_only: bool = False) -> socket.socket:
    """A listening socket; raises `ConsoleError` with cause and fix."""
    if not 0 <= port <= 65535:
        raise ConsoleError(
            phrase("There is no port {port}. Set one from 1024 to 65535 under [console].", port=port)
        )
    try:
        family, kind, protocol, _, where = socket.getaddrinfo(
            host or None, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
        )[0]
    except (socket.gaierror, OverflowError, UnicodeError):
        raise AddressMissing(
            phrase(
                "The console cannot be served at {host!r}, port {port}: no such address. Set host to "
                "0.0.0.0 and port to 8080 or so under [console].",
                host=host,
                port=port,
            )
        ) from None
    listening = socket.socket(family, kind, protocol)
    try:
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        if v6_only:
            listening.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 1)
        listening.bind(where)
        listening.listen(128)
    except (OSError, OverflowError) as error:
        listening.close()
        missing = getattr(error, "errno", None) == errno.EADDRNOTAVAIL
        raise (AddressMissing if missing else ConsoleError)(why_not(error, host, port)) from None
    return listening


def why_not(error: OSError | OverflowError, host: str, port: int) -> str:
    """Cause and fix in a sentence or two, for a socket that could not be had."""
    match getattr(error, "errno", None):
        case errno.EADDRINUSE:
            return phrase(
                "Port {port} is taken by another program, perhaps by a Callbox that already runs. "
                "Stop that one, or set another port under [console].",
                port=port,
            )
        case errno.EACCES | errno.EPERM:
            return phrase(
                "Port {port} may not be used without more rights. Set a port from 1024 up under "
                "[console], for example 8080.",
                port=port,
            )
        case errno.EADDRNOTAVAIL:
            return phrase(
                "This box has no address {host!r}. Set host to 0.0.0.0 under [console] to serve at all.",
                host=host,
            )
        case _:
            return phrase(
                "The console cannot be served at {host!r}, port {port}: {error}. Set another host or "
                "port under [console].",
                host=host,
                port=port,
                error=error,
            )


def lan_address() -> str:
    """This box's number in the local network, of IPv6 where it has none of IPv4; 127.0.0.1 in no network."""
    return _lan_ipv4() or _lan_ipv6() or "127.0.0.1"


def _lan_ipv4() -> str:
    """The number of IPv4; "" for none."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        with suppress(OSError):  # no way out of the local network: a hotspot of our own, say
            probe.connect(("192.0.2.1", 9))  # nothing is sent: only the way to a stranger is looked up
            return str(probe.getsockname()[0])
        for _, name in socket.if_nameindex():
            with suppress(OSError):  # an interface without an address
                asked = struct.pack("256s", name.encode()[:15])
                found = socket.inet_ntoa(fcntl.ioctl(probe.fileno(), _SIOCGIFADDR, asked)[20:24])
                if not found.startswith("127."):
                    return found
    return ""


def _lan_ipv6() -> str:
    """The number of IPv6; "" for none."""
    try:
        return lasting_ipv6(_IPV6_ADDRESSES.read_text())
    except OSError:
        return ""


def lasting_ipv6(table: str) -> str:
    """The first address that a phone can open and that lasts, of Linux' `/proc/net/if_inet6`; "" for none.

    A link's own addresses (scope 20) cannot be opened without naming an interface, and temporary ones
    (RFC 8981, flag 01) change within a day. Unique local ones (RFC 4193) come first, for no
    provider changes them.
    """
    found: list[ipaddress.IPv6Address] = []
    for line in table.splitlines():
        digits, _, _, scope, flags, _ = line.split()
        if scope == "00" and not int(flags, 16) & 0x01:
            found.append(ipaddress.IPv6Address(int(digits, 16)))
    found.sort(key=lambda address: not address.is_private)
    return str(found[0]) if found else ""


class ConsoleServer:
    """The console on its own thread. `start` returns when it answers; `stop` returns soon, streams or not."""

    def __init__(self, app: Starlette, host: str, port: int, *, again_s: float = AGAIN_S) -> None:
        """`port` 0 takes any that is free. `again_s`: after so long a missing address is tried again."""
        self._again_s = again_s
        self._starting = threading.Lock()
        self._ended = threading.Event()
        self._app = app
        self._host = host
        self._port = port
        self._server: _Server | None = None
        self._thread: threading.Thread | None = None

    @property
    def port(self) -> int:
        """The port that it is served at."""
        return self._port

    @property
    def turns(self) -> int | None:
        """Counts while the console can answer, and stands still while it hangs; None when it does not run."""
        return self._server.turns if self._server else None

    @property
    def address(self) -> str:
        """What a phone opens, by number; looked up anew each time, for a lease may change."""
        host = lan_address() if self._host in EVERYWHERE else self._host
        shown = f"[{host}]" if ":" in host else host
        return f"http://{shown}/" if self._port == 80 else f"http://{shown}:{self._port}/"

    def start(self) -> None:
        """Take the port and answer; raises `ConsoleError`."""
        sockets = bound_sockets(self._host, self._port)
        with self._starting:
            if self._ended.is_set():
                for each in sockets:
                    each.close()
            else:
                self._serve(sockets)

    def start_when_there(self, tell: Callable[[str], None]) -> None:
        """Take the port and answer, as soon as this machine has the address; raises other `ConsoleError`s.

        `tell` gets a sentence where that is later.
        """
        try:
            self.start()
        except AddressMissing:
            tell(
                phrase(
                    "This box has no address {host!r} yet: its pages come when it has, and buttons and "
                    "camera work. To serve them at every address, set host to 0.0.0.0 under [console].",
                    host=self._host,
                )
            )
            threading.Thread(
                target=self._await_address, args=(tell,), name="console waits", daemon=True
            ).start()

    def _await_address(self, tell: Callable[[str], None]) -> None:
        while not self._ended.wait(self._again_s):
            try:
                return self.start()
            except AddressMissing:
                continue
            except ConsoleError as error:
                return tell(str(error))
        return None

    def _serve(self, sockets: list[socket.socket]) -> None:
        self._port = sockets[0].getsockname()[1]
        config = ServerConfig(
            self._app,
            ws="none",
            loop="asyncio",
            lifespan="off",
            log_config=None,
            log_level="error",  # below it stand lines for each phone that goes away in mid-word
            access_log=False,
            server_header=False,
            timeout_graceful_shutdown=GRACE_S,
        )
        server = self._server = _Server(config)

        def run() -> None:
            try:
                server.run(sockets=sockets)
            finally:
                for each in sockets:
                    each.close()
                server.answering.set()

        self._thread = threading.Thread(target=run, name="console", daemon=True)
        self._thread.start()
        server.answering.wait()
        if not server.started:
            self._thread.join()
            raise ConsoleError(phrase("The console could not be started; the lines above say why."))

    def stop(self) -> None:
        """End all streams and let the port go, or wait for no address any more. May be called twice."""
        self._ended.set()
        with self._starting:
            if self._server is None or self._thread is None:
                return
            for ends in self._app.state.when_closing:
                ends()
            self._server.should_exit = True
            self._thread.join()
            self._server = self._thread = None
