"""A box without a camera that tells the desk by a real broker, as its uplink does, and can be unplugged."""

import queue
import socket
import time
from collections.abc import Callable
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path

import msgspec

from device.call_slip import MatchCall
from device.hall.ledger import KnownBox
from device.journal.outbox import HeldGame, Outbox
from device.match import Match
from device.venue.broker_link import BrokerLink
from device.venue.membership import Membership
from device.venue.messages import BoxHealth, topic
from device.venue.publishing import CallKeeper, Publisher
from tests.device.hall.small_hall import SmallBox, win


class PluggedBox:
    """One table. `work` does what is due; nothing happens by itself but what comes in."""

    def __init__(self, known: KnownBox, folder: Path, at: Membership) -> None:
        self.table = SmallBox(known, folder, lambda _: None)
        self.name = known.name
        self.played: dict[str, str] = {}
        """Who has won, by the call."""
        self.numbers: list[int] = []
        """The matches that were played here, the oldest first."""
        self._at, self._runs = at, 0
        self._match: tuple[MatchCall, Match] | None = None
        self._stage = "lobby"
        self._outbox = Outbox(folder / "journal.db")
        self._waiting: queue.SimpleQueue[Callable[[], None]] = queue.SimpleQueue()
        self.plug_in()

    def plug_in(self) -> None:
        """Connect, as a box does that has just been started."""
        self._runs += 1
        run, health = f"run {self._runs}", topic(self._at.table_id, "health")
        self._link = BrokerLink(self._at, f"{self._at.table_id}-{run}", hear=self._hear, joined=self._join)
        self._link.last_will(health, msgspec.json.encode(BoxHealth(run, online=False)))
        self._publisher = Publisher(self._link, self._at.table_id, self._outbox, run)
        self._keeper = CallKeeper(self._link, self._at.table_id, self.table.slip)
        self._link.start(topic(self._at.table_id, "told"), self._keeper.topic)
        self._show(self._stage)
        self.plugged = True

    def unplug(self) -> None:
        """Its cable is pulled: it says no farewell."""
        self.plugged = False
        self._link._client.loop_stop()
        cable = self._link._client.socket()
        assert isinstance(cable, socket.socket)
        cable.shutdown(socket.SHUT_RDWR)

    def stop(self) -> None:
        """It is switched off."""
        if self.plugged:
            self._link.stop()
        self.table.journal.close()

    def work(self, *, plays: bool = True) -> None:
        """Take in what came, play a step where somebody is called, and tell the desk."""
        with suppress(queue.Empty):
            while True:
                self._waiting.get_nowait()()
        if plays:
            self._play()
        if self.plugged:
            self._publisher.look(time.monotonic(), datetime.now(UTC).isoformat(timespec="seconds"))
            self._keeper.look(time.monotonic())

    @property
    def is_called(self) -> bool:
        """Whether players are called here who have not played yet."""
        call = self.table.slip.standing()
        return call is not None and call.id not in self.played

    def is_held(self, held: dict[int, HeldGame]) -> bool:
        """Whether the desk holds each row, as it was written; raises `Diverged` where one is another."""
        return self._outbox.next(held) is None

    def _play(self) -> None:
        """Begin the match that is called, or end it: the second player wins each with an even number."""
        if self._match is not None:
            call, match = self._match
            win(match, second=call.match % 2 == 0)
            self.played[call.id] = call.players[1 - call.match % 2]
            self.numbers.append(call.match)
            self._match = None
            self._show("ended")
        elif (called := self.table.slip.standing()) is not None and called.id not in self.played:
            self._match = called, self.table.begin()
            self._show("playing")

    def _show(self, stage: str) -> None:
        self._stage = stage
        self._publisher.show(msgspec.json.encode({"stage": stage}))

    def _hear(self, where: str, body: bytes, code: str) -> None:
        heard = self._keeper.hear if where == self._keeper.topic else self._publisher.hear
        self._waiting.put(lambda: heard(where, body, code))

    def _join(self) -> None:
        self._waiting.put(self._publisher.join)
