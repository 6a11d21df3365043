"""ZONK on paper: what each turn brought, quotas and cards. Rule numbers are those of `engine.zonk`."""

from engine.game import Played, Position
from engine.pad import EMPTY, Mark, PadCell, PadColumn, PadRow, ScorePad
from engine.wording import phrase
from engine.zonk.cards import NAMES, Card
from engine.zonk.state import QUOTAS, RUN, TURNS, ZonkState
from engine.zonk.words import thousands

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
        return PadCell(points=had, words=phrase("of {points}", points=thousands(quota)), mark=mark)

    about = phrase("{points} cached in the run", points=thousands(quota))
    if now.agreed.quota == "round":
        about = phrase("{points} cached in its turns", points=thousands(quota))
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
