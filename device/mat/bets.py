"""Betting dice that are shown on the mat: whose each is, by its place and colour, and which count.

Betting dice still lie there from the last turn when the next bets are thought about. So a die counts only
when it was put down since: it shows another number, lies elsewhere, or its place was empty in between. What
those dice mean together is the rulebook's to say (`engine.game.BetsOnMat`).
"""

from collections.abc import Mapping, Sequence
from math import dist

from device.shown.words import die_of_color
from engine.game import BetsOnMat, Position
from engine.mat import Verdict
from engine.wording import phrase, phrase_later
from engine.words import capital
from vision.places import Layout, MatReading, Placed
from vision.reading import SeenDie

TWO = phrase_later("Two betting dice lie there for {player}. Take one away.")
LAIN_MM = 2.0
"""A die that lies within so much of where it lay was not touched."""


class Reveal:
    """Remembers the betting dice that lay there before, for one game."""

    def __init__(self, bets: BetsOnMat) -> None:
        """Nothing was seen yet."""
        self._bets = bets
        self._lain: dict[int, Placed[SeenDie]] = {}
        self._betting = False

    def see(self, layout: Layout, position: Position, placed: MatReading) -> Verdict:
        """What the betting dice of a still table say."""
        view = position.view()
        players = [allowed.player for allowed in view.allowed if allowed.button == "bet"]
        dice, trouble = by_seat(layout, placed, view.players)
        if not players or not self._betting:
            self._lain, self._betting = dict(dice), bool(players)
            return Verdict()
        self._lain = {seat: was for seat, was in self._lain.items() if _untouched(was, dice.get(seat))}
        seats = [view.players.index(player) for player in players]
        fresh = [seat for seat in seats if seat in dice and seat not in self._lain]
        if trouble and fresh:
            return Verdict(refused=trouble)
        return self._bets.judge(position, {seat: _dots(dice[seat]) for seat in fresh})


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
            wrong = phrase(
                "{die} is {owner}'s and lies in {player}'s place. Move it.",
                die=die_of_color(one.thing.color),
                owner=players[owner],
                player=name,
            )
            trouble = trouble or capital(wrong)
        if seat in found:
            trouble = trouble or phrase(TWO, player=name)
        found[seat] = one
    return found, trouble


def _dots(placed: Placed[SeenDie]) -> int:
    return placed.thing.value if isinstance(placed.thing.value, int) else 0


def _untouched(was: Placed[SeenDie], now: Placed[SeenDie] | None) -> bool:
    return now is not None and now.thing.value == was.thing.value and dist(now.at_mm, was.at_mm) < LAIN_MM
