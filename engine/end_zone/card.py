"""The official score card.

Rules
50   Everybody takes the lines of the card downwards, line by line in the rolling order: 14 rolls of one
     die, two rolls of two dice, one roll of three dice, one die at a time. The most points win; ties by
     rule 7.
51   Bonus: with 100 points or more after roll 7, 50 more. 51a: with 250 or more after roll 14, the 50
     counted, 100 more. All points of the margin count, minus points too.
52   Extra rolls of one die, each once a game: for a 2 in the 2 zone, a 5 in the 5 zone, a 1 in the 10
     zone and a 2 in the 20 zone. 52a: any die of any roll wins one, where it lies when its roll is
     scored, an extra roll's too. The printed number counts, doubled or not.
52b  They are taken at the end of the game, one each time round, from the top of the card.
53   The game ends when all rolls are taken.
"""

from dataclasses import replace

from engine.end_zone.agreed import EndZoneAgreement
from engine.end_zone.game import Game, Kind, Scored, best_sides, margins, with_points
from engine.end_zone.landing import Lying
from engine.wording import phrase

LINES = 17
EXTRAS = {2: 2, 5: 5, 10: 1, 20: 2}
"""Rule 52: the zone of each extra roll, and the number that wins it there."""
BONUSES = {7: (100, 50), 14: (250, 100)}
"""Rules 51, 51a: the points to have after that roll, and the bonus."""


def _dice(lap: int) -> int:
    if lap in {15, 16}:
        return 2
    return 3 if lap == LINES else 1


def _shared(agreed: EndZoneAgreement) -> bool:
    return agreed.teams == "shared"


def _scored(agreed: EndZoneAgreement, game: Game, margin: int, dice: Scored) -> tuple[Game, str]:  # noqa: ARG001 - a Kind's
    """The line's points, then the bonus of that line, then the extra rolls it won."""
    news, extras = [], game.extras[margin]
    if game.lap_no > LINES:
        extras = extras.replace("x", "o", 1)
    game = with_points(game, margin, sum(score for _, score in dice))
    need, bonus = BONUSES.get(game.lap_no, (0, 0))
    if bonus and game.points[margin] >= need:
        game = with_points(game, margin, bonus)
        news.append(
            phrase(
                "{points} after roll {line}: {bonus} bonus points.",
                points=need,
                line=game.lap_no,
                bonus=bonus,
            )
        )
    for place, (zone, value) in enumerate(EXTRAS.items()):
        if extras[place] == "-" and any(_wins(die, zone, value) for die, _ in dice):
            extras = f"{extras[:place]}x{extras[place + 1 :]}"
            news.append(phrase("A {face} in the {zone} zone: extra roll {zone}.", face=value, zone=zone))
    every = (*game.extras[:margin], extras, *game.extras[margin + 1 :])
    return replace(game, extras=every), " ".join(news)


def _wins(die: Lying, zone: int, value: int) -> bool:
    return not die.state and (die.zone, die.value) == (zone, value)


def _onward(agreed: EndZoneAgreement, game: Game) -> Game | tuple[int, ...]:
    if game.lap:
        return game
    everybody = margins(agreed, CARD, game.order)
    lap = everybody if game.lap_no < LINES else tuple(seat for seat in everybody if "x" in game.extras[seat])
    return replace(game, lap_no=game.lap_no + 1, lap=lap) if lap else best_sides(agreed, game)


CARD = Kind(dice=_dice, scored=_scored, onward=_onward, one_margin=_shared, lines=True)
