"""Who came where in a tournament."""

from dataclasses import dataclass

from engine.tournament.draw import Tournament
from engine.tournament.flow import BracketMatch, Winners, matches


@dataclass(frozen=True, slots=True)
class FinalPlace:
    """One player's place so far."""

    place: int
    """From 1; who cannot be told apart shares one."""
    player: str
    played: int
    wins: int
    reigns: int = 0
    """King: wins as the King."""


def champion(tournament: Tournament, winners: Winners) -> str:
    """Who has won the tournament; "" while it goes on, and where more than one shares the first place."""
    made = matches(tournament, winners)
    if any(not each.winner for each in made):
        return ""
    first = [each.player for each in places(tournament, winners) if each.place == 1]
    return first[0] if len(first) == 1 else ""


def places(tournament: Tournament, winners: Winners) -> tuple[FinalPlace, ...]:
    """Everybody, the best first; players who cannot be told apart in the order in which they were named."""
    played = [each for each in matches(tournament, winners) if each.winner]
    reigns = _reigns(played) if tournament.kind == "king" else {}
    ranks: dict[str, tuple[int, ...]] = {}
    for name in tournament.players:
        match tournament.kind:
            case "round-robin":
                ranks[name] = _in_the_round(name, tournament.players, played)
            case "king":
                ranks[name] = (reigns.get(name, 0), _wins(name, played))
            case _:
                ranks[name] = _in_the_brackets(name, played)
    order = sorted(tournament.players, key=lambda name: ranks[name], reverse=True)
    return tuple(
        FinalPlace(
            place=1 + sum(ranks[other] > ranks[name] for other in order),
            player=name,
            played=sum(name in each.players for each in played),
            wins=_wins(name, played),
            reigns=reigns.get(name, 0),
        )
        for name in order
    )


def _wins(name: str, played: list[BracketMatch]) -> int:
    return sum(each.winner == name for each in played)


def _in_the_brackets(name: str, played: list[BracketMatch]) -> tuple[int, ...]:
    """Who is still in comes first; the others by the round in which they dropped out."""
    lost = [each for each in played if name in each.players and each.winner != name]
    out = lost[-1] if lost else None
    double = any(each.bracket == "winners" for each in played)
    if out is None or (double and len(lost) < 2):
        return (1, 0, 0)
    return (0, 1 if out.bracket == "final" else 0, out.round)


def _in_the_round(name: str, players: tuple[str, ...], played: list[BracketMatch]) -> tuple[int, ...]:
    """Wins, then wins against those who have as many."""
    mine = _wins(name, played)
    equals = {other for other in players if _wins(other, played) == mine}
    return mine, _wins(name, [each for each in played if set(each.players) <= equals])


def _reigns(played: list[BracketMatch]) -> dict[str, int]:
    """Wins as the King: the King of a match is its first side, but nobody is King in the first."""
    found: dict[str, int] = {}
    for each in played[1:]:
        if each.winner == each.players[0]:
            found[each.winner] = found.get(each.winner, 0) + 1
    return found
