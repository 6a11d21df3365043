"""End Zone's modes at a made-up table: dice by their points, and what a position tells."""

from itertools import product

from engine.game import GameView
from tests.engine.say import Table


def seated(mode: str, players: str = "Ann Bob", **options: str) -> Table:
    """A mode in seating order."""
    return Table("end-zone", players, mode=mode, **{"order": "seats", **options})


ONE = {value * zone: f"lands {value}x{zone}" for zone in (20, 10, 5, 2, 1, 0) for value in (6, 5, 4, 3, 1)}
THREE = {sum(dice): ", ".join(ONE[die] for die in dice) for dice in product(ONE, repeat=3)}


def turn(points: int) -> str:
    """Three dice for so many points, none of which wins an extra roll by a 2."""
    return THREE[points]


def winners(view: GameView) -> tuple[str, ...]:
    """Who has won; nobody while the game goes on."""
    return view.ending.winners if view.ending else ()


def fact(view: GameView, name: str, player: str | None = None) -> tuple[str, ...]:
    """The words of a fact."""
    return next((f.words for f in view.facts if f.name == name and player in (None, f.player)), ())
