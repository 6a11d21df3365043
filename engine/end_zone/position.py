"""One moment of End Zone: what may happen next, what then is, and what everybody may see.

Rule numbers are those at the head of `engine.end_zone` and of its modes.
"""

from collections.abc import Mapping
from dataclasses import replace
from typing import assert_never

from engine.end_zone import flow, guide
from engine.end_zone.agreed import OPTIONS, SEATS, TITLE, UNITS, YOUNGER, agree_on
from engine.end_zone.flow import first_state
from engine.end_zone.line import printed, read
from engine.end_zone.modes import EXTRAS, LINES, levels, loser_first, standing, total
from engine.end_zone.pads import pads_of
from engine.end_zone.state import KINGS, EndZoneState, Phase, tell
from engine.events import Chosen, Confirmed, GameEvent, Landed, Rolled, Stop
from engine.game import (
    Allowed,
    Choice,
    Ending,
    Fact,
    GameView,
    News,
    OptionWords,
    Played,
    Position,
    Wanted,
)
from engine.pad import ScorePad
from engine.refusal import AgainstTheRules
from engine.seating import seat_of
from engine.wording import phrase, phrase_count, phrase_later
from engine.words import dice_named, either, number, plain

# End Zone in words and facts for everybody: how it ended, and what else there is to see.
#
# Rule numbers are those at the head of `engine.end_zone` and of its modes.

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
        phrase("die {number} ({player}): {place}", number=number, player=roller, place=die.words)
        if several
        else phrase("die {number}: {place}", number=number, place=die.words)
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


ANY: tuple[Phase, ...] = ("roll", "order", "tie", "choose", "ended")
PHASES: Mapping[Phase, Mapping[type[GameEvent], tuple[Phase, ...]]] = {
    "order": {Landed: ("order", "roll"), Rolled: ("order", "roll"), Stop: ("ended",)},
    "roll": {Landed: ("confirm", *ANY), Stop: ("ended",)},
    "confirm": {Confirmed: ANY},
    "tie": {Landed: ("confirm", *ANY), Rolled: ANY},
    "choose": {Chosen: ("order", "roll"), Stop: ("ended",)},
    "ended": {},
}
"""Each phase: the events it takes, and the phases they may lead to."""

DIE = Wanted(kind="pip", count=1)
LANDING = Wanted(kind="pip", count=1, landing=True)


class EndZonePosition(EndZoneState):
    """One moment of one game. The facts stand in `EndZoneState`, what follows from them in `flow`."""

    __slots__ = ()

    def after(self, event: GameEvent) -> "EndZonePosition":
        """The position after `event`; raises `Refused` with the reason."""
        if not isinstance(event, Landed | Confirmed | Chosen | Rolled | Stop):
            raise AgainstTheRules(phrase("End Zone has no {event}.", event=type(event).__name__.lower()))
        phase = self.phase
        if type(event) not in PHASES[phase]:
            raise self._untimely(event, phase)
        active = self.active
        match event:
            case Landed():
                after = self._landed(event, phase)
            case Rolled():
                after = self._rolled(event, phase)
            case Confirmed():
                after = flow.look(self._hushed(), covered=event.covered)
            case Chosen():
                after = self._hushed()._chosen(event.mode)
            case Stop():
                after = self._hushed()._stopped()
            case _:
                assert_never(event)
        if after.winner is not None:
            return tell(after, cause_of(after), after.agreed.name(after.winner))
        if phase == "order" and after.phase == "roll":
            return tell(after, phrase("{player} goes first.", player=after.players[after.active]))
        if (after.phase, after.active) != (phase, active):
            return tell(after, after._call())
        return after

    @property
    def next_game(self) -> tuple[tuple[str, ...], Mapping[str, str]] | None:
        """Fast Play is played again with the loser rolling first (rule 30a); other modes roll for it anew."""
        agreed, winner = self.agreed, self.winner
        if agreed.mode != "fast" or agreed.teams != "no" or winner is None or len(agreed.sides) < 2:
            return None
        sides = loser_first(agreed, self.game, winner)
        return tuple(self.players[agreed.sides[side][0]] for side in sides), {"order": "seats"}

    def _hushed(self) -> "EndZonePosition":
        """Without the news of the event before."""
        return replace(self, said=News(roll=self.said.roll))

    def _untimely(self, event: GameEvent, phase: Phase) -> AgainstTheRules:
        """Why this kind of event does not count in this phase."""
        name = self.players[self.active] if phase != "ended" else ""
        text, rule = phrase("Say where {player}'s die landed, too: its zone counts.", player=name), "3"
        match phase, event:
            case "ended", _:
                text, rule = phrase("The game is over; nothing counts any more."), "14"
            case "confirm", _:
                text, rule = phrase("First look straight down on the dot and say if it is covered."), "6a"
            case "choose", _:
                text, rule = (
                    phrase("{player} is King and chooses the mode of the next game first.", player=name),
                    "71d",
                )
            case _, Confirmed():
                text, rule = phrase("No die on the table is said to cover the dot."), "6a"
            case _, Chosen():
                text, rule = phrase("Only a King chooses a mode, before a game, where agreed."), "71d"
            case _, Stop():
                text, rule = phrase("There is no STOP here: {player} rolls.", player=name), "72"
            case _:
                pass
        return AgainstTheRules(text, rule)

    def _landed(self, event: Landed, phase: Phase) -> "EndZonePosition":
        name = self.players[self.active]
        if event.player and seat_of(self.players, event.player, "1") != self.active:
            raise AgainstTheRules(
                phrase("{player} rolls now, not {other}.", player=name, other=plain(event.player)), "1"
            )
        roll = ("-",) if event.off else (str(event.value),)
        state = replace(self, landings=self.landings + 1, said=News(roll=roll))
        if phase != "order":
            return flow.settle(state, event)
        if event.moved:
            raise AgainstTheRules(phrase("No other dice count when rolling for who goes first."), "2")
        return flow.rolled_for(state, 0 if event.off else event.value)

    def _rolled(self, event: Rolled, phase: Phase) -> "EndZonePosition":
        """A roll-off by the number alone needs no place."""
        name = self.players[self.active]
        if phase == "tie" and self.agreed.tie_points:
            raise AgainstTheRules(
                phrase("{player}'s die is rolled for points: say where it landed.", player=name), "7a"
            )
        if len(event.dice) != 1 or event.dice[0].kind != "pip":
            lie = dice_named([die.kind for die in event.dice])
            raise AgainstTheRules(
                phrase("{player} rolls one die; this is {dice}.", player=name, dice=lie),
                "7" if phase == "tie" else "2",
            )
        value = event.dice[0].value
        state = replace(self, said=News(roll=(str(value),)))
        return flow.rolled_for(state, value if isinstance(value, int) else 0)

    def _chosen(self, mode: str) -> "EndZonePosition":
        if mode not in UNITS:
            raise AgainstTheRules(
                phrase("The King chooses {modes}; got {mode}.", modes=either(UNITS), mode=plain(mode)), "71d"
            )
        return flow.choose(self, mode)

    def _stopped(self) -> "EndZonePosition":
        if not self.may_stop:
            why = phrase_later("This mode plays to its end: {player} rolls.")
            if self.agreed.mode == "king":
                why = phrase_later("King ends between games, once there is a King: {player} rolls.")
            raise AgainstTheRules(phrase(why, player=self.players[self.active]), "72")
        return flow.stop(self)

    def ending(self) -> Ending | None:
        """Who won and why; None while the game goes on."""
        if self.winner is None:
            return None
        names = tuple(self.players[seat] for seat in self.agreed.sides[self.winner])
        return Ending(winners=names, cause=cause_of(self))

    def line(self) -> str:
        """The whole position; End Zone has no secrets."""
        return printed(self)

    def view(self) -> GameView:
        """What anybody may see: everything."""
        phase, one_margin = self.phase, self.kind.one_margin(self.agreed)
        points = self.game.points
        if one_margin:
            points = tuple(
                points[self.agreed.sides[self.agreed.side_of(seat)][0]] for seat in range(len(points))
            )
        return GameView(
            game="end-zone",
            edition=self.agreed.mode,
            phase=phase,
            players=self.players,
            scores=points,
            active=None if phase == "ended" else self.players[self.active],
            running=flow.running(self) if self.game.lying and self.rolloff is None else None,
            allowed=self._allowed(phase),
            wanted=self._wanted(phase),
            news=self.said.news or self._call(),
            banner=self.said.banner,
            ending=self.ending(),
            line=self.line(),
            last_roll=self.said.roll,
            choices=self._choices(phase),
            facts=facts_of(self),
            buttons=("roll_done", "stop") if self.agreed.mode == "king" else ("roll_done",),
            target=self.agreed.goal if self.unit == "first-of-500" else None,
        )

    def pads(self, start: Position, played: Played) -> tuple[ScorePad, ...]:
        """The mode's papers (`engine.pad`): `played` leads from `start` to this position."""
        return pads_of(self, start, played)

    def _call(self) -> str:
        """What the table waits for."""
        name = self.players[self.active] if self.winner is None else ""
        match self.phase:
            case "order":
                first = phrase_later("{player} rolls one die: the lowest goes first.")
                if self.need == "two":
                    first = phrase_later("{player} rolls one die: the two highest play first.")
                elif self.kind.highest_first:
                    first = phrase_later("{player} rolls one die: the highest goes first.")
                return phrase(first, player=name)
            case "roll":
                return phrase("{player} rolls.", player=name)
            case "tie":
                return phrase("{player} rolls one die.", player=name)
            case "confirm":
                return "" if self.said.news else phrase("Is the dot covered? Look straight down and say.")
            case "choose":
                return phrase("{player} chooses the mode of the next game.", player=name)
            case "ended":
                return cause_of(self)

    def _allowed(self, phase: Phase) -> tuple[Allowed, ...]:
        if phase == "ended":
            return ()
        name, rolls = self.players[self.active], phase in {"order", "roll", "tie"}
        roll = (Allowed(button="roll_done", player=name),) if rolls else ()
        return (*roll, Allowed(button="stop", player=name)) if self.may_stop else roll

    def _wanted(self, phase: Phase) -> Wanted | None:
        if phase == "order" or (phase == "tie" and not self.agreed.tie_points):
            return DIE
        return LANDING if phase in {"roll", "tie"} else None

    def _choices(self, phase: Phase) -> tuple[Choice, ...]:
        match phase:
            case "confirm":
                return (
                    Choice(event=Confirmed(covered=True), words=phrase("the dot is covered completely")),
                    Choice(event=Confirmed(covered=False), words=phrase("some of the dot is to be seen")),
                )
            case "choose":
                return tuple(Choice(event=Chosen(mode=mode), words=mode) for mode in UNITS)
            case _:
                return ()


# End Zone's rulebook: how a game starts, and how its position lines are read.


class EndZoneRulebook:
    """All modes of End Zone."""

    name = "end-zone"
    title = TITLE
    seats = SEATS
    dice: Wanted = LANDING
    options: Mapping[str, tuple[str, ...]] = OPTIONS
    option_words: Mapping[str, OptionWords] = guide.OPTION_WORDS
    younger: Mapping[str, str] = YOUNGER
    mat = None

    risk = ""

    def explain(self, agreed: Mapping[str, str]) -> tuple[str, ...]:
        """The rules in short."""
        return guide.explain(agreed)

    def complete(self, options: Mapping[str, str], chance: str) -> Mapping[str, str]:  # noqa: ARG002
        """A covered dot waits for somebody who looks (rule 6a): from above a camera is never sure of it."""
        return {**options, "dot": "confirmed"}

    def start(self, players: tuple[str, ...], options: Mapping[str, str]) -> EndZonePosition:
        """The first position; raises `Refused` for wrong players or options."""
        return first_state(EndZonePosition, agree_on(players, options))

    def parse(self, line: str) -> EndZonePosition:
        """The position of a line; raises `Unreadable` for one that cannot be."""
        return read(line, EndZonePosition)
