"""How the dice of a roll came to lie there: what is told of them, and which of them only were pushed.

How it works. The dice that count no more are kept, as they were read (`FollowedDice.keep`). When others are
read, the pictures in between tell of each where it came from (`vision.watch.history`). That takes some
70 ms, so it is told when the roll has counted, and asked before only where the dice make no roll as they
lie: a die that another pushed was not thrown. Where the camera saw only a part of it, people are asked; and
so they are of a thing of a die's size that came to lie there and that no reader saw.
"""

from collections.abc import Sequence
from dataclasses import replace

from device.rolls.counted import OR_PRESS, Uncounted, press_again
from device.rolls.touched import name_die
from device.shown.snapshot import HistoryShown, WayShown
from engine.wording import phrase, phrase_count, phrase_later
from engine.words import capital, number
from vision.reading import Reading, SeenDie, UnsureDie
from vision.watch import FollowedDie, Look, Stretch, ThrowHistory, find_unread, tell_history

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

    def keep(self, reading: Reading, look: Look) -> None:
        """What lies there in that look is told of no more: histories begin here."""
        self._since = look.time_ms, reading

    def tell(self, reading: Reading, look: Look) -> ThrowHistory | None:
        """The history of dice that were read in that look; None where they have not come to rest since."""
        seen = self._seen(look)
        return tell_history(*seen, reading) if seen else None

    def with_unread(self, reading: Reading, look: Look) -> Reading:
        """The reading, and as unsure what else of a die's size came to lie there."""
        seen = self._seen(look)
        if seen is None or not (found := find_unread(*seen, reading)):
            return reading
        return replace(reading, unsure=(*reading.unsure, *found))

    def pushed(self, reading: Reading, look: Look) -> tuple[SeenDie | UnsureDie, ...]:
        """Those of the dice that lay there before and that others pushed."""
        history = self.tell(reading, look)
        return tuple(one.die for one in history.dice if one.origin == "pushed") if history else ()

    def flown(self, reading: Reading, look: Look) -> tuple[SeenDie | UnsureDie, ...]:
        """Those of the dice that were seen to be thrown, and to come from elsewhere."""
        history = self.tell(reading, look)
        if history is None:
            return ()
        return tuple(one.die for one in history.dice if one.origin == "thrown" and one.was is None)

    def doubt(self, look: Look, *, pressed: bool) -> Uncounted | None:
        """Why dice that came to rest in that look should be asked about; `pressed`: ROLL DONE was."""
        seen = self._seen(look)
        if seen is None or not seen[0].hole:
            return None
        what_to_do = phrase(OR_PRESS, press=press_again(pressed=pressed))
        return Uncounted(text=f"{phrase(NOT_SEEN[seen[0].hole])} {what_to_do}", shout="UNSURE")

    def _seen(self, look: Look) -> tuple[Stretch, Reading] | None:
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
