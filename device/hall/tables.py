"""What the venue's desk knows of each table now: who plays, what waits for a referee, how its box is.

It is made of what boxes show to strangers (`device.shown.snapshot`), and of no more of that than is needed,
so that boxes of other versions are understood as far as they can be.
"""

from collections import deque
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

import msgspec

from device.venue.wire import HEALTH_S, BoxHealth
from engine.wording import phrase, phrase_later

WRONG_CLOCK_S = 120.0
SILENT_S = 3 * HEALTH_S
"""A box that says nothing for so long is told as silent."""
FORMER = 20
"""This many earlier starts of a box are remembered."""


class ShownText(msgspec.Struct, frozen=True):
    """What a message says."""

    text: str = ""


class ChoiceSeen(msgspec.Struct, frozen=True):
    """What the hall wants to know of something that may be chosen."""

    event: dict[str, Any] = {}


class GameSeen(msgspec.Struct, frozen=True):
    """What the hall wants to know of a game."""

    game: str = ""
    phase: str = ""
    players: tuple[str, ...] = ()
    scores: tuple[int, ...] = ()
    active: str | None = None
    news: str = ""
    winners: tuple[str, ...] = ()
    choices: tuple[ChoiceSeen, ...] = ()


class SignOffSeen(msgspec.Struct, frozen=True):
    """How the last result stands with the referee."""

    standing: str = ""


class TableSeen(msgspec.Struct, frozen=True):
    """What the hall wants to know of a box's snapshot."""

    stage: str = "lobby"
    game_id: int | None = None
    game: GameSeen | None = None
    message: ShownText = ShownText()
    camera: ShownText = ShownText()
    panel: ShownText = ShownText()
    ask: str = ""
    touched: dict[str, Any] | None = None
    aside: ShownText | None = None
    paused: bool = False
    sign_off: SignOffSeen | None = None

    @property
    def between_games(self) -> bool:
        """Whether a game may be begun there now."""
        unsigned = self.sign_off is not None and self.sign_off.standing != "signed"
        return self.stage in ("lobby", "ended") and not unsigned and not self.waits

    @property
    def asks(self) -> bool:
        """Whether a referee is asked about a throw; a covered dot stands among the game's choices."""
        choices = self.game.choices if self.game else ()
        dot = any(each.event.get("event") == "confirmed" for each in choices)
        return bool(self.ask) or dot or self.touched is not None

    @property
    def waits(self) -> str:
        """What somebody has to come for, in the box's own words; "" for nothing."""
        if self.camera.text:
            return self.camera.text
        if self.aside is not None:
            return self.aside.text
        if self.asks:
            return self.message.text or phrase("The table asks something.")
        return self.panel.text


class _Clock(msgspec.Struct, frozen=True):
    """What is said of a box's clock, in some unit of time."""

    seconds: float
    behind: str
    ahead: str


NOT_CONNECTED = phrase_later("{name} is not connected. It plays on, and tells later what it played.")
CLOCKS = (
    _Clock(
        86_400.0,
        phrase_later("The clock of {name} is {count} days behind: scores count, their times do not."),
        phrase_later("The clock of {name} is {count} days ahead: scores count, their times do not."),
    ),
    _Clock(
        3600.0,
        phrase_later("The clock of {name} is {count} hours behind: scores count, their times do not."),
        phrase_later("The clock of {name} is {count} hours ahead: scores count, their times do not."),
    ),
    _Clock(
        60.0,
        phrase_later("The clock of {name} is {count} minutes behind: scores count, their times do not."),
        phrase_later("The clock of {name} is {count} minutes ahead: scores count, their times do not."),
    ),
)


class HallLine(msgspec.Struct, frozen=True):
    """One table as the desk's page shows it."""

    id: str
    name: str
    online: bool
    game: GameSeen | None
    stage: str
    paused: bool
    waits: str
    asks: bool
    """Whether that is a question for a referee."""
    waits_since: float | None
    """Seconds of the desk's wall clock."""
    troubles: tuple[str, ...]
    """What is wrong with the box, a sentence each."""
    rows: int
    """How many rows of its journal the desk holds."""
    change: int
    """Grows with each change of any table."""


@dataclass(frozen=True, slots=True)
class TableSpeaks:
    """Who speaks for a table now."""

    name: str
    online: bool
    run: str
    """The start of its box."""
    seen: TableSeen
    """What it shows; another object with each change."""


@dataclass(slots=True)
class HallTable:
    """One table, as it is heard. Times are seconds of the desk's clocks."""

    id: str
    name: str
    seen: TableSeen = field(default_factory=TableSeen)
    state_known: bool = False
    """Whether it has shown what is played there."""
    waits_since: float | None = None
    run: str = ""
    """The start of the box that speaks for it."""
    former: deque[str] = field(default_factory=lambda: deque(maxlen=FORMER))
    """Earlier starts."""
    twice_s: float = float("-inf")
    """When a former start was last heard again: then two boxes speak."""
    online: bool = False
    heard_s: float = float("-inf")
    rows: int = 0
    box_says: str = ""
    refused: str = ""
    """Why its rows are not taken."""
    unread: str = ""
    """What of its messages is not understood."""
    forged: int = 0
    """How many messages came under its name without its key."""
    behind_s: float = 0.0
    """How far its clock is behind the desk's; below 0 before it."""
    change: int = 0

    def hear_run(self, run: str, now_s: float, *, hello: bool) -> None:
        """A start of the box speaks. A new one takes over; one that was over and speaks is another box."""
        if run in self.former:
            self.twice_s = now_s
        elif run != self.run and (hello or not self.run):
            if self.run:
                self.former.append(self.run)
            self.run = run

    def hear_health(self, health: BoxHealth, now_s: float, wall: datetime) -> None:
        """How the box is. Retained word of an earlier start says nothing of this one."""
        if not health.online:
            if health.run == self.run or not self.run:
                self.online = False
            return
        self.hear_run(health.run, now_s, hello=False)
        self.online, self.heard_s, self.box_says = True, now_s, health.trouble
        try:
            there = datetime.fromisoformat(health.at)
            self.behind_s = (wall - there).total_seconds() if there.tzinfo else 0.0
        except ValueError:
            self.behind_s = 0.0

    def takes_calls(self, now_s: float) -> bool:
        """Whether players may be called there: its box is there and well, and nobody plays."""
        well = self.online and now_s <= self.heard_s + SILENT_S and now_s >= self.twice_s + 2 * SILENT_S
        known = self.state_known and not self.unread and not self.refused
        return well and known and self.seen.between_games

    def troubles(self, now_s: float) -> tuple[str, ...]:
        """What is wrong with the box, a sentence each, the worst first."""
        found = []
        if now_s < self.twice_s + 2 * SILENT_S:
            found.append(
                phrase(
                    "Two boxes speak as {name}: a card was copied. Stop one of them and pair it anew.",
                    name=self.name,
                )
            )
        if self.refused:
            found.append(f"{self.name}: {self.refused}.")
        if self.forged:
            found.append(
                phrase(
                    "{forged} messages as {name} came without its key, and were not believed.",
                    forged=self.forged,
                    name=self.name,
                )
            )
        if self.unread:
            found.append(f"{self.name}: {self.unread}.")
        if self.box_says and self.box_says != self.refused:
            found.append(phrase("{name} says: {box_says}", name=self.name, box_says=self.box_says))
        if not self.online:
            found.append(phrase(NOT_CONNECTED, name=self.name))
        elif now_s > self.heard_s + SILENT_S:
            found.append(
                phrase(
                    "{name} has been silent for {seconds:.0f} s.",
                    name=self.name,
                    seconds=now_s - self.heard_s,
                )
            )
        if self.online and abs(self.behind_s) > WRONG_CLOCK_S:
            found.append(_clock(self.name, self.behind_s))
        return tuple(found)

    def line(self, now_s: float) -> HallLine:
        """As the page shows it."""
        return HallLine(
            id=self.id,
            name=self.name,
            online=self.online,
            game=self.seen.game and msgspec.structs.replace(self.seen.game, choices=()),
            stage=self.seen.stage,
            paused=self.seen.paused,
            waits=self.seen.waits,
            asks=self.seen.asks,
            waits_since=self.waits_since,
            troubles=self.troubles(now_s),
            rows=self.rows,
            change=self.change,
        )


def wall_now() -> datetime:
    """The desk's wall clock."""
    return datetime.now(UTC)


def _clock(name: str, behind_s: float) -> str:
    unit = next(each for each in CLOCKS if abs(behind_s) >= 2 * each.seconds or each is CLOCKS[-1])
    text = unit.behind if behind_s > 0 else unit.ahead
    return phrase(text, name=name, count=f"{abs(behind_s) / unit.seconds:.0f}")
