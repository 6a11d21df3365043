"""The matches as they stand: who is in each by the winners so far, and what a changed winner would upset."""

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass

from engine.tournament.draw import Bracket, Origin, Tournament, draw
from engine.wording import phrase
from engine.words import together

Winners = Mapping[int, str]
"""Who has won a match, by its number."""


@dataclass(frozen=True, slots=True)
class BracketSide:
    """One side of a match."""

    player: str
    """ "" while nobody knows who it is."""
    words: str
    """The player, or "the winner of match 3"."""


@dataclass(frozen=True, slots=True)
class BracketMatch:
    """A match as it stands."""

    number: int
    bracket: Bracket
    round: int
    sides: tuple[BracketSide, BracketSide]
    winner: str = ""
    """ "" while it has not been played."""

    @property
    def players(self) -> tuple[str, str]:
        """Both players; "" for one whom nobody knows yet."""
        return self.sides[0].player, self.sides[1].player

    @property
    def ready(self) -> bool:
        """Whether it can be played now."""
        return not self.winner and all(self.players)


def matches(tournament: Tournament, winners: Winners) -> tuple[BracketMatch, ...]:
    """All matches in their order; those of a King only as far as they are known."""
    made = _of_the_king(tournament, winners) if tournament.kind == "king" else _of_a_draw(tournament, winners)
    return tuple(made)


def _of_a_draw(tournament: Tournament, winners: Winners) -> Iterator[BracketMatch]:
    known: dict[int, BracketMatch] = {}
    for pairing in draw(tournament):
        first = known.get(pairing.unless)
        if first is not None and first.winner in ("", first.players[0]):
            continue  # the last match is played again only where the losers' side has won it
        one, other = (_side(origin, known) for origin in pairing.sides)
        won = winners.get(pairing.number, "")
        winner = won if won and won in (one.player, other.player) else ""
        made = BracketMatch(pairing.number, pairing.bracket, pairing.round, (one, other), winner)
        known[pairing.number] = made
        yield made


def _side(origin: Origin, known: Mapping[int, BracketMatch]) -> BracketSide:
    if origin.player:
        return BracketSide(origin.player, origin.player)
    played = known[origin.winner_of or origin.loser_of]
    if not played.winner:
        told = (
            phrase("the winner of match {number}", number=played.number)
            if origin.winner_of
            else phrase("the loser of match {number}", number=played.number)
        )
        return BracketSide("", told)
    one, other = played.players
    player = played.winner if origin.winner_of else (other if played.winner == one else one)
    return BracketSide(player, player)


def _of_the_king(tournament: Tournament, winners: Winners) -> Iterator[BracketMatch]:
    king, *line = tournament.players
    wins = dict.fromkeys(tournament.players, 0)
    crowned = False
    number = 1
    while True:
        challenger = line.pop(0)
        won = winners.get(number, "")
        winner = won if won in (king, challenger) else ""
        sides = (BracketSide(king, king), BracketSide(challenger, challenger))
        yield BracketMatch(number, "", number, sides, winner)
        if not winner:
            return
        # The first match makes the King; from then on each win of the King's counts as one.
        wins[winner] += 1 if winner == king and crowned else 0
        crowned = True
        line.append(challenger if winner == king else king)
        king, number = winner, number + 1
        if tournament.goal and wins[king] >= tournament.goal:
            return


def walkovers(tournament: Tournament, winners: Winners, withdrawn: Collection[str]) -> dict[int, str]:
    """The winners, those among them who won because the other one withdrew (rule T6).

    A King's line goes round, so at least two of its players must not have withdrawn.
    """
    found = dict(winners)
    while withdrawn:
        match = next(
            (each for each in matches(tournament, found) if each.ready and {*each.players} & {*withdrawn}),
            None,
        )
        if match is None:
            break
        one, other = match.players
        found[match.number] = other if one in withdrawn and other not in withdrawn else one
    return found


def why_not(
    tournament: Tournament, winners: Winners, begun: Collection[int], number: int, winner: str
) -> str:
    """Why that match cannot be said to have that winner, in a sentence; "" where it can.

    `begun`: the matches that were begun, whether they have a winner or not.
    """
    before = {each.number: each for each in matches(tournament, winners)}
    if number not in before:
        return phrase("There is no match {number}.", number=number)
    match = before[number]
    if not all(match.players):
        waits = next(side.words for side in match.sides if not side.player)
        return phrase("Nobody knows yet who plays match {number}: {waits}.", number=number, waits=waits)
    if winner and winner not in match.players:
        one, other = match.players
        return phrase(
            "{player} is not in match {number}: it is {one} against {other}.",
            player=winner,
            number=number,
            one=one,
            other=other,
        )
    after = {each.number: each for each in matches(tournament, {**winners, number: winner})}
    for later in sorted({*begun, *winners}):
        was, will = before.get(later), after.get(later)
        if later == number or was is None or (will is not None and will.players == was.players):
            continue
        return phrase(
            "Match {later} was begun by {players}, and with {winner} in match {number} "
            "it would not be theirs. Take match {later} back first.",
            later=later,
            players=together(was.players),
            winner=winner or phrase("no winner"),
            number=number,
        )
    return ""
