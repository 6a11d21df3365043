"""Detects rolls of dice that are read wherever they lie: a roll at ROLL DONE, or once thrown dice lie still.

With ROLL DONE the newest picture is read at once, or as soon as the table is still. A box that reads by
itself reads some frames of each rest and puts them together; what a new arrangement then means is said at the
head of `vision.watch.throws`. Either way dice count only if they were thrown for that roll (`counted`), and
lie as they came to rest (`touched`). So that this is known at ROLL DONE, dice at rest are looked at once more
when a hand comes: that is no part of the way from a throw to its score. Most of the reading is done as soon
as nothing moves any more (`ahead`).
"""

from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Protocol

from device.cameras import Frame
from device.journal.rows import EventRow, Row
from device.match import Match
from device.match.throw_detector import DetectorState, ReadsDice, Record, Waiting
from device.rolls.counted import AwaitedRoll, CountedDice, Old
from device.rolls.followed import FollowedDice, RestedDice, ask_about, show_history
from device.shown.snapshot import HistoryShown, MessageShown, TouchedShown
from device.shown.words import as_dice, trouble_with
from engine.events import Cache, Rolled, Stop
from engine.wording import phrase_later
from vision.reading import DiceChoice, Reading, SeenDie, UnsureDie
from vision.watch import FrameState, Rest, Throws, TouchedDie

# Has dice read as soon as nothing moves, before anybody asks what they show.
#
# A reading takes about as long as a table must lie still before dice count. So a box that reads by itself
# reads at the first picture in which nothing moves any more; and one with ROLL DONE does, too, for whoever
# presses wants the score at once. If nothing has moved when it counts, the reader remembers
# (`vision.incremental_reader`), and there is nothing left to read. If something did, that reading was for
# nothing: nobody hears of it.

AHEAD_MS = 30.0
"""How long nothing must have moved: between two pictures, at 60 frames/s three. A die that stands on an edge
falls off it with a time constant of some 35 ms."""


class ReadingAhead:
    """Reads once in each stillness. Not for several threads: the game's detector is the only caller."""

    def __init__(self, reader: ReadsDice, sharper_comes: Callable[[], bool]) -> None:
        """`reader` remembers what it reads; while `sharper_comes`, coarser pictures are left out."""
        self._reader = reader
        self._sharper_comes = sharper_comes
        self._since_ms = float("-inf")
        """Since when nothing had moved when it was last read."""

    def read_once(self, frame: Frame, look: FrameState, dice: DiceChoice) -> None:
        """A new frame: read it if nothing moves any more."""
        since_ms = look.still_since_ms
        lies = look.state == "still" and look.time_ms - since_ms >= AHEAD_MS
        complete = frame.sharp is not None or not self._sharper_comes()
        if lies and complete and since_ms != self._since_ms:
            self._since_ms = since_ms
            self._reader.read(frame.picture, dice, frame.sharp)


ON_THEIR_WORD = phrase_later("The dice were thrown, by the word of a player.")
"""What the journal says, in English, of a roll that counted because ROLL DONE was pressed again."""
AS_THEY_LIE = phrase_later("Touched dice count as they lie, by the word of a player.")
"""The same of dice that were touched after they had come to rest."""
MOVED_ON = phrase_later("a die moved on by itself")
"""And of a correction that nobody made."""
VOTERS = 5
"""How many frames of one rest are read at most before it is decided (`vision.watch.throws`)."""


class RollMat(ReadsDice, Protocol):
    """A mat on which dice are rolled: it reads those that lie free, and knows what else lies there."""

    def in_the_way(self) -> str:
        """Why no roll counts as things were last read, in a sentence; "" when it does."""
        ...

    def only_moved(self) -> bool:
        """Whether the dice that were last read were only moved: then nothing was thrown."""
        ...


class RollDetector:
    """One game's rolls."""

    def __init__(  # noqa: PLR0913 - each comes from another part of the box
        self,
        match: Match,
        reader: ReadsDice,
        throws: Throws,
        record: Record,
        *,
        by_itself: bool,
        first_counts: bool,
        sharper_comes: Callable[[], bool],
        mat: RollMat | None = None,
    ) -> None:
        """`throws` goes on from game to game: dice left over from the last are known, and do not count.

        `by_itself`: throws count as soon as they lie still, without ROLL DONE. `first_counts`: dice that lie
        there at the first picture were thrown (a film), not left over from before (a table).
        `sharper_comes`: whether a sharper picture of what lies there is on its way.
        """
        self._match, self._record, self._mat, self._throws = match, record, mat, throws
        self._reader = mat or reader
        self._ahead = ReadingAhead(self._reader, sharper_comes)
        self._by_itself, self._first_counts = by_itself, first_counts
        self._sharper_comes = sharper_comes
        self._voters: deque[Frame] = deque(maxlen=VOTERS)
        self._counted = CountedDice()
        self._events = len(match.played)
        self._due = self._phase()
        self._rested, self._ways = RestedDice(), FollowedDice()
        self._history: HistoryShown | None = None
        """How the dice of the last roll came to lie there."""
        self._settled: tuple[Frame, FrameState] | None = None
        """The last frame in which the table had settled."""
        self._touched: TouchedShown | None = None
        """The touched dice that are asked about."""
        self._unseen: tuple[Old, int | None] | None = None
        """Dice that are old and are to be looked at with the next frame: see `CountedDice.lay`."""
        if self._due[0] and not first_counts:
            self._unseen = "lay there", None
        self.waiting = Waiting()
        match.subscribe(self._follow_game)

    @property
    def state(self) -> DetectorState:
        """The last reading."""
        record = self._record
        return DetectorState(
            taken=record.taken, fresh=record.fresh, touched=self._touched, history=self._history
        )

    @property
    def dice(self) -> DiceChoice:
        """The kind of dice to look for."""
        expected = self._match.view.wanted or self._match.rulebook.dice
        return "auto" if expected.more else expected.kind

    def detect(self, frame: Frame, look: FrameState) -> None:
        """Read a new frame if a roll is due and it shows one."""
        self._record.note_motion(look)
        self._rest(frame, look)
        if look.state == "hand" and not self._by_itself and self._settled is not None:
            settled, then = self._settled
            self._remember(
                settled, then, lambda: self._reader.read(settled.picture, self.dice, settled.sharp)
            )
        self._rested.note_hand(look)
        if self._by_itself or self._match.view.wanted is not None:
            self._ahead.read_once(frame, look, self.dice)
        if self.waiting.on:
            self.detect_now(frame, look)
        elif self._by_itself:
            # Also while no roll is due: dice left over from before are then known, and do not count.
            rest = self._throws.see(look, lambda: self._vote(frame))
            if rest is not None and self._match.view.wanted is not None:
                read = next((each for each in self._voters if each.time_ms == rest.picture_ms), frame)
                self._take_rest(rest, read, look)
                self._remember(read, look, lambda: rest.reading)

    def detect_now(self, frame: Frame, look: FrameState) -> None:
        """ROLL DONE was pressed: read at once, or as soon as the table is still."""
        self._rest(frame, look)
        if look.state == "still" and self._unseen is None:
            reading = self._reader.read(frame.picture, self.dice, frame.sharp)
            if reading.unsure and frame.sharp is None and self._sharper_comes():
                return  # it is read again with one of the next frames
            self.waiting.end()
            self._take(reading, frame, look, self.waiting.pressed_ms)
        else:
            self.waiting.go_on(look)

    def blink(self, _time_ms: float) -> Sequence[str]:
        """None: free dice may lie anywhere."""
        return ()

    def _follow_game(self, rows: Sequence[Row]) -> None:
        """The game went on, or back: which dice on the table count no more goes with it."""
        events = [row.event for row in rows if isinstance(row, EventRow)]
        if not events:
            return
        self._lay()
        self._touched = None
        was, self._due = self._due, self._phase()
        before, self._events = self._events, len(self._match.played)
        if self._events < before:
            self._counted.back_to(self._events)
        elif any(isinstance(event, Rolled) for event in events):
            self._unseen = "counted", before
        elif self._due[0] and (was != self._due or any(isinstance(event, Cache | Stop) for event in events)):
            self._unseen = "lay there", before

    def _phase(self) -> tuple[bool, str | None]:
        """Whether a roll is due, and whose."""
        view = self._match.view
        return view.wanted is not None, view.active

    def _awaited(self) -> AwaitedRoll | None:
        """The roll that is due."""
        wanted, cast = self._match.view.wanted, self._match.rulebook.dice.count
        if wanted is None:
            return None
        # Without a mat dice that were set aside lie where no camera sees them.
        last = self._match.last_roll if cast is None or self._mat is not None else None
        anywhere = wanted.count is None and cast is not None and self._mat is None
        mat = self._match.rulebook.mat  # on one that lies there its own places say which dice stay
        still = mat.dice.lie_still(self._match.position) if mat and mat.dice and self._mat is None else {}
        many = len(last.dice) if last else 0
        return AwaitedRoll(wanted=wanted, cast=cast, last=many, anywhere=anywhere, still=still)

    def _rest(self, frame: Frame, look: FrameState) -> None:
        """A new frame: look at the old dice first, and remember it when the table has settled."""
        self._lay()
        if look.settled:
            self._settled = frame, look
            self._lay()

    def _lay(self) -> None:
        """The dice that lay there when the table had last settled are old; until it has, that waits.

        It is no part of the way from a throw to its score: that is shown before the next frame comes.
        """
        if self._unseen is not None and self._settled is not None:
            (old, before), (frame, look) = self._unseen, self._settled
            self._unseen = None
            reading = self._reader.read(frame.picture, self.dice, frame.sharp)
            history = self._ways.trace(reading, look) if old == "counted" else None
            self._history = show_history(history, reading, self._record.number) if history else None
            # What nobody read was there all the same: it must not seem new once it is gone.
            self._ways.begin(reading if self._mat else self._ways.with_unread(reading, look), look)
            self._counted.lay(reading, old, before)
            self._rested.set_rest(frame, reading, look.scene)

    def _remember(self, frame: Frame, look: FrameState, read: Callable[[], Reading]) -> None:
        """The dice that a roll is due of came to rest as this picture shows them."""
        if (due := self._awaited()) is not None:
            self._rested.update(frame, look, read, due, self._counted)

    def _vote(self, frame: Frame) -> Reading:
        """Read a frame for `Throws`, which may name it as the one that decided, some frames later."""
        self._voters.append(replace(frame, sharp=None))  # what is kept of it is the picture that was watched
        return self._reader.read(frame.picture, self.dice, frame.sharp)

    def _take_rest(self, rest: Rest, read: Frame, look: FrameState) -> None:
        """Dice came to rest by themselves: what that means is said at the head of `vision.watch.throws`."""
        match = self._match
        match rest.change:
            case "thrown" if self._mat is None or not self._mat.only_moved():
                self._take(rest.reading, read, look)
            case "found" if self._first_counts:
                self._take(rest.reading, read, look)
            case "toppled" if not match.pending and not trouble_with(rest.reading, match.rulebook.dice):
                match.correct(as_dice(rest.reading), MOVED_ON, self._record.now())
                self._counted.lay(rest.reading, "counted")
            case "toppled":
                self._take(rest.reading, read, look)
            case "found" | "nudged" | "taken" | "thrown":
                pass

    def _take(
        self, reading: Reading, frame: Frame, look: FrameState, pressed_ms: float | None = None
    ) -> None:
        """Give a reading to the match, its picture kept first; `pressed_ms`: when ROLL DONE was."""
        match, counted, now = self._match, self._counted, self._record.now()
        if self._mat is not None and (why := self._mat.in_the_way()):
            match.refuse(why, now)
            return
        doubt, self._touched = None, None
        touched: tuple[TouchedDie, ...] = ()
        if (due := self._awaited()) is not None:
            if self._mat is None and (due.wanted.count is None or trouble_with(reading, due.wanted)):
                # As many dice as are due need no further one; and a mat has its own things on it.
                reading = self._ways.with_unread(reading, look)
            touched = self._rested.find_touched(reading, look, due, counted)
            pushed = self._pushed(reading, look, due)
            flown = self._flown(reading, look)
            reading, doubt = counted.count(
                reading, due, pressed=pressed_ms is not None, pushed=pushed, flown=flown
            )
            doubt = doubt or self._ways.doubt(look, pressed=pressed_ms is not None)
        on_their_word = counted.take_answer(reading, pressed_ms)
        if touched and not on_their_word:
            self._ask_about(touched, reading, frame, look, pressed=pressed_ms is not None)
            return
        picture = self._record.keep_picture(frame)
        self._record.accept(reading, picture, look)
        if doubt is not None and not on_their_word:
            match.doubt([(reading, picture)], MessageShown(doubt.text, "unsure", doubt.shout), now)
            counted.note_question(reading, now.steady_ms)
            return
        self._settled = frame, look
        word = AS_THEY_LIE if touched else ON_THEIR_WORD if doubt else ""
        match.read(reading, picture, now, word)

    def _pushed(
        self, reading: Reading, look: FrameState, due: AwaitedRoll
    ) -> tuple[SeenDie | UnsureDie, ...]:
        """The old dice that others pushed; only looked for where it is not clear which dice were thrown."""
        thrown = self._counted.keep_thrown(reading)
        return self._ways.pushed(reading, look) if trouble_with(thrown, due.wanted) else ()

    def _flown(self, reading: Reading, look: FrameState) -> tuple[SeenDie | UnsureDie, ...]:
        """The dice that lie almost as old ones lay, and were seen to be thrown all the same."""
        almost = self._counted.find_almost_old(reading)
        return tuple(one for one in self._ways.flown(reading, look) if one in almost) if almost else ()

    def _ask_about(
        self,
        touched: tuple[TouchedDie, ...],
        reading: Reading,
        frame: Frame,
        look: FrameState,
        *,
        pressed: bool,
    ) -> None:
        """Keep the picture of the dice as they came to rest, and that of now, and ask."""
        assert self._rested.last is not None  # noqa: S101 - else nothing is known to be touched
        rested, now = self._rested.last, self._record.now()
        before = self._record.keep_picture(rested.frame)
        number = self._record.number
        picture = self._record.keep_picture(frame)
        self._record.accept(reading, picture, look)
        asked = ask_about(touched, rested.reading, pressed=pressed)
        seen = [(rested.reading, before), (reading, picture)]
        self._match.doubt(seen, MessageShown(asked.text, "unsure", asked.shout), now)
        self._counted.note_question(reading, now.steady_ms)
        self._touched = TouchedShown(
            rested=number if before else 0,
            now=self._record.number if picture else 0,
            picture=picture,
            dice=touched,
        )
