"""A desk without a box, and a hand without a table: they show what a test says, and remember what was asked.

`FakeDesk` only answers; `PlayingDesk` plays a real rulebook, with dice that lie as the test says.
"""

import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Self

import msgspec
from starlette.testclient import TestClient

from device.console.app import ConsoleSettings, make_app
from device.desk import Answer, SignsOfLife, Tending
from device.match.changes import changed
from device.match.showing import choices_shown, game_shown
from device.panel import digits, drawable
from device.people.people import People
from device.people.who import Who
from device.shown.snapshot import MessageShown, Snapshot, TableShown
from device.shown.throws import ThrowsShown
from device.tournaments.shown import TournamentShown
from device.tournaments.steps import TournamentAgreed
from engine.dice import Die, DieKind, Face
from engine.events import Bet, Cache, Corrected, Event, Rolled, Ruling, Stop, Undo
from engine.history import History
from engine.refusal import Refused
from engine.rulebooks import RULEBOOKS, rulebook
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


class FakeDesk:
    """Answers yes, unless `answers` holds another word for that request."""

    def __init__(self, snapshot: Snapshot | None = None) -> None:
        self.shown = snapshot or Snapshot(choices=choices_shown(RULEBOOKS.values()))
        self.asked, self.by = list[tuple[str, object]](), list[Who]()
        self.answers: dict[str, Answer] = {}
        self.jpeg: bytes | None = drawn_table(())
        self.readings, self.close_ups = dict[int, bytes](), dict[int, bytes]()
        self.films: dict[int, Path] = {}
        self.thrown = ThrowsShown()
        self.bracket = TournamentShown()
        self.aside: str | None = None
        self.changed = threading.Condition()
        self.listeners: list[Callable[[Snapshot], None]] = []
        self.stands: Callable[[Snapshot], str] = lambda _: ""

    def show(self, **changes: Any) -> Snapshot:
        """Show this from now on."""
        with self.changed:
            number = self.shown.number + 1
            self.shown = msgspec.structs.replace(self.shown, **{"number": number, **changes})
            for listener in self.listeners:
                listener(self.shown)
            self.changed.notify_all()
            return self.shown

    def wait_for(self, seen: Callable[["FakeDesk"], bool]) -> None:
        """Return when `seen` holds: it is asked again after whatever happens to the desk."""
        with self.changed:
            assert self.changed.wait_for(lambda: seen(self), PATIENCE_S), f"never came: {self.asked}"

    def hears(self, kind: str, *all_of_it: object) -> None:
        """Return when this, in this order, is everything that was asked of this kind."""
        with self.changed:
            self.changed.wait_for(lambda: len(self.said(kind)) >= len(all_of_it), PATIENCE_S)
            assert self.said(kind) == list(all_of_it)

    def said(self, kind: str) -> list[object]:
        """Everything asked of this kind, in order."""
        return [what for each, what in self.asked if each == kind]

    def _take(self, kind: str, what: object) -> Answer:
        if why := self.stands(self.shown):
            return Answer(False, why)
        with self.changed:
            self.asked.append((kind, what))
            self.changed.notify_all()
            return self.answers.get(kind, Answer(True))

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

    def asked_by(self, who: Who) -> Self:
        self.by.append(who)
        return self

    def only_while(self, stands: Callable[[Snapshot], str]) -> Self:
        self.stands = stands
        return self

    def press(self, button: str, down: bool) -> Answer:
        return self._take("press", (button, down))

    def bet(self, player: str, dots: int) -> Answer:
        return self._take("bet", (player, dots))

    def choose(self, choice: int, words: str) -> Answer:
        return self._take("choose", (choice, words))

    def correct(self, dice: Sequence[Die], reason: str, roll: int = 0) -> Answer:
        return self._take("correct", (list(dice), reason, roll) if roll else (list(dice), reason))

    def start(self, game: str, players: Sequence[str], options: Mapping[str, str]) -> Answer:
        return self._take("start", (game, tuple(players), dict(options)))

    def rule(self, event: Ruling) -> Answer:
        return self._take("rule", event)

    def foresee(self, event: Ruling | Corrected) -> Answer:
        return self._take("foresee", event)

    def tend(self, what: Tending, game_id: int) -> Answer:
        return self._take("tend", (what, game_id))

    def sign_off(self, game_id: int) -> Answer:
        return self._take("sign off", game_id)

    def open_again(self, game_id: int, reason: str) -> Answer:
        return self._take("open again", (game_id, reason))

    def tournament(self) -> TournamentShown:
        return self.bracket

    def draw_tournament(self, agreed: TournamentAgreed) -> Answer:
        return self._take("draw", agreed)

    def begin_match(self, number: int) -> Answer:
        return self._take("begin match", number)

    def take_match_back(self, number: int, reason: str) -> Answer:
        return self._take("take match back", (number, reason))

    def begin_call(self, call_id: str) -> Answer:
        return self._take("begin call", call_id)

    def refuse_call(self, call_id: str, why: str) -> Answer:
        return self._take("refuse call", (call_id, why))

    def close_tournament(self) -> Answer:
        return self._take("close tournament", None)

    def restore(self) -> Answer:
        return self._take("restore", None)

    def export_aside(self) -> str | None:
        return self.aside

    def no_hand(self) -> Answer:
        return self._take("no_hand", None)

    def act(self, name: str) -> Answer:
        return self._take("act", name)

    def carry_out(self, choice: int, words: str) -> Answer:
        return self._take("carry_out", (choice, words))

    def picture(self) -> tuple[int, bytes] | None:
        return None if self.jpeg is None else (hash(self.jpeg) & 0xFFFF, self.jpeg)

    def reading_picture(self, reading_id: int) -> bytes | None:
        return self.readings.get(reading_id)

    def evidence(self, number: int) -> bytes | None:
        return self.close_ups.get(number)

    def throw_log(self, before: int, *, anew: bool) -> ThrowsShown:
        with self.changed:
            self.asked.append(("throws", (before, anew)))
        older = tuple(each for each in self.thrown.throws if not before or each.throw < before)
        return msgspec.structs.replace(self.thrown, throws=older)

    def film(self, number: int) -> Path | None:
        return self.films.get(number)


class PlayingDesk(FakeDesk):
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

    def start(self, game: str, players: Sequence[str], options: Mapping[str, str]) -> Answer:
        super().start(game, players, options)
        try:
            self.history = History(rulebook(game).start(tuple(players), options))
        except Refused as refused:
            return Answer(False, str(refused))
        self.options = dict(options)
        self.game_id += 1
        return self._taken()

    def bet(self, player: str, dots: int) -> Answer:
        super().bet(player, dots)
        return self._try(Bet(player=player, dots=dots))

    def choose(self, choice: int, words: str) -> Answer:
        super().choose(choice, words)
        assert self.history is not None
        choices = self.history.position.view().choices
        if choice >= len(choices) or choices[choice].words != words:
            return Answer(False, STALE)
        return self._try(choices[choice].event)

    def correct(self, dice: Sequence[Die], reason: str, roll: int = 0) -> Answer:
        super().correct(dice, reason, roll)
        said = Corrected(dice=tuple(dice), reason=reason, roll=roll)
        return self._try(Rolled(dice=said.dice) if self.shown.ask == "correct" else said)

    def foresee(self, event: Ruling | Corrected) -> Answer:
        answer = super().foresee(event)
        if self.history is None or "foresee" in self.answers:
            return answer
        meant: Event = event
        if isinstance(event, Corrected) and self.shown.ask == "correct":
            meant = Rolled(dice=event.dice)
        try:
            after = self.history.tried(meant)
        except Refused as refused:
            return Answer(False, str(refused))
        return Answer(True, changed(self.history.position.view(), after.view()))

    def press(self, button: str, down: bool) -> Answer:
        super().press(button, down)
        if not down:
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
        return Answer(True)

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

    def _try(self, event: Event) -> Answer:
        assert self.history is not None
        if self.full:
            return Answer(False, "The disk is full: free some space.")
        try:
            self.history.take(event)
        except Refused as refused:
            self.show(message=MessageShown(str(refused), "refused"))
            return Answer(False, str(refused))
        return self._taken()

    def _taken(self) -> Answer:
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
        return Answer(True)


def begun(*players: str, throws: tuple[tuple[Face, ...], ...] = ()) -> PlayingDesk:
    """A game of Zoinx that has just begun."""
    desk = PlayingDesk(throws)
    desk.start("zoinx", players or ("Zoë", "Ben"), {})
    desk.asked.clear()
    return desk


def rolling(*rolls: tuple[Face, ...]) -> PlayingDesk:
    """Zoë has bet 2 and Ben 0, and so far these were rolled."""
    desk = begun()
    desk.bet("Zoë", 2)
    desk.bet("Ben", 0)
    for faces in rolls:
        desk.read(faces)
    desk.asked.clear()
    return desk


def console(desk: FakeDesk, people: People | None = None) -> TestClient:
    """The console of that desk, asked from its own address; a family's, unless `people` says otherwise."""
    settings = ConsoleSettings(people=people or People())
    return TestClient(make_app(desk, settings, hand=desk), base_url=HOME, client=HERE)
