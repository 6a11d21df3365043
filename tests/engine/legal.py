"""Players who know the rules: random legal events for any rulebook, made from its public view alone."""

from random import Random

from engine.dice import FACES, Die
from engine.events import Bet, Cache, GameEvent, Landed, Moved, Rolled, Stop
from engine.game import GameView, Position, Wanted


def thrown(wanted: Wanted, chance: Random) -> Rolled:
    """A throw of the dice wanted; of any number, one to six."""
    dice: list[Die] = []
    for part in (wanted, *wanted.more):
        faces = (
            FACES[part.kind]
            if part.kind != "zoinx"
            else ("dot", "dot", "square", "square", "square", "square")
        )
        count = chance.randint(1, 6) if part.count is None else part.count
        dice += [Die(part.kind, chance.choice(faces)) for _ in range(count)]
    return Rolled(dice=tuple(dice))


def landed(view: GameView, chance: Random) -> Landed:
    """A die somewhere on the End Zone table or off it; now and then it hits one that lies there."""
    chances = chance.random()
    if chances < 0.1:
        return Landed(off="caught" if chances < 0.05 else "missed")
    zone = chance.choice((20, 10, 5, 5, 2, 2, 1, 1, 0))
    if chances < 0.15:
        return Landed(value=chance.randint(1, 6), zone=zone, foul="slid" if chances < 0.12 else "late")
    lying = next((fact.words for fact in view.facts if fact.name == "on the table"), ())
    there = [place for place, words in enumerate(lying, start=1) if "off the table" not in words]
    moved = [
        Moved(die=die, value=chance.randint(1, 6), zone=chance.choice((20, 10, 5, 2, 1, 0)))
        for die in there
        if chances > 0.8
    ]
    dot = zone == 5 and chance.random() < 0.02
    return Landed(value=chance.randint(1, 6), zone=zone, dot=dot, moved=tuple(moved))


def legal_event(view: GameView, chance: Random) -> GameEvent:
    """One of the things that the view says may be done now."""
    if view.choices and chance.randrange(len(view.allowed) + 1) == 0:
        return chance.choice(view.choices).event
    allowed = chance.choice(view.allowed)
    match allowed.button:
        case "bet":
            return Bet(player=allowed.player, dots=chance.choice(allowed.choices))
        case "stop":
            return Stop()
        case "roll_done" if view.choices and view.wanted and view.wanted.count is None:
            return chance.choice(view.choices).event  # what is kept decides how many dice may be rolled
        case "roll_done" if view.wanted and (view.wanted.count is not None or not _may_cache(view)):
            return landed(view, chance) if view.wanted.landing else thrown(view.wanted, chance)
        case _:
            return Cache()  # also where a recast and a hot cast are open, for which there is no one number


def _may_cache(view: GameView) -> bool:
    return any(each.button == "cache" for each in view.allowed)


def random_events(start: Position, chance: Random, most: int) -> list[GameEvent]:
    """A legal game, to its end or to so many events."""
    events: list[GameEvent] = []
    position = start
    while len(events) < most:
        view = position.view()
        if view.ending:
            break
        events.append(legal_event(view, chance))
        position = position.after(events[-1])
    return events
