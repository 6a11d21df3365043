"""Who came where in a round robin: wins, then what equals did against one another (rule T4a)."""

from collections.abc import Mapping, Sequence

from engine.tournament.draw import BracketMatch


def rank_equals(players: Sequence[str], played: Sequence[BracketMatch], version: int) -> list[list[str]]:
    """Groups of players who cannot be told apart, the best first; `played` are the matches with a winner.

    ITTF Handbook, regulation 3.7.5: equals are compared by the matches among them alone, first by wins, then
    by points; where that parts them, those who are still equal are compared anew. Points count by difference,
    not by ratio: scores here may be 0 or less. Draw version 1 compares equals by wins, once.
    """
    groups = _split(players, _wins(players, played))
    found = []
    for group, inside in zip(groups, _inside(groups, played), strict=True):
        found += _split(group, _wins(group, inside)) if version == 1 else _resolve(group, inside)
    return found


def _resolve(group: list[str], played: Sequence[BracketMatch]) -> list[list[str]]:
    """`played`: the matches among the group."""
    if len(group) == 1:
        return [group]
    parts = _split(group, _wins(group, played))
    if len(parts) == 1:
        parts = _split(group, _leads(group, played))
    if len(parts) == 1:
        return parts
    inside = zip(parts, _inside(parts, played), strict=True)
    return [each for part, its in inside for each in _resolve(part, its)]


def _inside(groups: Sequence[Sequence[str]], played: Sequence[BracketMatch]) -> list[list[BracketMatch]]:
    """The matches among each group's own players."""
    of = {name: number for number, group in enumerate(groups) for name in group}
    found: list[list[BracketMatch]] = [[] for _ in groups]
    for each in played:
        one, other = (of[name] for name in each.players)
        if one == other:
            found[one].append(each)
    return found


def _wins(players: Sequence[str], played: Sequence[BracketMatch]) -> dict[str, int]:
    wins = dict.fromkeys(players, 0)
    for each in played:
        wins[each.winner] += 1
    return wins


def _leads(players: Sequence[str], played: Sequence[BracketMatch]) -> dict[str, int]:
    """Points made, less points conceded."""
    leads = dict.fromkeys(players, 0)
    for each in played:
        one, other = each.players
        leads[one] += each.lead
        leads[other] -= each.lead
    return leads


def _split(players: Sequence[str], values: Mapping[str, int]) -> list[list[str]]:
    """Those with the highest value first; equals in the order in which they came."""
    order = sorted(set(values.values()), reverse=True)
    return [[name for name in players if values[name] == value] for value in order]
