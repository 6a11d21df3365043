"""The matches as they stand: who is in each by the winners so far, and what a changed winner would upset."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass

from engine.tournament.draw import BracketMatch, BracketSide, Origin, Pairing, Tournament, draw, draw_play_off
from engine.tournament.ranking import rank_equals
from engine.wording import phrase
from engine.words import together

Winners = Mapping[int, str]
"""Who has won a match, by its number."""
Scores = Mapping[int, tuple[tuple[str, int], ...]]
"""What both had in a match, by its number."""
NO_SCORES: Scores = {}


def matches(
    tournament: Tournament, winners: Winners, withdrawn: Collection[str] = (), scores: Scores = NO_SCORES
) -> tuple[BracketMatch, ...]:
    """All matches in their order; those of a King, and of a play-off, only as far as they are known.

    A match with a player who withdrew has its winner by rule T6.
    """
    results = _Results(winners, frozenset(withdrawn), scores)
    if tournament.kind == "king":
        return tuple(_of_the_king(tournament, results))
    known: dict[int, BracketMatch] = {}
    results.follow(draw(tournament), known)
    if tournament.kind == "round-robin" and tournament.draw_version > 1:
        first = _share_first_place(tournament, list(known.values()))
        results.follow(draw_play_off(first, len(known)), known)
    return tuple(known.values())


def _share_first_place(tournament: Tournament, made: Sequence[BracketMatch]) -> list[str]:
    """Who has to play for first place (rule T4a), in the order of their seeds."""
    if not all(each.winner for each in made):
        return []
    return rank_equals(tournament.players, made, tournament.draw_version)[0]


@dataclass(frozen=True, slots=True)
class _Results:
    winners: Winners
    withdrawn: frozenset[str]
    scores: Scores

    def of(self, number: int, sides: tuple[BracketSide, BracketSide]) -> tuple[str, int]:
        """The winner of a match and by how many points the first side was ahead; "" and 0 without one."""
        one, other = (side.player for side in sides)
        won = self.winners.get(number, "")
        if won and won in (one, other):
            points = dict(self.scores.get(number, ()))
            return won, points.get(one, 0) - points.get(other, 0)
        if one and other and not self.withdrawn.isdisjoint((one, other)):
            return (other if one in self.withdrawn and other not in self.withdrawn else one), 0
        return "", 0

    def follow(self, pairings: Sequence[Pairing], known: dict[int, BracketMatch]) -> None:
        """Add the matches of a draw as they stand, each after those that its sides come from."""
        for pairing in pairings:
            first = known.get(pairing.unless)
            if first is not None and first.winner in ("", first.players[0]):
                continue  # the last match is played again only where the losers' side has won it
            one, other = pairing.sides
            sides = _side(one, known), _side(other, known)
            won, lead = self.of(pairing.number, sides)
            known[pairing.number] = BracketMatch(
                pairing.number, pairing.bracket, pairing.round, sides, won, lead
            )


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


def _of_the_king(tournament: Tournament, results: _Results) -> Iterator[BracketMatch]:
    king, *line = tournament.players
    wins = dict.fromkeys(tournament.players, 0)
    crowned = False
    number = 1
    while True:
        challenger = line.pop(0)
        sides = (BracketSide(king, king), BracketSide(challenger, challenger))
        winner, lead = results.of(number, sides)
        yield BracketMatch(number, "", number, sides, winner, lead)
        if not winner:
            return
        # The first match makes the King; from then on each win of the King's counts as one.
        wins[winner] += 1 if winner == king and crowned else 0
        crowned = True
        line.append(challenger if winner == king else king)
        king, number = winner, number + 1
        if tournament.goal and wins[king] >= tournament.goal:
            return


def walkovers(
    tournament: Tournament, winners: Winners, withdrawn: Collection[str], scores: Scores = NO_SCORES
) -> dict[int, str]:
    """The winners, those among them who won because the other one withdrew (rule T6).

    A King's line goes round, so at least two of its players must not have withdrawn.
    """
    made = matches(tournament, winners, withdrawn, scores)
    return {**winners, **{each.number: each.winner for each in made if each.winner}}


def why_not(
    before: Sequence[BracketMatch],
    after: Sequence[BracketMatch],
    begun: Collection[int],
    number: int,
    winner: str,
) -> str:
    """Why that match cannot be said to have that winner, in a sentence; "" where it can.

    `before` and `after`: the matches without that and with it. `begun`: the numbers of those that were begun.
    """
    known, then = ({each.number: each for each in made} for made in (before, after))
    if number not in known:
        return phrase("There is no match {number}.", number=number)
    match = known[number]
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
    for later in sorted(begun):
        was, will = known.get(later), then.get(later)
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
