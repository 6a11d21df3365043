"""What an UNDO takes back, and what a ruling or a correction changes, in sentences for people."""

from collections.abc import Sequence

from device.shown.words import faces
from engine.events import (
    Bet,
    Cache,
    Chosen,
    Confirmed,
    Corrected,
    DieRuled,
    Draw,
    Event,
    Landed,
    Play,
    Pocket,
    Refereed,
    Rolled,
    Ruled,
    Ruling,
    Stop,
    Undo,
)
from engine.game import GameView
from engine.history import History

SIGN_IT = " The result waits for the referee's sign-off."
IN_QUESTION = "Taken back: the throw that was asked about. It does not count, and nothing else changes."


def taken_back(history: History) -> str:
    """What the next UNDO takes back: "Ann's throw, 5 x 20". Of a bet it never tells how much."""
    last = history.undoes
    return _named(last[0], last[1].view()) if last else "nothing"


def _named(event: Event, before: GameView) -> str:  # noqa: PLR0911 - a sentence for each event
    whose = f"{before.active}'s" if before.active else "the"
    match event:
        case Bet(player=player):
            return f"{player}'s bet"
        case Rolled(dice=dice):
            return f"{whose} roll of {faces(dice)}"
        case Landed():
            return f"{whose} throw, {_landing(event)}"
        case Stop() | Cache():
            return f"{whose} {type(event).__name__.upper()}"
        case Pocket():
            return f"{whose} dice that were set aside"
        case Draw(card=card) | Play(card=card):
            return f"{whose} {card}"
        case Confirmed(covered=covered):
            return f"that the dot is {'covered' if covered else 'to be seen'}"
        case Chosen(mode=mode):
            return f"the choice of {mode}"
        case Corrected(dice=dice):
            return f"the correction to {faces(dice)}"
        case Ruled() | DieRuled() | Refereed():
            return f"the ruling on {whose} {f'landing {event.landing}' if event.landing else 'last landing'}"
        case Undo():
            return "an UNDO"


def _landing(landed: Landed) -> str:
    if landed.off:
        return f"off the table, {landed.off}"
    return f"{landed.value} x {landed.zone}"


def changed(before: GameView, after: GameView) -> str:
    """What a ruling or a correction changes: "Ann 59 -> 135; Bea stays." """
    parts = [
        f"{player} {was} -> {now}" if was != now else f"{player} stays"
        for player, was, now in zip(before.players, before.scores, after.scores, strict=True)
    ]
    text = f"{'; '.join(parts)}." if before.scores != after.scores else "All scores stay."
    if after.active and after.running is not None and before.running != after.running:
        text += f" This turn: {before.running or 0} -> {after.running}."
    if after.ending is not None:
        text += f" {after.news}"
    elif before.ending is not None:
        text += " The game goes on."
    if after.active and after.active != before.active:
        text += f" {after.active} is next."
    return text


def news_of(events: Sequence[Event], undone: str, before: GameView, after: GameView) -> str:
    """What is said once these events count. `undone`: what an UNDO among them took back.

    After a ruling or a correction the newest news are of something else: then what it changed is said.
    """
    if isinstance(events[-1], Undo):
        return f"Taken back: {undone}. {after.news}"
    if isinstance(events[0], Ruling | Corrected):
        return changed(before, after)
    return after.news
