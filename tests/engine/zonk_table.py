"""ZONK tables in the middle of a run, for the tests of its cards."""

from dataclasses import replace

from engine.game import GameView, Wanted
from engine.history import History
from engine.zonk import ZonkPosition
from engine.zonk.state import MODIFIERS, Card, Seat, in_order
from tests.engine.say import Table


def dice(d6: int, d4: int = 0) -> Wanted:
    """That many D6 and D4."""
    return Wanted(kind="pip", count=d6, more=(Wanted(kind="d4", count=d4),) if d4 else ())


def holding(*cards: Card, **options: str) -> Table:
    """Ann alone at the first cast of a turn with these cards; nobody draws more."""
    given = {key.replace("_", "-"): value for key, value in options.items()}
    table = Table("zonk", "Ann", **{"deck": "none", **given})
    start = table.history.position
    assert isinstance(start, ZonkPosition)
    modifiers = in_order(card for card in cards if card in MODIFIERS)
    items = in_order(card for card in cards if card not in MODIFIERS)
    table.history = History(replace(start, seats=(Seat(modifiers=modifiers, items=items),)))
    return table


def fact(view: GameView, name: str, player: str | None = None) -> str:
    """The words of a fact; empty where there is none."""
    return next((", ".join(f.words) for f in view.facts if (f.name, f.player) == (name, player)), "")


def plays(view: GameView) -> list[str]:
    """What the held cards could do now."""
    return [choice.words for choice in view.choices if choice.points is None]
