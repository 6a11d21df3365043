"""What the film of a throw shows that may be a foul: asked about, with the measured distance; never ruled.

A die that was let go past the release line (rule 4) is asked about where a camera over the thrower's end
sees that; one that slid instead of rolling, where its faces were seen while it moved. Over which side a die
left the table is told where it is asked whether it went off: to catch it, or to have thrown it off on
purpose, makes a difference (rule 10).
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace

import msgspec

from device.journal.rows import Option, Question
from engine.events import Foul, Landed
from engine.game import Played
from vision.landing import Departure, Release, Slide


def counts(outcome: Landed | Question) -> bool:
    """Whether a foul would make a difference to it."""
    return isinstance(outcome, Question) or outcome.zone > 0


@dataclass(frozen=True, slots=True)
class _Doubt:
    """What a throw may be, in words."""

    foul: Foul
    seen: str
    """What speaks for it, in a sentence."""
    fair: str
    unfair: str
    """What the die was, by the one answer and by the other."""


def doubted(
    outcome: Landed | Question, release: Release | None, slide: Slide | None = None
) -> Landed | Question:
    """The outcome of a throw; as a question where the die seems to have been let go too late, or slid."""
    doubts = list(_doubts(release, slide))
    if not doubts:
        return outcome
    seen = f"{' '.join(each.seen for each in doubts)} Watch it again."
    if isinstance(outcome, Question):
        text = f"{outcome.text} {seen} If that is a foul, the referee says so on the console."
        return msgspec.structs.replace(outcome, text=text)
    worth = f"{outcome.value} x {outcome.zone} = {outcome.value * outcome.zone}"
    fair = " and ".join(each.fair for each in doubts)
    unfair = " or ".join(each.unfair for each in doubts)
    foul = replace(outcome, dot=False, foul=doubts[0].foul)
    return Question(
        kind="foul",
        text=f"{seen} Then ask the referee, or the opponent. CACHE says that it was {fair}: "
        f"{worth}. STOP says that it was a foul: 0.",
        options=(
            Option(words=f"{fair}: {worth}", events=(outcome,), key="cache"),
            Option(words=f"a foul, {unfair}: 0", events=(foul,), key="stop"),
        ),
    )


def _doubts(release: Release | None, slide: Slide | None) -> Iterator[_Doubt]:
    """What the film shows that may be a foul."""
    if release is not None and release.late:
        length = f"{release.past_mm:.0f} ± {release.plus_minus_mm:.0f} mm"
        seen = f"The die seems to have left the hand {length} past the release line (rule 4)."
        yield _Doubt("late", seen, "let go in time", "let go too late")
    if slide is not None and slide.slid:
        seen = f"over the last {slide.way_mm:.0f} mm of its way the same face looked up."
        seen = f"The die seems to have slid instead of rolling (rule 4): {seen}"
        yield _Doubt("slid", seen, "rolled", "slid")


def side_of(left: Departure) -> str:
    """Over which side of the table, in words."""
    if left.over == "end":
        return f"over its {left.end} end" if left.end else "over its end"
    return f"over its {left.over} side, as the thrower sees it"


def off_already(played: Played, lying: int) -> frozenset[int]:
    """The numbers of the dice of this turn that the game has off the table: nobody asks for them again."""
    landed = [event for event, _ in played if isinstance(event, Landed)]
    turn = landed[-lying:] if lying else []
    return frozenset(moved.die for event in turn for moved in event.moved if moved.off)


def knocked_off(question: Question, left: Departure | None) -> Question:
    """The question about a die that is gone, with the side over which one was seen to go."""
    if left is None:
        return question
    text = f"{question.text} A die seems to have gone off the table {side_of(left)}."
    return msgspec.structs.replace(question, text=text)
