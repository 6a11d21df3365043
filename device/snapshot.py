"""What the box shows, as one message: console and LED boards are drawn from it, and from nothing else."""

from typing import Literal

import msgspec

Stage = Literal["lobby", "playing", "ended"]
Tone = Literal["info", "good", "refused", "unsure", "alarm"]
TableState = Literal["moving", "hand", "still", "no picture"]


class SeenDieShown(msgspec.Struct, frozen=True):
    """A die drawn on the camera's picture; pixels of that picture."""

    kind: str
    value: int | str
    confidence: float
    color: str
    center: tuple[float, float]
    corners: tuple[tuple[float, float], ...]


class UnsureShown(msgspec.Struct, frozen=True):
    """A place on the picture where the box is not sure."""

    center: tuple[float, float]
    reason: str


class TableShown(msgspec.Struct, frozen=True):
    """What the camera sees."""

    state: TableState = "no picture"
    width: int = 0
    height: int = 0
    dice: tuple[SeenDieShown, ...] = ()
    unsure: tuple[UnsureShown, ...] = ()
    reading_id: int = 0
    """Counts readings; /reading/ID.jpg is the very picture that was read."""
    picture: str = ""
    """The name of that picture."""
    fresh: bool = False
    """Nothing has moved since, so the outlines fit the live picture too."""


class AllowedShown(msgspec.Struct, frozen=True):
    """One thing that may be done now (see `engine.game.Allowed`)."""

    button: str
    player: str
    choices: tuple[int, ...] = ()


class ChoiceShown(msgspec.Struct, frozen=True):
    """One thing that may be done now and that no button says (see `engine.game.Choice`)."""

    words: str
    points: int | None = None


class FactShown(msgspec.Struct, frozen=True):
    """One more thing that everybody may see (see `engine.game.Fact`)."""

    name: str
    words: tuple[str, ...]
    player: str | None = None


class GameShown(msgspec.Struct, frozen=True):
    """The rulebook's public view (see `engine.game.View`)."""

    game: str
    edition: str
    phase: str
    players: tuple[str, ...]
    scores: tuple[int, ...]
    active: str | None
    running: int | None
    bets: tuple[int | str, ...]
    allowed: tuple[AllowedShown, ...]
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
    facts: tuple[FactShown, ...] = ()
    last_dice: tuple[tuple[str, int | str], ...] = ()
    """The dice that a correction would replace, as (kind, value); `last_roll` is what lies there since."""
    options: dict[str, str] = {}
    """What was agreed at the start and differs from the rulebook's own choice."""


class MessageShown(msgspec.Struct, frozen=True):
    """What the box has to say now."""

    text: str = ""
    tone: Tone = "info"


class GameChoice(msgspec.Struct, frozen=True):
    """A game that the lobby offers."""

    name: str
    title: str
    seats_min: int
    seats_max: int
    options: dict[str, tuple[str, ...]]
    """Option name to its values, the default first; () means free text."""


class Snapshot(msgspec.Struct, frozen=True):
    """Everything that may be shown, and nothing secret."""

    number: int = 0
    stage: Stage = "lobby"
    game_id: int | None = None
    game: GameShown | None = None
    table: TableShown = TableShown()
    message: MessageShown = MessageShown()
    camera: MessageShown = MessageShown()
    """Empty text when the camera is well; otherwise cause and fix."""
    lamps: dict[str, bool] = {}
    """Lamp name ("bet1".."bet4", "stop", "cache", "roll_done", "undo") to lit."""
    segments: tuple[tuple[int, ...], ...] = ()
    """The scoreboard's frame buffer: rows of eight digits, each a bit mask (see device/segments.py)."""
    ask: Literal["", "correct"] = ""
    """"correct": the box waits for a correction or another throw."""
    reads: Literal["roll_done", "at_rest"] = "roll_done"
    can_undo: bool = False
    simulated: bool = False
    """True on the simulated table, whose page has a hand to throw with."""
    choices: tuple[GameChoice, ...] = ()
    address: str = ""
