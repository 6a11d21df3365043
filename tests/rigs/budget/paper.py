"""From instructions to milliseconds on a Pi, on paper: nobody has run this on one.

An instruction takes a Pi as long as its clock and its instructions in a cycle say. The clock is Raspberry
Pi's; how many instructions come to a cycle is assumed, from worst to best: docs/rigs.md says why.
"""

from collections.abc import Iterable
from dataclasses import dataclass

from tests.rigs.budget.counts import Counted

FPS = 20


@dataclass(frozen=True, slots=True)
class Pi:
    """A box's computer, as it is assumed."""

    name: str
    cpu: str
    """The emulator's word for its processor."""
    clock_ghz: float
    worst: float
    """Instructions in a cycle, where a program often waits for memory or takes the wrong branch."""
    best: float
    """Instructions in a cycle of a program that hardly ever waits."""

    def ms(self, instructions: int) -> tuple[float, float]:
        """How long that takes one core, ms, at best and at worst."""
        cycles_in_ms = self.clock_ghz * 1e6
        return instructions / (cycles_in_ms * self.best), instructions / (cycles_in_ms * self.worst)


PIS = (
    Pi("Pi 4", "cortex-a72", 1.5, 0.8, 1.6),
    Pi("Pi 5", "cortex-a76", 2.4, 1.3, 2.6),
)
"""The Pi 4 with the clock that it always had; a newer one or newer software goes to 1.8 GHz."""


def pieces(counted: Iterable[Counted]) -> dict[str, Counted]:
    """Each piece by its name, in the order in which they came: of those of one name the median."""
    every: dict[str, list[Counted]] = {}
    for each in counted:
        if each.name != "warm":
            every.setdefault(each.name, []).append(each)
    return {
        name: sorted(alike, key=lambda each: each.own.all)[(len(alike) - 1) // 2]
        for name, alike in every.items()
    }


def lines(pi: Pi, work: dict[str, Counted]) -> list[str]:
    """The budget of one Pi: two lines for each piece, of the thread that begins it and of all others."""
    out = [f"{pi.name} ({pi.cpu}), {pi.clock_ghz} GHz, {pi.worst} to {pi.best} instructions in a cycle"]
    for name, counted in work.items():
        for who, tally in ((name, counted.own), ("  beside it", counted.others)):
            best, worst = pi.ms(tally.all)
            vector, memory = (part / max(1, tally.all) for part in (tally.vector, tally.memory))
            out.append(
                f"  {who:<22}{tally.all / 1e6:>9.2f} million, {vector:4.0%} vector, {memory:4.0%} memory: "
                f"{best:8.2f} to {worst:8.2f} ms"
            )
    return out


def share(pi: Pi, instructions: int, times_a_second: float = FPS) -> tuple[float, float]:
    """Which share of one core it takes, done `times_a_second`, at best and at worst."""
    best, worst = pi.ms(instructions)
    return best * times_a_second / 1000, worst * times_a_second / 1000
