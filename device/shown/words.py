"""Dice in words: what the box says of what it sees and of what it expects."""

from collections import Counter
from collections.abc import Iterable, Mapping

from engine.dice import Die, DieKind
from engine.game import GameView, Wanted
from engine.wording import phrase, phrase_count, phrase_later
from engine.words import dice_of, face_word, number, plain_dice, together
from vision.reading import Reading

DICE: Mapping[DieKind, str] = {
    "pip": phrase_later("dice"),
    "zoinx": phrase_later("Zoinx dice"),
    "bet": phrase_later("bet dice"),
    "d4": phrase_later("four-sided dice"),
}
"""Any number of dice of a kind."""

HIDDEN_TOO = phrase_later(
    "I see {seen}, and expect {expected}: one may lie on another, or out of the picture. "
    "Say what they show, or throw again."
)
"""Where dice are that were thrown and are not seen."""


COLORS: Mapping[str, str] = {
    "red": phrase_later("the red die"),
    "orange": phrase_later("the orange die"),
    "yellow": phrase_later("the yellow die"),
    "green": phrase_later("the green die"),
    "turquoise": phrase_later("the turquoise die"),
    "blue": phrase_later("the blue die"),
    "purple": phrase_later("the purple die"),
    "pink": phrase_later("the pink die"),
    "black": phrase_later("the black die"),
    "white": phrase_later("the white die"),
    "grey": phrase_later("the grey die"),
    "ivory": phrase_later("the ivory die"),
    "brown": phrase_later("the brown die"),
}


def die_of_color(color: str) -> str:
    """A die by its colour's plain word (`vision.face_place`): "the red die"."""
    return phrase(COLORS.get(color, "the {color} die"), color=color)


def wanted_dice(wanted: Wanted | None) -> str:
    """The dice a rulebook waits for: "four Zoinx dice", "six dice", or "" when none count now."""
    if wanted is None:
        return ""
    return together([_asked_for(each) for each in (wanted, *wanted.more) if each.count != 0])


def _asked_for(wanted: Wanted) -> str:
    """Where a game asks for dice, nobody calls the usual ones anything but dice."""
    if wanted.count is None:
        return phrase(DICE[wanted.kind])
    return plain_dice(wanted.count) if wanted.kind == "pip" else dice_of(wanted.count, wanted.kind)


def faces(dice: Iterable[Die]) -> str:
    """Faces for a sentence: "dot, square, dot, dot" or "4 and 1"."""
    return together([face_word(die.value) for die in dice])


def seen_dice(reading: Reading, *, usual: bool = False) -> str:
    """What lies there: "three Zoinx dice and one I cannot read (cocked)"; "no dice" on an empty table.

    `usual`: the game knows no others, so nobody says what kind they are.
    """
    counts = Counter(die.kind for die in reading.dice)
    parts = [
        plain_dice(n) if usual and kind == "pip" else dice_of(n, kind) for kind, n in sorted(counts.items())
    ]
    for reason, count in sorted(Counter(die.reason for die in reading.unsure).items()):
        alike = [die for die in reading.unsure if die.reason == reason]
        parts.append(
            phrase_count(
                "one I cannot read ({reason})",
                "{number} I cannot read ({reason})",
                count,
                number=number(count),
                reason=min(alike, key=lambda die: die.edge_px or 0.0).words(),
            )
        )
    return together(parts) if parts else phrase("no dice")


def trouble_with(reading: Reading, wanted: Wanted) -> str:
    """Why this reading is no roll for `wanted`, in a sentence; "" when it is one."""
    expected = wanted_dice(wanted)
    if not reading.dice and not reading.unsure:
        return phrase(
            "I see no dice, and expect {expected}. Throw them where the camera sees them.", expected=expected
        )
    seen = Counter(die.kind for die in reading.dice)
    if reading.unsure or not _as_many(seen, wanted):
        usual = {*seen, wanted.kind, *(each.kind for each in wanted.more)} == {"pip"}
        lies = seen_dice(reading, usual=usual)
        if not reading.unsure and _too_few(seen, wanted):
            return phrase(HIDDEN_TOO, seen=lies, expected=expected)
        return phrase(
            "I see {seen}, and expect {expected}. Say what they show, or throw again.",
            seen=lies,
            expected=expected,
        )
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
        return phrase("The game is over: no roll counts any more.")
    bettors = [each.player for each in view.allowed if each.button == "bet"]
    if bettors:
        return phrase_count(
            "Not yet: {players} still bets.",
            "Not yet: {players} still bet.",
            len(bettors),
            players=together(bettors),
        )
    return phrase("No roll is due now.")
