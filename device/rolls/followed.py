"""How the dice of a roll came to lie there: what is told of them, and which of them only were pushed.

How it works. The dice that count no more are kept, as they were read (`FollowedDice.begin`). When others are
read, the pictures in between tell of each where it came from (`vision.watch.history`). That takes some
70 ms, so it is told when the roll has counted, and asked before only where the dice make no roll as they
lie: a die that another pushed was not thrown. Where the camera saw only a part of it, people are asked; and
so they are of a thing of a die's size that came to lie there and that no reader saw.
"""

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from device.cameras import Frame
from device.rolls.counted import OR_PRESS, AwaitedRoll, CountedDice, Uncounted, press_again, things
from device.shown.snapshot import HistoryShown, WayShown
from device.shown.words import die_of_color
from engine.wording import phrase, phrase_count, phrase_later
from engine.words import capital, number, together
from vision.reading import Reading, SeenDie, UnsureDie
from vision.watch import (
    FollowedDie,
    FrameState,
    Stretch,
    ThrowHistory,
    TouchedDie,
    find_touched,
    find_unread,
    tell_history,
)

# Dice that a hand touched after they came to rest, and before they counted: people are asked.
#
# How it works. The dice as they last came to rest are kept, with their picture (`RestedDice.set_rest`): one
# rest, so the memory is fixed. Before dice count they are held against it (`RestedDice.find_touched`), if a
# hand was seen since. Dice of the roll that is due may not lie elsewhere, be turned or show another face
# (`vision.watch.change`). Dice that count no more may be pushed about and gathered; of those only one is
# told that was turned where it lay, for it would seem thrown. What a rulebook lets hands do is not told:
# dice that are set aside are gone from where they lay, those that could not be read may be straightened, and
# where the number is wrong nothing has come to rest that could count.

THROWN_MS = 400.0
"""What moved for longer without a hand was thrown, though it came to lie about where it lay."""
PLACES = (
    (
        phrase_later("the die at the upper left of the picture"),
        phrase_later("the die at the top of the picture"),
        phrase_later("the die at the upper right of the picture"),
    ),
    (
        phrase_later("the die at the left of the picture"),
        phrase_later("the die in the middle of the picture"),
        phrase_later("the die at the right of the picture"),
    ),
    (
        phrase_later("the die at the lower left of the picture"),
        phrase_later("the die at the bottom of the picture"),
        phrase_later("the die at the lower right of the picture"),
    ),
)
"""By rows and columns."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Rested:
    """Dice as they came to rest."""

    frame: Frame
    """The picture that was read."""
    reading: Reading
    scene: int
    """The number of the arrangement (`vision.watch.FrameState`)."""


class RestedDice:
    """How the dice of one game last came to rest. Not for several threads."""

    def __init__(self) -> None:
        """Nothing has come to rest yet."""
        self.last: Rested | None = None
        self._hand = False

    def set_rest(self, frame: Frame, reading: Reading, scene: int) -> None:
        """The dice came to rest so."""
        self.last, self._hand = Rested(frame=frame, reading=reading, scene=scene), False

    def note_hand(self, look: FrameState) -> None:
        """A new look at the table: a hand may be there."""
        self._hand = self._hand or look.state == "hand"

    def update(
        self,
        frame: Frame,
        look: FrameState,
        read: Callable[[], Reading],
        due: AwaitedRoll,
        counted: CountedDice,
    ) -> None:
        """The dice came to rest as this picture shows them, unless some were only touched since the last
        rest: then that one stays. `read` reads it, and is called once in each arrangement."""
        if self.last is not None and self.last.scene == look.scene:
            return
        reading = read()
        if not self.find_touched(reading, look, due, counted):
            self.set_rest(frame, reading, look.scene)

    def find_touched(
        self, now: Reading, look: FrameState, due: AwaitedRoll, counted: CountedDice
    ) -> tuple[TouchedDie, ...]:
        """The dice that a hand touched since they came to rest, and that should count now; `look` is of the
        picture that was read."""
        if self.last is None or not self._hand:
            return ()
        rested = self.last.reading
        fresh = counted.keep_thrown(rested)
        # Where as many came to rest as are waited for, one that seems old came to lie where another had lain.
        among = rested if not things(fresh) or things(rested) == due.count else fresh
        if things(fresh) and due.count not in (None, things(among)):
            return ()
        handled = find_touched(rested, now, among.dice)
        tumbled = look.tumbled_ms >= THROWN_MS
        if not things(fresh):
            return () if tumbled or not all(map(_in_place, handled.touched)) else _turned(handled.touched)
        if tumbled and not handled.untouched and len(handled.touched) == 1:
            return ()
        return _turned(handled.touched) if due.anywhere else handled.touched


def _in_place(one: TouchedDie) -> bool:
    return one.in_place


def _turned(touched: Sequence[TouchedDie]) -> tuple[TouchedDie, ...]:
    return tuple(one for one in touched if one.turned)


def ask_about(touched: Sequence[TouchedDie], rested: Reading, *, pressed: bool) -> Uncounted:
    """What is said of touched dice; `pressed`: ROLL DONE was."""
    names = together([name_die(one.rested, rested) for one in touched])
    one, what_to_do = touched[0], phrase(OR_PRESS, press=press_again(pressed=pressed))
    if len(touched) > 1:
        what = phrase("{dice} were touched after they came to rest.", dice=names)
    elif one.turned:
        what = phrase(
            "{die} was touched after it came to rest: it showed the {was}, and shows the {now} now.",
            die=names,
            was=one.rested.value,
            now=one.now.value,
        )
    else:
        what = phrase("{die} was touched after it came to rest: it lies otherwise now.", die=names)
    return Uncounted(text=f"{capital(what)} {what_to_do}", shout="tOUCHEd")


def name_die(die: SeenDie | UnsureDie, rested: Reading) -> str:
    """The die by its colour where no other has it, else by its place."""
    if isinstance(die, SeenDie) and Counter(one.color for one in rested.dice)[die.color] == 1:
        return die_of_color(die.color)
    across = min(2, int(3 * die.center_px[0] / rested.width_px))
    down = min(2, int(3 * die.center_px[1] / rested.height_px))
    return phrase(PLACES[down][across])


NOT_SEEN = {
    "late": phrase_later(
        "For a moment no picture came while something moved, so this throw was not seen to its end."
    ),
    "back": phrase_later("The camera's clock went back, so this throw was not seen from its beginning."),
}
FEWEST_POINTS = 2
NOTHING_SEEN = phrase_later("How the dice came to lie there was not seen.")


class FollowedDice:
    """Tells of the dice of one game how they came to lie there. Not for several threads."""

    def __init__(self) -> None:
        """Nothing was read yet."""
        self._since: tuple[float, Reading] | None = None

    def begin(self, reading: Reading, look: FrameState) -> None:
        """What lies there in that look is told of no more: histories begin here."""
        self._since = look.time_ms, reading

    def trace(self, reading: Reading, look: FrameState) -> ThrowHistory | None:
        """The history of dice that were read in that look; None where they have not come to rest since."""
        seen = self._since_rest(look)
        return tell_history(*seen, reading) if seen else None

    def with_unread(self, reading: Reading, look: FrameState) -> Reading:
        """The reading, and as unsure what else of a die's size came to lie there."""
        seen = self._since_rest(look)
        if seen is None or not (found := find_unread(*seen, reading)):
            return reading
        return replace(reading, unsure=(*reading.unsure, *found))

    def pushed(self, reading: Reading, look: FrameState) -> tuple[SeenDie | UnsureDie, ...]:
        """Those of the dice that lay there before and that others pushed."""
        history = self.trace(reading, look)
        return tuple(one.die for one in history.dice if one.origin == "pushed") if history else ()

    def flown(self, reading: Reading, look: FrameState) -> tuple[SeenDie | UnsureDie, ...]:
        """Those of the dice that were seen to be thrown, and to come from elsewhere."""
        history = self.trace(reading, look)
        if history is None:
            return ()
        return tuple(one.die for one in history.dice if one.origin == "thrown" and one.was is None)

    def doubt(self, look: FrameState, *, pressed: bool) -> Uncounted | None:
        """Why dice that came to rest in that look should be asked about; `pressed`: ROLL DONE was."""
        seen = self._since_rest(look)
        if seen is None or not seen[0].hole:
            return None
        what_to_do = phrase(OR_PRESS, press=press_again(pressed=pressed))
        return Uncounted(text=f"{phrase(NOT_SEEN[seen[0].hole])} {what_to_do}", shout="UNSURE")

    def _since_rest(self, look: FrameState) -> tuple[Stretch, Reading] | None:
        """What was seen since what was kept, and that; None where nothing has come to rest since."""
        if look.reel is None or not look.settled or self._since is None:
            return None
        since_ms, before = self._since
        stretch = look.reel.cut(since_ms, look.time_ms)
        return (stretch, before) if stretch else None


def show_history(history: ThrowHistory, reading: Reading, number_read: int) -> HistoryShown:
    """What is told of a roll: of thrown dice their number, so of several that were not seen, of the others
    each. That dice left the picture is not told: it is seen too rarely, and wrongly at times
    (`benchmarks.history`)."""
    unseen = sum(one.origin == "unknown" for one in history.dice)
    if unseen == len(history.dice) and unseen != 1:  # a lone die is named below
        return HistoryShown(reading=number_read, lines=(phrase(NOTHING_SEEN),))
    thrown = sum(one.origin == "thrown" for one in history.dice)
    lines = []
    if thrown:
        some = capital(number(thrown))
        lines.append(phrase_count("One die was thrown.", "{number} dice were thrown.", thrown, number=some))
    told = [one for one in history.dice if unseen == 1 or one.origin != "unknown"]
    lines += [line for one in told if (line := _line(one, history.dice, reading))]
    if unseen > 1:
        lines.append(
            phrase("How {number} of the dice came to lie there was not seen.", number=number(unseen))
        )
    ways = tuple(
        WayShown(name_die(one.die, reading), tuple(point.at_px for point in one.path))
        for one in history.dice
        if one.origin in ("thrown", "pushed") and len(one.path) >= FEWEST_POINTS
    )
    return HistoryShown(number_read, tuple(lines), reading.width_px, reading.height_px, ways)


def _line(one: FollowedDie, dice: Sequence[FollowedDie], reading: Reading) -> str:
    """What is told of one die; nothing of one that was thrown, or lay there."""
    name = name_die(one.die, reading)
    match one.origin:
        case "pushed":
            by = name_die(dice[one.by].die, reading) if one.by is not None else phrase("another die")
            said = phrase("{die} was pushed by {other}.", die=name, other=by)
        case "by_hand":
            said = phrase("{die} was put there or moved by a hand.", die=name)
        case "unknown":
            said = phrase("how {die} came to lie there was not seen.", die=name)
        case "thrown" | "lay":
            return ""
    return capital(said)
