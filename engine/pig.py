"""Pig, the folk game of one die: roll on, or hold what you have.

Rules. Source: the folk game as John Scarne described it in 1945.
 1   One to ten play, in seating order.
 2   The player whose turn it is rolls one pip die, as often as they like. 2 to 6 are added to the turn.
 2a  A 1 ends the turn, and what the turn had gathered is lost.
 3   Holding ends the turn and adds what it has gathered to the player's score. It takes at least one roll.
 4   Whoever first holds with `target` points in all wins, and the game is over. Nobody has another turn.
 4a  Option `target`: the points to reach, from 10 to 1,000; 100 unless agreed otherwise.
 5   After the end nothing counts any more.

The line: `pig target=100 active=Ann running=14 last=5 Ann:30 Bob:12`. `active` rolls next, or has won; `last`
is the last roll, `-` before the first.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from engine.dice import Die
from engine.events import Cache, GameEvent, Rolled
from engine.game import Allowed, Ending, GameView, News, OptionWords, Wanted
from engine.lines import pack, split_line, whole
from engine.refusal import AgainstTheRules, Unreadable
from engine.seating import agree_on_options, read_seats, seat_players
from engine.wording import phrase, phrase_later, told_number
from engine.words import dice_named

SEATS = range(1, 11)
DIE = Wanted(kind="pip", count=1)
TARGETS = range(10, 1001)
TARGET = 100
PIG = 1
"""The face that loses the turn (rule 2a)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PigPosition:
    """One moment of a game of Pig."""

    target: int
    players: tuple[str, ...]
    scores: tuple[int, ...]
    active: int = 0
    running: int = 0
    """What the turn has gathered."""
    last: int | None = None
    said: News = field(default=News(), compare=False)

    @property
    def over(self) -> bool:
        """Whether somebody has won (rule 4)."""
        return max(self.scores) >= self.target

    @property
    def name(self) -> str:
        """The player who rolls, or who has won."""
        return self.players[self.active]

    def after(self, event: GameEvent) -> "PigPosition":
        """The position after `event`; raises `Refused` with the reason."""
        if self.over:
            raise AgainstTheRules(phrase("The game is over; nothing counts any more."), "5")
        match event:
            case Rolled():
                return self._rolled(event.dice)
            case Cache():
                return self._held()
            case _:
                word = type(event).__name__.lower()
                raise AgainstTheRules(
                    phrase("Pig has no {event}: roll, or hold with CACHE.", event=word), "2"
                )

    def _rolled(self, dice: tuple[Die, ...]) -> "PigPosition":
        kinds = [die.kind for die in dice]
        face = dice[0].value if kinds == ["pip"] else None
        if not isinstance(face, int):
            lie = dice_named(kinds)
            raise AgainstTheRules(
                phrase("{player} rolls one die; this is {dice}.", player=self.name, dice=lie), "2"
            )
        if face == PIG:
            after = replace(self, active=self._next(), running=0, last=face)
            lost = phrase("{player} rolls a 1 and loses {points}.", player=self.name, points=self.running)
            said = News(news=f"{lost} {after._call()}", banner="PIG", roll=(str(face),))
            return replace(after, said=said)
        running = self.running + face
        news = phrase(
            "{player} rolls {face}: {points} this turn.", player=self.name, face=face, points=running
        )
        return replace(self, running=running, last=face, said=News(news=news, roll=(str(face),)))

    def _held(self) -> "PigPosition":
        if not self.running:
            raise AgainstTheRules(phrase("{player} must roll before holding.", player=self.name), "3")
        score = self.scores[self.active] + self.running
        held = replace(
            self, scores=(*self.scores[: self.active], score, *self.scores[self.active + 1 :]), running=0
        )
        news = phrase(
            "{player} holds {points} and has {score}.", player=self.name, points=self.running, score=score
        )
        if held.over:
            return replace(held, said=News(news=f"{news} {held._cause()}", banner="END", roll=self.said.roll))
        after = replace(held, active=self._next())
        return replace(after, said=News(news=f"{news} {after._call()}", roll=self.said.roll))

    def _call(self) -> str:
        """Whose turn it is."""
        return phrase("{player} rolls.", player=self.name)

    def _cause(self) -> str:
        return phrase(
            "{player} wins with {points} points (rule 4).", player=self.name, points=max(self.scores)
        )

    def _next(self) -> int:
        return (self.active + 1) % len(self.players)

    def line(self) -> str:
        """The whole position."""
        head = (
            f"pig target={self.target} active={pack(self.name)} running={self.running} "
            f"last={'-' if self.last is None else self.last}"
        )
        seats = (f"{pack(name)}:{score}" for name, score in zip(self.players, self.scores, strict=True))
        return " ".join([head, *seats])

    def view(self) -> GameView:
        """What anybody may see: everything."""
        words = phrase("Hold {points}", points=self.running)
        roll = Allowed(button="roll_done", player=self.name)
        hold = Allowed(button="cache", player=self.name, words=words)
        allowed = () if self.over else (roll, hold) if self.running else (roll,)
        return GameView(
            game="pig",
            edition="",
            phase="ended" if self.over else "roll",
            players=self.players,
            scores=self.scores,
            active=None if self.over else self.name,
            running=None if self.over else self.running,
            allowed=allowed,
            wanted=None if self.over else DIE,
            news=self.said.news or (self._cause() if self.over else self._call()),
            banner=self.said.banner,
            ending=Ending(winners=(self.name,), cause=self._cause()) if self.over else None,
            line=self.line(),
            last_roll=() if self.last is None else (str(self.last),),
            buttons=("roll_done", "cache"),
            turn_end="cache",
            target=self.target,
        )


class PigRulebook:
    """Pig with one die."""

    name = "pig"
    seats = SEATS
    dice = DIE
    options: Mapping[str, tuple[str, ...]] = {"target": ()}
    option_words: Mapping[str, OptionWords] = {
        "target": OptionWords(name=phrase_later("Points to reach"), hint=str(TARGET), front=True)
    }
    younger: Mapping[str, str] = {}
    mat = None

    @property
    def title(self) -> str:
        """What it is called."""
        return phrase("Pig")

    @property
    def risk(self) -> str:
        """A roll of 1."""
        return phrase("A 1 next")

    def explain(self, agreed: Mapping[str, str]) -> tuple[str, ...]:
        """The rules in short."""
        target = told_number(int(agreed["target"] or TARGET), ",")
        return (
            phrase("Roll one die as often as you like: 2 to 6 are added to your turn."),
            phrase("A 1 ends the turn, and what it had gathered is lost."),
            phrase("Hold with CACHE: what the turn has gathered is yours, and the next player rolls."),
            phrase("Whoever first holds with {points} points in all wins.", points=target),
        )

    def complete(self, options: Mapping[str, str], chance: str) -> Mapping[str, str]:  # noqa: ARG002
        """Nothing is left to the box."""
        return options

    def start(self, players: tuple[str, ...], options: Mapping[str, str]) -> PigPosition:
        """The first position; raises `Refused` for wrong players or options."""
        names = seat_players(players, self.seats, self.title, "1")
        target = agree_on_options(self.options, options, self.title)["target"]
        return PigPosition(
            target=_target(target) if target else TARGET, players=names, scores=(0,) * len(names)
        )

    def parse(self, line: str) -> PigPosition:
        """The position of a line; raises `Unreadable` for one that cannot be."""
        values, words = split_line(line, self.name, ("target", "active", "running", "last"))
        names, scores, active = read_seats(words, values["active"], self.seats, self.title)
        position = PigPosition(
            target=_target(values["target"]),
            players=names,
            scores=scores,
            active=active,
            running=whole(values["running"], "running"),
            last=None if values["last"] == "-" else whole(values["last"], "last"),
        )
        if reason := _impossible(position):
            raise Unreadable(phrase("No rolls of Pig come to this position: {reason}.", reason=reason))
        if position.line() != line:
            raise Unreadable(phrase("The position line is not written as Callbox writes it."))
        return position


def _target(text: str) -> int:
    """The points to reach (rule 4a); raises `Unreadable`."""
    value = whole(text, "target")
    if value not in TARGETS:
        raise Unreadable(
            phrase(
                "The points to reach are a number from {least} to {most}; got {value}.",
                least=TARGETS.start,
                most=TARGETS.stop - 1,
                value=value,
            )
        )
    return value


def _impossible(position: PigPosition) -> str:
    """Why no rolls reach this position, or nothing."""
    last, running = position.last, position.running
    if last is None:
        first = position.active == 0 and not running and not any(position.scores)
        return "" if first else phrase("there are points before the first roll (rule 2)")
    if last not in range(1, 7):
        return phrase("a pip die shows 1 to 6 (rule 2)")
    if running and (last == PIG or running < last or running - last == 1):
        return phrase("the last roll does not lead to {running} (rule 2)", running=running)
    if any(score == 1 for score in position.scores):
        return phrase("no turn brings a single point (rule 2)")
    winners = [seat for seat, score in enumerate(position.scores) if score >= position.target]
    if winners and (winners != [position.active] or running or last == PIG):
        return phrase("the first to reach the points wins at once (rule 4)")
    return ""
