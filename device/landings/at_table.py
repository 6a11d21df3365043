"""The End Zone at the table: from frames at rest to landings that the match takes, with their evidence.

How it works. A picture is measured when the table has settled in a new scene, never else, so a still table
costs nothing and ROLL DONE finds the answer ready. What the picture shows is compared with what lay there:
a new die is a throw, and dice of the turn that lie elsewhere were hit by it. A throw goes to the match as a
landing or as a question, its picture on the disk before either can be seen. The close-up follows. With a
camera over each End Zone this is still one table: a frame has both pictures, a sight the dice of both ends.
"""

from dataclasses import dataclass
from math import dist

import msgspec

from device.cameras import Frame
from device.journal import Moment, PictureNotKept, Storage
from device.landings.aim import aim_of, as_thrown, thrown
from device.landings.close_ups import Later
from device.landings.match import LandingMatch
from device.landings.questions import (
    Lies,
    Question,
    TrackedDie,
    blind,
    decided_by_die,
    lying_count,
    off_table,
    several,
    unmeasured,
)
from device.landings.sight import Eye, Sight, body_of, die_of
from device.landings.tracking import Due, TrackedDice
from device.snapshot import LandingShown, MessageShown
from engine.events import Landed
from vision.landing import UnmeasuredDie
from vision.landing.words import chances, nearness
from vision.pictures import jpeg_of
from vision.reading import Reading
from vision.watch import Look

SHOVED_MS = 3000.0
"""What covers the picture for so long without moving is perhaps no hand: it is the table, from elsewhere."""
STRAY_PX = 25.0
"""Something that cannot be measured and lies so near to where something lay before is the same."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Taken:
    """A throw that was given to the match."""

    number: int
    reading: Reading
    picture: str
    """The name of the picture that was measured; "" when the disk did not take it."""
    note: str
    """What went wrong with keeping it, for people."""


class Landings:
    """One game's throws at one End Zone. The table's thread is its only caller."""

    def __init__(
        self, eye: Eye, storage: Storage, match: LandingMatch, later: Later, *, first_counts: bool
    ) -> None:
        """`first_counts`: dice that lie there at the first picture were thrown (a film)."""
        self._later = later
        self._eye = eye
        self._storage = storage
        self.match = match
        self._first_counts = first_counts
        self._dice = TrackedDice(known_from(match))
        self._resumed = bool(self._dice.known)
        self._frame: Frame | None = None
        self._sight: Sight | None = None
        self._look: Look | None = None
        """At which it was measured."""
        self._shoved = ""
        """Why a hand that does not move may be none."""
        self._doubted, self._doubted_ms = False, 0.0
        """Whether that was asked already of the rest that began then."""
        self._scene = 0
        self._since_ms = 0.0
        self._strays: tuple[UnmeasuredDie, ...] = ()
        """What lay there before and is no die, or none that could be measured."""
        self._number = match.readings
        self.shown: LandingShown | None = None
        """The last throw, for the console."""
        new = [die.id for die in self._dice.known if not die.counted]
        if match.asked is not None and len(new) == 1:
            hit = tuple(die.id for die in self._dice.known if die.place)
            self._dice.due = Due(new=new[0], hit=hit, lying=lying_count(match.view))
        self.follow()

    @property
    def moved(self) -> MessageShown:
        """What has moved since the calibration; an alarm where nothing can be called for it."""
        if self._shoved:
            return MessageShown(self._shoved, "unsure")
        if self._sight is None or not self._sight.moved:
            return MessageShown()
        if self._sight.blind:
            return MessageShown(self._sight.moved, "alarm", "drIFt")
        return MessageShown(self._sight.moved)

    @property
    def stay(self) -> int:
        """How many dice on the table stay for the next throw."""
        return self._dice.stay

    def follow(self) -> None:
        """The game may have gone on, or back."""
        self._dice.follow(self.match.line, self.match.view, asking=self.match.asked is not None)

    def see(self, frame: Frame, look: Look, at: Moment, *, asked: bool, by_itself: bool) -> Taken | None:
        """Take a frame in. `asked`: ROLL DONE waits for it; `by_itself`: throws count without it."""
        self._doubt_hand(frame, look)
        if not look.settled:
            return None
        fresh = look.scene != self._scene
        if fresh or (asked and look.still_since_ms != self._since_ms):
            self._measure(frame, look)
        if self._sight is None or self._frame is None:
            return None
        if asked:
            return self._throw(self._sight, self._frame, at)
        waits = self.match.view.wanted is not None
        if by_itself and fresh and waits and (self._dice.new or self._new_strays(self._sight)):
            return self._throw(self._sight, self._frame, at)
        if by_itself and not waits:
            self._dice.pass_over([die.id for die in self._dice.new])
        return None

    def _doubt_hand(self, frame: Frame, look: Look) -> None:
        """A camera that was shoved shows the table from elsewhere, which passes for a hand at first."""
        if look.state != "hand" or look.still_since_ms != self._doubted_ms:
            self._shoved = ""
        elif not self._doubted and look.time_ms - look.still_since_ms >= SHOVED_MS:
            self._doubted, self._shoved = True, self._eye.shoved(frame)
        if look.still_since_ms != self._doubted_ms:
            self._doubted, self._doubted_ms = False, look.still_since_ms

    def _measure(self, frame: Frame, look: Look) -> None:
        first = self._scene == 0 and not self._resumed
        self._scene, self._since_ms, self._frame, self._look = look.scene, look.still_since_ms, frame, look
        self._sight = self._eye.look(frame)
        if self._sight.blind:
            return
        before = first and not self._first_counts
        self._dice.see(self._sight.dice, all_counted=before)
        self._strays = self._sight.unmeasured if before else self._strays

    def _new_strays(self, sight: Sight) -> list[UnmeasuredDie]:
        """What cannot be measured, where nothing lay before."""
        return [
            one
            for one in sight.unmeasured
            if all(dist(one.center_px, old.center_px) > STRAY_PX for old in self._strays)
        ]

    def _throw(self, sight: Sight, frame: Frame, at: Moment) -> Taken:
        """Give what lies there to the match."""
        dice, new = self._dice, self._dice.new
        decider = new[-1] if self._decides(new) and not sight.blind else None
        self._number += 1
        picture, note = self._kept(frame)
        match, lies = self.match, sight.dice[decider.at] if decider else None
        kept = {"picture": picture, "number": self._number}
        if decider is not None and match.asked is not None:
            option = decided_by_die(match.asked, decider.die.value)
            body = {**kept, **body_of(sight, dice.known)}
            dice.pass_over([decider.id])
            if option is not None:
                match.decide(option, body, at)
        else:
            lying = lying_count(match.view)
            outcome, lies = self._outcome(sight, new)
            body = {**kept, **body_of(sight, dice.known)}
            due = new[0].id if lies else -1
            dice.due = Due(new=due, hit=tuple(die.id for die in self._hit()), lying=lying)
            self.shown = shown(self._number, outcome, lies)
            match.land(outcome, body, at)
            self._strays = sight.unmeasured
        if lies is not None:
            self._draw_later(sight, frame, lies, at)
        self.follow()
        return Taken(number=self._number, reading=sight.reading, picture=picture, note=note)

    def _decides(self, new: tuple[TrackedDie, ...]) -> bool:
        """Whether the die that is new beside the one in question is the deciding die (rule 8)."""
        asked, due = self.match.asked, self._dice.due
        if asked is None or asked.kind != "close" or due is None:
            return False
        return len(new) == 2 and new[0].id == due.new and new[1].die.value is not None

    def _outcome(self, sight: Sight, new: tuple[TrackedDie, ...]) -> tuple[Landed | Question, Lies | None]:
        """What the dice mean, and the new one among them."""
        if sight.blind:
            return blind(sight.moved), None
        hit = {die.place: sight.dice[die.at] for die in self._hit()}
        if self._dice.unsure and self.match.which_matters:
            return unmeasured([self._dice.unsure]), None
        if len(new) > 1:
            return several(len(new)), None
        if new:
            return self._landed(sight, new[0], hit)
        if strays := self._new_strays(sight):
            return unmeasured(each.reason for each in strays), None
        return off_table(hit), None

    def _landed(self, sight: Sight, new: TrackedDie, hit: dict[int, Lies]) -> tuple[Landed | Question, Lies]:
        """What the one new die means."""
        known, lies, view = self._dice.known, sight.dice[new.at], self.match.view
        gone = [die for die in known if die.place and die.at < 0]
        aim = aim_of(lies, hit, known, self._look, view) if self._look else ""
        self._dice.aim(new.id, aim or "")
        return thrown(lies, hit, gone, view, aim), as_thrown(lies, aim or "")

    def _hit(self) -> list[TrackedDie]:
        """Dice of the turn that lie elsewhere than the game knows."""
        return [die for die in self._dice.known if die.place and die.at >= 0 and die.moved]

    def _kept(self, frame: Frame) -> tuple[str, str]:
        """The picture on the disk: its name, and what went wrong."""
        try:
            return self._storage.keep_picture(self.match.game_id, self._number, jpeg_of(frame.whole)), ""
        except PictureNotKept as error:
            return "", str(error)

    def _draw_later(self, sight: Sight, frame: Frame, lies: Lies, at: Moment) -> None:
        """Have the close-up drawn and kept; the journal names it, and then it is shown."""
        game_id, number = self.match.game_id, self._number

        def make() -> str:
            try:
                return self._storage.keep_picture(game_id, number, self._eye.evidence(frame, sight, lies))
            except PictureNotKept:  # the table's thread has said so of the picture itself
                return ""

        def done(name: str) -> None:
            if not name or not self.match.close_up(name, at):
                return
            if self.shown is not None and self.shown.number == number:
                self.shown = msgspec.structs.replace(self.shown, evidence=name)

        self._later(make, done)


def shown(number: int, outcome: Landed | Question, lies: Lies | None) -> LandingShown:
    """A throw for the console."""
    if lies is None:
        return LandingShown(number=number, call="asked")
    made, die = lies.call, lies.die
    return LandingShown(
        number=number,
        call="asked" if isinstance(outcome, Question) else "certain",
        value=die.value,
        zone=made.zone,
        score=made.score,
        probability=made.probability,
        line=made.nearest_line,
        gap=f"{nearness(made)} {chances(made)}",
        dot=bool(made.dot and isinstance(outcome, Landed) and outcome.dot),
        color=die.color,
        note=die.note,
        end=lies.end,
    )


def known_from(match: LandingMatch) -> tuple[TrackedDie, ...]:
    """The dice on the table as the journal's last measurement had them."""
    if match.last_landing is None:
        return ()
    lying = lying_count(match.view)
    found = []
    for number, body in enumerate(match.last_landing["dice"], 1):
        die, place, counted = die_of(body), int(body["place"]), bool(body["counted"])
        new = not counted and match.asked is None
        found.append(
            TrackedDie(
                id=number,
                die=die,
                # The new die of a landing that was taken has the turn's last place.
                place=lying if new else place if place <= lying else 0,
                counted=counted or new,
                told=(die.value or 0, die.center_mm),
                aim=body.get("aim", ""),
            )
        )
    return tuple(found)
