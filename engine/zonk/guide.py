"""ZONK put to people: words for its options, and the rules in short."""

from collections.abc import Mapping

from engine.game import SEED, OptionWords
from engine.wording import phrase, phrase_later

DECKS = {
    "none": phrase_later("No cards are played."),
    "box": phrase_later(
        "After each turn the box draws two cards for you. Some work by themselves, some are yours to play."
    ),
    "hand": phrase_later("After each turn draw two cards. Some work by themselves, some are yours to play."),
}
"""Who draws the cards."""


OPTION_WORDS: Mapping[str, OptionWords] = {
    "deck": OptionWords(
        name=phrase_later("Cards"),
        values={
            "hand": phrase_later("The real deck: tell the box what you draw"),
            "box": phrase_later("The box deals"),
            "none": phrase_later("No cards"),
        },
        front=True,
    ),
    SEED: OptionWords(
        name=phrase_later("Shuffled by the word"),
        hint=phrase_later("a new one for each game"),
        front=True,
        only_with={"deck": ("box",)},
        free="once",
    ),
    "winner": OptionWords(
        name=phrase_later("When several meet all quotas"),
        values={"most": phrase_later("The most points win"), "all": phrase_later("All win")},
        front=True,
    ),
    "quota": OptionWords(
        name=phrase_later("Towards a quota count"),
        values={
            "round": phrase_later("The points of its round"),
            "run": phrase_later("All points of the run"),
        },
    ),
    "same-cast": OptionWords(
        name=phrase_later("Dice pocketed later from the same cast"),
        values={
            "together": phrase_later("Count with those pocketed before"),
            "apart": phrase_later("Must be combos by themselves"),
        },
    ),
    "pairs": OptionWords(
        name=phrase_later("Three pairs"),
        values={
            "any": phrase_later("Four alike are two pairs"),
            "different": phrase_later("Only three different faces"),
        },
    ),
    "swap": OptionWords(
        name=phrase_later("Chaos Swap turns"),
        values={"d6": phrase_later("Six-sided dice only"), "all": phrase_later("Four-sided dice too")},
    ),
    "in-play": OptionWords(
        name=phrase_later("A die in play for items"),
        values={"cast": phrase_later("Lies in the cast"), "all": phrase_later("May be pocketed, too")},
    ),
    "aura": OptionWords(
        name=phrase_later("Magic Aura adds its die"),
        values={"set": phrase_later("To the first cast"), "cast": phrase_later("To each cast")},
    ),
    "hot-cast": OptionWords(
        name=phrase_later("A hot cast with seven dice"),
        values={"all": phrase_later("Takes all of them"), "six": phrase_later("Takes any six")},
    ),
    "money": OptionWords(
        name=phrase_later("Money doubles"),
        values={
            "pocket": phrase_later("The whole pocket"),
            "now": phrase_later("What lies there when it is played"),
        },
    ),
    "zonk": OptionWords(
        name=phrase_later("A cast without a combo"),
        values={
            "waits": phrase_later("Items may still save it"),
            "at-once": phrase_later("Is a zonk at once"),
        },
    ),
    "copies": OptionWords(name=phrase_later("Copies of each card")),
}
"""Words for each option."""


def explain(agreed: Mapping[str, str]) -> tuple[str, ...]:
    """The rules in short, as they were agreed."""
    deck = DECKS[agreed["deck"]]
    pairs = phrase_later("Three pairs 750. 1 to 6: 2,500.")
    if agreed["pairs"] == "different":
        pairs = phrase_later("Three pairs 750, of three different faces. 1 to 6: 2,500.")
    winner = phrase_later("Of those who meet all quotas the most points win.")
    if agreed["winner"] == "all":
        winner = phrase_later("Everybody who meets all quotas wins.")
    return (
        phrase(
            "A run has three rounds of three turns. Meet the quota of each round: 1,000, then 2,000, then "
            "3,000. "
            "Miss one, and your run is over."
        ),
        phrase(
            "Cast all dice and pocket at least one combo. Then cast the rest, or CACHE: its points are yours."
        ),
        phrase(
            "A 1 is 100, a 5 is 50. Three alike: a hundred times the face, three 1s 1,000; four twice, "
            "five four "
            "times, six six times a hundred times the face."
        ),
        phrase(pairs),
        phrase(
            "No combo is a ZONK: the turn is over, and its points are lost. All dice pocketed: cast all "
            "again."
        ),
        phrase(deck),
        phrase(winner),
    )
