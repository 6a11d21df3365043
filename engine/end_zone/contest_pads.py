"""King's throne and line, King of Kings' counts, and a tournament's bracket (rules 70 to 91), on paper."""

from collections.abc import Iterable

from engine.end_zone.state import KINGS, EndZoneState
from engine.pad import PadCell, PadColumn, PadRow, RowRole, ScorePad
from engine.wording import phrase


def pad_of_contest(now: EndZoneState) -> tuple[ScorePad, ...]:
    """Who is King and who comes next, or who is in the bracket; nothing in other modes."""
    if now.agreed.mode in KINGS and now.contest.match:
        return (_throne(now),)
    return (_bracket(now),) if now.agreed.mode == "tournament" else ()


def _throne(now: EndZoneState) -> ScorePad:
    """The King, the challenger and the line behind, each with the wins that are marked."""
    agreed, contest = now.agreed, now.contest
    rows = []
    for side in sorted(contest.match, key=lambda each: each != contest.king):
        role: RowRole = "king" if side == contest.king else "challenger"
        challenger = phrase("Challenger") if contest.king is not None else phrase("First two")
        rows.append(_place(now, side, role, phrase("King") if role == "king" else challenger))
    rows += [_place(now, side, "waiting", _nth(nth)) for nth, side in enumerate(contest.queue)]
    title = phrase("King of Kings") if agreed.mode == "king-of-kings" else phrase("King")
    columns = (PadColumn(name=phrase("Player")), PadColumn(name=_counted(now)))
    return ScorePad(kind="king", title=title, columns=columns, rows=tuple(rows))


def _counted(now: EndZoneState) -> str:
    """Which wins are marked, and how many of them win (rules 80, 80a)."""
    agreed = now.agreed
    if agreed.mode != "king-of-kings":
        return phrase("Wins as King")
    if agreed.every_win:
        return phrase("Wins, {number} to win", number=agreed.wins)
    return phrase("Wins as King, {number} to win", number=agreed.wins)


def _nth(nth: int) -> str:
    """Where somebody stands in the line, from 0."""
    return phrase("Next in line") if nth == 0 else f"{nth + 1}."


def _place(now: EndZoneState, side: int, role: RowRole, name: str) -> PadRow:
    """A side's place, with its wins where they are counted."""
    cells: tuple[PadCell, ...] = (
        PadCell(words=now.agreed.name(side), mark="won" if side == now.winner else ""),
    )
    if now.agreed.mode in KINGS:
        cells = (*cells, PadCell(points=now.contest.crowns[side]))
    players = tuple(now.players[seat] for seat in now.agreed.sides[side])
    return PadRow(name=name, role=role, cells=cells, players=players)


def _bracket(now: EndZoneState) -> ScorePad:
    """The match that is played, who waits for one, and who is through."""
    contest = now.contest
    rows = [
        *_places(now, contest.match, "challenger", phrase("Plays")),
        *_places(now, contest.queue, "waiting", phrase("Waits")),
        *_places(now, contest.through, "through", phrase("Through")),
    ]
    return ScorePad(
        kind="tournament",
        title=phrase("Tournament"),
        columns=(PadColumn(name=phrase("Player")),),
        rows=tuple(rows),
    )


def _places(now: EndZoneState, sides: Iterable[int], role: RowRole, name: str) -> list[PadRow]:
    return [_place(now, side, role, name) for side in sides]
