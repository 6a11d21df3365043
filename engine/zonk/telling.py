"""ZONK as everybody may see it: view, choices, facts, the ending. Rule numbers are those of `engine.zonk`."""

from engine.events import Draw, Pocket
from engine.game import Allowed, Button, Choice, Ending, Fact, GameView, Played, Position, Wanted
from engine.pad import EMPTY, Mark, PadCell, PadColumn, PadRow, ScorePad
from engine.wording import phrase, phrase_count, phrase_later
from engine.words import together
from engine.zonk.combos import grouped
from engine.zonk.items import playable
from engine.zonk.line import printed
from engine.zonk.state import (
    CARDS,
    NAMES,
    QUOTAS,
    RUN,
    TURNS,
    Card,
    ZonkState,
    combos_named,
    faces_of,
    kinds_named,
    kinds_of,
    thousands,
    values_named,
    wanted,
)


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
        allowed=tuple(_allowed(state, button, name) for button in buttons),
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


def _allowed(state: ZonkState, button: Button, name: str) -> Allowed:
    """One button, and what a press does now."""
    match button:
        case "cache":
            words = phrase("Cache {points}", points=state.cached)
        case "stop":
            words = phrase("End the turn")
        case _:
            words = ""
    return Allowed(button=button, player=name, scores=button != "stop", words=words)


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
    return phrase("Best: {combos}, {points}.", combos=combos_named(best.combos), points=best.points)


def round_told(state: ZonkState, rounds: int) -> str:
    """How the round that the active player has just ended turned out, from 0."""
    name, had, quota = state.players[state.active], state.counted(state.active, rounds), QUOTAS[rounds]
    if had < quota:
        return phrase(
            "{player} misses the quota of round {round}: {points} of {quota}.",
            player=name,
            round=rounds + 1,
            points=had,
            quota=quota,
        )
    met = phrase_later("{player} meets the quota of round {round} with {points}.")
    if state.won(state.active):
        met = phrase_later("{player} meets the quota of round {round} with {points} and has won the run.")
    return phrase(met, player=name, round=rounds + 1, points=had)


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
            told = phrase("{player} recasts or caches {points}.", player=name, points=state.running)
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


# ZONK on paper: what each turn brought, quotas and cards. Rule numbers are those of `engine.zonk`.

Brought = dict[tuple[int, int], int]
"""The points of each turn that has ended, by seat and turn, both from 0; 0 for a zonk."""


def pads_of(now: ZonkState, start: Position, played: Played) -> tuple[ScorePad, ...]:
    """The runs of all players beside each other; `played` leads from `start` to `now`."""
    brought, rows = _brought(start, played), []
    for turn in range(RUN):
        cells = tuple(_turn(now, brought, seat, turn) for seat in range(len(now.players)))
        rows.append(PadRow(name=phrase("Turn {number}", number=turn + 1), role="turn", cells=cells))
        if (turn + 1) % TURNS == 0:
            rows.append(_quota(now, turn // TURNS))
    totals = tuple(PadCell(points=run.score, mark=_outcome(now, seat)) for seat, run in enumerate(now.seats))
    rows.append(PadRow(name=phrase("Total"), role="total", cells=totals))
    columns = tuple(PadColumn(name=name, players=(name,)) for name in now.players)
    return (ScorePad(kind="quotas", title="ZONK", columns=columns, rows=(*rows, *_cards(now))),)


def _brought(start: Position, played: Played) -> Brought:
    """What each turn brought: the player's points after it without those before it."""
    found, before = Brought(), _zonk_state(start)
    for _, position in played:
        after = _zonk_state(position)
        if after.seats is not before.seats:
            had, has = before.seats[before.active], after.seats[before.active]
            if has.turns > had.turns:
                found[before.active, had.turns] = has.score - had.score
        before = after
    return found


def _zonk_state(position: Position) -> ZonkState:
    """The position as ZONK's own; raises `TypeError` for another game's."""
    if not isinstance(position, ZonkState):
        raise TypeError(f"this is ZONK's pad; the position is a {type(position).__name__}")
    return position


def _turn(now: ZonkState, brought: Brought, seat: int, turn: int) -> PadCell:
    """What a turn of the run brought; a zonk brings nothing (rules 6, 7)."""
    points = brought.get((seat, turn))
    if points is None:
        casts = seat == now.active and now.phase not in {"draw", "ended"} and now.seats[seat].turns == turn
        return PadCell(mark="now") if casts else EMPTY
    return PadCell(points=points) if points else PadCell(points=0, words="ZONK", mark="missed")


def _quota(now: ZonkState, rounds: int) -> PadRow:
    """How much of the quota everybody has, and whether it was met (rules 2 to 2d)."""
    quota = QUOTAS[rounds]

    def cell(seat: int) -> PadCell:
        run, missed = now.seats[seat], now.missed(seat)
        if run.turns < rounds * TURNS or (missed is not None and missed < rounds):
            return EMPTY
        had = now.counted(seat, rounds)
        over = run.turns >= (rounds + 1) * TURNS
        mark: Mark = "" if not over else "missed" if had < quota else "crossed"
        return PadCell(points=had, words=phrase("of {points}", points=quota), mark=mark)

    about = phrase("{points} cached in the run", points=quota)
    if now.agreed.quota == "round":
        about = phrase("{points} cached in its turns", points=quota)
    cells = tuple(map(cell, range(len(now.players))))
    return PadRow(name=phrase("Quota {number}", number=rounds + 1), role="bonus", about=about, cells=cells)


def _outcome(now: ZonkState, seat: int) -> Mark:
    """Whether the run is over, and how."""
    if not now.over(seat):
        return ""
    return "won" if now.won(seat) else "out"


def _cards(now: ZonkState) -> list[PadRow]:
    """Modifiers in force, items held and items played (rules 9, 10); no row where nobody has any."""
    kinds = (
        (phrase("Modifiers"), [run.modifiers for run in now.seats]),
        (phrase("Items"), [run.items for run in now.seats]),
        (phrase("Played"), [run.spent for run in now.seats]),
    )
    return [
        PadRow(name=name, role="cards", cells=tuple(map(_named, held))) for name, held in kinds if any(held)
    ]


def _named(cards: tuple[Card, ...]) -> PadCell:
    return PadCell(words=", ".join(NAMES[card] for card in cards))
