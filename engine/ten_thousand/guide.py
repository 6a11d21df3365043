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
        values={"others": phrase_later("All others"), "none": phrase_later("Nobody: the game ends at once")},
    ),
    "below": OptionWords(
        name=phrase_later("With too few points to bank"),
        values={"roll": phrase_later("Roll on"), "nothing": phrase_later("Roll on, or end with nothing")},
    ),
    "same-roll": OptionWords(
        name=phrase_later("From one roll is set aside"),
        values={"more": phrase_later("More, until the next throw"), "once": phrase_later("Once only")},
    ),
}
"""Words for each option."""


def explain(agreed: Mapping[str, str]) -> tuple[str, ...]:
    """The rules in short, as they were agreed."""

    def points(option: str) -> str:
        return told_number(int(agreed[option]), ",")

    combos = [f"{phrase(words)}: {points(name)}" for name, words in COMBOS.items() if int(agreed[name])]
    opening = phrase("Your first bank needs {points} in one turn.", points=points("opening"))
    minimum = phrase("Each bank needs {points}.", points=points("minimum"))
    last = phrase_later(
        "Whoever banks to {points} begins the last round: one turn for everybody else. The most points win."
    )
    if agreed["last"] == "none":
        last = phrase_later("Whoever banks to {points} wins at once.")
    return (
        phrase(
            "Throw all six dice, set at least one scoring die aside, then bank with CACHE or throw the rest."
        ),
        phrase(KINDS[agreed["kinds"]], points=points("three-ones")),
        *([f"{'; '.join(combos)}."] if combos else []),
        phrase(
            "Nothing scores: the turn is over, and its points are lost. All six set aside: throw all six "
            "again."
        ),
        *([opening] if int(agreed["opening"]) else []),
        *([minimum] if int(agreed["minimum"]) else []),
        phrase(last, points=points("target")),
    )
