"""Which positions no game of ZONK comes to, and why. Rule numbers are those of `engine.zonk`."""

from collections import Counter

from engine.wording import phrase, phrase_count
from engine.zonk.cards import CARDS, ITEMS, MODIFIERS, shuffle
from engine.zonk.combos import grouped
from engine.zonk.items import ON_POCKETED, rescues
from engine.zonk.state import CARDS_A_TURN, RUN, TURNS, Slot, ZonkState, kinds_of


def impossible(state: ZonkState) -> str:
    """Why no game reaches this position, or nothing."""
    return _runs(state) or _order(state) or _cards(state) or _between(state) or _deck(state) or _turn(state)


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


def _cards(state: ZonkState) -> str:
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
