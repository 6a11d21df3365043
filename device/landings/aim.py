"""Two End Zones: to which of them a die was thrown, and what it is worth then.

A die counts at the end to which it was thrown. In the other half it fell short of the halfway line, and is
worth nothing wherever it lies there (rule 3). Where it came from is seen: on its way to one end it crosses
the other's half. When the cameras cannot tell, people say.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Literal

import msgspec

from calibration.ends import End
from device.journal.rows import Option, Question
from device.landings.questions import TrackedDie, landing_of
from device.landings.watching import EndsLook
from engine.events import Landed
from engine.game import GameView
from engine.wording import phrase, phrase_later
from vision.landing import CalledDie
from vision.watch import FrameState

OTHER: Mapping[End, End] = {"near": "far", "far": "near"}
SHORT = phrase_later("it fell short of the halfway line")
THROWN_TO: Mapping[End, str] = {
    "near": phrase_later("thrown to the near end: {worth}"),
    "far": phrase_later("thrown to the far end: {worth}"),
}
NOT_SEEN_TO_CROSS: Mapping[End, str] = {
    "near": phrase_later(
        "The die lies at the near end, and I did not see it cross the other half. CACHE says that it was "
        "thrown to the near end: {worth}. STOP says that it fell short of the halfway line: 0."
    ),
    "far": phrase_later(
        "The die lies at the far end, and I did not see it cross the other half. CACHE says that it was "
        "thrown to the far end: {worth}. STOP says that it fell short of the halfway line: 0."
    ),
}
"""By the end at which a die lies."""


def aim_of(
    new: CalledDie,
    hit: Mapping[int, CalledDie],
    known: Sequence[TrackedDie],
    look: FrameState,
    view: GameView,
) -> End | Literal[""] | None:
    """The end to which the new die was thrown; "" where that makes no difference, None when nobody can tell.

    All dice of a turn are thrown from one end. `look` is the look at which they had come to rest.
    """
    if not new.end or not isinstance(look, EndsLook) or view.wanted is None or not view.wanted.landing:
        return ""
    turn = {die.aim for die in known if die.place and die.aim}
    if len(turn) == 1:
        return turn.pop()
    crossed = OTHER[new.end] in look.stirred
    # A hand at the end where the die lies may have let it go there: then only the sheet speaks for a throw.
    if crossed and (new.end not in look.reached or new.call.zone >= 2):
        return new.end
    return None if any(lies.call.zone for lies in (new, *hit.values())) else ""


def as_thrown(lies: CalledDie, aim: End | Literal[""]) -> CalledDie:
    """A die as it counts when the throw went to that end: out of play in the other half."""
    if not aim or lies.end == aim:
        return lies
    score = None if lies.die.value is None else 0
    call = replace(
        lies.call,
        zone=0,
        score=score,
        call="certain",
        probability=1.0,
        by_zone=((0, 1.0),),
        dot=None,
        ways_out="",
    )
    note = "; ".join(each for each in (lies.die.note, phrase(SHORT)) if each)
    own = lies.own and as_thrown(lies.own, aim)
    return replace(lies, die=replace(lies.die, note=note), call=call, own=own)


def thrown(
    new: CalledDie,
    hit: Mapping[int, CalledDie],
    gone: Sequence[TrackedDie],
    view: GameView,
    aim: End | Literal[""] | None,
) -> Landed | Question:
    """What one new die means that was thrown to that end; a question when nobody can tell to which."""

    def towards(end: End | Literal[""]) -> Landed | Question:
        there = {place: as_thrown(lies, end) for place, lies in hit.items()}
        return landing_of(as_thrown(new, end), there, gone, view)

    if aim is not None or not new.end:
        return towards(aim or "")
    here, short = towards(new.end), towards(OTHER[new.end])
    if here == short or isinstance(short, Question):
        return here
    fell = Option(words=phrase("it fell short of the halfway line: 0"), events=(short,))
    if isinstance(here, Question):
        text = phrase(
            "{question} If it fell short of the halfway line, say so on the console.", question=here.text
        )
        return msgspec.structs.replace(here, text=text, options=(*here.options, fell))
    worth = f"{here.value} x {here.zone} = {here.value * here.zone}"
    return Question(
        kind="aim",
        text=phrase(NOT_SEEN_TO_CROSS[new.end], worth=worth),
        options=(
            Option(words=phrase(THROWN_TO[new.end], worth=worth), events=(here,), key="cache"),
            msgspec.structs.replace(fell, key="stop"),
        ),
    )
