"""What the film of a throw shows that may be a foul: asked about, with the measured distance; never ruled.

A die that was let go past the release line (rule 4) is asked about where a camera over the thrower's end sees
that. Over which side a die left the table is told where it is asked whether it went off: to catch it, or to
have thrown it off on purpose, makes a difference (rule 10). Whether a die slid instead of rolling is left to
people: the small pictures of the watch do not show its faces.
"""

from dataclasses import replace

import msgspec

from device.journal.rows import Option, Question
from engine.events import Landed
from vision.landing import Departure, Release


def counts(outcome: Landed | Question) -> bool:
    """Whether a foul would make a difference to it."""
    return isinstance(outcome, Question) or outcome.zone > 0


def doubted(outcome: Landed | Question, release: Release | None) -> Landed | Question:
    """The outcome of a throw; as a question where the film shows that its die was let go too late."""
    if release is None or not release.late:
        return outcome
    length = f"{release.past_mm:.0f} ± {release.plus_minus_mm:.0f} mm"
    seen = f"The die seems to have left the hand {length} past the release line (rule 4). Watch it again."
    if isinstance(outcome, Question):
        text = f"{outcome.text} {seen} If that is a foul, the referee says so on the console."
        return msgspec.structs.replace(outcome, text=text)
    worth = f"{outcome.value} x {outcome.zone} = {outcome.value * outcome.zone}"
    return Question(
        kind="foul",
        text=f"{seen} Then ask the referee, or the opponent. CACHE says that it was let go in time: "
        f"{worth}. STOP says that it was a foul: 0.",
        options=(
            Option(words=f"let go in time: {worth}", events=(outcome,), key="cache"),
            Option(
                words="a foul, let go too late: 0",
                events=(replace(outcome, dot=False, foul="late"),),
                key="stop",
            ),
        ),
    )


def side_of(left: Departure) -> str:
    """Over which side of the table, in words."""
    if left.over == "end":
        return f"over its {left.end} end" if left.end else "over its end"
    return f"over its {left.over} side, as the thrower sees it"


def knocked_off(question: Question, left: Departure | None) -> Question:
    """The question about a die that is gone, with the side over which one was seen to go."""
    if left is None:
        return question
    text = f"{question.text} A die seems to have gone off the table {side_of(left)}."
    return msgspec.structs.replace(question, text=text)
