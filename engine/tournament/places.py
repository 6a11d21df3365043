"""Who came where in a tournament."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from engine.tournament.draw import BracketMatch, Tournament
from engine.tournament.flow import NO_SCORES, Scores, Winners, matches
from engine.tournament.ranking import rank_equals


@dataclass(frozen=True, slots=True)
class FinalPlace:
    """One player's place so far."""

    place: int
    """From 1; who cannot be told apart shares one. 0 for a player without a result yet."""
    player: str
    played: int
    wins: int
    reigns: int = 0
    """King: wins as the King."""


@dataclass(slots=True)
class _Record:
    """What one player did."""

    played: int = 0
    wins: int = 0
    losses: int = 0
    reigns: int = 0
    won_last: int = 0
    """The round of the last win."""
    lost_last: tuple[bool, int] = (False, 0)
    """Whether the last match lost was a final, and its round."""


def champion(
    tournament: Tournament, winners: Winners, withdrawn: Collection[str] = (), scores: Scores = NO_SCORES
) -> str:
    """Who has won the tournament; "" while it goes on, and where more than one shares the first place."""
    made = matches(tournament, winners, withdrawn, scores)
    if any(not each.winner for each in made):
        return ""
    first = [each.player for each in rank(tournament, made) if each.place == 1]
    return first[0] if len(first) == 1 else ""


def places(
    tournament: Tournament, winners: Winners, withdrawn: Collection[str] = (), scores: Scores = NO_SCORES
) -> tuple[FinalPlace, ...]:
    """Everybody, the best first; players who cannot be told apart in the order in which they were named."""
    return rank(tournament, matches(tournament, winners, withdrawn, scores))


def rank(tournament: Tournament, made: Sequence[BracketMatch]) -> tuple[FinalPlace, ...]:
    """The same from the matches as they stand."""
    played = [each for each in made if each.winner]
    records = _records(tournament.players, played)
    match tournament.kind:
        case "round-robin":
            groups = _in_the_round(tournament, played)
            waiting = [name for name in tournament.players if not records[name].played]
            ranked = ([name for name in group if records[name].played] for group in groups)
            groups = [group for group in (*ranked, waiting) if group]
        case "king":
            keys = {name: (each.played > 0, each.reigns, each.wins) for name, each in records.items()}
            groups = _grouped(keys)
        case _:
            lives = 2 if tournament.kind == "double" else 1
            groups = _grouped({name: _in_the_brackets(each, lives) for name, each in records.items()})
    found = list[FinalPlace]()
    for group in groups:
        place = len(found) + 1
        for name in group:
            did = records[name]
            reigns = did.reigns if tournament.kind == "king" else 0
            found.append(FinalPlace(place if did.played else 0, name, did.played, did.wins, reigns))
    return tuple(found)


def _records(players: Sequence[str], played: Sequence[BracketMatch]) -> dict[str, _Record]:
    found = {name: _Record() for name in players}
    for number, each in enumerate(played):
        one, other = each.players
        won, lost = found[each.winner], found[other if each.winner == one else one]
        won.played, won.wins, won.won_last = won.played + 1, won.wins + 1, each.round
        # The King of a match is its first side, but nobody is King in the first match.
        won.reigns += 1 if number and each.winner == one else 0
        lost.played, lost.losses = lost.played + 1, lost.losses + 1
        lost.lost_last = each.bracket == "final", each.round
    return found


def _grouped(keys: Mapping[str, tuple[int, ...]]) -> list[list[str]]:
    """Equals together, the best first."""
    groups: dict[tuple[int, ...], list[str]] = {}
    for name, key in keys.items():
        groups.setdefault(key, []).append(name)
    return [groups[key] for key in sorted(groups, reverse=True)]


def _in_the_brackets(did: _Record, lives: int = 1) -> tuple[int, ...]:
    """Who is still in comes first, by fewer losses and later rounds; the others by the round that ended it.

    Who has not played yet shares no place with who has, but is still in, and so comes before who is out.
    """
    if did.losses < lives:
        return 1, did.played > 0, -did.losses, did.won_last
    return 0, *did.lost_last


def _in_the_round(tournament: Tournament, played: Sequence[BracketMatch]) -> list[list[str]]:
    """By rule T4a: a play-off parts those who were first together."""
    base = [each for each in played if each.bracket != "play-off"]
    first, *groups = rank_equals(tournament.players, base, tournament.draw_version)
    play_off = _records(first, [each for each in played if each.bracket == "play-off"])
    return [*_grouped({name: _in_the_brackets(each) for name, each in play_off.items()}), *groups]
