"""The dice tray: it reads and totals pip dice, for any game that needs no more.

Rules
 1   One to eight play; with nobody named, one player called Tray. Turns go on in seating order.
 2   The player whose turn it is throws any number of pip dice, at least one. The faces are added up.
 3   A throw's total is added to the player's score at once.
 4   Option `turn`: with `throw` the turn passes after every throw; with `stop` the player throws on until
     STOP, which needs a throw first.
 5   The tray has no end.

The line: `tray turn=throw active=Ann running=8 last=3,5 Ann:8 Bob:0`. `active` throws next, `last` is
the last throw, `running` is the total of the turn's throws, with turn=throw that of the last one.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from engine.dice import Die
from engine.events import Bet, GameEvent, Rolled, Stop
from engine.game import Allowed, GameView, News, OptionWords, Wanted
from engine.lines import one_of, pack, split_line, whole
from engine.refusal import AgainstTheRules, Unreadable
from engine.seating import agree_on_options, read_seats, seat_players
from engine.wording import phrase, phrase_later
from engine.words import dice_named, faces

TURN = ("throw", "stop")
NOBODY = ("Tray",)
SEATS = range(1, 9)


DICE = Wanted(kind="pip", count=None)
"""Pip dice, as many as you like."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TrayPosition:
    """One moment at the tray."""

    turn: str
    players: tuple[str, ...]
    scores: tuple[int, ...]
    active: int = 0
    running: int = 0
    last: tuple[int, ...] = ()
    said: News = field(default=News(), compare=False)

    def after(self, event: GameEvent) -> "TrayPosition":
        """The position after `event`; raises `Refused` with the reason."""
        match event:
            case Rolled():
                return self._rolled(event.dice)
            case Stop():
                return self._stopped()
            case Bet():
                raise AgainstTheRules(phrase("Nobody bets at the tray: throw any pip dice."), "2")
            case _:
                raise AgainstTheRules(
                    phrase("The tray has no {event}.", event=type(event).__name__.lower()), "2"
                )

    def _rolled(self, dice: tuple[Die, ...]) -> "TrayPosition":
        others = [die.kind for die in dice if die.kind != "pip"]
        if others or not dice:
            raise AgainstTheRules(
                phrase("The tray adds up pip dice, at least one; here lie {dice}.", dice=dice_named(others)),
                "2",
            )
        values = tuple(die.value for die in dice if isinstance(die.value, int))
        total, name = sum(values), self.players[self.active]
        score = self.scores[self.active] + total
        thrown = f"{' + '.join(map(str, values))} = {total}" if len(values) > 1 else f"{total}"
        news = phrase("{player} throws {thrown}; {score} in all.", player=name, thrown=thrown, score=score)
        return replace(
            self,
            scores=(*self.scores[: self.active], score, *self.scores[self.active + 1 :]),
            active=self._next() if self.turn == "throw" else self.active,
            running=total if self.turn == "throw" else self.running + total,
            last=values,
            said=News(news=news),
        )

    def _stopped(self) -> "TrayPosition":
        name = self.players[self.active]
        if self.turn == "throw":
            raise AgainstTheRules(phrase("There is no STOP here: the turn passes with every throw."), "4")
        if not self.running:
            raise AgainstTheRules(phrase("{player} must throw before STOP.", player=name), "4")
        after = replace(self, active=self._next(), running=0)
        stopped = phrase("{player} stops at {points}.", player=name, points=self.running)
        return replace(after, said=News(news=f"{stopped} {after._call()}"))

    def _call(self) -> str:
        """Who throws."""
        return phrase("{player} throws.", player=self.players[self.active])

    @property
    def _passes(self) -> bool:
        """Whether each throw is a turn, so that what was thrown last is never that of who throws next."""
        return self.turn == "throw" and len(self.players) > 1

    def _next(self) -> int:
        return (self.active + 1) % len(self.players)

    def line(self) -> str:
        """The whole position."""
        head = (
            f"tray turn={self.turn} active={pack(self.players[self.active])} running={self.running} "
            f"last={','.join(map(str, self.last)) or '-'}"
        )
        seats = (f"{pack(name)}:{score}" for name, score in zip(self.players, self.scores, strict=True))
        return " ".join([head, *seats])

    def view(self) -> GameView:
        """What anybody may see: everything."""
        name = self.players[self.active]
        may_stop = self.turn == "stop" and self.running > 0
        buttons = (Allowed(button="roll_done", player=name),)
        stop = Allowed(button="stop", player=name, words=phrase("Stop at {points}", points=self.running))
        return GameView(
            game="tray",
            edition="",
            phase="roll",
            players=self.players,
            scores=self.scores,
            active=name,
            running=None if self._passes else self.running,
            allowed=(*buttons, stop) if may_stop else buttons,
            wanted=DICE,
            news=self.said.news or self._call(),
            banner=self.said.banner,
            line=self.line(),
            last_roll=faces(self.last),
            buttons=("roll_done", "stop") if self.turn == "stop" else ("roll_done",),
            turn_end="stop" if self.turn == "stop" else None,
            unit=phrase("last throw") if self.turn == "throw" else "",
        )


class TrayRulebook:
    """The dice tray."""

    name = "tray"
    seats = SEATS
    dice = DICE
    options: Mapping[str, tuple[str, ...]] = {"turn": TURN}
    option_words: Mapping[str, OptionWords] = {
        "turn": OptionWords(
            name=phrase_later("The turn passes"),
            values={"throw": phrase_later("After each throw"), "stop": phrase_later("With STOP")},
            front=True,
        )
    }
    younger: Mapping[str, str] = {}
    mat = None

    @property
    def title(self) -> str:
        """What it is called."""
        return phrase("Dice tray")

    @property
    def risk(self) -> str:
        """A throw loses nothing."""
        return ""

    def explain(self, agreed: Mapping[str, str]) -> tuple[str, ...]:
        """The rules in short."""
        turn = phrase_later("After each throw it is the next player’s turn.")
        if agreed["turn"] == "stop":
            turn = phrase_later("Throw on as long as you like; STOP passes the turn.")
        return (
            phrase("Throw any number of dice: their sum is yours."),
            phrase(turn),
            phrase("The tray has no end."),
        )

    def complete(self, options: Mapping[str, str], chance: str) -> Mapping[str, str]:  # noqa: ARG002
        """Nothing is left to the box."""
        return options

    def start(self, players: tuple[str, ...], options: Mapping[str, str]) -> TrayPosition:
        """The first position; raises `Refused` for wrong players or options."""
        names = seat_players(players or NOBODY, self.seats, self.title, "1")
        turn = agree_on_options(self.options, options, self.title)["turn"]
        return TrayPosition(turn=turn, players=names, scores=(0,) * len(names))

    def parse(self, line: str) -> TrayPosition:
        """The position of a line; raises `Unreadable` for one that cannot be."""
        values, words = split_line(line, self.name, ("turn", "active", "running", "last"))
        names, scores, active = read_seats(words, values["active"], self.seats, self.title)
        last = (
            () if values["last"] == "-" else tuple(whole(face, "last") for face in values["last"].split(","))
        )
        position = TrayPosition(
            turn=one_of(values["turn"], "turn", TURN),
            players=names,
            scores=scores,
            active=active,
            running=whole(values["running"], "running"),
            last=last,
        )
        if reason := _impossible(position):
            raise Unreadable(phrase("No throws at the tray come to this position: {reason}.", reason=reason))
        if position.line() != line:
            raise Unreadable(phrase("The position line is not written as Callbox writes it."))
        return position


def _impossible(position: TrayPosition) -> str:
    """Why no throws reach this position, or nothing."""
    thrown, running, count = sum(position.last), position.running, len(position.players)
    if any(face not in range(1, 7) for face in position.last):
        return phrase("a pip die shows 1 to 6 (rule 2)")
    if not position.last:
        return (
            phrase("there are points before the first throw (rule 3)")
            if running or any(position.scores)
            else ""
        )
    if position.turn == "throw":
        scorer, gathered = (position.active - 1) % count, thrown
    else:
        scorer, gathered = (position.active, running) if running else ((position.active - 1) % count, thrown)
    if position.turn == "throw" and running != thrown:
        return phrase(
            "running is {running}, and the last throw was {thrown} (rule 4)", running=running, thrown=thrown
        )
    if gathered < thrown or position.scores[scorer] < gathered:
        return phrase(
            "{player} has fewer points than the last turn brought (rule 3)", player=position.players[scorer]
        )
    return ""
