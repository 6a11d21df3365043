"""One moment of End Zone: what may happen next, what then is, and what everybody may see.

Rule numbers are those at the head of `engine.end_zone` and of its modes.
"""

from collections.abc import Mapping
from dataclasses import replace
from typing import assert_never

from engine.end_zone import flow
from engine.end_zone.agreed import UNITS
from engine.end_zone.fast import loser_first
from engine.end_zone.line import printed
from engine.end_zone.pads import pads_of
from engine.end_zone.showing import cause_of, facts_of
from engine.end_zone.state import EndZoneState, Phase, tell
from engine.events import Chosen, Confirmed, GameEvent, Landed, Rolled, Stop
from engine.game import Allowed, Choice, Ending, GameView, Played, Position, Said, Wanted
from engine.pad import ScorePad
from engine.refusal import AgainstTheRules
from engine.seating import seat_of
from engine.wording import phrase, phrase_later
from engine.words import dice_named, either, plain

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
        return replace(self, said=Said(roll=self.said.roll))

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
        state = replace(self, landings=self.landings + 1, said=Said(roll=roll))
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
        state = replace(self, said=Said(roll=(str(value),)))
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
