"""ZONK's position line: how it is written and read, and which positions cannot be. Rules as in `engine.zonk`.

    zonk quota=round winner=most pairs=any same-cast=together swap=d6 in-play=all
    zonk=waits copies=2 deck=hand seed= turn=Ann due=0 scored=yes fate=- lone=no rifts=0
    pockets=1,1,1x2/4,4,4 cast=2,3^ Ann:1:500+0+0:0:aura:money:- Bob:0:0+0+0:0:-:-:-

(one line). `pockets` has each cast's pocket, x2 where it counts double and +200 where money
brought so much; `fate=pip/1` casts a D6 of pocket 1 again; ^ marks a D4. A seat is
NAME:TURNS:POINTS of three rounds:EXTRA DICE of the round:MODIFIERS:ITEMS:PLAYED.
"""

from collections import Counter
from collections.abc import Mapping

from engine.dice import FACES, Die, DieKind
from engine.lines import one_of, pack, print_words, split_line, unpack, whole
from engine.refusal import Refused, Unreadable
from engine.seating import seat_players, tidy_name
from engine.wording import phrase, phrase_count
from engine.words import plain
from engine.zonk.combos import PairsRule, grouped
from engine.zonk.items import ON_POCKETED, rescues
from engine.zonk.state import (
    AURAS,
    CARDS,
    CARDS_A_TURN,
    COPIES,
    DECKS,
    HOT_CASTS,
    IN_PLAY,
    ITEMS,
    MODIFIERS,
    MONEYS,
    PAIRS,
    QUOTA_RULES,
    QUOTAS,
    RUN,
    SAME_CASTS,
    SEATS,
    SWAPS,
    TURNS,
    WINNERS,
    YOUNGER,
    ZONKS,
    Card,
    Seat,
    Slot,
    State,
    ZonkAgreement,
    ZonkState,
    in_order,
    kinds_of,
    shuffle,
    sorted_dice,
)

# Which positions no game of ZONK comes to, and why. Rule numbers are those of `engine.zonk`.


def impossible(state: ZonkState) -> str:
    """Why no game reaches this position, or nothing."""
    return (
        _runs(state)
        or _order(state)
        or _check_cards(state)
        or _between(state)
        or _deck(state)
        or _turn(state)
    )


def _runs(state: ZonkState) -> str:
    for seat, name in enumerate(state.players):
        if reason := _run(state, seat, name) or _hot(state, seat, name):
            return reason
    return ""


def _run(state: ZonkState, seat: int, name: str) -> str:
    run = state.seats[seat]
    if run.turns > RUN:
        return phrase(
            "{player} had {turns} turns, and a run has {most} (rule 2)",
            player=name,
            turns=run.turns,
            most=RUN,
        )
    if any(points % 50 for points in run.points):
        return phrase("{player}'s points are not all in fifties (rule 5)", player=name)
    if any(run.points[(run.turns + TURNS - 1) // TURNS :]):
        return phrase("{player} has points in a round not begun (rule 2)", player=name)
    missed = state.missed(seat)
    if missed is not None and run.turns != (missed + 1) * TURNS:
        return phrase(
            "{player} went on after missing the quota of round {round} (rule 2c)",
            player=name,
            round=missed + 1,
        )
    return ""


def _hot(state: ZonkState, seat: int, name: str) -> str:
    """Rule 9e."""
    run = state.seats[seat]
    within = run.turns % TURNS or (seat == state.active and len(state.slots) > 1)
    if run.hot > run.modifiers.count("hot"):
        return phrase("{player} has more extra dice than Hot Hot Hot! cards (rule 9e)", player=name)
    if run.hot and not within:
        return phrase("{player} has extra dice before a hot cast (rule 9e)", player=name)
    return ""


def _order(state: ZonkState) -> str:
    """Rule 1: whose turn it is, from the turns that each has had."""
    active, ended = state.active, state.over(state.active)
    now = (state.seat.turns - (bool(state.due) or ended), active)
    for seat, (name, run) in enumerate(zip(state.players, state.seats, strict=True)):
        if seat == active:
            continue
        if state.over(seat):
            if (run.turns - 1, seat) > now:
                return phrase("{player} had a turn too many (rule 1)", player=name)
        elif ended:
            return phrase("{player}'s run goes on, and it is not {player}'s turn (rule 1)", player=name)
        elif run.turns != now[0] + (seat < active):
            return phrase_count(
                "{player} had {count} turn, out of order (rule 1)",
                "{player} had {count} turns, out of order (rule 1)",
                run.turns,
                player=name,
            )
    return ""


def _check_cards(state: ZonkState) -> str:
    for name, run in zip(state.players, state.seats, strict=True):
        if not set(run.modifiers) <= set(MODIFIERS) or not set(run.items + run.spent) <= set(ITEMS):
            return phrase("{player}'s modifiers and items are mixed up (rules 9, 10)", player=name)
    for card, count in Counter(state.drawn()).items():
        if count > state.agreed.copies:
            return phrase("{card} was drawn {count} times (rule 8c)", card=card, count=count)
    return ""


def _deck(state: ZonkState) -> str:
    """Rules 8 to 8e: as many cards as turns ask for, and with the box's deck those on its top."""
    drawn, size = state.drawn(), len(CARDS) * state.agreed.copies
    if state.agreed.deck == "none":
        return phrase("there are cards without a deck (rule 8d)") if drawn or state.due else ""
    if state.due > min(CARDS_A_TURN, size - len(drawn)):
        return phrase_count(
            "{count} card cannot be drawn (rule 8)", "{count} cards cannot be drawn (rule 8)", state.due
        )
    if state.agreed.deck == "box":
        if state.due:
            return phrase("the box has drawn already (rule 8d)")
        if Counter(drawn) != Counter(shuffle(state.agreed.seed, state.agreed.copies)[: len(drawn)]):
            return phrase("these cards do not lie on top of the box's deck (rule 8e)")
    for seat, (name, run) in enumerate(zip(state.players, state.seats, strict=True)):
        due = state.due if seat == state.active else 0
        owed = CARDS_A_TURN * (run.turns - state.over(seat)) - due
        if len(run.cards) > owed or (len(run.cards) < owed and len(drawn) + state.due < size):
            return phrase_count(
                "{player} has {count} card and drew {owed} (rule 8)",
                "{player} has {count} cards and drew {owed} (rule 8)",
                len(run.cards),
                player=name,
                owed=owed,
            )
    return ""


def _between(state: ZonkState) -> str:
    """What cannot be while no cast lies there, and what the phase needs."""
    started = state.cast or state.scored or state.fated or state.lone or state.rifts
    if not state.slots:
        if started:
            return phrase("there are dice before the first cast (rule 3)")
        if state.due and (state.over(state.active) or not state.seat.turns):
            return phrase("nobody draws now (rules 8, 8a)")
        return ""
    if state.due or state.over(state.active):
        return phrase("there is a cast outside a turn (rule 3)")
    return ""


def _turn(state: ZonkState) -> str:
    """Dice, pockets and played cards of the turn."""
    if not state.slots:
        return ""
    last = state.slots[-1]
    d6, d4 = kinds_of(state.cast) or (0, 0)
    d6, d4 = d6 + (state.fated == "pip"), d4 + (state.fated == "d4")
    if state.fated_pocket and _impossible_fate(state):
        return phrase("no die of that pocket is cast again (rule 10c)")
    all_d6, all_d4 = state.dice
    extra = state.seat.modifiers.count("aura") * (len(state.slots) - 1) if state.agreed.aura == "cast" else 0
    if d6 > all_d6 + extra or d4 > all_d4:
        return phrase("more dice lie there than the player has (rule 3)")
    if len(state.slots) == 1 and d6 + d4 + len(last.values) != all_d6 + all_d4 - _unmade(state):
        return phrase("the first cast was not of all dice (rule 3)")
    lost = any(grouped(slot.values, state.rules) is None for slot in state.slots)
    if lost and (state.agreed.in_play == "cast" or not set(state.seat.spent) & {*ON_POCKETED, "tonic"}):
        return phrase("a die is pocketed that is in no combo (rule 4a)")
    return _played(state) or _cast(state, d6 + d4)


def _impossible_fate(state: ZonkState) -> bool:
    """Whether a die cannot have been taken out of that pocket."""
    return not state.fated or state.agreed.in_play != "all" or state.fated_pocket > len(state.slots)


def _played(state: ZonkState) -> str:
    """Rule 10: what cards have done in this turn, they were played for."""
    spent = state.seat.spent
    doubled = sum(slot.doubled for slot in state.slots)
    if any(slot.extra for slot in state.slots) and (state.agreed.money != "now" or "money" not in spent):
        return phrase("money brought a pocket points without the card (rule 10e)")
    if (
        (doubled and state.agreed.money == "now")
        or doubled > spent.count("money")
        or any(slot.doubled for slot in _emptied(state))
    ):
        return phrase("a pocket is doubled without the card (rule 10e)")
    if state.rifts > spent.count("rift") or (state.fated and "fate" not in spent):
        return phrase("a card has worked that was not played (rule 10)")
    return ""


def _emptied(state: ZonkState) -> tuple[Slot, ...]:
    """The pockets without dice, but for one whose die is cast again."""
    pockets = enumerate(state.slots, start=1)
    return tuple(slot for place, slot in pockets if not slot.values and place != state.fated_pocket)


def _unmade(state: ZonkState) -> int:
    """Extra dice that the next hot cast would bring, and that are not there yet."""
    return state.hot_dice - state.seat.hot


def _cast(state: ZonkState, lying: int) -> str:
    """What lies there, and whether the turn can stand still with it."""
    if state.slots[-1].values and not state.scored:
        return phrase("this cast has a pocket and has not scored (rule 4)")
    empty = len(_emptied(state)) - (not state.scored)
    if empty > state.seat.spent.count("tonic"):
        return phrase("an earlier cast has nothing pocketed (rule 4)")
    if not lying and not state.scored:
        return phrase("no dice lie there (rule 3)")
    beside = lying - (state.fated_pocket > 0)  # a die of a pocket that is cast again goes back into it
    if state.lone and (beside != 1 or state.scored or "chance" not in state.seat.modifiers):
        return phrase("there is no last die to cast again (rule 9d)")
    if state.phase == "rescue" and not state.lone and not rescues(state):
        return phrase("this cast is a zonk (rule 6)")
    return ""


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
    words = print_words(head, UNSAID)
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
