"""A box without a table: it shows what a test says, and remembers what was asked of it.

`FakeBox` only replies; `PlayingBox` plays a real rulebook, with dice that lie as the test says.
"""

import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec
from starlette.testclient import TestClient

from device.box_api import SignsOfLife
from device.console.app import ConsoleSettings, make_app
from device.match.changes import changed
from device.match.showing import choices_shown, game_shown
from device.panel import digits, drawable
from device.people.actor import Actor
from device.people.people import People
from device.requests import (
    ApplyRuling,
    BoxRequest,
    Choose,
    Correct,
    Declined,
    Done,
    HandRequest,
    LockBet,
    PressButton,
    Preview,
    PreviewCorrection,
    PreviewRuling,
    Reply,
    RulingRequest,
    SessionRequest,
    StartGame,
)
from device.shown.snapshot import MessageShown, Snapshot, TableShown
from device.shown.throws import ThrowsShown
from device.tournaments import TournamentView
from engine.dice import Die, DieKind, Face
from engine.events import Bet, Cache, Corrected, Event, Rolled, Ruling, Stop, Undo
from engine.history import History
from engine.refusal import Refused
from engine.rulebooks import RULEBOOKS, rulebook
from engine.wire import event_object
from tests.device.console.drawn import HEIGHT_PX, PLACES_PX, WIDTH_PX, corners_px, drawn_table
from tests.waiting import PATIENCE_S
from vision.reading import SeenDie, UnsureDie

HOME = "http://127.0.0.1:8080"
HERE = ("127.0.0.1", 50_000)
"""Where who asks the console comes from: this machine."""
TWO: tuple[Face, ...] = ("dot", "square", "dot", "square")
FOUR: tuple[Face, ...] = ("dot", "dot", "dot", "dot")
STALE = "That may not be chosen any more. Look again."


def dice_of(faces: Sequence[Face], d4: int = 0) -> tuple[Die, ...]:
    """Zoinx or pip dice, the last `d4` of them four-sided."""
    kinds: list[DieKind] = ["zoinx" if isinstance(face, str) else "pip" for face in faces]
    kinds[len(faces) - d4 :] = ["d4"] * d4
    return tuple(Die(kind, face) for kind, face in zip(kinds, faces, strict=True))


def table_of(dice: Sequence[Die], reading_id: int, *, unread: Sequence[str] = ()) -> TableShown:
    """A still table whose dice were read, and `unread` more, each with the reason."""
    seen = tuple(
        SeenDie(
            kind=die.kind,
            value=die.value,
            confidence=0.99,
            color="ivory",
            center_px=(float(place[0]), float(place[1])),
            corners_px=corners_px(place),
        )
        for die, place in zip(dice, PLACES_PX, strict=False)
    )
    unsure = tuple(
        UnsureDie(center_px=(float(x), float(y)), reason=why)
        for why, (x, y, _) in zip(unread, PLACES_PX[len(dice) :], strict=False)
    )
    return TableShown("still", WIDTH_PX, HEIGHT_PX, seen, unsure, reading_id, f"{reading_id:05d}", fresh=True)


def board_of(*texts: str) -> tuple[tuple[int, ...], ...]:
    """Rows of eight digits that show these texts."""
    return tuple((*digits(text), *[0] * 8)[:8] for text in texts)


def pressed(button: str) -> list[PressButton]:
    """The requests of a button that is pressed and let go."""
    return [PressButton(down=True, button=button), PressButton(down=False, button=button)]


def rule_of(event: Ruling) -> ApplyRuling:
    """The request to have that ruling count."""
    return ApplyRuling(event_object(event))


def preview_of(event: Ruling) -> PreviewRuling:
    """The request to see what that ruling would change."""
    return PreviewRuling(event_object(event))


def _plainly(asked: BoxRequest) -> BoxRequest:
    """The same as a test writes it: pressed by no finger, a ruling with all that it leaves out."""
    match asked:
        case PressButton():
            return msgspec.structs.replace(asked, finger="")
        case RulingRequest():
            return msgspec.structs.replace(asked, event=event_object(asked.ruling))
        case _:
            return asked


class FakeBox:
    """A box that shows what a test says, and a table's hand: does whatever it is asked, and remembers it.

    `replies` holds another reply to requests of some type.
    """

    def __init__(self, snapshot: Snapshot | None = None) -> None:
        self.shown = snapshot or Snapshot(choices=choices_shown(RULEBOOKS.values()))
        self.asked, self.by = list[BoxRequest](), list[Actor]()
        self.replies: dict[type[BoxRequest], Reply] = {}
        self.looked_up = list[tuple[int, bool]]()
        """For which throws the log was asked: before which one, and whether anew."""
        self.jpeg: bytes | None = drawn_table(())
        self.readings, self.close_ups = dict[int, bytes](), dict[int, bytes]()
        self.films: dict[int, Path] = {}
        self.games_asked: list[int | None] = []
        """The game of each picture and film that was asked for, in order; None where a page named no game."""
        self.thrown = ThrowsShown()
        self.bracket = TournamentView()
        self.aside: str | None = None
        self.changed = threading.Condition()
        self.listeners: list[Callable[[Snapshot], None]] = []

    def request(self, asked: SessionRequest | HandRequest, by: Actor | None = None) -> Reply:
        with self.changed:
            self.asked.append(asked)
            if by is not None:
                self.by.append(by)
            self.changed.notify_all()
        reply = self.replies.get(type(asked))
        return reply or self.do(asked)

    def do(self, asked: SessionRequest | HandRequest) -> Reply:  # noqa: ARG002 - whatever it is
        """Whatever it is: it is done."""
        return Done()

    def show(self, **changes: Any) -> Snapshot:
        """Show this from now on."""
        with self.changed:
            number = self.shown.number + 1
            self.shown = msgspec.structs.replace(self.shown, **{"number": number, **changes})
            for listener in self.listeners:
                listener(self.shown)
            self.changed.notify_all()
            return self.shown

    def wait_for(self, seen: Callable[["FakeBox"], bool]) -> None:
        """Return when `seen` holds: it is asked again after whatever happens to the box."""
        with self.changed:
            assert self.changed.wait_for(lambda: seen(self), PATIENCE_S), f"never came: {self.asked}"

    def hears(self, *all_of_it: BoxRequest) -> None:
        """Return when this, in this order, is everything that was asked of this kind."""
        kinds = {type(each) for each in all_of_it}
        with self.changed:
            self.changed.wait_for(lambda: len(self.said(*kinds)) >= len(all_of_it), PATIENCE_S)
            assert self.said(*kinds) == list(all_of_it)

    def said(self, *kinds: type[BoxRequest]) -> list[BoxRequest]:
        """Everything asked of these kinds, in order."""
        return [_plainly(each) for each in self.asked if type(each) in kinds]

    def moves(self) -> SignsOfLife:
        return SignsOfLife(frames=len(self.asked), table=self.shown.number)

    def snapshot(self) -> Snapshot:
        return self.shown

    def subscribe(self, listener: Callable[[Snapshot], None]) -> Callable[[], None]:
        with self.changed:
            self.listeners.append(listener)
            self.changed.notify_all()

        def leave() -> None:
            with self.changed:
                self.listeners.remove(listener)
                self.changed.notify_all()

        return leave

    def tournament(self) -> TournamentView:
        return self.bracket

    def export_aside(self) -> str | None:
        return self.aside

    def picture(self) -> tuple[int, bytes] | None:
        return None if self.jpeg is None else (hash(self.jpeg) & 0xFFFF, self.jpeg)

    def reading_picture(self, reading_id: int, game_id: int | None = None) -> bytes | None:
        self.games_asked.append(game_id)
        return self.readings.get(reading_id)

    def evidence(self, number: int, game_id: int | None = None) -> bytes | None:
        self.games_asked.append(game_id)
        return self.close_ups.get(number)

    def throw_log(self, before: int, *, anew: bool) -> ThrowsShown:
        with self.changed:
            self.looked_up.append((before, anew))
        older = tuple(each for each in self.thrown.throws if not before or each.throw < before)
        return msgspec.structs.replace(self.thrown, throws=older)

    def film(self, number: int, game_id: int | None = None) -> Path | None:
        self.games_asked.append(game_id)
        return self.films.get(number)


class PlayingBox(FakeBox):
    """Plays a real rulebook; ROLL DONE, when let go, reads the next of `throws`."""

    def __init__(self, throws: Sequence[tuple[Face, ...]] = ()) -> None:
        super().__init__()
        self.throws: Iterator[tuple[Face, ...]] = iter(throws)
        self.history: History | None = None
        self.reading_id = 0
        self.game_id = 0
        self.options: dict[str, str] = {}
        self.full = False
        """The disk is full: nothing can be taken."""

    def start(self, game: str, players: Sequence[str], options: Mapping[str, str]) -> Reply:
        """Begin a game without being asked."""
        return self._start(StartGame(game, tuple(players), dict(options)))

    def bet(self, player: str, dots: int) -> Reply:
        """Somebody bets at the box."""
        return self._try(Bet(player=player, dots=dots))

    def do(self, asked: SessionRequest | HandRequest) -> Reply:
        """What matters to a rulebook is done by it."""
        match asked:
            case StartGame():
                return self._start(asked)
            case LockBet():
                return self.bet(asked.player, asked.dots)
            case Choose():
                return self._choose(asked)
            case Correct():
                return self._try(
                    self._meant(Corrected(dice=asked.dice, reason=asked.reason, roll=asked.roll))
                )
            case PreviewCorrection() | PreviewRuling() if self.history is not None:
                return self._preview(asked, self.history)
            case PressButton(down=False):
                self._let_go(asked.button)
            case _:  # what no rulebook knows of
                pass
        return Done()

    def _start(self, asked: StartGame) -> Reply:
        try:
            self.history = History(rulebook(asked.game).start(asked.players, asked.options))
        except Refused as refused:
            return Declined(str(refused))
        self.options = dict(asked.options)
        self.game_id += 1
        return self._taken()

    def _choose(self, asked: Choose) -> Reply:
        assert self.history is not None
        choices = self.history.position.view().choices
        if asked.choice >= len(choices) or choices[asked.choice].words != asked.words:
            return Declined(STALE)
        return self._try(choices[asked.choice].event)

    def _meant(self, event: Corrected) -> Event:
        return Rolled(dice=event.dice) if self.shown.ask == "correct" else event

    def _preview(self, asked: Preview, history: History) -> Reply:
        meant = self._meant(asked.event) if isinstance(asked, PreviewCorrection) else asked.ruling
        try:
            after = history.tried(meant)
        except Refused as refused:
            return Declined(str(refused))
        return Done(changed(history.position.view(), after.view()))

    def _let_go(self, button: str) -> None:
        match button:
            case "stop":
                self._try(Stop())
            case "cache":
                self._try(Cache())
            case "undo":
                self._try(Undo())
            case "roll_done":
                self.read(next(self.throws))
            case _:  # BET counts presses, which is the panel's business
                pass

    def read(self, faces: tuple[Face, ...], unread: Sequence[str] = (), d4: int = 0) -> None:
        """These dice came to rest, the last `d4` of them four-sided."""
        self.reading_id += 1
        self.jpeg = self.readings[self.reading_id] = drawn_table(faces, len(unread))
        dice = dice_of(faces, d4)
        table = table_of(dice, self.reading_id, unread=unread)
        if unread:
            text = (
                f"I see {len(faces)} dice and {len(unread)} I cannot read ({unread[0]}). Say what they show."
            )
            self.show(table=table, ask="correct", message=MessageShown(text, "unsure"))
            return
        self.shown = msgspec.structs.replace(self.shown, table=table)
        self._try(Rolled(dice=dice))

    def _try(self, event: Event) -> Reply:
        assert self.history is not None
        if self.full:
            return Declined("The disk is full: free some space.")
        try:
            self.history.take(event)
        except Refused as refused:
            self.show(message=MessageShown(str(refused), "refused"))
            return Declined(str(refused))
        return self._taken()

    def _taken(self) -> Reply:
        assert self.history is not None
        position = self.history.position
        game = game_shown(position.view(), self.history, self.options)
        lamps = {f"bet{seat + 1}": game.bets[seat] == "thinking" for seat in range(len(game.bets))}
        allowed = {each.button for each in game.allowed}
        lamps |= {name: name in allowed for name in ("stop", "cache", "roll_done")}
        self.show(
            stage="ended" if game.winners else "playing",
            game_id=self.game_id,
            game=game,
            ask="",
            lamps={**lamps, "undo": self.history.can_undo},
            can_undo=self.history.can_undo,
            message=MessageShown(game.news, "good" if game.banner else "info"),
            segments=board_of(
                "".join(f"{score:>2} " for score in game.scores)[:8],
                (game.banner if drawable(game.banner) else f"{game.running or 0:>8}")[:9],
            ),
        )
        return Done()


def begun(*players: str, throws: tuple[tuple[Face, ...], ...] = ()) -> PlayingBox:
    """A game of Zoinx that has just begun."""
    box = PlayingBox(throws)
    box.start("zoinx", players or ("Zoë", "Ben"), {})
    box.asked.clear()
    return box


def rolling(*rolls: tuple[Face, ...]) -> PlayingBox:
    """Zoë has bet 2 and Ben 0, and so far these were rolled."""
    box = begun()
    box.bet("Zoë", 2)
    box.bet("Ben", 0)
    for faces in rolls:
        box.read(faces)
    box.asked.clear()
    return box


def console(box: FakeBox, people: People | None = None) -> TestClient:
    """The console of that box, asked from its own address; a family's, unless `people` says otherwise."""
    settings = ConsoleSettings(people=people or People())
    return TestClient(make_app(box, settings, hand=box), base_url=HOME, client=HERE)
