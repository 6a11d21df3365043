"""Zoinx: betting dice that are shown at the reveal are the bets, by their colour and place.

Betting dice still lie there from the last turn when the next bets are thought about. So a die counts only
when it was put down since: it shows another number, lies elsewhere, or its place was empty in between. The
bets are taken together, once everybody who still has to bet shows one.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import dist

from engine.events import Bet
from engine.game import GameView, Position
from engine.refusal import Refused
from engine.words import together
from vision.places import Layout, MatReading, Placed
from vision.reading import SeenDie

LAIN_MM = 2.0
"""A die that lies within so much of where it lay was not touched."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BetVerdict:
    """What the betting dice mean."""

    bets: tuple[Bet, ...] = ()
    refused: str = ""
    waits: str = ""
    """Who is still missing, in a sentence, when some dice are there."""


class Reveal:
    """Remembers the betting dice that lay there before, for one game."""

    def __init__(self) -> None:
        """Nothing was seen yet."""
        self._lain: dict[int, Placed[SeenDie]] = {}
        self._betting = False

    def see(self, layout: Layout, position: Position, placed: MatReading) -> BetVerdict:
        """What the betting dice of a still table say."""
        view = position.view()
        players = [allowed.player for allowed in view.allowed if allowed.button == "bet"]
        dice, trouble = by_seat(layout, placed, view.players)
        if not players or not self._betting:
            self._lain, self._betting = dict(dice), bool(players)
            return BetVerdict()
        self._lain = {seat: was for seat, was in self._lain.items() if _untouched(was, dice.get(seat))}
        seats = [view.players.index(player) for player in players]
        fresh = [seat for seat in seats if seat in dice and seat not in self._lain]
        if trouble and fresh:
            return BetVerdict(refused=trouble)
        if len(fresh) < len(seats):
            return BetVerdict(waits=_missing(view, fresh, seats))
        bets = tuple(_bet(view.players[seat], dice[seat]) for seat in seats)
        for bet in bets:
            try:
                position = position.after(bet)
            except Refused as refusal:
                return BetVerdict(refused=str(refusal))
        return BetVerdict(bets=bets)


def by_seat(
    layout: Layout, placed: MatReading, players: Sequence[str]
) -> tuple[Mapping[int, Placed[SeenDie]], str]:
    """Each seat's betting die, from 0; and what is wrong with them, in a sentence."""
    places = [place for place in layout.of("bet") if place.number <= len(players)]
    owners = {place.color: place.number - 1 for place in places if place.color}
    found: dict[int, Placed[SeenDie]] = {}
    trouble = ""
    for one in placed.dice:
        place = one.region if one.region in places else None
        owner = owners.get(one.thing.color)
        seat = place.number - 1 if place else owner
        if one.thing.kind != "bet" or seat is None:
            continue
        name = players[seat]
        if place and owner is not None and owner != seat:
            wrong = f"The {one.thing.color} die is {players[owner]}'s and lies in {name}'s place. Move it."
            trouble = trouble or wrong
        if seat in found:
            trouble = trouble or f"Two betting dice lie there for {name}. Take one away."
        found[seat] = one
    return found, trouble


def _bet(player: str, placed: Placed[SeenDie]) -> Bet:
    return Bet(player=player, dots=placed.thing.value if isinstance(placed.thing.value, int) else 0)


def _untouched(was: Placed[SeenDie], now: Placed[SeenDie] | None) -> bool:
    return now is not None and now.thing.value == was.thing.value and dist(now.at_mm, was.at_mm) < LAIN_MM


def _missing(view: GameView, fresh: Sequence[int], seats: Sequence[int]) -> str:
    if not fresh:
        return ""
    there = together([view.players[seat] for seat in fresh])
    missing = [view.players[seat] for seat in seats if seat not in fresh]
    have = "has" if len(missing) == 1 else "have"
    return (
        f"I see the betting dice of {there}. "
        f"{together(missing)} still {have} to show one that was set down for this turn."
    )
