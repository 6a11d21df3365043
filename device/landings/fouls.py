"""What the film of a throw shows that may be a foul: asked about, with the measured distance; never ruled.

A die that was let go past the release line (rule 4) is asked about where a camera over the thrower's end
sees that; one that slid instead of rolling, where its faces were seen while it moved. Over which side a die
left the table is told where it is asked whether it went off: to catch it, or to have thrown it off on
purpose, makes a difference (rule 10).
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Literal

import msgspec

from calibration.ends import End
from device.journal.rows import Option, Question
from engine.events import Foul, Landed
from engine.game import Played
from engine.wording import phrase, phrase_later
from vision.landing import Departure, Release, Side, Slide


def counts(outcome: Landed | Question) -> bool:
    """Whether a foul would make a difference to it."""
    return isinstance(outcome, Question) or outcome.zone > 0


FAIR: Mapping[tuple[Foul, ...], str] = {
    ("late",): phrase_later("let go in time"),
    ("slid",): phrase_later("rolled"),
    ("late", "slid"): phrase_later("let go in time and rolled"),
}
UNFAIR: Mapping[tuple[Foul, ...], str] = {
    ("late",): phrase_later("a foul, let go too late: 0"),
    ("slid",): phrase_later("a foul, slid: 0"),
    ("late", "slid"): phrase_later("a foul, let go too late or slid: 0"),
}
"""What the die was by the one answer and by the other, where so much speaks for a foul."""
OVER: Mapping[tuple[Side, End | Literal[""]], str] = {
    ("end", ""): phrase_later("over its end"),
    ("end", "near"): phrase_later("over its near end"),
    ("end", "far"): phrase_later("over its far end"),
    ("left", ""): phrase_later("over its left side, as the thrower sees it"),
    ("right", ""): phrase_later("over its right side, as the thrower sees it"),
}


@dataclass(frozen=True, slots=True)
class _Doubt:
    """What a throw may be, in words."""

    foul: Foul
    seen: str
    """What speaks for it, in a sentence."""


def doubted(
    outcome: Landed | Question, release: Release | None, slide: Slide | None = None
) -> Landed | Question:
    """The outcome of a throw; as a question where the die seems to have been let go too late, or slid."""
    doubts = list(_doubts(release, slide))
    if not doubts:
        return outcome
    seen = " ".join([*(each.seen for each in doubts), phrase("Watch it again.")])
    if isinstance(outcome, Question):
        text = phrase(
            "{question} {seen} If that is a foul, the referee says so on the console.",
            question=outcome.text,
            seen=seen,
        )
        return msgspec.structs.replace(outcome, text=text)
    worth = f"{outcome.value} x {outcome.zone} = {outcome.value * outcome.zone}"
    why = tuple(each.foul for each in doubts)
    fair = phrase(FAIR[why])
    foul = replace(outcome, dot=False, foul=doubts[0].foul)
    return Question(
        kind="foul",
        text=phrase(
            "{seen} Then ask the referee, or the opponent. CACHE says that it was {fair}: {worth}. "
            "STOP says that it was a foul: 0.",
            seen=seen,
            fair=fair,
            worth=worth,
        ),
        options=(
            Option(words=f"{fair}: {worth}", events=(outcome,), key="cache"),
            Option(words=phrase(UNFAIR[why]), events=(foul,), key="stop"),
        ),
    )


def _doubts(release: Release | None, slide: Slide | None) -> Iterator[_Doubt]:
    """What the film shows that may be a foul."""
    if release is not None and release.late:
        seen = phrase(
            "The die seems to have left the hand {length} past the release line (rule 4).",
            length=f"{release.past_mm:.0f} ± {release.plus_minus_mm:.0f} mm",
        )
        yield _Doubt("late", seen)
    if slide is not None and slide.slid:
        seen = phrase(
            "The die seems to have slid instead of rolling (rule 4): over the last {length} of its way the "
            "same face looked up.",
            length=f"{slide.way_mm:.0f} mm",
        )
        yield _Doubt("slid", seen)


def side_of(left: Departure) -> str:
    """Over which side of the table, in words."""
    return phrase(OVER[left.over, left.end if left.over == "end" else ""])


def off_already(played: Played, lying: int) -> frozenset[int]:
    """The numbers of the dice of this turn that the game has off the table: nobody asks for them again."""
    landed = [event for event, _ in played if isinstance(event, Landed)]
    turn = landed[-lying:] if lying else []
    return frozenset(moved.die for event in turn for moved in event.moved if moved.off)


def knocked_off(question: Question, left: Departure | None) -> Question:
    """The question about a die that is gone, with the side over which one was seen to go."""
    if left is None:
        return question
    text = phrase(
        "{question} A die seems to have gone off the table {side}.",
        question=question.text,
        side=side_of(left),
    )
    return msgspec.structs.replace(question, text=text)
