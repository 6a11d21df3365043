"""What the box shows, as one message: console and LED boards are drawn from it, and from nothing else."""

from typing import Any, Literal

import msgspec
from msgspec import Struct

from engine.game import Allowed, Fact
from engine.pad import ScorePad
from vision.reading import SeenDie, UnsureDie
from vision.watch import TouchedDie

# For whom the desk of a hall calls to this table, as pages show it.


class VenueCallShown(Struct, frozen=True):
    """Players are called to this table."""

    id: str
    """By which the call is begun or refused."""
    match: str
    """ "Match 3 of Autumn Cup"."""
    game: str
    players: tuple[str, ...]


Stage = Literal["lobby", "playing", "ended"]
Tone = Literal["info", "good", "refused", "unsure", "alarm"]
Shout = Literal[
    "",
    "no PIC",
    "UNSURE",
    "Err",
    "CLOSE",
    "OFF",
    "dot",
    "drIFt",
    "OLd",
    "tOUCHEd",
    "PAUSE",
    "E 12",
    "StUCK",
    "FULL",
]
"""For eight seven-segment digits: no picture comes; somebody say what the dice show; look at the console; too
close to call; is the die off the table; is the dot covered; camera or sheet have moved; dice that count no
more; dice that a hand touched; the game waits; a game or the journal cannot be opened; a
button is down all the time; the card is full."""
Sound = Literal["", "news", "lost", "ask", "win"]
"""The short sound before a call: something happened; a turn brought nothing; somebody is asked; it is won."""
Reads = Literal["roll_done", "at_rest"]
"""When dice are read: once people press ROLL DONE, or by themselves as soon as they lie still."""
TableState = Literal["moving", "hand", "still", "no picture"]


class TableShown(msgspec.Struct, frozen=True):
    """What the camera sees."""

    state: TableState = "no picture"
    width: int = 0
    height: int = 0
    dice: tuple[SeenDie, ...] = ()
    unsure: tuple[UnsureDie, ...] = ()
    reading_id: int = 0
    """Counts readings; /reading/ID.jpg is the very picture that was read."""
    picture: str = ""
    """The name of that picture."""
    fresh: bool = False
    """Nothing has moved since, so the outlines fit the live picture too."""
    doubtful_hand: bool = False
    """What is taken for a hand has kept still for long: it may be a part of the table."""


class PlaceShown(msgspec.Struct, frozen=True):
    """One place of the mat, drawn on the camera's picture; pixels of that picture."""

    label: str
    kind: str
    corners: tuple[tuple[float, float], ...]
    lies: tuple[str, ...] = ()
    """Faces of dice and names of cards that lie there."""
    wrong: bool = False
    """Something lies there that may not."""
    due: bool = False
    """Dice of this cast are set aside here."""
    pocket: int = 0
    """Which pocket of the turn lies here, as the game counts them from 1; 0 where that says nothing."""


class PlacesShown(msgspec.Struct, frozen=True):
    """The mat that lies under the camera."""

    title: str
    width: int = 0
    height: int = 0
    places: tuple[PlaceShown, ...] = ()
    trouble: str = ""
    """Why no place is known, and what to do about it; empty when all is well."""


class ChoiceShown(msgspec.Struct, frozen=True):
    """One thing that may be done now and that no button says (see `engine.game.Choice`)."""

    words: str
    points: int | None = None
    event: dict[str, Any] = {}
    """What it says to the rulebook, as an event of `engine.wire`; for one with a ruling the
    landing that comes of both. Empty where it is no single event."""
    by_die: bool = False
    """Whether a die is rolled to decide, and this is what it may say."""


class PastLandingShown(msgspec.Struct, frozen=True):
    """A landing that counts, for the referee to look at again."""

    landing: int
    """As a ruling names it: landings of the game count from 1."""
    player: str
    words: str
    """What it was: "5 × 10 = 50"."""
    reading: int
    """/evidence/READING.jpg is its close-up; 0 where it came from no picture."""
    evidence: str
    """The close-up's name; empty when there is none."""
    ruled: str
    """Who has ruled on it, and why; empty when nobody has."""
    lying: tuple[str, ...]
    """The dice of the turn that lay there before, by their numbers: "die 1: 5 x 20"."""
    landed: dict[str, object]
    """The landing as an event, for a ruling that confirms it."""


class BestThrowShown(msgspec.Struct, frozen=True):
    """The throw that brought most in a game that is over."""

    player: str
    words: str
    """What was thrown: "5 × 20, on the dot"."""
    points: int
    dice: tuple[tuple[str, int | str], ...] = ()
    """What the dice showed, as (kind, value); empty where `words` say how one landed."""


class GameShown(msgspec.Struct, frozen=True):
    """The rulebook's public view (see `engine.game.GameView`)."""

    game: str
    edition: str
    phase: str
    players: tuple[str, ...]
    scores: tuple[int, ...]
    active: str | None
    running: int | None
    bets: tuple[int | str, ...]
    allowed: tuple[Allowed, ...]
    wanted: str
    """The dice waited for, in words: "four Zoinx dice"; empty when none are."""
    wanted_kind: str
    wanted_count: int | None
    news: str
    banner: str
    winners: tuple[str, ...]
    cause: str
    line: str
    last_roll: tuple[str, ...]
    wanted_more: tuple[tuple[str, int], ...] = ()
    """Dice of further kinds in the same throw, as (kind, count)."""
    choices: tuple[ChoiceShown, ...] = ()
    """The best first where points order them."""
    facts: tuple[Fact, ...] = ()
    last_dice: tuple[tuple[str, int | str], ...] = ()
    """The dice that a correction would replace, as (kind, value); `last_roll` is what lies there since."""
    options: dict[str, str] = {}
    """What was agreed at the start and differs from the rulebook's own choice."""
    dark: dict[str, str] = {}
    """Why STOP or CACHE may not be pressed now, by button, as the rulebook would refuse it."""
    answers: dict[str, str] = {}
    """What a press of STOP or CACHE answers while the box asks about a throw, by button."""
    landings: tuple[PastLandingShown, ...] = ()
    """End Zone's landings that count, the newest first."""
    pads: tuple[ScorePad, ...] = ()
    """What would be written on paper (see `engine.pad`); empty in games that nobody writes down."""
    buttons: tuple[str, ...] = ()
    """The buttons that this game uses at all."""
    turn_end: str | None = None
    """The one of them that ends a turn and keeps its points."""
    unit: str = ""
    """What `running` counts: "dots"; empty for points of the turn."""
    thrower: str = ""
    """Whose the last throw was; empty before the first."""
    last_points: int | None = None
    """What the last throw brought, or the best of it was worth; None before one, and for one
    that decides who begins."""
    corrected: bool = False
    """People have said other dice for the last roll than its picture was read to show."""
    best_throw: BestThrowShown | None = None
    """Once the game is over; None where no throw brought anything."""
    target: int | None = None
    """How many points are to be reached; None where the game has no such number."""


class MessageShown(msgspec.Struct, frozen=True):
    """What the box has to say now."""

    text: str = ""
    tone: Tone = "info"
    shout: Shout = ""
    """The same for eight seven-segment digits, where the tone alone does not say it."""


class CalledShown(msgspec.Struct, frozen=True):
    """What is called aloud, by the box or by a page."""

    number: int = 0
    """Counts calls: one is said once, and a newer one takes its place."""
    words: str = ""
    sound: Sound = ""
    moment: str = ""
    """What it was called at: game and position, with no secret bet in them."""


class LandingShown(msgspec.Struct, frozen=True):
    """The last throw at the End Zone: the call, and how sure it is."""

    number: int
    """Counts readings; /evidence/NUMBER.jpg is the close-up."""
    call: Literal["certain", "asked"]
    value: int | None = None
    """None when it was not read, or no die came to lie."""
    zone: int = 0
    score: int | None = None
    probability: float = 0.0
    line: str = ""
    """The line that decides: "2|5"; "" where its zone is not in question, but how it was let go."""
    gap: str = ""
    """How it lies to that line, with its plus-minus, and how likely each zone is."""
    dot: bool = False
    """It may cover the dot: somebody looks."""
    color: str = ""
    note: str = ""
    """What a referee should know: it touches another die, it leans."""
    evidence: str = ""
    """The close-up's name; empty when there is none."""
    end: Literal["", "near", "far"] = ""
    """At which End Zone it lies, where there are two."""
    rolled: bool = False
    """It was rolled for who goes first: its number alone counts, and it has neither zone nor score."""


class TouchedShown(msgspec.Struct, frozen=True):
    """Dice that a hand touched, with both pictures: as they came to rest, and as they lie now."""

    rested: int
    """/reading/RESTED.jpg is the first picture; 0 where it is not kept."""
    now: int
    """The same for the second."""
    picture: str
    """The name of the second."""
    dice: tuple[TouchedDie, ...]


class WayShown(msgspec.Struct, frozen=True):
    """The way of one die, to be drawn over the film of its throw."""

    die: str
    """Which one, in words: "the red 5"."""
    points: tuple[tuple[float, float], ...]
    """Where it was, one after the other, in pixels of the picture that was read; in the end at rest."""


class HistoryShown(msgspec.Struct, frozen=True):
    """How the dice of the last roll came to lie there."""

    reading: int
    """The number of that reading."""
    lines: tuple[str, ...]
    """A sentence each."""
    width: int = 0
    """How wide the picture is that was read, in pixels."""
    height: int = 0
    ways: tuple[WayShown, ...] = ()
    """The ways of the dice that were thrown or pushed."""


class FilmsShown(msgspec.Struct, frozen=True):
    """The films of the game's throws."""

    kept: tuple[int, ...] = ()
    """The readings that have one, the oldest first; /film/READING.mp4 is it."""
    trouble: str = ""
    """Why the last throw has none, in a sentence; empty when nothing went wrong."""


class AsideShown(msgspec.Struct, frozen=True):
    """A game, or the whole journal, that could not be opened and was set aside."""

    text: str
    """Which, and why."""
    game_id: int | None = None
    """The game; None when it was the journal."""
    way: str = ""
    """How it can be gone on with all the same: what a button says; "" when it cannot."""


class ActShown(msgspec.Struct, frozen=True):
    """Something that a simulated table's hand can do."""

    name: str
    words: str


class GameChoice(msgspec.Struct, frozen=True):
    """A game that the lobby offers."""

    name: str
    title: str
    seats_min: int
    seats_max: int
    options: dict[str, tuple[str, ...]]
    """Option name to its values, the default first; () means free text."""


class PutAwayShown(msgspec.Struct, frozen=True):
    """A game that may be taken up again."""

    game_id: int
    title: str
    """The game's name."""
    players: tuple[str, ...]
    scores: tuple[int, ...]
    """What everybody has; empty where that cannot be read."""
    when: str
    """When it last went on: ISO in UTC."""


class SignOffShown(msgspec.Struct, frozen=True):
    """How the result of the game that is over stands with the referee."""

    result: str
    """Who has what: "Ann 135, Bea 98"."""
    standing: Literal["waits", "signed", "opened"]
    """It waits for a sign-off; it has one; it had one and was opened again."""
    by: str = ""
    """Who signed it off or opened it: "the referee Cleo"."""
    at: str = ""
    """When: ISO in UTC."""
    reason: str = ""
    """Why it was opened again."""


class ProposedShown(msgspec.Struct, frozen=True):
    """What was asked for at the start of the box, or played last: the lobby opens with it."""

    game: str
    options: dict[str, str] = {}
    players: tuple[str, ...] = ()
    """Empty where nobody was named."""
    by_button: bool = False
    """Chosen by presses of ROLL DONE: the board shows it, and holding ROLL DONE begins it."""


class AgainShown(msgspec.Struct, frozen=True):
    """The next game of the same players, where the rules say who begins it."""

    players: tuple[str, ...]
    """In rolling order."""
    options: dict[str, str]
    """What makes it so, beside what was agreed."""


class Snapshot(msgspec.Struct, frozen=True):
    """Everything that may be shown, and nothing secret."""

    number: int = 0
    stage: Stage = "lobby"
    game_id: int | None = None
    game: GameShown | None = None
    table: TableShown = TableShown()
    message: MessageShown = MessageShown()
    called: CalledShown = CalledShown()
    camera: MessageShown = MessageShown()
    """Empty text when the camera is well; otherwise cause and fix."""
    panel: MessageShown = MessageShown()
    """Which buttons are down all the time; empty text when none is."""
    lamps: dict[str, bool] = {}
    """Lamp name ("bet1".."bet4", "stop", "cache", "roll_done", "undo") to lit: the button may be pressed."""
    blinks: tuple[str, ...] = ()
    """Lamps that show the opposite for the moment, most often because their button was pressed."""
    segments: tuple[tuple[int, ...], ...] = ()
    """The scoreboard's frame buffer: rows of eight digits, each a bit mask (see device/panel/displays.py)."""
    ask: Literal["", "correct", "landing"] = ""
    """What the box waits for: a correction or another throw; an answer about a landing."""
    reads: Reads = "roll_done"
    can_undo: bool = False
    simulated: bool = False
    """True on the simulated table, whose page has a hand to throw with."""
    acts: tuple[ActShown, ...] = ()
    """What that hand can do at this table."""
    hand_busy: bool = False
    """It is at work, or the box has not yet seen what it did: it does nothing else meanwhile."""
    stay: int = 0
    """At the End Zone: so many dice stay lying for the next throw, those that lay there first."""
    landing: LandingShown | None = None
    """The last throw at the End Zone; None in other games."""
    places: PlacesShown | None = None
    """None where no mat lies."""
    touched: TouchedShown | None = None
    """While people are asked about touched dice."""
    history: HistoryShown | None = None
    """None before the first roll, and where nothing is known of it."""
    films: FilmsShown | None = None
    """None in the lobby, and where no throw is filmed."""
    paused: bool = False
    """The game waits: dice and buttons mean nothing."""
    again: AgainShown | None = None
    """After a game; None where it is simply played again."""
    put_away: tuple[PutAwayShown, ...] = ()
    """Games that may be taken up again, the newest first; only while none is played."""
    sign_off: SignOffShown | None = None
    """After a game whose result counts only once the referee has signed it off."""
    tournament: int = 0
    """Counts the changes of the tournament, which /tournament tells; 0 where none was drawn."""
    match: str = ""
    """Which match of it is played: "Match 3 of Autumn Cup"; "" for none."""
    call: VenueCallShown | None = None
    """Whom a hall's desk calls to this table; None for nobody."""
    unsigned: tuple[PutAwayShown, ...] = ()
    """Other games that are over and wait for that, the newest first; only while none is played."""
    aside: AsideShown | None = None
    """While something is set aside and no other game was begun."""
    choices: tuple[GameChoice, ...] = ()
    proposed: ProposedShown | None = None
    """None where no game was named."""
    address: str = ""
