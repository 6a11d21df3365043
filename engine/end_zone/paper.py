"""One game of End Zone on paper: its columns, and what stands in a field, whatever the mode."""

from collections.abc import Callable

from engine.end_zone.game import margins, total, whose
from engine.end_zone.state import EndZoneState
from engine.end_zone.written import Written, WrittenTurn
from engine.pad import EMPTY, Mark, PadCell, PadColumn, PadDie, PadRow, RowRole
from engine.wording import phrase


class GamePaper:
    """What was written of the running game, or of the last one. Lives for one drawing."""

    def __init__(self, now: EndZoneState, game_no: int, written: Written) -> None:
        """`game_no`: how many games had ended before this one."""
        self.now = now
        self.game_no = game_no
        self.written = written
        order = now.game.order if now.kind.lines or now.kind.highest_first else sorted(now.game.order)
        self.margins = margins(now.agreed, now.kind, tuple(order))
        """In the rolling order as the card has them, else as people sit."""
        self.rolling = self._rolling()
        """The margin whose die is next, or is looked at; None where nobody rolls for points."""

    def _rolling(self) -> int | None:
        now = self.now
        if now.winner is not None or now.rolloff is not None or not now.game.lap:
            return None
        place = len(now.game.lying) - (now.phase == "confirm")
        return whose(now.agreed, now.kind, now.game, place)[0]

    @property
    def columns(self) -> tuple[PadColumn, ...]:
        """A column for each margin, under its player's name or the team's."""
        agreed, found = self.now.agreed, []
        for margin in self.margins:
            side = agreed.sides[agreed.side_of(margin)]
            players = tuple(agreed.players[seat] for seat in side)
            shared = self.now.kind.one_margin(agreed)
            name = agreed.name(agreed.side_of(margin)) if shared else agreed.players[margin]
            found.append(PadColumn(name=name, players=players if shared else (name,)))
        return tuple(found)

    def turns(self, margin: int) -> list[WrittenTurn]:
        """The margin's turns of this game."""
        return [turn for turn in self.written.turns if (turn.game, turn.margin) == (self.game_no, margin)]

    def row(self, name: str, role: RowRole, cell: Callable[[int], PadCell], about: str = "") -> PadRow:
        """A row with that cell for each margin."""
        return PadRow(name=name, role=role, about=about, cells=tuple(map(cell, self.margins)))

    def cell(self, turn: WrittenTurn | None, margin: int, *, open_here: bool, sums: bool = False) -> PadCell:
        """A turn's field: its points, or with `sums` the total then; while it is rolled, the dice so far."""
        if turn is None:
            return self.open_cell(margin) if open_here else EMPTY
        if turn.dot:
            return PadCell(words=phrase("covered dot"), dice=turn.dice, mark="won")
        mark: Mark = "challenged" if turn.challenged else ""
        if sums:
            return PadCell(points=turn.has, words=f"+{turn.gained}", dice=turn.dice, mark=mark)
        return PadCell(points=turn.gained, dice=turn.dice, mark=mark)

    def open_cell(self, margin: int) -> PadCell:
        """The field that is filled now: the dice that lie there, and whether the margin rolls."""
        return PadCell(dice=self.lying(margin), mark="now" if margin == self.rolling else "")

    def lying(self, margin: int) -> tuple[PadDie, ...]:
        """The margin's dice that lie there and have not scored yet."""
        return tuple(die for whom, die in self.written.lying if whom == margin)

    def won(self, margin: int) -> bool:
        """Whether the margin's side has won it all."""
        return self.now.winner is not None and self.now.agreed.side_of(margin) == self.now.winner

    def sums(self) -> tuple[PadRow, ...]:
        """The last rows: minus points if there are any, the total, and the team's where partners add up."""
        fines = {margin: self.written.fines.get((self.game_no, margin), 0) for margin in self.margins}
        agreed, found = self.now.agreed, []
        if any(fines.values()):
            found.append(
                self.row(
                    phrase("Minus"), "minus", lambda margin: _minus(fines[margin]), phrase("dice not caught")
                )
            )
        points = self.now.game.points
        found.append(
            self.row(
                phrase("Total"), "total", lambda each: PadCell(points=points[each], mark=self._winner(each))
            )
        )
        if agreed.teams != "no" and not self.now.kind.one_margin(agreed):
            found.append(self.row(phrase("Team"), "total", self._team))
        return tuple(found)

    def _team(self, margin: int) -> PadCell:
        return PadCell(points=total(self.now.agreed, self.now.game, self.now.agreed.side_of(margin)))

    def _winner(self, margin: int) -> Mark:
        return "won" if self.won(margin) else ""


def _minus(points: int) -> PadCell:
    return PadCell(points=-points) if points else EMPTY
