"""The matches of a tournament as they stand, and who came where.

First the draw, each side a player or what a match brings; then who is in each match by the winners so
far, and what a changed winner would upset; then the places.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

from engine.refusal import Refused
from engine.wording import phrase, phrase_later
from engine.words import together

TournamentFormat = Literal["book", "single", "double", "round-robin", "king"]
FORMATS: dict[TournamentFormat, str] = {
    "book": phrase_later("Single elimination, as End Zone's rulebook has it"),
    "single": phrase_later("Single elimination, with seeds"),
    "double": phrase_later("Double elimination"),
    "round-robin": phrase_later("Round robin"),
    "king": phrase_later("King"),
}
"""By what they are called, for `phrase` to tell."""
ROUND_ROBIN_TIES = phrase_later(
    "Wins decide. Among equals: wins against one another, then the difference of points in those matches. "
    "Who still shares first place plays for it (play-off)."
)
"""How ties are broken (rule T4a), for `phrase` to tell before the draw."""
MOST_PLAYERS = 64
Bracket = Literal["", "winners", "losers", "final", "play-off"]
DRAW_VERSION = 2
"""The newest way in which matches are numbered and ties broken. Version 1 named the first player of a round
robin first in each match, reversed each round of a losers' bracket, and left a tie for first place as it was.
"""
CROSSINGS = {8: (2,), 16: (2, 0), 32: (2, 1, 2), 64: (2, 3, 1, 2)}
"""Double elimination, by places of the bracket: where the losers of the winners' rounds 2, 3, ... go, but for
the last. 2: halves of the bracket change places; 1: the two quarters of each half; 3: both; 0: none.
No other choice has two players meet again in a later losers' round: see `tests/engine/test_rematches.py`."""


@dataclass(frozen=True, slots=True)
class Tournament:
    """What was agreed."""

    kind: TournamentFormat
    players: tuple[str, ...]
    """In the order of their seeds, or of the line."""
    goal: int = 0
    """King: so many wins as King end it; 0 for no end."""
    draw_version: int = DRAW_VERSION
    """Results are stored by match numbers, so a tournament stays with the version it was drawn by."""

    def __post_init__(self) -> None:
        """Refuses what cannot be played, in a sentence."""
        if not 2 <= len(self.players) <= MOST_PLAYERS:
            raise Refused(
                phrase(
                    "A tournament is for 2 to {most} players; these are {count}.",
                    most=MOST_PLAYERS,
                    count=len(self.players),
                )
            )
        known = [name.casefold() for name in self.players]
        twice = next((name for name in self.players if known.count(name.casefold()) > 1), "")
        if twice:
            raise Refused(
                phrase("Two players are called {twice}. Give one of them another name.", twice=twice)
            )
        if any(not name.strip() for name in self.players):
            raise Refused(phrase("Each player has a name."))
        if self.goal < 0 or (self.goal and self.kind != "king"):
            raise Refused(phrase("A number of wins ends a King's evening alone."))
        if not 1 <= self.draw_version <= DRAW_VERSION:
            raise Refused(
                phrase(
                    "This tournament was drawn by a newer Callbox (draw version {version}). "
                    "Update Callbox to open it.",
                    version=self.draw_version,
                )
            )


def tie_break_words(kind: TournamentFormat, draw_version: int = DRAW_VERSION) -> str:
    """How ties are broken, for people; "" where there are none, or nothing was agreed before the draw."""
    return phrase(ROUND_ROBIN_TIES) if kind == "round-robin" and draw_version > 1 else ""


@dataclass(frozen=True, slots=True)
class Origin:
    """Where a side of a match comes from."""

    player: str = ""
    winner_of: int = 0
    loser_of: int = 0


@dataclass(frozen=True, slots=True)
class Pairing:
    """A match of the draw."""

    number: int
    bracket: Bracket
    round: int
    sides: tuple[Origin, Origin]
    unless: int = 0
    """Not played where the first side has won that match; 0 for always."""


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
    lead: int = 0
    """By how many points the first side was ahead; negative where behind, 0 where nothing was played."""

    @property
    def players(self) -> tuple[str, str]:
        """Both players; "" for one whom nobody knows yet."""
        return self.sides[0].player, self.sides[1].player

    @property
    def ready(self) -> bool:
        """Whether it can be played now."""
        return not self.winner and all(self.players)


@lru_cache(maxsize=16)
def draw(tournament: Tournament) -> tuple[Pairing, ...]:
    """All matches, in an order in which they can be played; none for `king`: nobody knows its line ahead."""
    made = _Draw()
    players = [Origin(player=name) for name in tournament.players]
    match tournament.kind:
        case "book":
            made.by_the_book(players)
        case "single":
            made.single(seeded(players))
        case "double":
            made.double(seeded(players), tournament.draw_version)
        case "round-robin" if tournament.draw_version == 1:
            made.round_robin_around_the_first(players)
        case "round-robin":
            made.round_robin(players)
        case "king":
            pass
    return tuple(made.pairings)


def draw_play_off(players: Sequence[str], before: int) -> tuple[Pairing, ...]:
    """Single elimination among those who share first place (rule T4a), numbered from `before` + 1 on."""
    made = _Draw(before)
    made.single(seeded([Origin(player=name) for name in players]), "play-off")
    return tuple(made.pairings)


def seeded(players: Sequence[Origin]) -> list[Origin | None]:
    """The first round's places, two by two: 1 meets the last, and 1 and 2 can meet in the last match alone.

    None is a bye.
    """
    order = [0]
    while len(order) < len(players):
        last = 2 * len(order) - 1
        order = [place for seed in order for place in (seed, last - seed)]
    return [players[place] if place < len(players) else None for place in order]


class _Draw:
    """Makes pairings."""

    def __init__(self, before: int = 0) -> None:
        """`before`: the number of the last match before these."""
        self.pairings: list[Pairing] = []
        self._before = before

    def meet(
        self, sides: tuple[Origin | None, Origin | None], bracket: Bracket, number: int
    ) -> tuple[Origin | None, Origin | None]:
        """Who goes on and who drops out: where a side is missing, the other goes on without a match."""
        one, other = sides
        if one is None or other is None:
            return one or other, None
        made = self._before + len(self.pairings) + 1
        self.pairings.append(Pairing(made, bracket, number, (one, other)))
        return Origin(winner_of=made), Origin(loser_of=made)

    def round(
        self, places: Sequence[Origin | None], bracket: Bracket, number: int
    ) -> tuple[list[Origin | None], list[Origin | None]]:
        """One round, two by two: who goes on, and who drops out."""
        pairs = zip(places[::2], places[1::2], strict=True)
        met = [self.meet(pair, bracket, number) for pair in pairs]
        return [on for on, _ in met], [out for _, out in met]

    def by_the_book(self, players: Sequence[Origin]) -> None:
        """Rule T1."""
        line: list[Origin | None] = list(players)
        number = 1
        while len(line) > 1:
            odd = line[-1:] if len(line) % 2 else []
            on, _ = self.round(line[: len(line) - len(odd)], "", number)
            line, number = [*odd, *on], number + 1

    def single(self, places: list[Origin | None], bracket: Bracket = "") -> None:
        """Rule T2."""
        number = 1
        while len(places) > 1:
            places, _ = self.round(places, bracket, number)
            number += 1

    def double(self, places: list[Origin | None], version: int) -> None:
        """Rule T3: who drops out of a round of the winners meets who is left of the losers."""
        crossings = iter(CROSSINGS.get(len(places), ()))
        places, left = self.round(places, "winners", 1)
        number, lost = 2, 1
        while len(places) > 1:
            places, out = self.round(places, "winners", number)
            if len(left) > 1:
                left, _ = self.round(left, "losers", lost)
                lost += 1
            dropped = out[::-1] if version == 1 else crossed(out, next(crossings, 0))
            both = [side for pair in zip(left, dropped, strict=True) for side in pair]
            left, _ = self.round(both, "losers", lost)
            number, lost = number + 1, lost + 1
        last, (winners, losers) = len(self.pairings) + 1, (places[0], left[0])
        if winners is None or losers is None:
            return
        self.meet((winners, losers), "final", 1)
        self.pairings.append(Pairing(last + 1, "final", 2, (winners, losers), unless=last))

    def round_robin(self, players: Sequence[Origin]) -> None:
        """Rule T4, by the Berger tables (FIDE Handbook, General Rules for Competitions, C.05 annex 1).

        The last of an even number, or nobody, keeps its place; the others stand in a circle. In each round
        one of them meets the last, and two at the same distance from it meet, the one after it named first.
        """
        table: list[Origin | None] = [*players, *([None] if len(players) % 2 else [])]
        circle, last = table[:-1], table[-1]
        size, half = len(circle), (len(circle) + 1) // 2
        for number in range(1, size + 1):
            middle = (number - 1) * half % size
            pair = (circle[middle], last)
            self.meet(pair if number % 2 else pair[::-1], "", number)
            for steps in range(1, half):
                self.meet((circle[(middle + steps) % size], circle[(middle - steps) % size]), "", number)

    def round_robin_around_the_first(self, players: Sequence[Origin]) -> None:
        """Draw version 1: the first keeps its place and is named first, the others go round by one place."""
        line: list[Origin | None] = [*players, *([None] if len(players) % 2 else [])]
        for number in range(1, len(line)):
            half = len(line) // 2
            for pair in zip(line[:half], reversed(line[half:]), strict=True):
                self.meet(pair, "", number)
            line = [line[0], line[-1], *line[1:-1]]


def crossed(dropped: Sequence[Origin | None], crossing: int) -> list[Origin | None]:
    """Who drops out of a winners' round, in the order in which they enter the losers' bracket.

    `crossing`: see `CROSSINGS`.
    """
    moved = crossing * len(dropped) // 4
    return [dropped[place ^ moved] for place in range(len(dropped))]


# Who came where in a round robin: wins, then what equals did against one another (rule T4a).


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


# The matches as they stand: who is in each by the winners so far, and what a changed winner would upset.

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


# Who came where in a tournament.


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


def champion(tournament: Tournament, made: Sequence[BracketMatch]) -> str:
    """Who has won; "" while it goes on, and where more than one shares the first place.

    `made`: the matches as they stand.
    """
    if any(not each.winner for each in made):
        return ""
    first = [each.player for each in rank(tournament, made) if each.place == 1]
    return first[0] if len(first) == 1 else ""


def rank(tournament: Tournament, made: Sequence[BracketMatch]) -> tuple[FinalPlace, ...]:
    """Everybody, the best first; players who cannot be told apart in the order in which they were named.

    In a round robin nobody has a place before everybody has played: whoever waits may yet pass any of them.
    """
    played = [each for each in made if each.winner]
    records = _records(tournament.players, played)
    early = tournament.kind == "round-robin" and not all(each.played for each in records.values())
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
            found.append(
                FinalPlace(place if did.played and not early else 0, name, did.played, did.wins, reigns)
            )
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
