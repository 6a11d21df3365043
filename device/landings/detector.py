"""Detects throws at the End Zone: from frames at rest to landings that the match takes, with their evidence.

How it works. A picture is measured when the table has settled in a new scene, never else, so a still table
costs nothing and ROLL DONE finds the answer ready. What the picture shows is compared with what lay there:
a new die is a throw, and dice of the turn that lie elsewhere were hit by it. A throw goes to the match as a
landing or as a question, its picture on the disk before either can be seen. The close-up follows. With a
camera over each End Zone this is still one table: a frame has both pictures, a sight the dice of both ends.
"""

from collections.abc import Sequence
from concurrent.futures import Executor
from dataclasses import dataclass, replace
from math import dist
from typing import Literal

import msgspec

from calibration.ends import End
from device.cameras import Frame
from device.journal import Moment
from device.journal.rows import EventRow, Question, Row
from device.landings.background import Later
from device.landings.match import LandingMatch
from device.landings.questions import (
    TrackedDie,
    aim_of,
    as_thrown,
    blind,
    counts,
    decided_by_die,
    doubted,
    knocked_off,
    off_already,
    off_before_it_counts,
    off_table,
    several,
    thrown,
    unmeasured,
)
from device.landings.sight import SeesLandings, keep_sight
from device.landings.watched import WatchedThrow
from device.match.throw_detector import DetectorState, Record, Waiting
from device.shown.snapshot import LandingShown, MessageShown
from engine.events import Landed
from vision.landing import CalledDie, Sight
from vision.landing.call import chances, nearness
from vision.landing.follow import follow_dice
from vision.reading import UnsureDie
from vision.watch import FrameState

# A camera that was shoved shows the table from elsewhere, which passes for a hand at first.

SHOVED_MS = 3000.0
"""What covers the picture for so long without moving is perhaps no hand: it is the table, from elsewhere."""


class DoubtedHand:
    """Asks the eye, once for each hand that does not move, whether the camera was shoved."""

    def __init__(self, eye: SeesLandings) -> None:
        self._eye = eye
        self._asked, self._since_ms = False, 0.0
        """Whether it was asked already about the hand that has kept still since then."""
        self.doubt = ""
        """Why a hand that does not move may be none, in a sentence for people; "" when nothing says so."""

    def update(self, frame: Frame, look: FrameState) -> None:
        """A new frame, and what the watch says of it."""
        if look.state != "hand" or look.still_since_ms != self._since_ms:
            self.doubt = ""
        elif not self._asked and look.time_ms - look.still_since_ms >= SHOVED_MS:
            self._asked, self.doubt = True, self._eye.shoved(frame.picture, frame.far)
        if look.still_since_ms != self._since_ms:
            self._asked, self._since_ms = False, look.still_since_ms


# Which die is which at the End Zone, from rest to rest and from landing to landing.
#
# Dice of the running turn are followed as `vision.landing.follow` does it; one that counts no more is known
# again where it lies, and anywhere else it was picked up and thrown. What the game has been told of each die
# (its number in the turn, its face, its place) is kept with it, and comes back with an UNDO.

NUDGED_MM = 25.0
"""A die that counts no more is known again after a push of so much; further off it was picked up."""


def known_again(
    before: Sequence[TrackedDie], dice: Sequence[CalledDie], fresh: int
) -> tuple[tuple[TrackedDie, ...], str]:
    """The dice now, the old ones first: known again, or not found (`at` is -1); new ones count from `fresh`.

    Also says, in a sentence, when it cannot be told which die is which.
    """
    old = [die for die in before if not die.place]
    pairs = _where_they_lay(old, dice)
    rest = [at for at in range(len(dice)) if at not in pairs.values()]
    playing = [die for die in before if die.place]
    change = follow_dice([die.die for die in playing], [dice[at].die for at in rest])
    for at, was in zip(rest, change.was, strict=True):
        if was is not None:
            pairs[playing[was].id] = at
    found = [_again(die, dice, pairs.get(die.id, -1)) for die in before]
    new = [at for at in rest if at not in pairs.values()]
    found += [TrackedDie(id=fresh + count, die=dice[at].die, at=at) for count, at in enumerate(new)]
    return tuple(found), change.unsure


def _where_they_lay(old: Sequence[TrackedDie], dice: Sequence[CalledDie]) -> dict[int, int]:
    """Identity to index of dice that count no more and lie where they lay, nearest first."""
    ways = sorted(
        (dist(one.die.center_mm, lies.die.center_mm), one.id, at)
        for one in old
        for at, lies in enumerate(dice)
        if (one.die.color, one.die.value) == (lies.die.color, lies.die.value)
    )
    pairs: dict[int, int] = {}
    for way_mm, identity, at in ways:
        if way_mm <= NUDGED_MM and identity not in pairs and at not in pairs.values():
            pairs[identity] = at
    return pairs


def _again(old: TrackedDie, dice: Sequence[CalledDie], at: int) -> TrackedDie:
    return replace(old, at=-1) if at < 0 else replace(old, at=at, die=dice[at].die, asked_for=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class Due:
    """A throw that has been given to the game, or asked about: which die is new, and which it hit."""

    new: int
    """Its identity; -1 for one that is off the table or was not measured."""
    hit: tuple[int, ...]
    lying: int
    """How many dice of the turn lay there before."""
    gone: tuple[int, ...] = ()
    """Dice of the turn that were not found again, and that people were asked about."""


@dataclass(frozen=True, slots=True)
class _Past:
    """The dice before a landing, and the game's position then."""

    line: str
    known: tuple[TrackedDie, ...]


class TrackedDice:
    """The dice on the table through a game. Knows positions of the game by their lines alone."""

    def __init__(self, known: Sequence[TrackedDie] = ()) -> None:
        """`known`: the dice that the journal had lying there."""
        self.known = tuple(known)
        self.due: Due | None = None
        self.unsure = ""
        """Why it cannot be told which die is which, in a sentence."""
        self._fresh = max((die.id for die in known), default=0) + 1
        self._line = ""
        self._pasts: list[_Past] = []

    @property
    def new(self) -> tuple[TrackedDie, ...]:
        """Dice that lie there and have not counted yet."""
        return tuple(die for die in self.known if die.at >= 0 and not die.counted)

    @property
    def stay(self) -> int:
        """How many dice on the table stay for the next throw: those of the turn, and the one asked about."""
        due = self.due.new if self.due else -1
        return sum(die.at >= 0 and (die.place > 0 or die.id == due) for die in self.known)

    def update(self, dice: Sequence[CalledDie], *, all_counted: bool = False) -> None:
        """Take a new measurement in. `all_counted`: what lies there was there before, and is no throw."""
        known, self.unsure = known_again(self.known, dice, self._fresh)
        self._fresh += max(0, len(known) - len(self.known))
        # What is gone and no die of the turn is forgotten; a die of the turn may be asked for.
        kept = [die for die in known if die.at >= 0 or die.place]
        self.known = tuple(replace(die, counted=True) if all_counted else die for die in kept)

    def aim(self, identity: int, aim: End | Literal[""]) -> None:
        """That die was thrown to that end."""
        self.known = tuple(replace(die, aim=aim) if die.id == identity else die for die in self.known)

    def pass_over(self, ids: Sequence[int]) -> None:
        """These dice have done what they were thrown for, and count no more."""
        self.known = tuple(replace(die, counted=True) if die.id in ids else die for die in self.known)

    def follow(self, line: str, lying: int, *, asking: bool) -> None:
        """The game may have gone on, or back: the dice go with it. `lying`: so many are of the turn."""
        if line == self._line:
            return
        was, self._line = self._line, line
        for depth, past in enumerate(self._pasts):
            if past.line == line:
                self._back_to(past)
                del self._pasts[depth:]
                return
        if self.due is not None and not asking:
            self._pasts.append(_Past(was, self.known))
            self._count(self.due)
        self.known = tuple(replace(die, place=0) if die.place > lying else die for die in self.known)

    def _count(self, due: Due) -> None:
        """The landing was taken: its die has a place in the turn, and what it hit lies as it lies."""
        self.due = None
        self.known = tuple(
            replace(
                die,
                counted=True,
                place=due.lying + 1 if die.id == due.new else die.place,
                told=(die.die.value or 0, die.die.center_mm),
            )
            if die.id == due.new or die.id in due.hit
            else replace(die, asked_for=die.asked_for or die.id in due.gone)
            for die in self.known
        )

    def _back_to(self, past: _Past) -> None:
        """As before a landing that was taken back: its die is a new one again, if it still lies there."""
        self.due = None
        was = {die.id: die for die in past.known}
        self.known = tuple(
            replace(die, place=then.place, counted=then.counted, told=then.told, asked_for=then.asked_for)
            if (then := was.get(die.id))
            else die
            for die in self.known
        )


STRAY_PX = 25.0
"""Something that cannot be measured and lies so near to where something lay before is the same."""


@dataclass(frozen=True, slots=True)
class _Rest:
    """A rest that was measured: what was seen in its frame, at that look."""

    frame: Frame
    look: FrameState
    sight: Sight


class LandingThrowDetector:
    """One game's throws at one End Zone."""

    def __init__(
        self,
        match: LandingMatch,
        eye: SeesLandings,
        later: Later,
        record: Record,
        executor: Executor,
        *,
        by_itself: bool,
        first_counts: bool,
    ) -> None:
        """`later` has the close-ups drawn, `executor` runs the search for where a die was let go.

        `by_itself`: throws count as soon as they lie still, without ROLL DONE. `first_counts`: dice that lie
        there at the first picture were thrown (a film), not left over from before (a table).
        """
        self._match = match
        self._eye = eye
        self._later = later
        self._record = record
        self._by_itself = by_itself
        self._first_counts = first_counts
        self._hand = DoubtedHand(eye)
        self._dice = TrackedDice(known_from(match))
        self._resumed = bool(self._dice.known)
        self._rest: _Rest | None = None
        self._watched = WatchedThrow(eye, executor)
        self._strays: tuple[UnsureDie, ...] = ()
        """What lay there before and is no die, or none that could be measured."""
        self._landing: LandingShown | None = None
        """The last throw, for the console."""
        self.waiting = Waiting()
        new = [die.id for die in self._dice.known if not die.counted]
        if match.questions.pending is not None and len(new) == 1:
            hit = tuple(die.id for die in self._dice.known if die.place)
            self._dice.due = Due(new=new[0], hit=hit, lying=match.moment.lying)
        self._follow_dice()
        match.subscribe(self._follow_game)

    @property
    def state(self) -> DetectorState:
        """The last throw, what is asked about it, and what has moved."""
        return DetectorState(
            taken=self._record.taken,
            fresh=self._record.fresh,
            in_the_way=self._moved(),
            asks=self._match.questions.pending is not None,
            landing=self._landing,
            stay=self._dice.stay,
        )

    def detect(self, frame: Frame, look: FrameState) -> None:
        """Measure a new frame if dice have come to rest in it."""
        self._record.note_motion(look)
        self._hand.update(frame, look)
        self._watched.update(frame, look)
        if self.waiting.on:
            self.detect_now(frame, look)
        elif look.settled:
            rest, by_itself = self._rest, self._by_itself
            fresh = rest is None or look.scene != rest.look.scene
            if rest is None or fresh:
                rest = self._measure(frame, look)
            if by_itself and self._match.view.wanted is None:
                self._dice.pass_over([die.id for die in self._dice.new])
            elif by_itself and fresh and (self._dice.new or self._new_strays(rest.sight)):
                self._throw(rest, self._record.now())
            elif by_itself and not fresh and self._went_off(look):
                self._throw(self._measure(frame, look), self._record.now())

    def detect_now(self, frame: Frame, look: FrameState) -> None:
        """ROLL DONE was pressed: take what lies there, now or once it lies still."""
        if not look.settled:
            self.waiting.go_on(look)
            return
        self.waiting.end()
        rest = self._rest
        since = look.scene, look.still_since_ms
        if rest is None or since != (rest.look.scene, rest.look.still_since_ms):
            rest = self._measure(frame, look)
        self._throw(rest, self._record.now())

    def blink(self, _time_ms: float) -> Sequence[str]:
        """None: what lies where it may not is asked about."""
        return ()

    # Inside

    def _follow_game(self, rows: Sequence[Row]) -> None:
        """The game went on, or back, or a question was answered: the dice on the table go with it."""
        if any(isinstance(row, EventRow) for row in rows):
            self._follow_dice()
        elif self._match.questions.pending is None:
            self._dice.due = None  # the throw that was asked about was taken back

    def _follow_dice(self) -> None:
        match = self._match
        self._dice.follow(self._match.line, match.moment.lying, asking=match.questions.pending is not None)

    def _moved(self) -> MessageShown:
        """What has moved since the calibration; an alarm where nothing can be called for it."""
        sight = self._rest.sight if self._rest else None
        if self._hand.doubt:
            return MessageShown(self._hand.doubt, "unsure")
        if sight is None or not sight.moved:
            return MessageShown()
        return MessageShown(sight.moved, "alarm", "drIFt") if sight.blind else MessageShown(sight.moved)

    def _went_off(self, look: FrameState) -> bool:
        """Whether a die was seen to leave the table since the last throw, and nothing is asked of it yet."""
        if self._match.questions.pending is not None or self._match.view.wanted is None or self._dice.new:
            return False
        left = self._watched.find_departure(look)
        return left.done() and left.result() is not None

    def _measure(self, frame: Frame, look: FrameState) -> _Rest:
        before = self._rest is None and not self._resumed and not self._first_counts
        sight = self._eye.look(frame.picture, frame.far)
        self._rest = _Rest(frame, look, sight)
        self._watched.note_rest(look)
        if not sight.blind:
            self._dice.update(sight.dice, all_counted=before)
            self._strays = sight.unmeasured if before else self._strays
            if len(new := self._dice.new) == 1:
                self._watched.begin_slide_search(sight.dice[new[0].at], sight, frame, look)
        return self._rest

    def _new_strays(self, sight: Sight) -> list[UnsureDie]:
        """What cannot be measured, where nothing lay before."""
        return [
            one
            for one in sight.unmeasured
            if all(dist(one.center_px, old.center_px) > STRAY_PX for old in self._strays)
        ]

    def _throw(self, rest: _Rest, at: Moment) -> None:
        """Give what lies there to the match, its picture kept first."""
        sight, dice, match = rest.sight, self._dice, self._match
        wanted, new = self._match.view.wanted, dice.new
        number_alone = wanted is not None and not wanted.landing
        picture = self._record.keep_picture(rest.frame)
        number = self._record.number
        asked = match.questions.pending
        if asked is not None and not sight.blind and self._decides(asked, new):
            decider = new[-1]
            lies: CalledDie | None = sight.dice[decider.at]
            option = decided_by_die(asked, decider.die.value)
            kept = keep_sight(sight, dice.known, picture, number)
            dice.pass_over([decider.id])
            number_alone = True
            if option is not None:
                match.decide(option, kept, at)
        else:
            lying = match.moment.lying
            outcome, lies = self._outcome(rest, new)
            kept = keep_sight(sight, dice.known, picture, number)
            due = new[0].id if lies else -1
            hit = tuple(die.id for die in self._hit())
            gone = isinstance(outcome, Question) and outcome.kind == "gone"
            dice.due = Due(
                new=due, hit=hit, lying=lying, gone=tuple(die.id for die in self._gone()) if gone else ()
            )
            self._landing = describe_landing(number, outcome, lies, number_alone=number_alone)
            match.land(outcome, kept, at)
            if match.questions.pending is None:
                dice.due = None  # it counts, or the journal did not take it
            self._strays = sight.unmeasured
        if lies is not None:
            self._draw_later(rest, lies, at, number_alone=number_alone)
        self._watched.end_throw(rest.look)
        self._record.accept(sight.reading, picture, rest.look)

    def _decides(self, asked: Question, new: tuple[TrackedDie, ...]) -> bool:
        """Whether the die that is new beside the one in question is the deciding die (rule 8)."""
        due = self._dice.due
        if asked.kind != "close" or due is None:
            return False
        return len(new) == 2 and new[0].id == due.new and new[1].die.value is not None

    def _outcome(
        self, rest: _Rest, new: tuple[TrackedDie, ...]
    ) -> tuple[Landed | Question, CalledDie | None]:
        """What the dice mean, and the new one among them."""
        sight = rest.sight
        if sight.blind:
            return blind(sight.moved), None
        hit = {die.place: sight.dice[die.at] for die in self._hit()}
        if self._dice.unsure and self._match.moment.tells_apart:
            return unmeasured([self._dice.unsure]), None
        if len(new) > 1:
            return several(len(new)), None
        if new:
            return self._landed(rest, new[0], hit)
        if strays := self._new_strays(sight):
            return unmeasured(each.reason for each in strays), None
        return self._nothing_new(rest, hit), None

    def _nothing_new(self, rest: _Rest, hit: dict[int, CalledDie]) -> Question:
        """What is asked when no die has come to lie on the table."""
        wanted = self._match.view.wanted
        if wanted is not None and not wanted.landing:
            return off_before_it_counts()
        return off_table(hit, self._watched.find_departure(rest.look).result())

    def _landed(
        self, rest: _Rest, new: TrackedDie, hit: dict[int, CalledDie]
    ) -> tuple[Landed | Question, CalledDie]:
        """What the one new die means."""
        known, lies, view = self._dice.known, rest.sight.dice[new.at], self._match.view
        aim = aim_of(lies, hit, known, rest.look, view)
        self._dice.aim(new.id, aim or "")
        outcome = thrown(lies, hit, self._gone(), view, aim)
        if isinstance(outcome, Question) and outcome.kind == "gone":
            outcome = knocked_off(outcome, self._watched.find_departure(rest.look).result())
        if view.wanted is not None and view.wanted.landing and counts(outcome):
            release = self._watched.wait_for_release(rest.look, aim) if aim else None
            outcome = doubted(outcome, release, self._watched.wait_for_slide(lies))
        return outcome, as_thrown(lies, aim or "")

    def _gone(self) -> list[TrackedDie]:
        """Dice of the turn that are not found again, and that nobody was asked about."""
        off = off_already(self._match.played, self._match.moment.lying)
        return [
            die
            for die in self._dice.known
            if die.place and die.at < 0 and not die.asked_for and die.place not in off
        ]

    def _hit(self) -> list[TrackedDie]:
        """Dice of the turn that lie elsewhere than the game knows."""
        return [die for die in self._dice.known if die.place and die.at >= 0 and die.moved]

    def _draw_later(self, rest: _Rest, lies: CalledDie, at: Moment, *, number_alone: bool) -> None:
        """Have the close-up drawn and kept; the journal names it, and then it is shown."""
        number = self._record.number

        def make() -> str:
            frame = rest.frame
            drawn = self._eye.evidence(rest.sight, lies, frame.picture, frame.far, number_alone=number_alone)
            return self._record.keep_close_up(number, drawn)

        def done(name: str) -> None:
            if not name or not self._match.close_up(name, at):
                return
            if self._landing is not None and self._landing.number == number:
                self._landing = msgspec.structs.replace(self._landing, evidence=name)

        self._later(make, done)


def describe_landing(
    number: int, outcome: Landed | Question, lies: CalledDie | None, *, number_alone: bool
) -> LandingShown:
    """A throw for the console; `number_alone`: it was rolled for who goes first."""
    if lies is None:
        return LandingShown(number=number, call="asked")
    if number_alone:
        call: Literal["certain", "asked"] = "asked" if isinstance(outcome, Question) else "certain"
        seen = lies.die
        return LandingShown(
            number=number, call=call, value=seen.value, rolled=True, color=seen.color, note=seen.note
        )
    made, die = lies.call, lies.die
    foul = isinstance(outcome, Question) and outcome.kind == "foul"
    return LandingShown(
        number=number,
        call="asked" if isinstance(outcome, Question) else "certain",
        value=die.value,
        zone=made.zone,
        score=made.score,
        probability=made.probability,
        line="" if foul else made.nearest_line,
        gap=f"{nearness(made)} {chances(made)}",
        dot=bool(made.dot and isinstance(outcome, Landed) and outcome.dot),
        color=die.color,
        note=die.note,
        end=lies.end,
    )


def known_from(match: LandingMatch) -> tuple[TrackedDie, ...]:
    """The dice on the table as the journal's last measurement had them."""
    if match.questions.last is None:
        return ()
    lying = match.moment.lying
    found = []
    for number, kept in enumerate(match.questions.last.dice, 1):
        place = kept.place
        new = not kept.counted and match.questions.pending is None and not match.questions.withdrawn
        found.append(
            TrackedDie(
                id=number,
                die=kept,
                # The new die of a landing that was taken has the turn's last place.
                place=lying if new else place if place <= lying else 0,
                counted=kept.counted or new,
                told=(kept.value or 0, kept.center_mm),
                aim=kept.aim,
            )
        )
    return tuple(found)
