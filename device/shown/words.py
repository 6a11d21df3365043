"""Dice in words: what the box says of what it sees and of what it expects."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from engine.dice import Die, DieKind
from engine.game import GameView, Wanted
from vision.reading import Reading

_NUMBERS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
HIDDEN = "one may lie on another, or out of the picture"
"""Where dice are that were thrown and are not seen."""
_KINDS: dict[DieKind, str] = {"pip": "pip", "zoinx": "Zoinx", "bet": "betting", "d4": "four-sided"}
_NAMED: dict[DieKind, str] = {**_KINDS, "pip": ""}
"""The same where a game asks for dice: nobody calls the usual ones anything but dice."""


def number(count: int) -> str:
    """Small numbers as words: 3 is "three", 12 is "12"."""
    return _NUMBERS[count] if count < len(_NUMBERS) else str(count)


def dice_of(kind: DieKind, count: int, named: Mapping[DieKind, str] = _KINDS) -> str:
    """A count of dice of one kind: (zoinx, 4) is "four Zoinx dice"."""
    return " ".join(filter(None, (number(count), named[kind], "die" if count == 1 else "dice")))


def wanted_dice(wanted: Wanted | None) -> str:
    """The dice a rulebook waits for: "four Zoinx dice", "six dice", or "" when none count now."""
    if wanted is None:
        return ""
    kinds = (wanted, *wanted.more)
    return join_words(
        [
            f"{_NAMED[w.kind]} dice".strip() if w.count is None else dice_of(w.kind, w.count, _NAMED)
            for w in kinds
            if w.count != 0
        ]
    )


def join_words(parts: Sequence[str]) -> str:
    """A list as people say it: "a, b and c"."""
    return " and ".join([", ".join(parts[:-1]), parts[-1]] if len(parts) > 1 else list(parts))


def faces(dice: Iterable[Die]) -> str:
    """Faces for a sentence: "dot, square, dot, dot" or "4 and 1"."""
    return join_words([str(die.value) for die in dice])


def seen_dice(reading: Reading, named: Mapping[DieKind, str] = _KINDS) -> str:
    """What lies there: "three Zoinx dice and one I cannot read (cocked)"; "no dice" on an empty table."""
    counts = Counter(die.kind for die in reading.dice)
    parts = [dice_of(kind, count, named) for kind, count in sorted(counts.items())]
    for reason, count in sorted(Counter(die.reason for die in reading.unsure).items()):
        parts.append(f"{number(count)} I cannot read ({reason})")
    return join_words(parts) if parts else "no dice"


def trouble_with(reading: Reading, wanted: Wanted) -> str:
    """Why this reading is no roll for `wanted`, in a sentence; "" when it is one."""
    expected = wanted_dice(wanted)
    if not reading.dice and not reading.unsure:
        return f"I see no dice, and expect {expected}. Throw them where the camera sees them."
    seen = Counter(die.kind for die in reading.dice)
    if reading.unsure or not _as_many(seen, wanted):
        missing = not reading.unsure and _too_few(seen, wanted)
        hint = f": {HIDDEN}" if missing else ""
        usual = {*seen, wanted.kind, *(each.kind for each in wanted.more)} == {"pip"}
        lies = seen_dice(reading, _NAMED if usual else _KINDS)
        return f"I see {lies}, and expect {expected}{hint}. Say what they show, or throw again."
    return ""


def _too_few(seen: Mapping[DieKind, int], wanted: Wanted) -> bool:
    """Whether dice are missing, and none is there beside those that are waited for."""
    kinds = {each.kind: each.count for each in (wanted, *wanted.more)}
    return all(kind in kinds and count <= (kinds[kind] or count) for kind, count in seen.items())


def _as_many(seen: Mapping[DieKind, int], wanted: Wanted) -> bool:
    """Whether just the wanted dice were seen, none too few, too many or of another kind."""
    kinds = {each.kind: each.count for each in (wanted, *wanted.more)}
    if not seen:
        return False
    return all(kind in kinds for kind in seen) and all(
        count is None or seen.get(kind, 0) == count for kind, count in kinds.items()
    )


def as_dice(reading: Reading) -> tuple[Die, ...]:
    """The read dice as the engine knows them, left to right."""
    return tuple(die.die for die in reading.dice)


def why_no_roll(view: GameView) -> str:
    """Why no roll counts now, in a sentence."""
    if view.ending:
        return "The game is over: no roll counts any more."
    if any(each.button == "bet" for each in view.allowed):
        waiting = join_words([each.player for each in view.allowed if each.button == "bet"])
        return f"Not yet: {waiting} still {'bets' if ' and ' not in waiting else 'bet'}."
    return "No roll is due now."
