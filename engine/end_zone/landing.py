"""Dice as they lie on the table, and what they are worth: rules 3 to 6 and 11 of `engine.end_zone`."""

from dataclasses import dataclass, replace
from typing import Literal

from engine.end_zone.agreed import EndZoneAgreement
from engine.events import Landed
from engine.refusal import AgainstTheRules
from engine.wording import phrase, phrase_count

State = Literal["", "off", "foul"]


@dataclass(frozen=True, slots=True)
class Lying:
    """A die of the running turn, where it lies now."""

    value: int
    """1 to 6; 0 for a die off the table whose number nobody told."""
    zone: int
    state: State = ""
    dot: bool = False
    """It covers the dot and would win; with `dot=confirmed` somebody must look."""

    @property
    def words(self) -> str:
        """ "5 x 20", "off the table", "a foul"."""
        match self.state:
            case "":
                return f"{self.value} x {self.zone}"
            case "off":
                return phrase("off the table")
            case "foul":
                return phrase("a foul")


def points(agreed: EndZoneAgreement, die: Lying, nth: int, line: int) -> int:
    """What a die scores as the nth of its turn, on that line of the score card (0: on none)."""
    if die.state:
        return 0
    score = die.value * die.zone
    if agreed.double and not agreed.double.isdisjoint((f"die{nth}", f"zone{die.zone}", f"line{line}")):
        return 2 * score
    return score


def landed_on(agreed: EndZoneAgreement, table: tuple[Lying, ...], landed: Landed) -> tuple[Lying, ...]:
    """All dice on the table after this landing, the new one last; raises `AgainstTheRules`."""
    lying = list(table)
    hit = [moved.die for moved in landed.moved]
    for moved in landed.moved:
        if moved.die > len(table) or hit.count(moved.die) > 1:
            raise AgainstTheRules(_not_hit(moved.die, len(table)), "5")
        was = lying[moved.die - 1]
        if was.state == "off":
            raise AgainstTheRules(
                phrase("Die {number} is off the table and cannot be hit.", number=moved.die), "5b"
            )
        if moved.off:
            lying[moved.die - 1] = Lying(moved.value, 0, "off")
            continue
        dot = moved.dot and agreed.pushed_wins and not was.state
        lying[moved.die - 1] = Lying(moved.value, moved.zone, was.state, dot)
    return (*lying, new_die(landed))


def _not_hit(die: int, lying: int) -> str:
    """What is wrong with a die that is said to have been hit, of so many that lay there."""
    if die <= lying:
        return phrase("Die {number} is told twice.", number=die)
    return phrase_count(
        "Die {number} was not hit: {count} die lay there.",
        "Die {number} was not hit: {count} dice lay there.",
        lying,
        number=die,
    )


def new_die(landed: Landed) -> Lying:
    """The die that just landed."""
    if landed.foul:
        return Lying(landed.value, landed.zone, "off" if landed.off else "foul")
    return Lying(landed.value, landed.zone, "off" if landed.off else "", landed.dot)


def uncovered(table: tuple[Lying, ...]) -> tuple[Lying, ...]:
    """The dice once somebody has looked and the dot is to be seen."""
    return tuple(replace(die, dot=False) if die.dot else die for die in table)
