"""The simulated table's world: which dice lie where, and the hand that throws, pushes and takes them.

The world moves with the time it is told and reads no clock: same seed, acts and times, same pictures. What
lies here is the truth that tests and benchmarks compare with; the product sees only the painted pictures.
"""

from collections import deque
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import inf
from random import Random

from device.simulator import physics
from device.simulator.designs import COLORS
from device.simulator.dice import EDGE_MM, FACES_ON, RestingDie, SimulatedDie
from device.simulator.ground import RIM_WIDTH_MM, TRAY_HALF_MM
from device.simulator.hand_acts import ACTS, Item, Script, Setting, plan
from device.simulator.motion import HandWay, LyingStill
from device.simulator.truth import ActStory, BoundsMm, tell_stories
from engine.dice import DieKind
from engine.wording import phrase

MOST_DICE = 12
MOST_WAITING = 4
PAUSE_MS = 700.0
"""From the end of one act to the next: dice lie for a moment, as they do between people's turns."""
THROWS_NOTHING = {"hand", "nudge", "turn_over", "clear", "take_back", "set_any"}
"""The other acts let go of dice, which takes the physics."""
KEPT_STORIES = 64
_HALF_MM = TRAY_HALF_MM[0] + RIM_WIDTH_MM, TRAY_HALF_MM[1] + RIM_WIDTH_MM


@dataclass(frozen=True, slots=True, kw_only=True)
class Paper:
    """A card that lies face up from one moment to another."""

    word: str
    """Which card, by the rulebook's word."""
    at_mm: tuple[float, float]
    """Its middle."""
    turn_rad: float
    from_ms: float
    until_ms: float = inf


@dataclass(frozen=True, slots=True, eq=False)
class SeenWorld:
    """All that can be seen around one moment; motions answer for times shortly before it too."""

    time_ms: float
    items: tuple[Item, ...]
    hand: HandWay | None
    papers: tuple[Paper, ...] = ()
    """Cards that lie flat, the lowest first."""
    bounds_mm: BoundsMm | None = None
    """Where the table ends, which hides what has fallen below it; None: far away."""


class World:
    """Not safe to share between threads; `device.simulator.table` locks it."""

    acts: Mapping[str, str] = ACTS
    """What the hand can do, by name, and the words for a button."""
    bounds_mm: BoundsMm = (-_HALF_MM[0], -_HALF_MM[1], *_HALF_MM)
    """Where the table ends: the outside of the tray's rim."""

    def __init__(self, rng: Random) -> None:
        """An empty table. All chance comes from `rng`."""
        self._rng = rng
        self._numbers = 0
        self._dice: tuple[tuple[DieKind, str], ...] = ()
        self._lying: tuple[RestingDie, ...] = ()
        self._still: tuple[Item, ...] = ()
        self._script: Script | None = None
        self._waiting: deque[str] = deque()
        self._time_ms = 0.0
        self._free_ms = -inf
        self._stood_ms = 0.0
        self._planned_ms: float | None = None
        self._rest_ms: float | None = None
        self.stories: deque[ActStory] = deque(maxlen=KEPT_STORIES)
        """What the hand has done and does, and what became of each die; the newest last."""

    def lay(self, kind: DieKind, count: int, colors: Sequence[str]) -> None:
        """Put other dice into the hand; the table is empty until it throws. Colours repeat in turn."""
        if kind not in FACES_ON:
            raise ValueError(f"The simulated table has {' and '.join(FACES_ON)} dice; got {kind!r}.")
        if not 1 <= count <= MOST_DICE:
            raise ValueError(f"The simulated hand holds 1 to {MOST_DICE} dice; got {count}.")
        if not colors or any(color not in COLORS for color in colors):
            raise ValueError(f"Dice come in {', '.join(COLORS)}; got {', '.join(colors) or 'no colour'}.")
        self._dice = tuple((kind, colors[index % len(colors)]) for index in range(count))
        self._settle(())
        self._waiting.clear()

    def act(self, name: str) -> None:
        """Let the hand do one of `acts` as soon as it is free. Raises `ValueError` in a sentence."""
        if name not in self.acts:
            raise ValueError(
                phrase(
                    "The simulated hand cannot {name!r}. It can: {acts}.",
                    name=name,
                    acts=", ".join(self.acts),
                )
            )
        if len(self._waiting) >= MOST_WAITING:
            raise ValueError(phrase("The simulated hand has enough to do. Wait for it."))
        if name not in THROWS_NOTHING:
            physics.load()
        self._waiting.append(name)

    @property
    def lying(self) -> tuple[RestingDie, ...]:
        """The dice that lie still; none while the hand is at them or they roll."""
        script = self._script
        if script and script.touched_ms <= self._time_ms:
            return script.outcome if self._time_ms >= script.rest_ms else ()
        return self._lying

    @property
    def outcome(self) -> tuple[RestingDie, ...]:
        """The dice that will lie when the hand is done."""
        return self._script.outcome if self._script else self._lying

    @property
    def rest_time_ms(self) -> float | None:
        """When the dice last came to rest; None before the first throw has."""
        if self._script and self._time_ms >= self._script.rest_ms:
            return self._script.rest_ms + self._stood_ms
        return self._rest_ms

    @property
    def busy(self) -> bool:
        """Whether the hand does something or has something to do."""
        return bool(self._script or self._waiting)

    def busy_at(self, time_ms: float) -> bool:
        """Whether at that time the hand is at work, or has only just put everything down."""
        return self.busy or time_ms - self._stood_ms < self._free_ms

    def at(self, time_ms: float) -> SeenWorld:
        """Move on to a time (never back), and show what can be seen.

        What is shown has its times on the world's own clock, which stands while an act is planned.
        """
        self._planned_ms, frame_ms = None, time_ms
        self._time_ms = time_ms = time_ms - self._stood_ms
        if self._script and time_ms >= self._script.end_ms:
            self._rest_ms = self.rest_time_ms
            self._free_ms = self._script.end_ms + PAUSE_MS
            self._settle(self._script.outcome)
        if not self._script and self._waiting and time_ms >= self._free_ms:
            setting = Setting(self._rng, time_ms, self._lying, self._new_bodies)
            name = self._waiting[0]
            try:
                self._script, self._planned_ms = self._planned(name, setting), frame_ms
            finally:
                self._waiting.popleft()  # only now: else the hand would look free while the act is planned
            self.stories.append(self._story(name, time_ms, self._script))
        if self._script:
            return SeenWorld(time_ms, self._script.items, self._script.hand, bounds_mm=self.bounds_mm)
        return SeenWorld(time_ms, self._still, None)

    def stand_until(self, time_ms: float) -> None:
        """Where an act was planned for what was shown last, nothing moves until then.

        To plan one takes up to a second on a busy machine: else the hand would go on meanwhile, and let the
        dice go with nobody looking.
        """
        if self._planned_ms is not None:
            self._stood_ms += max(0.0, time_ms - self._planned_ms)
            self._planned_ms = None

    def _planned(self, name: str, setting: Setting) -> Script:
        """The act of that name, to its end."""
        return plan(name, setting)

    def _story(self, name: str, start_ms: float, script: Script) -> ActStory:
        """What the act does to each die."""
        before = self.stories[-1].dice if self.stories else ()
        rested_ms = {die.body.number: die.rest_ms for die in before if die.rest_ms is not None}
        dice = tell_stories(script.items, script.outcome, rested_ms, self.bounds_mm)
        return ActStory(act=name.split(maxsplit=1)[0], start_ms=start_ms, end_ms=script.end_ms, dice=dice)

    def _settle(self, lying: tuple[RestingDie, ...]) -> None:
        self._script, self._lying = None, lying
        self._still = tuple((die.body, LyingStill(die.pose)) for die in lying)

    def _new_bodies(self, more: int) -> list[SimulatedDie]:
        """Bodies for the dice in play, with so many more of the last kind, or fewer."""
        dice = self._dice + self._dice[-1:] * more if more >= 0 else self._dice[:more]
        bodies = []
        for kind, color in dice:
            self._numbers += 1
            faces, edge_mm = FACES_ON[kind], EDGE_MM[kind]
            bodies.append(
                SimulatedDie(number=self._numbers, kind=kind, color=color, faces=faces, edge_mm=edge_mm)
            )
        return bodies
