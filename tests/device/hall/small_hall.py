"""A hall in one process: a whole desk without its broker, and boxes with a journal, an uplink and no camera.

Messages go from hand to hand, sealed as over the wire, unless somebody is unplugged.
"""

from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import msgspec

from device.call_slip import CallSlip
from device.games.results import calling
from device.hall.ingest import Heard, Ingest, wall_now
from device.hall.ledger import Invitation, KnownBox, Ledger
from device.hall.organiser import Organiser
from device.journal.journal import Journal
from device.journal.outbox import HeldGame, Outbox
from device.journal.records import Moment
from device.journal.rows import SignOffNote
from device.match import Match
from device.venue.membership import key_of
from device.venue.messages import BoxHealth, is_sealed, seal, topic
from device.venue.publishing import CallKeeper
from engine.dice import Die
from engine.events import Cache, GameEvent, Rolled, Undo
from engine.rulebooks import rulebook
from engine.tournament import TournamentAgreed

AT = Moment(datetime(2026, 11, 20, 12, 0, tzinfo=UTC), 1000.25)
RULES = {"first": "named", "target": "1000", "last": "none"}
EIGHT = ("Ann", "Bea", "Cid", "Dan", "Eve", "Fay", "Gus", "Hal")
GOOD = Rolled(dice=tuple(Die("pip", value) for value in (1, 1, 1, 2, 3, 3)))
BAD = Rolled(dice=tuple(Die("pip", value) for value in (2, 2, 3, 3, 4, 6)))


def cup(players: tuple[str, ...] = EIGHT, kind: str = "single") -> TournamentAgreed:
    """A tournament in which each match is won with one throw."""
    return TournamentAgreed("Cup", kind, players, "ten-thousand", RULES)  # type: ignore[arg-type]


class SmallBox:
    """A box: what of it the desk meets."""

    def __init__(self, known: KnownBox, folder: Path, post: Callable[[Heard], None]) -> None:
        folder.mkdir(exist_ok=True)
        self.known, self.folder, self._post = known, folder, post
        self.slip = CallSlip(folder)
        self.journal = Journal.open(folder / "journal.db")
        self.plugged = True
        self.is_there = True
        self._keeper = CallKeeper(self, known.id, self.slip)
        self._now_s = 0.0

    # As a link

    def send(self, where: str, body: bytes, *, key: bytes | None = None, retain: bool = False) -> bool:
        assert not retain
        assert key is None
        if self.plugged:
            what = where.rpartition("/")[2]
            self._post(Heard(self.known.id, what, where, body, seal(key_of(self.known.secret), where, body)))
        return self.plugged

    def is_from_desk(self, where: str, body: bytes, code: str) -> bool:
        return is_sealed(key_of(self.known.secret), where, body, code)

    # What it does

    def get(self, where: str, body: bytes, code: str) -> None:
        """The desk says something."""
        if self.plugged:
            self._keeper.hear(where, body, code)

    def look(self, stage: str = "lobby", *, online: bool = True) -> None:
        """Its uplink works once: how it is, what is new, what it holds of its calls."""
        self._tell("state", {"stage": stage})
        health = BoxHealth("run", online, wall_now().isoformat())
        self._tell("health", health)
        self._now_s += 60.0
        self._keeper.look(self._now_s)

    def tell_rows(self, ledger: Ledger) -> bool:
        """Some rows that the desk does not hold; False where it holds all."""
        batch = Outbox(self.folder / "journal.db").next(self._held(ledger)) if self.plugged else None
        if batch is not None:
            self._tell("rows", batch)
        return batch is not None

    def begin(self, *, players: tuple[str, ...] = ()) -> Match:
        """One touch in the lobby; `players`: others than were called."""
        call = self.slip.standing()
        assert call is not None, "nobody is called"
        with calling(self.journal, call):
            names = players or call.players
            return Match.begin(self.journal, rulebook(call.game), names, dict(call.options), AT)

    def play(self, *, second: bool = False, signs: bool = False) -> Match:
        """The players who are called play: the first one wins, or the second."""
        match = self.begin()
        match.asks_sign_off = signs
        win(match, second=second)
        return match

    def sign(self, match: Match) -> None:
        assert match.keep([SignOffNote("signed", "the referee Cleo")], AT)

    def _held(self, ledger: Ledger) -> dict[int, HeldGame]:
        return ledger.held(self.known.id)

    def _tell(self, what: str, said: object) -> None:
        self.send(topic(self.known.id, what), msgspec.json.encode(said))


def win(match: Match, *, second: bool = False) -> None:
    """The first player wins with one throw, or the second after a bad one of the first."""
    events: list[GameEvent] = [*([BAD] if second else []), GOOD, Cache()]
    for event in events:
        assert match.take((event,), [], AT), match.message.text


def undo(match: Match, times: int) -> None:
    """Steps are taken back."""
    for _ in range(times):
        assert match.take((Undo(),), [], AT), match.message.text


class SmallHall:
    """A desk with some tables."""

    def __init__(self, folder: Path, tables: int = 2) -> None:
        self.folder = folder
        self.boxes: list[SmallBox] = []
        self._waiting: list[Heard] = []
        self.ledger = Ledger.open(folder / "desk")
        for number in range(1, tables + 1):
            self.ledger.invite(Invitation("id", "code", f"Table {number}", 10.0))
            found = self.ledger.take_up("id", 5.0, "2026-11-20T12:00:00+00:00")
            assert found is not None
            self.boxes.append(SmallBox(found[1], folder / f"box{number}", self._waiting.append))
        self._open()

    def _open(self) -> None:
        self.organiser = Organiser(self.ledger)
        self.ingest = Ingest(self.ledger, self, lambda _: None)
        self.ingest.meet()
        self._now_s = 0.0

    def send(self, where: str, body: bytes, *, key: bytes | None = None, retain: bool = False) -> bool:
        """The desk says something to a box."""
        assert key is not None
        assert not retain
        box = next(each for each in self.boxes if where.split("/")[1] == each.known.id)
        if where.endswith("/call"):
            box.get(where, body, seal(key, where, body))
        return True

    def killed(self) -> None:
        """The desk is killed, and started anew."""
        self.ledger.close()
        self._waiting.clear()
        self.ledger = Ledger.open(self.folder / "desk")
        self._open()

    def go_on(self, *playing: SmallBox) -> None:
        """Boxes tell what is new, the desk works it off and tells them, and they answer."""
        for _ in range(2):
            for box in self.boxes:
                box.look("playing" if box in playing else "lobby")
                box.tell_rows(self.ledger)
                self.work()
                box.tell_rows(self.ledger)
                self.work()

    def work(self) -> None:
        """The desk takes in what has come."""
        batch, self._waiting[:] = list(self._waiting), []
        self.ingest._take_in(batch)
        self._now_s += 60.0
        self.ingest.tournament.advance(self._now_s)

    def called(self) -> list[str]:
        """What stands on the page."""
        return [each.text for each in self.ingest.tournament.view.calls]

    def winners(self) -> list[str]:
        return [each.winner for each in self.ingest.tournament.view.tournament.matches]

    def remarks(self) -> str:
        return " ".join(self.ingest.tournament.view.remarks)

    def close(self) -> None:
        for box in self.boxes:
            box.journal.close()
        self.ledger.close()
