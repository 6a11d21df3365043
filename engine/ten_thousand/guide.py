"""Ten Thousand put to people: words for its options, and the rules in short."""

from collections.abc import Mapping

from engine.game import OptionWords
from engine.wording import phrase, phrase_later, told_number

KINDS = {
    "double": phrase_later(
        "A 1 is 100, a 5 is 50. Three alike: a hundred times the face, three 1s {points}; each die more "
        "doubles it."
    ),
    "printed": phrase_later(
        "A 1 is 100, a 5 is 50. Three alike: a hundred times the face, three 1s {points}; each die more "
        "doubles it, but six pay three times the three."
    ),
    "add": phrase_later(
        "A 1 is 100, a 5 is 50. Three alike: a hundred times the face, three 1s {points}; each die more "
        "adds the three again."
    ),
    "fixed": phrase_later(
        "A 1 is 100, a 5 is 50. Three alike: a hundred times the face, three 1s {points}; four pay 1,000, "
        "five 2,000, six 3,000."
    ),
}
"""What `kinds` makes of one, three and more dice."""
COMBOS = {
    "straight": phrase_later("Straight 1 to 6"),
    "low-straight": phrase_later("Straight 1 to 5"),
    "high-straight": phrase_later("Straight 2 to 6"),
    "three-pairs": phrase_later("Three pairs"),
    "four-and-pair": phrase_later("Four of a kind and a pair"),
    "two-threes": phrase_later("Two threes of a kind"),
}
"""Combos of many dice: their options."""


BY_EDITION = phrase_later("by edition")
AMOUNT_WORDS = {
    "opening": phrase_later("First bank at least"),
    "minimum": phrase_later("Each bank at least"),
    "three-ones": phrase_later("Three 1s"),
    **COMBOS,
}
OPTION_WORDS: Mapping[str, OptionWords] = {
    "edition": OptionWords(name=phrase_later("Edition"), front=True),
    "target": OptionWords(name=phrase_later("Points to reach"), hint=BY_EDITION, front=True),
    "first": OptionWords(
        name=phrase_later("First turn"),
        values={
            "roll-off": phrase_later("The highest die begins"),
            "named": phrase_later("The first name begins"),
        },
        front=True,
    ),
    **{name: OptionWords(name=words, hint=BY_EDITION) for name, words in AMOUNT_WORDS.items()},
    "kinds": OptionWords(
        name=phrase_later("Four, five and six of a kind"),
        values={
            "edition": phrase_later("As the edition has it"),
            "double": phrase_later("Each further die doubles"),
            "printed": phrase_later("Each further die doubles, but six pay three times the three"),
            "add": phrase_later("Each further die adds the three again"),
            "fixed": phrase_later("1,000, 2,000 and 3,000"),
        },
    ),
    "ties": OptionWords(
        name=phrase_later("Ties"),
        values={
            "first": phrase_later("Whoever was there first"),
            "shared": phrase_later("The win is shared"),
        },
    ),
    "last": OptionWords(
        name=phrase_later("Last round for"),
        values={
            "others": phrase_later("All others"),
            "one-roll": phrase_later("All others, a single roll each"),
            "none": phrase_later("Nobody: the game ends at once"),
        },
    ),
    "below": OptionWords(
        name=phrase_later("With too few points to bank"),
        values={"roll": phrase_later("Roll on"), "nothing": phrase_later("Roll on, or end with nothing")},
    ),
    "same-roll": OptionWords(
        name=phrase_later("From one roll is set aside"),
        values={"more": phrase_later("More, until the next throw"), "once": phrase_later("Once only")},
    ),
    "hot-dice": OptionWords(
        name=phrase_later("Hot dice"),
        values={
            "may": phrase_later("May be thrown again"),
            "must": phrase_later("Must be thrown again"),
        },
    ),
    "three-farkles": OptionWords(
        name=phrase_later("Three farkles in a row cost"), hint=phrase_later("none; or 500, 1000")
    ),
    "piggyback": OptionWords(
        name=phrase_later("Points of a bank taken over"),
        values={"no": phrase_later("No"), "yes": phrase_later("Yes, by the next player")},
    ),
    "exact": OptionWords(
        name=phrase_later("Passing the target"),
        values={
            "no": phrase_later("Allowed"),
            "yes": phrase_later("Not allowed: it must be reached exactly"),
        },
    ),
    "all-ones": OptionWords(
        name=phrase_later("All dice show 1"),
        values={"win": phrase_later("Win at once")},
        hint=phrase_later("as others of a kind; or 5000, win"),
    ),
    "dice": OptionWords(
        name=phrase_later("Dice"),
        values={"6": phrase_later("Six dice"), "5": phrase_later("Five dice")},
        front=True,
    ),
}
"""Words for each option."""


def explain(agreed: Mapping[str, str]) -> tuple[str, ...]:
    """The rules in short, as they were agreed."""
    throw = phrase_later(
        "Throw all six dice, set at least one scoring die aside, then bank with CACHE or throw the rest."
    )
    if agreed["dice"] == "5":
        throw = phrase_later(
            "Throw all five dice, set at least one scoring die aside, then bank with CACHE or throw the rest."
        )
    hot = phrase_later("All dice set aside: throw all of them again, or bank.")
    if agreed["hot-dice"] == "must":
        hot = phrase_later("All dice set aside: you must throw all of them again.")
    kinds, last, combos = KINDS[agreed["kinds"]], LAST[agreed["last"]], _combos(agreed)
    return (
        phrase(throw),
        phrase(kinds, points=_points(agreed["three-ones"])),
        *([f"{'; '.join(combos)}."] if combos else []),
        *([phrase("Whoever throws nothing but 1s with all dice wins at once.")] if _ones_win(agreed) else []),
        phrase("Nothing scores: the turn is over, and its points are lost."),
        phrase(hot),
        *_house_rules(agreed),
        phrase(last, points=_points(agreed["target"])),
    )


LAST = {
    "others": phrase_later(
        "Whoever banks to {points} begins the last round: one turn for everybody else. The most points win."
    ),
    "one-roll": phrase_later(
        "Whoever banks to {points} begins the last round: a single throw for everybody else. "
        "The most points win."
    ),
    "none": phrase_later("Whoever banks to {points} wins at once."),
}
"""What follows once somebody has enough."""
OF_SIX = ("straight", "three-pairs", "four-and-pair", "two-threes")
"""Combos that take six dice."""


def _points(amount: str) -> str:
    return told_number(int(amount), ",")


def _ones_win(agreed: Mapping[str, str]) -> bool:
    return agreed["all-ones"] == "win"


def _combos(agreed: Mapping[str, str]) -> list[str]:
    """The combos of many dice that score, with their points."""
    found = [
        f"{phrase(words)}: {_points(agreed[name])}"
        for name, words in COMBOS.items()
        if agreed[name] not in {"", "0", "-"} and not (agreed["dice"] == "5" and name in OF_SIX)
    ]
    ones = agreed["all-ones"]
    return (
        [*found, f"{phrase('All dice show 1')}: {_points(ones)}"] if ones.isdigit() and int(ones) else found
    )


def _house_rules(agreed: Mapping[str, str]) -> list[str]:
    """What some groups add, and what a bank needs."""
    found = []
    if agreed["three-farkles"].isdigit() and int(agreed["three-farkles"]):
        points = _points(agreed["three-farkles"])
        found.append(phrase("Three turns in a row in which nothing scores cost you {points}.", points=points))
    if agreed["piggyback"] == "yes":
        found.append(
            phrase("After a bank the next player may take over its points and throw the dice that were left.")
        )
    if int(agreed["opening"]):
        found.append(phrase("Your first bank needs {points} in one turn.", points=_points(agreed["opening"])))
    if int(agreed["minimum"]):
        found.append(phrase("Each bank needs {points}.", points=_points(agreed["minimum"])))
    if agreed["exact"] == "yes":
        points = _points(agreed["target"])
        found.append(phrase("Nobody may pass {points}: dice that would are left in the hand.", points=points))
    return found
