"""The table: frames, edges and requests in; one snapshot out, and from it lamps, board and console.

How it works. Everything arrives here in one thread, one thing after the other; nothing here waits, sleeps or
starts a thread. A frame is looked at (is it still, is there a hand?), and read only when a roll is due: at a
press of ROLL DONE, or by itself once thrown dice lie still. What was read goes to the match, which asks the
rulebook and the journal. Then the snapshot is made anew, and shown if it differs from the last one.
"""

from collections import deque
from collections.abc import Callable, Mapping, Sequence
from typing import Literal

import msgspec

from calibration.trouble import CalibrationError
from device.cameras import Frame
from device.journal import JournalError, PictureNotKept
from device.landings import Eye, LandingMatch, Landings, Watching
from device.lessons import kept_to_learn
from device.looks import trouble_of, waiting
from device.mat import Places
from device.mat.hand import by_hand, lay, spread
from device.match import Match
from device.options import as_played
from device.panel import Press
from device.parts import Parts
from device.showing import acts_shown, choices_shown, table_shown
from device.snapshot import MessageShown, Snapshot, TableShown, TableState
from device.words import as_dice, trouble_with
from engine.events import Die, Ruling
from engine.game import Rulebook, Wanted
from engine.refusal import Refused
from engine.rulebooks import RULEBOOKS, rulebook
from vision.pictures import jpeg_of
from vision.reading import DiceChoice, Reading
from vision.watch import Look, Rest

TRAY_DICE = 5
"""So many dice lie on the simulated table where the rulebook takes any number."""

VOTERS = 5
"""So many frames of one rest are read at most before it is decided (`vision.watch.throws`)."""


class Table:
    """One table with one game at a time. Not for several threads: the box's loop is the only caller."""

    def __init__(self, parts: Parts, shown: Callable[[Snapshot], None]) -> None:
        """`shown` is called with each new snapshot."""
        self._parts = parts
        self._places = Places(parts.reader, parts.layout, parts.view)
        self._watch = Watching(parts.watch, parts.far_watch)
        self._shown = shown
        self._match: Match | None = None
        self._frame: Frame | None = None
        self._look: Look | None = None
        self._voters: deque[Frame] = deque(maxlen=VOTERS)
        self._lost = ""
        self._waiting = ""
        self._aside = MessageShown("Choose a game.")
        self._read_wanted = False
        self._reading: Reading | None = None
        self._reading_id = 0
        self._picture = ""
        self._fresh = False
        self._laid: Wanted | None = None
        self._landings: Landings | None = None
        self.snapshot = Snapshot(choices=choices_shown(RULEBOOKS.values()), simulated=parts.world is not None)

    @property
    def frame(self) -> Frame | None:
        """The newest frame, if any came."""
        return self._frame

    def address(self, address: str) -> None:
        """Where the console can be reached."""
        self.snapshot = msgspec.structs.replace(self.snapshot, address=address)
        self._show()

    # What people ask for

    def start(self, game: str, players: Sequence[str], options: Mapping[str, str]) -> str:
        """Begin a game; returns what is wrong, or ""."""
        if self._match is not None and self._match.view.ending is None and self._match.can_undo:
            return "A game is going on. Finish it first, or start callbox with --new."
        journal, now = self._parts.journal, self._parts.now()
        try:
            book, left = rulebook(game), journal.unfinished()
            eye = self._eye_for(book)
            kind = Match if eye is None else LandingMatch
            match = kind.begin(journal, book, tuple(players), as_played(book, options), now)
            if left is not None:
                journal.end(left, "put away for another game", now)
        except (Refused, JournalError, CalibrationError) as error:
            return str(error)
        self._play(match, eye)
        return ""

    def resume(self, game_id: int) -> None:
        """Go on with a game of the journal; raises `JournalError`, `Refused`, `CalibrationError`."""
        eye = self._eye_for(rulebook(self._parts.journal.game(game_id).game))
        kind = Match if eye is None else LandingMatch
        self._play(kind.resume(self._parts.journal, game_id), eye)

    def bet(self, player: str, dots: int) -> str:
        """Lock a bet made on a phone; returns why not, or ""."""
        return self._asked(lambda match: match.bet(player, dots, self._parts.now()))

    def choose(self, choice: int, words: str) -> str:
        """Take one of the choices that are shown; returns why not, or ""."""
        if self._match and by_hand(self._parts.world, self._places.layout, self._match, choice, words):
            return ""
        return self._asked(lambda match: match.choose(choice, words, self._parts.now()))

    def correct(self, dice: Sequence[tuple[str, int | str]], reason: str) -> str:
        """Take people's word for the dice; returns why not, or ""."""
        try:
            said = tuple(Die(kind, value) for kind, value in dice)  # type: ignore[arg-type]  # Die checks it
        except ValueError as error:
            return f"That is no die: {error}."
        reading, picture = self._reading, self._picture
        why = self._asked(lambda match: match.correct(said, reason, self._parts.now()))
        if not why and reading is not None and self._match:
            trouble = kept_to_learn(self._parts.storage, self._parts.lessons, reading, picture, said)
            if trouble:
                self._match.say(trouble, "refused")
        return why

    def rule(self, event: Ruling) -> str:
        """A ruling on a landing, or the referee's word on one in question; returns why not, or ""."""
        if self._landings is None:
            return "There are no landings to rule on in this game."
        match = self._landings.match
        return self._asked(lambda _: match.rule(event, self._parts.now()))

    def world(self, act: str) -> str:
        """Move the simulated hand; returns why not, or ""."""
        if self._parts.world is None:
            return "This is a real table: throw the dice by hand."
        try:
            self._parts.world.act(act)
        except ValueError as error:
            return str(error)
        return ""

    # What the wires bring

    def edge(self, button: str, down: bool, time_ms: float) -> None:
        """A contact closed or opened."""
        self._pressed(self._parts.presses.edge(button, down, time_ms))
        self._show()

    def tick(self, time_ms: float) -> None:
        """Time passed."""
        self._pressed(self._parts.presses.tick(time_ms))
        for button in self._places.blinks(time_ms):
            self._parts.lights.acknowledge(button, time_ms)
        self._show()

    def due_ms(self) -> float | None:
        """When `tick` has something to do at the latest."""
        return self._parts.presses.due_ms()

    def lost(self, text: str) -> None:
        """No picture comes."""
        self._lost, self._look = text, None
        self._show()

    def over(self) -> None:
        """The film or the folder has ended."""
        self.lost("The pictures have come to their end.")

    def see(self, frame: Frame) -> None:
        """A new frame."""
        self._frame = frame = frame if self._landings else frame.near
        self._lost = ""
        self._look = look = self._watch.see(frame)
        if look.state != "still":
            self._fresh = False
        if self._match is not None:
            self._watch_for_dice(self._match, frame, look)
            if not self._read_wanted:
                self._places.see(frame.picture, look, self._dice_due(self._match), self._parts.now())
        self._show()

    # Reading

    def _watch_for_dice(self, match: Match, frame: Frame, look: Look) -> None:
        """Read this frame if a roll is due and it shows one."""
        if self._landings is not None:
            self._watch_landings(self._landings, frame, look)
            return
        wanted, dice = match.view.wanted, self._dice_due(match)
        if self._read_wanted:
            self._read_as_asked(frame, look, dice)
        elif self._parts.reads == "at_rest":
            # Also while no roll is due: dice left over from before are then known, and do not count.
            rest = self._parts.throws.see(look, lambda: self._voted(frame, dice))
            if rest is not None and wanted is not None:
                read = next((each for each in self._voters if each.time_ms == rest.picture_ms), frame)
                self._take_rest(match, rest, read)

    def _watch_landings(self, landings: Landings, frame: Frame, look: Look) -> None:
        """Measure this frame if dice have come to rest in it."""
        asked, by_itself = self._read_wanted, self._parts.reads == "at_rest"
        taken = landings.see(frame, look, self._parts.now(), asked=asked, by_itself=by_itself)
        if taken is None:
            self._waiting = waiting(look) if asked else self._waiting
            return
        self._read_wanted, self._waiting = False, ""
        self._reading, self._reading_id, self._fresh = taken.reading, taken.number, True
        self._picture = taken.picture
        if taken.note:
            self._aside = MessageShown(taken.note, "alarm")

    def _dice_due(self, match: Match) -> DiceChoice:
        """The kind of dice to look for."""
        expected = match.view.wanted or match.rulebook.dice
        return "auto" if expected.more else expected.kind

    def _voted(self, frame: Frame, dice: DiceChoice) -> Reading:
        """Read a frame for `Throws`, which may name it as the one that decided, some frames later."""
        self._voters.append(frame)
        return self._places.read(frame.picture, dice)

    def _read_as_asked(self, frame: Frame, look: Look, dice: DiceChoice) -> None:
        """ROLL DONE was pressed: read at once, or as soon as the table is still."""
        if look.state == "still":
            self._read_wanted, self._waiting = False, ""
            self._roll(self._places.read(frame.picture, dice), frame)
        else:
            self._waiting = waiting(look)

    def _take_rest(self, match: Match, rest: Rest, frame: Frame) -> None:
        """Dice came to rest by themselves: what that means is said at the head of `vision.watch.throws`."""
        match rest.change:
            case "thrown" if not self._places.only_moved():
                self._roll(rest.reading, frame)
            case "found" if self._parts.first_counts:
                self._roll(rest.reading, frame)
            case "toppled" if not match.pending and not trouble_with(rest.reading, match.rulebook.dice):
                match.correct(as_dice(rest.reading), "a die moved on by itself", self._parts.now())
            case "toppled":
                self._roll(rest.reading, frame)
            case "found" | "nudged" | "taken" | "thrown":
                pass

    def _roll(self, reading: Reading, frame: Frame) -> None:
        """Give a reading to the match, its picture kept first."""
        if self._match is None:
            return
        if in_the_way := self._places.in_the_way():
            self._match.refuse(in_the_way, self._parts.now())
            return
        self._reading_id += 1
        self._fresh = self._look is not None and self._look.state == "still"
        note = ""
        try:
            self._picture = self._parts.storage.keep_picture(
                self._match.game_id, self._reading_id, jpeg_of(frame.picture)
            )
        except PictureNotKept as error:
            self._picture, note = "", str(error)
        self._reading = reading
        self._match.read(reading, self._picture, self._parts.now())
        if note:
            self._aside = MessageShown(note, "alarm")

    # Buttons

    def _pressed(self, presses: Sequence[Press]) -> None:
        for press in presses:
            self._aside = MessageShown()
            self._parts.lights.acknowledge(press.button, press.time_ms)
            if self._match is None:
                self._aside = MessageShown("Choose a game first, on the console.", "refused")
                continue
            self._read_wanted, self._waiting = False, ""
            if self._match.press(press, self._parts.now()):
                self._roll_done(self._match)

    def _roll_done(self, match: Match) -> None:
        """ROLL DONE: read the newest picture at once, or as soon as the table is still."""
        self._read_wanted = True
        if self._frame is None or self._look is None:
            self._waiting = f"Waiting for the camera. {self._lost}".strip()
        else:
            self._watch_for_dice(match, self._frame, self._look)

    def _asked(self, ask: Callable[[Match], bool]) -> str:
        if self._match is None:
            return "No game is going on."
        self._aside = MessageShown()
        taken = ask(self._match)
        self._show()
        return "" if taken else self._match.message.text

    # Showing

    def _eye_for(self, book: Rulebook) -> Eye | None:
        """The eye for a game of landings; None for other games. Raises `CalibrationError`."""
        if book.dice.landing:
            return self._parts.eye()
        if self._parts.world is not None:
            self._parts.world.set_up(landings=False)
        return None

    def _play(self, match: Match, eye: Eye | None) -> None:
        self._match, self._landings = match, None
        if eye is not None and isinstance(match, LandingMatch):
            later, first = self._parts.close_ups, self._parts.first_counts
            self._landings = Landings(eye, self._parts.storage, match, later, first_counts=first)
        self._reading, self._picture = None, ""
        self._reading_id = match.readings
        self._read_wanted, self._waiting = False, ""
        self._aside = MessageShown()
        finished = {each.id for each in self._parts.journal.games() if each.ended}
        self._parts.storage.trim_pictures(finished, match.game_id)
        self._laid = None
        spread(self._parts.world, self._places.play(match))
        self._lay_dice(match, match.rulebook.dice)
        self._show()

    def _lay_dice(self, match: Match, wanted: Wanted | None) -> None:
        """On the simulated table, have those dice in the hand that the rulebook waits for.

        A game of so many dice may for a moment take any number of those left: the hand keeps what it has.
        """
        if self._parts.world is None or wanted is None or wanted == self._laid:
            return
        self._laid = wanted
        count = wanted.count or (TRAY_DICE if match.rulebook.dice.count is None else 0)
        if count:
            lay(self._parts.world, wanted, count)

    def _show(self) -> None:
        """Make the snapshot anew, light lamps and board from it, and tell everybody if it differs."""
        if self._match is not None:
            self._lay_dice(self._match, self._match.view.wanted)
        if self._landings is not None:
            self._follow(self._landings)
        time_ms = self._parts.now().steady_ms
        new = self._new_snapshot()
        lamps = self._parts.lights.lamps(new.lamps, time_ms)
        rows = self._parts.lights.rows(new, time_ms)
        self._parts.lights.show(lamps, rows, time_ms)
        new = msgspec.structs.replace(new, lamps=lamps, segments=rows)
        if new != self.snapshot:
            self.snapshot = msgspec.structs.replace(new, number=self.snapshot.number + 1)
            self._shown(self.snapshot)

    def _follow(self, landings: Landings) -> None:
        """The dice on the table go on with the game, or back; simulated players know what stays lying."""
        landings.follow()
        view = landings.match.view
        if self._parts.world is not None and view.active is not None:
            self._parts.world.expect(landings.stay, view.players.index(view.active))

    def _camera_shown(self) -> MessageShown:
        """What is wrong with the camera, or has become of its calibration."""
        if camera := self._lost or trouble_of(self._look):
            return MessageShown(camera, "alarm")
        return self._landings.moved if self._landings else MessageShown()

    def _new_snapshot(self) -> Snapshot:
        match, landings, old = self._match, self._landings, self.snapshot
        asks: Literal["", "correct"] = "correct" if match and match.pending else ""
        return msgspec.structs.replace(
            old,
            stage="lobby" if match is None else "ended" if match.view.ending else "playing",
            game_id=match.game_id if match else None,
            game=match.shown() if match else None,
            table=self._table_shown(),
            message=self._message(),
            camera=self._camera_shown(),
            lamps=match.lamps() if match else {},
            ask="landing" if landings and landings.match.asked else asks,
            landing=landings.shown if landings else None,
            acts=acts_shown(self._parts.world.acts) if self._parts.world else (),
            reads=self._parts.reads,
            can_undo=match.can_undo if match else False,
            places=self._places.shown(),
        )

    def _message(self) -> MessageShown:
        if self._waiting:
            return MessageShown(self._waiting, "unsure")
        if self._aside.text:
            return self._aside
        return self._match.message if self._match else self._aside

    def _table_shown(self) -> TableShown:
        state: TableState = self._look.state if self._look else "no picture"
        return table_shown(state, self._reading, self._reading_id, self._picture, fresh=self._fresh)
