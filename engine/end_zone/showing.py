"""End Zone in words and facts for everybody: how it ended, and what else there is to see.

Rule numbers are those at the head of `engine.end_zone` and of its modes.
"""

from engine.end_zone.card import EXTRAS, LINES
from engine.end_zone.fast import levels
from engine.end_zone.five_hundred import standing
from engine.end_zone.game import total
from engine.end_zone.state import KINGS, EndZoneState
from engine.game import Fact
from engine.wording import phrase, phrase_count, phrase_later
from engine.words import number

CAUSES = {
    "dot": phrase_later("{name} wins instantly with a covered dot (rule 6)."),
    "roll-off": phrase_later("{name} wins the roll-off (rule 7)."),
    "stop": phrase_later("{name} wins as the King at the end (rule 72)."),
    "solo": phrase_later("{name}'s run ends with {points} as the best total (rule 20b)."),
    "fast": phrase_later("{name} wins with {points} points, the most (rule 30)."),
    "threes": phrase_later("{name} wins with three games (rule 40)."),
    "threes-sets": phrase_later("{name} wins with {sets} (rule 41)."),
    "score-card": phrase_later("{name} wins with {points} points, the most on the card (rule 50)."),
    "first-of-500": phrase_later("{name} wins with {points} points, unchallenged (rule 62)."),
    "king-of-kings": phrase_later("{name} wins as King of Kings with {crowns} (rule 80)."),
    "tournament": phrase_later("{name} wins the tournament (rule 90)."),
}
"""Why it was won: by how, and for points by mode."""
TEAM_CAUSES = {
    "dot": phrase_later("{name} win instantly with a covered dot (rule 6)."),
    "roll-off": phrase_later("{name} win the roll-off (rule 7)."),
    "stop": phrase_later("{name} win as the King at the end (rule 72)."),
    "fast": phrase_later("{name} win with {points} points, the most (rule 30)."),
    "threes": phrase_later("{name} win with three games (rule 40)."),
    "threes-sets": phrase_later("{name} win with {sets} (rule 41)."),
    "score-card": phrase_later("{name} win with {points} points, the most on the card (rule 50)."),
    "first-of-500": phrase_later("{name} win with {points} points, unchallenged (rule 62)."),
    "king-of-kings": phrase_later("{name} win as King of Kings with {crowns} (rule 80)."),
    "tournament": phrase_later("{name} win the tournament (rule 90)."),
}
"""The same for a team."""


def cause_of(state: EndZoneState) -> str:
    """Why it was won, and by what rule; empty while it goes on."""
    if state.winner is None:
        return ""
    agreed, side = state.agreed, state.winner
    causes = CAUSES if agreed.crowd(side) == 1 else TEAM_CAUSES
    cause = causes[agreed.mode if state.by == "points" else state.by]
    return phrase(
        cause,
        name=agreed.name(side),
        points=total(agreed, state.game, side) if state.game.at is None else state.game.at,
        sets=phrase_count("{count} set", "{count} sets", agreed.sets),
        crowns=phrase_count("{count} win", "{count} wins", agreed.wins),
    )


def facts_of(state: EndZoneState) -> tuple[Fact, ...]:
    """What else everybody may see: the number of the game, dice on the table, wins, the card, the line."""
    found = [Fact(name="game", words=(str(state.played + (state.winner is None)),))]
    if state.game.lying:
        found.append(Fact(name="on the table", words=_lying(state)))
    found += _sides(state) + _card(state) + _contest(state)
    if state.game.high is not None and state.winner is None:
        name = state.players[state.game.high]
        found.append(
            Fact(name="challenged", words=(str(standing(state.game, state.game.high)),), player=name)
        )
    return tuple(found)


def _lying(state: EndZoneState) -> tuple[str, ...]:
    """Each die on the table, by its number: "die 1: 5 x 20"; with its player where several have rolled."""
    rollers = [state.players[state.roller_at(place)] for place in range(len(state.game.lying))]
    several = len(set(rollers)) > 1
    return tuple(
        phrase("die {number} ({player}): {place}", number=number, player=roller, place=die.told)
        if several
        else phrase("die {number}: {place}", number=number, place=die.told)
        for number, (roller, die) in enumerate(zip(rollers, state.game.lying, strict=True), 1)
    )


def _sides(state: EndZoneState) -> list[Fact]:
    agreed, found = state.agreed, []
    if agreed.teams != "no":
        for side in range(len(agreed.sides)):
            score = str(total(agreed, state.game, side))
            found.append(Fact(name="team", words=(agreed.name(side), score)))
    names = ("games", "3's", "sets")
    for level, wins in enumerate(state.tally):
        if levels(agreed, state.unit) != (1,):
            found += [
                Fact(name=names[level], words=(str(wins[side]),), player=state.players[side])
                for side in state.contest.match
            ]
    return found


def _card(state: EndZoneState) -> list[Fact]:
    """The line of the score card and each margin's extra rolls."""
    game = state.game
    if not state.kind.lines or not game.order:
        return []
    dice = state.kind.dice(game.lap_no)
    line = (
        phrase("extra rolls")
        if game.lap_no > LINES
        else phrase("line {line} of {lines}, {dice} a turn", line=game.lap_no, lines=LINES, dice=number(dice))
    )
    found = [Fact(name="card", words=(line,))]
    marks = {"x": phrase_later("extra roll {zone} won"), "o": phrase_later("extra roll {zone} taken")}
    for seat in game.still:
        words = tuple(
            phrase(marks[mark], zone=zone)
            for zone, mark in zip(EXTRAS, game.extras[seat], strict=True)
            if mark in marks
        )
        found += [Fact(name="extras", words=words, player=state.players[seat])] if words else []
    return found


def _contest(state: EndZoneState) -> list[Fact]:
    agreed, contest, found = state.agreed, state.contest, []
    if contest.king is not None:
        found.append(Fact(name="king", words=(agreed.name(contest.king),)))
    if contest.queue:
        found.append(Fact(name="waiting", words=tuple(agreed.name(side) for side in contest.queue)))
    if contest.through:
        found.append(Fact(name="through", words=tuple(agreed.name(side) for side in contest.through)))
    if agreed.mode in KINGS:
        found += [
            Fact(name="wins as King", words=(str(wins),), player=state.players[side])
            for side, wins in enumerate(contest.crowns)
            if wins
        ]
    return found
