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
from engine.wording import phrase, phrase_later, told_number

SIGN_IT = phrase_later("The result waits for the referee's sign-off.")
GOING_ON = phrase_later("Going on where the journal left off. {news}")
BETS_ANEW = phrase_later("Taken back: all bets. They had been shown, so everybody bets again.")
IN_QUESTION = phrase_later(
    "Taken back: the throw that was asked about. It does not count, and nothing else changes."
)


def taken_back(history: History) -> str:
    """What the next UNDO takes back: "Ann's throw, 5 x 20". Of a bet it never tells how much."""
    last = history.undoes
    return _named(last[0], last[1].view()) if last else phrase("nothing")


def _named(event: Event, before: GameView) -> str:  # noqa: PLR0911 - a sentence for each event
    player = before.active or phrase("nobody")
    match event:
        case Bet(player=bettor):
            return phrase("{player}'s bet", player=bettor)
        case Rolled(dice=dice):
            return phrase("{player}'s roll of {dice}", player=player, dice=faces(dice))
        case Landed():
            return phrase("{player}'s throw, {landing}", player=player, landing=_landing(event))
        case Stop() | Cache():
            return phrase("{player}'s {button}", player=player, button=type(event).__name__.upper())
        case Pocket():
            return phrase("{player}'s dice that were set aside", player=player)
        case Draw(card=card) | Play(card=card):
            return phrase("{player}'s {card}", player=player, card=card)
        case Confirmed(covered=covered):
            return phrase("that the dot is covered") if covered else phrase("that the dot is to be seen")
        case Chosen(mode=mode):
            return phrase("the choice of {mode}", mode=mode)
        case Corrected():
            return _correction(event)
        case Ruled() | DieRuled() | Refereed():
            return _ruling(event, player)
        case Undo():
            return phrase("an UNDO")


def _correction(event: Corrected) -> str:
    if event.roll:
        return phrase("the correction of roll {roll} to {dice}", roll=event.roll, dice=faces(event.dice))
    return phrase("the correction to {dice}", dice=faces(event.dice))


def _ruling(event: Ruling, player: str) -> str:
    if event.landing:
        return phrase("the ruling on {player}'s landing {number}", player=player, number=event.landing)
    return phrase("the ruling on {player}'s last landing", player=player)


def _landing(landed: Landed) -> str:
    if landed.off == "caught":
        return phrase("off the table, caught")
    if landed.off:
        return phrase("off the table, missed")
    return f"{landed.value} x {landed.zone}"


def changed(before: GameView, after: GameView) -> str:
    """What a ruling or a correction changes: "Ann 59 -> 135; Bea stays." """
    parts = [
        f"{player} {told_number(was, ',')} -> {told_number(now, ',')}"
        if was != now
        else phrase("{player} stays", player=player)
        for player, was, now in zip(before.players, before.scores, after.scores, strict=True)
    ]
    text = f"{'; '.join(parts)}." if before.scores != after.scores else phrase("All scores stay.")
    if after.active and after.running is not None and before.running != after.running:
        text += " " + phrase("This turn: {was} -> {now}.", was=before.running or 0, now=after.running)
    if after.ending is not None:
        text += f" {after.news}"
    elif before.ending is not None:
        text += " " + phrase("The game goes on.")
    if after.active and after.active != before.active:
        text += " " + phrase("{player} is next.", player=after.active)
    return text


def news_of(
    events: Sequence[Event], undone: str, before: GameView, after: GameView, *, sign_it: bool = False
) -> str:
    """What is said once these events count. `undone`: what an UNDO among them took back.

    `sign_it`: the result waits for a referee.

    After a ruling or a correction the newest news are of something else: then what it changed is said.
    """
    if sign_it:
        return f"{news_of(events, undone, before, after)} {phrase(SIGN_IT)}"
    if isinstance(events[-1], Undo):
        if len(events) > 1 and after.bets:
            return phrase(BETS_ANEW)
        return phrase("Taken back: {what}. {news}", what=undone, news=after.news)
    if isinstance(events[0], Ruling | Corrected):
        return changed(before, after)
    return after.news
