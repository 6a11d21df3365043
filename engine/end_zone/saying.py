"""What End Zone says to each landing and to what it leads to. Rules are those of `engine.end_zone`."""

from engine.end_zone.agreed import EndZoneAgreement
from engine.end_zone.fast import Tally
from engine.end_zone.landing import Lying
from engine.events import Moved
from engine.wording import phrase, phrase_count
from engine.words import number


def landed_told(name: str, die: Lying, score: int) -> str:
    """What a die scores where it landed."""
    if die.state:
        return phrase("{player}: {die}, no points.", player=name, die=die.told)
    if score > die.value * die.zone:
        return phrase("{player}: {die} doubled = {points}.", player=name, die=die.told, points=score)
    return phrase("{player}: {die} = {points}.", player=name, die=die.told, points=score)


def hit_told(moved: Moved, die: Lying) -> str:
    """What became of a die that was hit."""
    if moved.off:
        return phrase("Die {number} is knocked off the table.", number=moved.die)
    return phrase("Die {number} now lies {place}.", number=moved.die, place=die.told)


def turn_told(name: str, players: int, gained: int, points: int) -> str:
    """What a turn brought to a player, or to a team of so many."""
    return phrase_count(
        "{name} scores {gain} and has {points}.",
        "{name} score {gain} and have {points}.",
        players,
        name=name,
        gain=gained,
        points=points,
    )


def challenged_told(agreed: EndZoneAgreement, side: int, points: int) -> str:
    """Whom the others have to pass (rule 61)."""
    return phrase_count(
        "{name} is challenged at {points}.",
        "{name} are challenged at {points}.",
        agreed.crowd(side),
        name=agreed.name(side),
        points=points,
    )


def game_told(agreed: EndZoneAgreement, side: int, tally: Tally, *, told: bool) -> list[str]:
    """A game is won: by whom, where it is `told` of a series, and where that stands (rules 40, 41)."""
    name, crowd, found = agreed.name(side), agreed.crowd(side), []
    if told:
        found.append(phrase_count("{name} wins the game.", "{name} win the game.", crowd, name=name))
    games, higher = tally[0][side], next((level[side] for level in tally[1:] if level[side]), 0)
    if games:
        found.append(phrase_count("That is {count} game of three.", "That is {count} games of three.", games))
    elif higher:
        threes = phrase_count(
            "{name} wins a 3's: {wins} of {goal}.",
            "{name} win a 3's: {wins} of {goal}.",
            crowd,
            name=name,
            wins=higher,
            goal=number(5),
        )
        found.append(threes)
    return found


def crowned_told(agreed: EndZoneAgreement, side: int, *, stays: bool) -> str:
    """Who is King now (rule 71)."""
    if stays:
        return phrase_count(
            "{name} wins and stays King.",
            "{name} win and stay King.",
            agreed.crowd(side),
            name=agreed.name(side),
        )
    return phrase_count(
        "{name} wins and is King.", "{name} win and are King.", agreed.crowd(side), name=agreed.name(side)
    )
