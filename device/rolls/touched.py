"""Dice that a hand touched after they came to rest, and before they counted: people are asked.

How it works. The dice as they last came to rest are kept, with their picture (`RestedDice.keep`): one rest,
so the memory is fixed. Before dice count they are held against it (`RestedDice.find`), if a hand was seen
since. Dice of the roll that is due may not lie elsewhere, be turned or show another face
(`vision.watch.change`). Dice that count no more may be pushed about and gathered; of those only one is told
that was turned where it lay, for it would seem thrown. What a rulebook lets hands do is not told: dice that
are set aside are gone from where they lay, those that could not be read may be straightened, and where the
number is wrong nothing has come to rest that could count.
"""

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from device.cameras import Frame
from device.rolls.counted import OR_PRESS, AwaitedRoll, CountedDice, Uncounted, press_again, things
from device.shown.words import die_of_color
from engine.wording import phrase, phrase_later
from engine.words import capital, together
from vision.reading import Reading, SeenDie, UnsureDie
from vision.watch import Look, TouchedDie, find_touched

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
    """The number of the arrangement (`vision.watch.Look`)."""


class RestedDice:
    """How the dice of one game last came to rest. Not for several threads."""

    def __init__(self) -> None:
        """Nothing has come to rest yet."""
        self.last: Rested | None = None
        self._hand = False

    def keep(self, frame: Frame, reading: Reading, scene: int) -> None:
        """The dice came to rest so."""
        self.last, self._hand = Rested(frame=frame, reading=reading, scene=scene), False

    def see(self, look: Look) -> None:
        """A new look at the table: a hand may be there."""
        self._hand = self._hand or look.state == "hand"

    def remember(
        self,
        frame: Frame,
        look: Look,
        read: Callable[[], Reading],
        due: AwaitedRoll,
        counted: CountedDice,
    ) -> None:
        """The dice came to rest as this picture shows them, unless some were only touched since the last
        rest: then that one stays. `read` reads it, and is called once in each arrangement."""
        if self.last is not None and self.last.scene == look.scene:
            return
        reading = read()
        if not self.find(reading, look, due, counted):
            self.keep(frame, reading, look.scene)

    def find(
        self, now: Reading, look: Look, due: AwaitedRoll, counted: CountedDice
    ) -> tuple[TouchedDie, ...]:
        """The dice that a hand touched since they came to rest, and that should count now; `look` is of the
        picture that was read."""
        if self.last is None or not self._hand:
            return ()
        rested = self.last.reading
        fresh = counted.thrown(rested)
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
