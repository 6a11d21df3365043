"""ZONK as everybody may see it: view, choices, facts, the ending. Rule numbers are those of `engine.zonk`."""

from engine.events import Draw, Pocket
from engine.game import Allowed, Button, Choice, Ending, Fact, GameView, Wanted
from engine.wording import phrase, phrase_count, phrase_later
from engine.words import together
from engine.zonk.cards import CARDS, NAMES
from engine.zonk.combos import grouped
from engine.zonk.items import playable
from engine.zonk.line import printed
from engine.zonk.state import QUOTAS, TURNS, ZonkState, kinds_of, wanted
from engine.zonk.words import combos_named, faces_of, kinds_named, thousands, values_named


def view(state: ZonkState) -> GameView:
    """What anybody may see: all but the order of the deck."""
    phase = state.phase
    buttons, dice = _may(state)
    name = state.players[state.active]
    return GameView(
        game="zonk",
        edition="",
        phase=phase,
        players=state.players,
        scores=tuple(seat.score for seat in state.seats),
        active=None if phase == "ended" else name,
        running=state.running if state.slots else None,
        allowed=tuple(Allowed(button=button, player=name, scores=button != "stop") for button in buttons),
        wanted=dice,
        news=state.said.news or _call(state),
        banner=state.said.banner,
        ending=ending(state) if phase == "ended" else None,
        line=printed(state, secrets=False),
        last_roll=state.said.roll,
        choices=_choices(state),
        facts=_facts(state),
        buttons=("roll_done", "stop", "cache"),
        turn_end="cache",
    )


def _may(state: ZonkState) -> tuple[tuple[Button, ...], Wanted | None]:
    """The buttons that mean something now, and the dice that are expected."""
    lying = kinds_of(state.cast) or (0, 0)
    match state.phase:
        case "cast":
            return ("roll_done",), wanted(state.dice)
        case "pocket":
            d4 = (Wanted(kind="d4", count=None),) if lying[1] else ()
            return ("roll_done", "cache"), Wanted(kind="pip", count=None, more=d4)
        case "choose":
            dice = wanted(state.again if any(lying) else state.dice)
            return ("roll_done", "cache"), Wanted(kind="pip", count=None) if state.may_hot_cast else dice
        case "rescue":
            return (("roll_done", "stop"), wanted(lying)) if state.lone else (("stop",), None)
        case "fate":
            return ("roll_done",), wanted((0, 1) if state.fated == "d4" else (1, 0))
        case "draw" | "ended":
            return (), None


def _choices(state: ZonkState) -> tuple[Choice, ...]:
    """Pocketings, the best first, then cards."""
    if state.due:
        out = state.drawn()
        return tuple(
            Choice(event=Draw(card=NAMES[card]), words=NAMES[card])
            for card in CARDS
            if out.count(card) < state.agreed.copies
        )
    if not state.slots or state.fated:
        return ()
    pocketings = tuple(
        Choice(event=Pocket(combos=each.combos), words=combos_named(each.combos), points=each.points)
        for each in state.pocketings
    )
    cards = tuple(Choice(event=play, words=f"{play.card}: {told}") for play, told in playable(state))
    return pocketings + cards


def best_told(state: ZonkState) -> str:
    """The best pocketing, in a sentence."""
    best = state.gains[0]
    return phrase(
        "Best: {combos}, {points}.", combos=combos_named(best.combos), points=thousands(best.points)
    )


def round_told(state: ZonkState, rounds: int) -> str:
    """How the round that the active player has just ended turned out, from 0."""
    name, had, quota = state.players[state.active], state.counted(state.active, rounds), QUOTAS[rounds]
    if had < quota:
        return phrase(
            "{player} misses the quota of round {round}: {points} of {quota}.",
            player=name,
            round=rounds + 1,
            points=thousands(had),
            quota=thousands(quota),
        )
    met = phrase_later("{player} meets the quota of round {round} with {points}.")
    if state.won(state.active):
        met = phrase_later("{player} meets the quota of round {round} with {points} and has won the run.")
    return phrase(met, player=name, round=rounds + 1, points=thousands(had))


def ending(state: ZonkState) -> Ending:
    """Who won and why (rules 11, 11a, 11b), once every run is over."""
    won = [seat for seat in range(len(state.players)) if state.won(seat)]
    if not won:
        return Ending(winners=(), cause=_all_lost(state))
    if state.agreed.winner == "most":
        most = max(state.seats[seat].score for seat in won)
        won = [seat for seat in won if state.seats[seat].score == most]
    names = tuple(state.players[seat] for seat in won)
    points = [thousands(state.seats[seat].score) for seat in won]
    if len(won) > 1 and state.agreed.winner == "most":
        shared = phrase_later("{players} share the win with {points} points (rule 11a).")
        return Ending(winners=names, cause=phrase(shared, players=together(names), points=points[0]))
    cause = phrase_count(
        "{players} wins: all three quotas met, {points} points (rule 11).",
        "{players} win: all three quotas met, {points} points (rule 11).",
        len(won),
        players=together(names),
        points=together(points),
    )
    return Ending(winners=names, cause=cause)


def _all_lost(state: ZonkState) -> str:
    """Where each run ended."""
    told = [
        phrase("{player} in round {round}", player=name, round=(state.missed(seat) or 0) + 1)
        for seat, name in enumerate(state.players)
    ]
    return phrase_count(
        "The run is lost: {runs} (rule 11b).",
        "Every run is lost: {runs} (rule 11b).",
        len(told),
        runs=together(told),
    )


def _call(state: ZonkState) -> str:
    """What the table waits for, when no event has been told yet."""
    name = state.players[state.active]
    match state.phase:
        case "cast":
            told = phrase("{player} casts {dice}.", player=name, dice=kinds_named(state.dice))
        case "pocket":
            lying = " ".join(faces_of(state.cast))
            pockets = phrase("{player} pockets from {dice}.", player=name, dice=lying)
            told = f"{pockets} {best_told(state)}"
        case "rescue" if state.lone:
            told = phrase("No combo. {player} may cast the last die again.", player=name)
        case "rescue":
            told = phrase("No combo. {player} plays an item, or takes the zonk with STOP.", player=name)
        case "choose":
            told = phrase(
                "{player} recasts or caches {points}.", player=name, points=thousands(state.running)
            )
        case "fate":
            told = phrase("{player} casts one die again.", player=name)
        case "draw":
            told = phrase_count(
                "{player} draws {count} card.", "{player} draws {count} cards.", state.due, player=name
            )
        case "ended":
            told = ending(state).cause
    return told


def _facts(state: ZonkState) -> tuple[Fact, ...]:
    """Quotas, pockets and cards."""
    found = []
    for place, slot in enumerate(state.slots, start=1):
        grouping = grouped(slot.values, state.rules)
        if slot.values:
            times = (f"x {2**slot.doubled}",) if slot.doubled else ()
            more = (f"+ {thousands(slot.extra)}",) if slot.extra else ()
            lying = values_named(grouping[1]) if grouping else " ".join(map(str, slot.values))
            words = (lying, *times, *more, thousands(state.worth(slot)))
            found.append(Fact(name=f"pocket {place}", words=words))
    if state.slots:
        found.append(Fact(name="cast", words=faces_of(state.cast)))
    for seat, player in enumerate(state.players):
        found += _run_facts(state, seat, player)
    return tuple(found)


def _run_facts(state: ZonkState, seat: int, player: str) -> list[Fact]:
    """How a run stands: its round and quota, and the cards."""
    run = state.seats[seat]
    if state.over(seat):
        found = [
            Fact(name="run", words=(phrase("won") if state.won(seat) else phrase("lost"),), player=player)
        ]
    else:
        # After its last turn of a round a player who still draws has begun the next.
        rounds = run.turns // TURNS
        had, quota = thousands(state.counted(seat, rounds)), thousands(QUOTAS[rounds])
        told = phrase("{points} of {quota}", points=had, quota=quota)
        found = [
            Fact(name="round", words=(f"{rounds + 1}",), player=player),
            Fact(name="turn", words=(f"{run.turns % TURNS + 1}",), player=player),
            Fact(name="quota", words=(told,), player=player),
        ]
    for name, cards in (("modifiers", run.modifiers), ("items", run.items), ("played", run.spent)):
        if cards:
            found.append(Fact(name=name, words=tuple(NAMES[card] for card in cards), player=player))
    return found
