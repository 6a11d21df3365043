"""The way in: the protocols of a rulebook and of its mat, and the public view that all displays share."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal, Protocol, Self, runtime_checkable

from engine.dice import DieKind
from engine.events import Draw, Event, GameEvent, Play, Pocket
from engine.mat import CardLaid, Dice, Expected, Moves, OnMat, Verdict

BetShown = int | Literal["thinking", "locked"]
"""A bet as anybody may see it: open (a number), locked but secret, or not made yet."""

Button = Literal["bet", "roll_done", "stop", "cache"]
"""What may be pressed: `bet` stands for the player's own button."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Allowed:
    """One thing that may be done now, and by whom."""

    button: Button
    player: str
    choices: tuple[int, ...] = ()
    """For `bet`: the numbers this player may bet."""
    scores: bool = True
    """For `stop` and `cache`: whether the points of the turn count; not where it ends a lost turn."""
    words: str = ""
    """For `stop` and `cache`: what a press does now, short enough for a button: "Bank 750"."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Choice:
    """One event that may be sent now and that no single button says: a pocketing, a card."""

    event: GameEvent
    words: str
    """For the table: "three 4s and 1"."""
    points: int | None = None
    """What it adds to the turn, where that is known."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Fact:
    """One more thing that everybody may see, under its name: a quota, a pocket, somebody's cards."""

    name: str
    words: tuple[str, ...]
    player: str | None = None
    """Whose it is; None for the whole table."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Wanted:
    """The dice the rulebook waits for; `count` None means any number from one up."""

    kind: DieKind
    count: int | None
    more: "tuple[Wanted, ...]" = ()
    """Dice of further kinds in the same throw: five pip dice and one d4."""
    landing: bool = False
    """Where the die comes to rest counts too: it is told as a landing."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Ending:
    """Who won, and why the game is over. Several winners share the win."""

    winners: tuple[str, ...]
    cause: str


@dataclass(frozen=True, slots=True, kw_only=True)
class News:
    """What an event meant, for the view that follows it. No part of the position: the line leaves it out."""

    news: str = ""
    banner: str = ""
    roll: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class GameView:
    """The public state: everything that lamps, scoreboard, console and voice may show. Holds no secret."""

    game: str
    edition: str
    phase: str
    players: tuple[str, ...]
    scores: tuple[int, ...]
    active: str | None
    running: int | None
    """What the turn has gathered so far (Zoinx: dots); None between turns."""
    bets: tuple[BetShown, ...] = ()
    """In the players' order; empty where the rulebook has no bets."""
    allowed: tuple[Allowed, ...] = ()
    wanted: Wanted | None = None
    """The dice expected next; None when no dice count now."""
    news: str = ""
    """What the last event meant, in a sentence for the table."""
    banner: str = ""
    """The same for eight seven-segment digits: "ZOINX", "30!"; empty when there is nothing to shout."""
    ending: Ending | None = None
    line: str = ""
    """The position line with every secret left out."""
    last_roll: tuple[str, ...] = field(default=())
    """Faces of the last roll that counted, as words or digits."""
    choices: tuple[Choice, ...] = ()
    """What else may be done now, besides the buttons of `allowed`; the best first where points order it."""
    facts: tuple[Fact, ...] = ()
    """What else there is to see in this game."""
    buttons: tuple[Button, ...] = ("roll_done",)
    """The panel's buttons that this game, as it was agreed, uses at all; pages leave out the others."""
    turn_end: Button | None = None
    """The one of them that ends a turn and keeps its points."""
    unit: str = ""
    """What `running` counts, in words that follow the number: "dots"; empty for points of the turn."""
    target: int | None = None
    """The points to reach; None where the game is not about that."""


@dataclass(frozen=True, slots=True, kw_only=True)
class OptionWords:
    """How one option is put to people. Its texts are English, for `engine.wording.phrase` to translate."""

    name: str
    values: Mapping[str, str] = field(default_factory=dict)
    """Words for its values; one that is left out stands as it is written: an edition's name, a number."""
    hint: str = ""
    """What counts while free text is left empty."""
    front: bool = False
    """Whether it is asked at once; others are folded away."""
    only_with: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """The other option that brings this one up, and which of its values do; empty: always offered."""
    seats: Mapping[str, range] = field(default_factory=dict)
    """How many may play with a value, where that differs from the rulebook's `seats`."""
    free: Literal["", "player", "once"] = ""
    """Free text that names a player, or that is good for one game only."""


class Position(Protocol):
    """One moment of one game. Frozen: `after` returns a new one."""

    @property
    def players(self) -> tuple[str, ...]:
        """The players in seating order."""
        ...

    def after(self, event: GameEvent) -> Self:
        """The position after `event`; raises `Refused` with the reason, and then nothing has changed."""
        ...

    def line(self) -> str:
        """The whole position in one line of text, secrets included; `Rulebook.parse` reads it back."""
        ...

    def view(self) -> GameView:
        """What anybody may see."""
        ...


@runtime_checkable
class LandingPosition(Position, Protocol):
    """One moment of a game whose throws are landings (`Wanted.landing`): what a camera has to know of it."""

    @property
    def lying(self) -> int:
        """How many dice of the running turn lie on the table."""
        ...

    @property
    def tells_apart(self) -> bool:
        """Whether it matters which of several dice that look alike is which."""
        ...


@runtime_checkable
class DecidesNext(Position, Protocol):
    """One moment of a game whose rules say who begins the next one."""

    @property
    def next_game(self) -> tuple[tuple[str, ...], Mapping[str, str]] | None:
        """Its players in rolling order, and the options that make it so; None where the rules do not say."""
        ...


Played = Sequence[tuple[GameEvent, Position]]
"""The game as it counts: events, each with the position after it (`engine.history.History.played`)."""


class DiceOnMat(Protocol):
    """What dice mean that are set aside in the places of a mat (`engine.mat`)."""

    def expect(self, start: Position, played: Played) -> Expected | None:
        """Where the dice of the turn should lie; None while no cast lies there."""
        ...

    def judge(self, start: Position, played: Played, there: OnMat) -> Verdict:
        """What the dice mean as they lie now."""
        ...

    def only_moved(self, start: Position, played: Played, there: OnMat) -> bool:
        """Whether exactly the dice of this turn lie there, only elsewhere: then nothing was thrown."""
        ...

    def find_stray(self, start: Position, played: Played, there: OnMat) -> int:
        """The place in which dice lie that do not count there, so that no roll may follow; else 0."""
        ...

    def lie_still(self, position: Position) -> Dice:
        """Dice of the cast that are left where they lie while a single one is thrown; else none."""
        ...

    def carry(self, event: Pocket) -> Moves:
        """How hands set these dice aside."""
        ...


class CardsOnMat(Protocol):
    """What cards mean that are laid down on a mat. A card is known by its word, as position lines have it."""

    def judge(self, position: Position, played: Played, laid: CardLaid, there: OnMat) -> Verdict:
        """What a new card means."""
        ...

    def holds(self, position: Position, card: str) -> bool:
        """Whether the active player holds that card and may still play it."""
        ...

    def name(self, card: str) -> str:
        """Its name as it is printed; the word itself for no card of this game."""
        ...

    def play(self, event: Draw | Play) -> Moves:
        """How hands draw or play that card; no moves where it is no card of this game."""
        ...


class BetsOnMat(Protocol):
    """What betting dice mean that are shown on a mat."""

    def judge(self, position: Position, shown: Mapping[int, int]) -> Verdict:
        """What the dice mean that were set down for this turn: the dots, by seat from 0."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class MatRules:
    """What the places of a mat mean for a game; None where it has nothing of the kind."""

    dice: DiceOnMat | None = None
    cards: CardsOnMat | None = None
    bets: BetsOnMat | None = None

    def act(self, event: Event) -> Moves:
        """What hands do on the mat for an event; no moves where it is only said."""
        match event:
            case Pocket() if self.dice is not None:
                return self.dice.carry(event)
            case Draw() | Play() if self.cards is not None:
                return self.cards.play(event)
            case _:
                return Moves()


SEED = "seed"
"""The option by which chance comes from outside: the order of a deck. It is secret until the game is over."""


class Rulebook(Protocol):
    """A game: how it starts, and how its position lines are read."""

    @property
    def name(self) -> str:
        """The word on the command line: "zoinx"."""
        ...

    @property
    def title(self) -> str:
        """The name on the box: "Zoinx"."""
        ...

    @property
    def seats(self) -> range:
        """How many may play."""
        ...

    @property
    def options(self) -> Mapping[str, tuple[str, ...]]:
        """Option names and their values, the default first; () means free text."""
        ...

    @property
    def younger(self) -> Mapping[str, str]:
        """Options that the first written games do not name, each with what counted before there was it."""
        ...

    @property
    def dice(self) -> Wanted:
        """The dice to have at hand for this game."""
        ...

    @property
    def mat(self) -> MatRules | None:
        """What a mat under the dice means; None where it means nothing."""
        ...

    @property
    def option_words(self) -> Mapping[str, OptionWords]:
        """Words for each of `options` that the lobby offers."""
        ...

    @property
    def risk(self) -> str:
        """What the odds call a next throw that loses the turn: "Nothing next"; empty where none are known."""
        ...

    def explain(self, agreed: Mapping[str, str]) -> tuple[str, ...]:
        """The rules in short, a sentence or two each, with every option's value as it counts in this game."""
        ...

    def complete(self, options: Mapping[str, str], chance: str) -> Mapping[str, str]:
        """What was agreed, completed for a box that watches: what it sees to itself is no matter of choice.

        `chance` is a text that nobody can guess, such as 16 random hex digits: a deck is shuffled by it.
        """
        ...

    def start(self, players: tuple[str, ...], options: Mapping[str, str]) -> Position:
        """The first position; raises `Refused` for wrong players or options."""
        ...

    def parse(self, line: str) -> Position:
        """The position of a line; raises `Unreadable` for one that cannot be."""
        ...


def name_younger(book: Rulebook, options: Mapping[str, str]) -> Mapping[str, str]:
    """The options as a new game is written down: with those that a game without them was played otherwise."""
    return {**{key: book.options[key][0] for key in book.younger}, **options}


def start_written(book: Rulebook, players: tuple[str, ...], options: Mapping[str, str]) -> Position:
    """The first position of a game that was written down, by the rules of its day; raises `Refused`.

    What such a game does not name, and is younger than it, counts as it did before.
    """
    return book.start(players, {**book.younger, **options})
