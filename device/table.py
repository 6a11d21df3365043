"""The table: frames, edges and requests in; one snapshot out, and from it lamps, board and console.

How it works. Everything arrives here in one thread, one thing after the other; nothing here waits, sleeps or
starts a thread. A frame is looked at (is it still, is there a hand?) and goes to the game's umpire, which was
chosen when the game began: it reads or measures the dice when they lie still and count, and tells the match,
which asks the rulebook and the journal. Then the snapshot is made anew, and shown if it differs from the last
one.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Literal

import msgspec

from calibration.trouble import CalibrationError
from device.cameras import Frame
from device.journal import JournalError
from device.landings import Eye, LandingMatch, LandingUmpire, Watching
from device.lessons import keep_to_learn
from device.looks import trouble_of
from device.mat import MatUmpire, Places, layout_for
from device.match import Match
from device.options import as_played
from device.panel import Press
from device.parts import Parts
from device.rolls import Rolls
from device.showing import acts_shown, choices_shown, table_shown
from device.snapshot import MessageShown, Snapshot
from device.umpire import Means, Shown, Umpire
from engine.dice import Die
from engine.events import Ruling
from engine.game import Rulebook
from engine.refusal import Refused
from engine.rulebooks import RULEBOOKS, rulebook
from vision.watch import Look


class Table:
    """One table with one game at a time. Not for several threads: the box's loop is the only caller."""

    def __init__(self, parts: Parts, shown: Callable[[Snapshot], None]) -> None:
        """`shown` is called with each new snapshot."""
        self._parts = parts
        self._watch = Watching(parts.watch, parts.far_watch)
        self._shown = shown
        self._match: Match | None = None
        self._landings: LandingMatch | None = None
        """The same game, where throws are landings."""
        self._umpire: Umpire | None = None
        self._frame: Frame | None = None
        self._look: Look | None = None
        self._lost = ""
        self._aside = MessageShown("Choose a game.")
        acts = acts_shown(parts.acts(""))
        self.snapshot = Snapshot(choices=choices_shown(RULEBOOKS.values()), simulated=bool(acts), acts=acts)

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
            begun = kind.begin(journal, book, tuple(players), as_played(book, options), now)
            if left is not None:
                journal.end(left, "put away for another game", now)
        except (Refused, JournalError, CalibrationError) as error:
            return str(error)
        self._play(begun, eye)
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
        return self._asked(lambda match: match.choose(choice, words, self._parts.now()))

    def correct(self, dice: Sequence[Die], reason: str) -> str:
        """Take people's word for the dice; returns why not, or ""."""
        said = tuple(dice)
        taken = self._umpire.shown.taken if self._umpire else None
        why = self._asked(lambda match: match.correct(said, reason, self._parts.now()))
        if not why and taken is not None and self._match:
            trouble = keep_to_learn(
                self._parts.storage, self._parts.lessons, taken.reading, taken.picture, said
            )
            if trouble:
                self._match.say(trouble, "refused")
        return why

    def rule(self, event: Ruling) -> str:
        """A ruling on a landing, or the referee's word on one in question; returns why not, or ""."""
        landings = self._landings
        if landings is None:
            return "There are no landings to rule on in this game."
        return self._asked(lambda _: landings.rule(event, self._parts.now()))

    # What the wires bring

    def edge(self, button: str, down: bool, time_ms: float) -> None:
        """A contact closed or opened."""
        self._pressed(self._parts.presses.edge(button, down, time_ms))
        self._show()

    def tick(self, time_ms: float) -> None:
        """Time passed."""
        self._pressed(self._parts.presses.tick(time_ms))
        for button in self._umpire.blinks(time_ms) if self._umpire else ():
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
        both = self._match is not None and self._match.rulebook.dice.landing
        self._frame = frame = frame if both else frame.near
        self._lost = ""
        self._look = look = self._watch.see(frame)
        if self._umpire is not None:
            self._umpire.see(frame, look)
        self._show()

    # Buttons

    def _pressed(self, presses: Sequence[Press]) -> None:
        for press in presses:
            self._aside = MessageShown()
            self._parts.lights.acknowledge(press.button, press.time_ms)
            if self._match is None or self._umpire is None:
                self._aside = MessageShown("Choose a game first, on the console.", "refused")
                continue
            self._umpire.waiting.end()
            if self._match.press(press, self._parts.now()):
                self._roll_done(self._umpire)

    def _roll_done(self, umpire: Umpire) -> None:
        """ROLL DONE: read the newest picture at once, or as soon as the table is still."""
        umpire.waiting.begin(f"Waiting for the camera. {self._lost}".strip())
        if self._frame is not None and self._look is not None:
            umpire.roll_done(self._frame, self._look)

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
        return self._parts.eye() if book.dice.landing else None

    def _play(self, played: Match | LandingMatch, eye: Eye | None) -> None:
        self._landings = played if isinstance(played, LandingMatch) else None
        match = played.game if isinstance(played, LandingMatch) else played
        self._match, self._umpire = match, self._umpire_for(match, eye)
        self._aside = MessageShown()
        finished = {each.id for each in self._parts.journal.games() if each.ended}
        self._parts.storage.trim_pictures(finished, match.game_id)
        acts = acts_shown(self._parts.acts(match.rulebook.name))
        self.snapshot = msgspec.structs.replace(self.snapshot, acts=acts)
        self._show()

    def _umpire_for(self, match: Match, eye: Eye | None) -> Umpire:
        """Whoever watches the dice of this game."""
        parts, layout = self._parts, layout_for(self._parts.layout, match.rulebook.name)
        means = Means(
            storage=parts.storage,
            now=parts.now,
            by_itself=parts.reads == "at_rest",
            first_counts=parts.first_counts,
            tell=self._alarm,
        )
        if eye is not None and self._landings is not None:
            return LandingUmpire(self._landings, eye, parts.close_ups, means)
        if layout is None:
            return Rolls(match, parts.reader, parts.throws, means)
        places = Places(parts.reader, match, layout, parts.view, needed=parts.layout != "auto")
        return MatUmpire(match, places, parts.throws, means)

    def _alarm(self, text: str) -> None:
        """Say what went wrong beside the game."""
        self._aside = MessageShown(text, "alarm")

    def _show(self) -> None:
        """Make the snapshot anew, light lamps and board from it, and tell everybody if it differs."""
        if self._umpire is not None:
            self._umpire.follow()
        time_ms = self._parts.now().steady_ms
        new = self._new_snapshot()
        lamps = self._parts.lights.lamps(new.lamps, time_ms)
        rows = self._parts.lights.rows(new, time_ms)
        self._parts.lights.show(lamps, rows, time_ms)
        new = msgspec.structs.replace(new, lamps=lamps, segments=rows)
        if new != self.snapshot:
            self.snapshot = msgspec.structs.replace(new, number=self.snapshot.number + 1)
            self._shown(self.snapshot)

    def _new_snapshot(self) -> Snapshot:
        match, old = self._match, self.snapshot
        seen = self._umpire.shown if self._umpire else Shown()
        asks: Literal["", "correct"] = "correct" if match and match.pending else ""
        camera = self._lost or trouble_of(self._look)
        return msgspec.structs.replace(
            old,
            stage="lobby" if match is None else "ended" if match.view.ending else "playing",
            game_id=match.game_id if match else None,
            game=match.shown() if match else None,
            table=table_shown(self._look.state if self._look else "no picture", seen.taken, fresh=seen.fresh),
            message=self._message(),
            camera=MessageShown(camera, "alarm") if camera else seen.in_the_way,
            lamps=match.lamps() if match else {},
            ask="landing" if seen.asks else asks,
            landing=seen.landing,
            stay=seen.stay,
            reads=self._parts.reads,
            can_undo=match.can_undo if match else False,
            places=seen.places,
        )

    def _message(self) -> MessageShown:
        if self._umpire is not None and (why := self._umpire.waiting.why):
            return MessageShown(why, "unsure")
        if self._aside.text:
            return self._aside
        return self._match.message if self._match else self._aside
