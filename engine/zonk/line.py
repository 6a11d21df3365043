"""ZONK's position line: how it is written and read, and which positions cannot be. Rules as in `engine.zonk`.

    zonk quota=round winner=most pairs=any same-cast=together swap=d6 in-play=all
    zonk=waits copies=2 deck=hand seed= turn=Ann due=0 scored=yes fate=- lone=no rifts=0
    pockets=1,1,1x2/4,4,4 cast=2,3^ Ann:1:500+0+0:0:aura:money:- Bob:0:0+0+0:0:-:-:-

(one line). `pockets` has each cast's pocket, x2 where it counts double and +200 where money
brought so much; `fate=pip/1` casts a D6 of pocket 1 again; ^ marks a D4. A seat is
NAME:TURNS:POINTS of three rounds:EXTRA DICE of the round:MODIFIERS:ITEMS:PLAYED.
"""

from collections.abc import Mapping

from engine.dice import FACES, Die, DieKind
from engine.lines import one_of, pack, said, split_line, unpack, whole
from engine.refusal import Refused, Unreadable
from engine.seating import seat_players, tidy_name
from engine.wording import phrase
from engine.words import plain
from engine.zonk.cards import CARDS, Card, in_order
from engine.zonk.combos import PairsRule
from engine.zonk.possible import impossible
from engine.zonk.state import (
    AURAS,
    COPIES,
    DECKS,
    HOT_CASTS,
    IN_PLAY,
    MONEYS,
    PAIRS,
    QUOTA_RULES,
    QUOTAS,
    SAME_CASTS,
    SEATS,
    SWAPS,
    WINNERS,
    YOUNGER,
    ZONKS,
    Seat,
    Slot,
    State,
    ZonkAgreement,
    ZonkState,
    sorted_dice,
)

WORDS = {
    "quota": QUOTA_RULES,
    "winner": WINNERS,
    "pairs": PAIRS,
    "same-cast": SAME_CASTS,
    "swap": SWAPS,
    "in-play": IN_PLAY,
    "aura": AURAS,
    "hot-cast": HOT_CASTS,
    "money": MONEYS,
    "zonk": ZONKS,
    "copies": COPIES,
    "deck": DECKS,
}
"""The options that are one of some words, as the line has them."""
OPTIONS = (*WORDS, "seed")
KEYS = (*OPTIONS, "turn", "due", "scored", "fate", "lone", "rifts", "pockets", "cast")
UNSAID = {
    **YOUNGER,
    "in-play": IN_PLAY[0],
    "aura": AURAS[0],
    "hot-cast": HOT_CASTS[0],
    "money": MONEYS[0],
}
"""Keys that the first lines do not have, and what is meant where a line leaves them out."""
YES = ("no", "yes")
SEED_LENGTH = 40
SLOT_MOST = 40
"""More dice than any pocket can hold."""


def agreement(chosen: Mapping[str, str]) -> ZonkAgreement:
    """The options, each already one of its values; raises `Unreadable` for a seed that cannot be."""
    seed, deck = chosen["seed"], chosen["deck"]
    if seed and deck != "box":
        raise Unreadable(
            phrase("Only the box's own deck has a seed. Choose deck=box, or leave out the seed.")
        )
    if len(seed) > SEED_LENGTH or not seed.isprintable():
        raise Unreadable(
            phrase(
                "The seed is at most {most} characters that can be shown; got {seed}.",
                most=SEED_LENGTH,
                seed=plain(seed),
            )
        )
    if chosen["aura"] == "cast" and chosen["hot-cast"] == "six":
        raise Unreadable(
            phrase("With aura=cast a hot cast takes all dice. Choose hot-cast=all, or aura=set.")
        )
    return ZonkAgreement(
        quota=chosen["quota"],
        winner=chosen["winner"],
        pairs=_pairs(chosen["pairs"]),
        same_cast=chosen["same-cast"],
        swap=chosen["swap"],
        in_play=chosen["in-play"],
        aura=chosen["aura"],
        hot_cast=chosen["hot-cast"],
        money=chosen["money"],
        zonk=chosen["zonk"],
        copies=int(chosen["copies"]),
        deck=deck,
        seed=seed,
    )


def _pairs(word: str) -> PairsRule:
    return "different" if word == "different" else "any"


def printed(state: ZonkState, *, secrets: bool = True) -> str:
    """The position line; without `secrets` the seed, which tells the order of the box's deck, is `?`."""
    agreed = state.agreed
    head = {
        "quota": agreed.quota,
        "winner": agreed.winner,
        "pairs": agreed.pairs,
        "same-cast": agreed.same_cast,
        "swap": agreed.swap,
        "in-play": agreed.in_play,
        "aura": agreed.aura,
        "hot-cast": agreed.hot_cast,
        "money": agreed.money,
        "zonk": agreed.zonk,
        "copies": agreed.copies,
        "deck": agreed.deck,
        "seed": pack(agreed.seed) if secrets or agreed.deck != "box" else "?",
        "turn": pack(state.players[state.active]),
        "due": state.due,
        "scored": YES[state.scored],
        "fate": (state.fated or "-") + (f"/{state.fated_pocket}" if state.fated_pocket else ""),
        "lone": YES[state.lone],
        "rifts": state.rifts,
        "pockets": "/".join(map(_slot_text, state.slots)) or "-",
        "cast": ",".join(f"{die.value}{'^' * (die.kind == 'd4')}" for die in state.cast) or "-",
    }
    words = said(head, UNSAID)
    words += [_seat_text(name, seat) for name, seat in zip(state.players, state.seats, strict=True)]
    return " ".join(["zonk", *words])


def _slot_text(slot: Slot) -> str:
    """An empty pocket is `.`: `-` says that there is none."""
    text = (",".join(map(str, slot.values)) or ".") + (f"x{2**slot.doubled}" if slot.doubled else "")
    return text + (f"+{slot.extra}" if slot.extra else "")


def _seat_text(name: str, seat: Seat) -> str:
    cards = (",".join(cards) or "-" for cards in (seat.modifiers, seat.items, seat.spent))
    points = "+".join(map(str, seat.points))
    return ":".join([pack(name), str(seat.turns), points, str(seat.hot), *cards])


def read(line: str, position: type[State]) -> State:
    """The position of a line; raises `Unreadable` for one that cannot be."""
    values, words = split_line(line, "zonk", KEYS, UNSAID)
    seats = [_seat(word) for word in words]
    try:
        names = seat_players(tuple(name for name, _ in seats), SEATS, "ZONK", "1")
    except Refused as refused:
        raise Unreadable(str(refused)) from None
    turn = unpack(values["turn"], "turn")
    if turn not in names:
        raise Unreadable(phrase("turn: {name} is none of the players.", name=plain(turn)))
    fate, of_pocket, into = values["fate"].partition("/")
    state = position(
        agreed=_agreed(values),
        players=names,
        seats=tuple(seat for _, seat in seats),
        active=names.index(turn),
        slots=() if values["pockets"] == "-" else tuple(map(_slot, values["pockets"].split("/"))),
        cast=() if values["cast"] == "-" else sorted_dice(map(_die, values["cast"].split(","))),
        scored=_yes(values, "scored"),
        fated=_kind(fate),
        fated_pocket=whole(into, "fate") if of_pocket else 0,
        lone=_yes(values, "lone"),
        rifts=whole(values["rifts"], "rifts"),
        due=whole(values["due"], "due"),
    )
    if reason := impossible(state):
        raise Unreadable(phrase("No game of ZONK comes to this position: {reason}.", reason=reason))
    if printed(state) != line:
        raise Unreadable(phrase("The position line is not written as Callbox writes it."))
    return state


def _agreed(values: Mapping[str, str]) -> ZonkAgreement:
    chosen = {key: one_of(values[key], key, words) for key, words in WORDS.items()}
    if values["seed"] == "?":
        raise Unreadable(phrase("The seed is hidden: this is the public line, which nobody can go on from."))
    seed = unpack(values["seed"], "seed") if values["seed"] else ""
    return agreement({**chosen, "seed": seed})


def _yes(values: Mapping[str, str], key: str) -> bool:
    return one_of(values[key], key, YES) == "yes"


def _kind(word: str) -> DieKind | None:
    match word:
        case "pip" | "d4":
            return word
        case "-":
            return None
        case _:
            raise Unreadable(phrase("fate is -, pip, d4; got {word}.", word=plain(word)))


def _die(word: str) -> Die:
    kind: DieKind = "d4" if word.endswith("^") else "pip"
    value = whole(word.removesuffix("^"), "cast")
    if value not in FACES[kind]:
        raise Unreadable(
            phrase(
                "cast: a {kind} die shows {faces}; got {value}.",
                kind=kind,
                faces=", ".join(map(str, FACES[kind])),
                value=value,
            )
        )
    return Die(kind, value)


def _slot(word: str) -> Slot:
    lying, plus, extra = word.partition("+")
    faces, x, times = lying.partition("x")
    doubled = whole(times, "pockets").bit_length() - 1 if x else 0
    if doubled < 0:
        raise Unreadable(phrase("pockets: {word} is no pocket.", word=plain(word)))
    values = () if faces == "." else tuple(whole(face, "pockets") for face in faces.split(","))
    if len(values) > SLOT_MOST or any(value not in FACES["pip"] for value in values):
        raise Unreadable(phrase("pockets: {word} is no pocket.", word=plain(word)))
    return Slot(tuple(sorted(values)), doubled, whole(extra, "pockets") if plus else 0)


def _seat(word: str) -> tuple[str, Seat]:
    """Name and run of NAME:TURNS:POINTS:HOT:MODIFIERS:ITEMS:PLAYED."""
    name, *rest = word.split(":")
    who = tidy_name(unpack(name, "seat"))
    if len(rest) != 6:
        raise Unreadable(
            phrase("{player}'s seat is NAME:TURNS:POINTS:DICE:MODIFIERS:ITEMS:PLAYED.", player=who)
        )
    turns, points, hot, modifiers, items, spent = rest
    cached = tuple(whole(each, phrase("{player}'s points", player=who)) for each in points.split("+"))
    if len(cached) != len(QUOTAS):
        raise Unreadable(
            phrase(
                "{player}'s points are those of {count} rounds; got {points}.",
                player=who,
                count=len(QUOTAS),
                points=plain(points),
            )
        )
    return who, Seat(
        points=cached,
        turns=whole(turns, phrase("{player}'s turns", player=who)),
        modifiers=_cards(modifiers, who),
        items=_cards(items, who),
        spent=_cards(spent, who),
        hot=whole(hot, phrase("{player}'s extra dice", player=who)),
    )


def _cards(text: str, who: str) -> tuple[Card, ...]:
    known: dict[str, Card] = {card: card for card in CARDS}
    found = []
    for word in text.split(",") if text != "-" else []:
        if word not in known:
            raise Unreadable(
                phrase(
                    "{player}'s cards: {word} is none; there are {cards}.",
                    player=who,
                    word=plain(word),
                    cards=", ".join(CARDS),
                )
            )
        found.append(known[word])
    return in_order(found)
