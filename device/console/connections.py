"""Who is connected to the console, and for how long: silent, slow and too many devices shut nobody else out.

uvicorn serves each connection and knows one limit, between two requests. Here are the others. A request has
to have come whole some time after the connection was made, or after the last answer, however slowly it drips;
an answer has to be taken. And when all places are taken, whoever comes is let in all the same, and another
goes: one from the address with the most connections, rather one that waits for nothing, and of those the one
that has been quiet longest. So a device that opens a thousand connections loses its own.
"""

import asyncio
from typing import Any

import h11
import uvicorn
from uvicorn.protocols.http.h11_impl import H11Protocol, RequestResponseCycle
from uvicorn.server import ServerState

CONNECTIONS = 600
"""A club's 200 phones have three each; the system gives a process 1024 open files."""
ASK_S = 15
"""A whole request, header and body, comes in this time; a connection that is not used stays as long."""
TAKE_S = 20
"""An answer that is not taken for so long is not sent to its end."""


class ServerConfig(uvicorn.Config):
    """uvicorn's settings, and all its connections."""

    def __init__(self, app: Any, **settings: Any) -> None:
        super().__init__(app, http=Connection, timeout_keep_alive=ASK_S, **settings)
        self.connections = Connections(CONNECTIONS)


class Connections:
    """All that are open."""

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self._count = 0
        self._open: dict[str, dict[Connection, None]] = {}
        """By address; there whoever was heard longest ago stands first."""

    def enter(self, connection: "Connection") -> None:
        """Let it in; where all places are taken, another one goes."""
        if self._count >= self._limit:
            most = max(self._open.values(), key=len)
            goes = next((each for each in most if each.asking), next(iter(most)))
            self.leave(goes)
            goes.transport.abort()
        self._open.setdefault(connection.address, {})[connection] = None
        self._count += 1

    def hear(self, connection: "Connection") -> None:
        """It has sent something."""
        neighbours = self._open.get(connection.address, {})
        if connection in neighbours:
            del neighbours[connection]
            neighbours[connection] = None

    def leave(self, connection: "Connection") -> None:
        """It has gone, or has to. May be called twice."""
        neighbours = self._open.get(connection.address, {})
        if connection in neighbours:
            del neighbours[connection]
            self._count -= 1
        if not neighbours:
            self._open.pop(connection.address, None)


class Connection(H11Protocol):
    """One connection, with its limits."""

    def __init__(
        self,
        config: uvicorn.Config,
        server_state: ServerState,
        app_state: dict[str, Any],
        _loop: asyncio.AbstractEventLoop | None = None,
    ) -> None:
        super().__init__(config, server_state, app_state, _loop)
        assert isinstance(config, ServerConfig)  # noqa: S101 - nobody else makes connections
        self._all = config.connections
        self._ask_by: asyncio.TimerHandle | None = None
        self._take_by: asyncio.TimerHandle | None = None
        self.address = ""

    @property
    def asking(self) -> bool:
        """Whether no whole request of it is being answered."""
        return self.conn.their_state in (h11.IDLE, h11.SEND_BODY)

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """As uvicorn does; from now on a request is waited for."""
        super().connection_made(transport)
        self.address = self.client[0] if self.client else ""
        self._all.enter(self)
        self._await_request()

    def connection_lost(self, exc: Exception | None) -> None:
        """As uvicorn does."""
        self._all.leave(self)
        for timer in (self._ask_by, self._take_by):
            if timer is not None:
                timer.cancel()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """As uvicorn does; a request that has come whole is no longer waited for."""
        self._all.hear(self)
        super().data_received(data)
        if not self.asking and self._ask_by is not None:
            self._ask_by.cancel()

    def on_response_complete(self) -> None:
        """As uvicorn does; a body that was not wanted any more is not read to its end."""
        super().on_response_complete()
        if self.conn.their_state is h11.SEND_BODY:
            self.transport.close()
        elif self.asking:
            self._await_request()

    def send_400_response(self, msg: str) -> None:
        """As uvicorn does, to what is no HTTP after all; who answers its beginning then speaks to nobody.

        uvicorn lets that answer go on, or begins a second one, and fails with a traceback.
        """
        cycle: RequestResponseCycle | None = self.cycle
        begun = cycle is not None and cycle.response_started and not cycle.response_complete
        if cycle is not None and not cycle.response_complete:
            cycle.disconnected = True
            cycle.message_event.set()
        if begun:
            self.transport.close()
        else:
            super().send_400_response(msg)

    def pause_writing(self) -> None:
        """As uvicorn does, when the other side does not take what is sent."""
        super().pause_writing()
        self._take_by = self.loop.call_later(TAKE_S, self.transport.abort)

    def resume_writing(self) -> None:
        """As uvicorn does, when it has taken it."""
        super().resume_writing()
        if self._take_by is not None:
            self._take_by.cancel()

    def _await_request(self) -> None:
        if self._ask_by is not None:
            self._ask_by.cancel()
        self._ask_by = self.loop.call_later(ASK_S, self.transport.abort)
