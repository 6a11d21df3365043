"""The End Zone at the table: from frames at rest to landings that the match takes, with their evidence.

How it works. A picture is measured when the table has settled in a new scene, never else, so a still table
costs nothing and ROLL DONE finds the answer ready. What the picture shows is compared with what lay there:
a new die is a throw, and dice of the turn that lie elsewhere were hit by it. A throw goes to the match as a
landing or as a question, its picture on the disk before either can be seen. The close-up follows.
"""

from dataclasses import dataclass
from math import dist

import msgspec

from device.cameras.frames import Frame, Picture
from device.journal import Moment
from device.landings import (
    Known,
    Lies,
    Question,
    blind,
    decided_by_die,
    landing_of,
    lying_count,
    off_table,
    several,
    unmeasured,
)
from device.landings_closeups import Later
from device.landings_known import Dice, Due
from device.landings_sight import Eye, Sight, body_of, die_of
from device.match_landings import LandingMatch
from device.snapshot import LandingShown, MessageShown
from device.storage import PictureNotKept, Storage
from engine.events import Landed
from vision.landing.measured import UnmeasuredDie
from vision.landing.words import chances, nearness
from vision.pictures import jpeg_of
from vision.reading import Reading
from vision.watch import Look

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
        self._dice = Dice(known_from(match))
        self._resumed = bool(self._dice.known)
        self._frame: Frame | None = None
        self._sight: Sight | None = None
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

    def _measure(self, frame: Frame, look: Look) -> None:
        first = self._scene == 0 and not self._resumed
        self._scene, self._since_ms, self._frame = look.scene, look.still_since_ms, frame
        self._sight = self._eye.look(frame.picture)
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
        decider = new[-1] if new and self._decides(new) else None
        lies = sight.dice[decider.at] if decider else sight.dice[new[0].at] if len(new) == 1 else None
        self._number += 1
        picture, note = self._kept(frame.picture)
        body = {"picture": picture, **body_of(sight, dice.known)}
        match = self.match
        if decider is not None and match.asked is not None:
            option = decided_by_die(match.asked, decider.die.value)
            dice.pass_over([decider.id])
            if option is not None:
                match.decide(option, body, at)
        else:
            lying = lying_count(match.view)
            outcome, due = self._outcome(sight, new)
            dice.due = Due(new=due, hit=tuple(die.id for die in self._hit()), lying=lying)
            self.shown = shown(self._number, outcome, lies)
            match.land(outcome, body, at)
            self._strays = sight.unmeasured
        if lies is not None:
            self._draw_later(sight, frame.picture, lies, at)
        self.follow()
        return Taken(number=self._number, reading=sight.reading, picture=picture, note=note)

    def _decides(self, new: tuple[Known, ...]) -> bool:
        """Whether the die that is new beside the one in question is the deciding die (rule 8)."""
        asked, due = self.match.asked, self._dice.due
        if asked is None or asked.kind != "close" or due is None:
            return False
        return len(new) == 2 and new[0].id == due.new and new[1].die.value is not None

    def _outcome(self, sight: Sight, new: tuple[Known, ...]) -> tuple[Landed | Question, int]:
        """What the dice mean, and which of them is the new one."""
        if sight.blind:
            return blind(sight.moved), -1
        hit = {die.place: sight.dice[die.at] for die in self._hit()}
        if self._dice.unsure and self.match.which_matters:
            return unmeasured([self._dice.unsure]), -1
        if len(new) > 1:
            return several(len(new)), -1
        if new:
            gone = [die for die in self._dice.known if die.place and die.at < 0]
            return landing_of(sight.dice[new[0].at], hit, gone, self.match.view), new[0].id
        if strays := self._new_strays(sight):
            return unmeasured(each.reason for each in strays), -1
        return off_table(hit), -1

    def _hit(self) -> list[Known]:
        """Dice of the turn that lie elsewhere than the game knows."""
        return [die for die in self._dice.known if die.place and die.at >= 0 and die.moved]

    def _kept(self, picture: Picture) -> tuple[str, str]:
        """The picture on the disk: its name, and what went wrong."""
        try:
            return self._storage.keep_picture(self.match.game_id, self._number, jpeg_of(picture)), ""
        except PictureNotKept as error:
            return "", str(error)

    def _draw_later(self, sight: Sight, picture: Picture, lies: Lies, at: Moment) -> None:
        """Have the close-up drawn and kept; the journal names it, and then it is shown."""
        game_id, number = self.match.game_id, self._number

        def make() -> str:
            try:
                return self._storage.keep_picture(game_id, number, self._eye.evidence(picture, sight, lies))
            except PictureNotKept:  # the table's thread has said so of the picture itself
                return ""

        def done(name: str) -> None:
            if not name or not self.match.note({"said": "close-up", "text": name}, at):
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
    )


def known_from(match: LandingMatch) -> tuple[Known, ...]:
    """The dice on the table as the journal's last measurement had them."""
    if match.last_landing is None:
        return ()
    lying = lying_count(match.view)
    found = []
    for number, body in enumerate(match.last_landing["dice"], 1):
        die, place, counted = die_of(body), int(body["place"]), bool(body["counted"])
        new = not counted and match.asked is None
        found.append(
            Known(
                id=number,
                die=die,
                # The new die of a landing that was taken has the turn's last place.
                place=lying if new else place if place <= lying else 0,
                counted=counted or new,
                told=(die.value or 0, die.center_mm),
            )
        )
    return tuple(found)
