"""What a measured throw means at the End Zone: a landing that counts, or a question for people.

Pure: dice as they lie and the game's view in, events or a `Question` out. The box never guesses: what is too
close to call, not seen or not read is asked, and each answer is a button or a line on the console that
carries the engine's own events. A covered dot is told as covered, and somebody looks before it wins. What a
film shows that may be a foul is asked about, with the measured distance; it is never ruled.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import product
from math import dist
from typing import Literal, get_args

import msgspec

from calibration.description import PointMm
from calibration.ends import End
from device.journal.rows import Option, Question
from device.landings.ends import OTHER, EndsLook
from engine.dice import FACES
from engine.events import DieRuled, Foul, Landed, Moved, Ruled, Zone
from engine.game import GameView, Played
from engine.wording import phrase, phrase_count, phrase_later
from engine.words import number, together
from vision.landing import Call, CalledDie, Departure, MeasuredDie, Release, Side, Slide
from vision.landing.call import length_words
from vision.watch import FrameState

# A die that was let go past the release line (rule 4) is asked about where a camera over the thrower's end
# sees that; one that slid instead of rolling, where its faces were seen while it moved. Over which side a
# die left the table is told where it is asked whether it went off: to catch it, or to have thrown it off on
# purpose, makes a difference (rule 10).


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


POSSIBLE = 0.002
"""A zone less likely than this is not offered."""
DOT_DOUBT = 0.001
"""Somebody looks at the dot when its being covered is as likely as this."""
MOVED_MM = 1.2
"""A die that lies so far from where it was told lying has been hit."""
THIRD_PARTY = phrase_later("a third party")
"""Who rules, as the journal has it; `phrase` tells it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TrackedDie:
    """A die on the table, and what has been told of it."""

    id: int
    """Counts the dice of the game as they were first seen."""
    die: MeasuredDie
    """As it was last seen."""
    place: int = 0
    """Its number among the dice of the turn, from 1; 0 for one that does not count (any more)."""
    counted: bool = False
    """It was a throw, or it lay there before: it is no new one."""
    told: tuple[int, PointMm] = (0, (0.0, 0.0))
    """Its number and place as the game last heard of them."""
    at: int = -1
    """Which die of the newest measurement it is; -1 when it was not found again."""
    aim: End | Literal[""] = ""
    """The End Zone to which it was thrown; "" where there is but one, or nobody can tell."""
    asked_for: bool = False
    """It was not found again, and people have said why: nobody asks once more."""

    @property
    def moved(self) -> bool:
        """Whether it lies, or shows, other than was told."""
        return self.die.value != self.told[0] or dist(self.die.center_mm, self.told[1]) > MOVED_MM


def landing_of(
    new: CalledDie, hit: Mapping[int, CalledDie], gone: Sequence[TrackedDie], view: GameView
) -> Landed | Question:
    """What one new die means, with the dice that it hit, by their places in the turn, and those missing."""
    if new.die.value is None:
        return _unread(new, hit)
    if view.wanted is None or not view.wanted.landing:  # only its number counts (rule 2)
        return Landed(value=new.die.value, zone=_zone(new.call.zone))
    doubtful = [(0, new), *hit.items()]
    close = [(place, lies) for place, lies in doubtful if lies.call.call == "too_close"]
    if close:
        return _close(new, hit, close)
    if gone:
        return _gone(new, hit, gone)
    return _landed(new, hit)


def off_table(hit: Mapping[int, CalledDie], left: Departure | None = None) -> Question:
    """No new die on the table: it went off, and may have been seen to leave."""
    moved = _moves(hit)
    seen = phrase("I see no new die. Did it go off the table?")
    if left is not None:
        seen = phrase(
            "The die seems to have gone off the table {side}. Minus points, where they were agreed, unless "
            "it was caught, or thrown off on purpose (rule 10).",
            side=side_of(left),
        )
    caught, missed = Landed(off="caught", moved=moved), Landed(off="missed", moved=moved)
    thrown = Landed(off="missed", foul="thrown", moved=moved)
    return Question(
        kind="off",
        text=phrase(
            "{seen} CACHE says an opponent caught it, STOP says nobody did. If it lies there after all, "
            "the referee says its number and zone on the console. If it was not thrown yet: throw, then "
            "press ROLL DONE.",
            seen=seen,
        ),
        options=(
            Option(words=phrase("off the table, caught"), events=(caught,), key="cache"),
            Option(words=phrase("off the table, not caught"), events=(missed,), key="stop"),
            Option(words=phrase("thrown off on purpose"), events=(thrown,)),
        ),
    )


def off_before_it_counts() -> Question:
    """No new die, where only its number would count: nothing is scored, and nobody has to catch it."""
    text = phrase(
        "I see no new die. If it went off the table, throw it again; if it was not thrown yet, throw. "
        "Then press ROLL DONE."
    )
    return Question(kind="off", text=text)


def several(count: int) -> Question:
    """More than one new die."""
    text = phrase(
        "I see {number} new dice, and one is thrown at a time (rule 5). Take up what does not count and "
        "press ROLL DONE, or let the referee say what counts.",
        number=number(count),
    )
    return Question(kind="several", text=text)


def unmeasured(reasons: Iterable[str]) -> Question:
    """A die that lies there and cannot be measured."""
    text = phrase(
        "A die lies there that I cannot measure: {why}. Let the referee say its number and zone on the "
        "console, or throw again and press ROLL DONE.",
        why=together([phrase(reason) for reason in sorted(set(reasons))]),
    )
    return Question(kind="unread", text=text)


def blind(reason: str) -> Question:
    """Camera or sheet are not where they were calibrated."""
    text = phrase(
        "{reason} Nothing is called until that is fixed; the referee may say where the die lies.",
        reason=reason,
    )
    return Question(kind="blind", text=text)


def decided_by_die(question: Question, value: int | None) -> Option | None:
    """The answer that a deciding die gives."""
    return next((option for option in question.options if value and option.die == value), None)


def closeness(call: Call) -> str:
    """How close it is: "5 or 10 (gap 0.03 ± 0.18 mm)"."""
    zones = phrase(" or ").join(str(zone) for zone, _ in _zones(call))
    return f"{zones} ({gap_words(call)})"


def gap_words(call: Call) -> str:
    """The way to the line that decides, with its plus-minus: "gap 0.03 ± 0.18 mm"."""
    length = length_words(call.near.mm, call.near_sigma_mm)
    if call.near.mm > 0:
        return phrase("over the line by {length}", length=length)
    return phrase("gap {length}", length=length)


def _zones(call: Call) -> list[tuple[int, float]]:
    """The zones that it may be, the likeliest first; the same two or more whenever it is too close."""
    ranked = sorted(dict(call.by_zone).items(), key=lambda each: -each[1])
    return [each for at, each in enumerate(ranked) if at < 2 or each[1] >= POSSIBLE]


def _zone(zone: int) -> int:
    """A multiplier that the rulebook knows."""
    if zone not in get_args(Zone):
        raise ValueError(
            f"End Zone has the zones {', '.join(map(str, get_args(Zone)))}; the sheet says {zone}"
        )
    return zone


def _covers(call: Call) -> bool:
    """Whether somebody has to look at the dot."""
    return call.dot is not None and call.dot.probability >= DOT_DOUBT and call.zone >= 2


def _moves(hit: Mapping[int, CalledDie], zones: Mapping[int, int] | None = None) -> tuple[Moved, ...]:
    """The dice that were hit, by their places; one whose number is not read keeps out of it."""
    chosen = zones or {}
    return tuple(
        Moved(
            die=place,
            value=lies.die.value,
            zone=(zone := chosen.get(place, lies.call.zone)),
            dot=_covers(lies.call) and zone >= 2,
        )
        for place, lies in sorted(hit.items())
        if lies.die.value is not None
    )


def _landed(new: CalledDie, hit: Mapping[int, CalledDie], zones: Mapping[int, int] | None = None) -> Landed:
    zone = _zone((zones or {}).get(0, new.call.zone))
    return Landed(
        value=new.die.value or 0,
        zone=zone,
        dot=_covers(new.call) and zone >= 2,
        moved=_moves(hit, zones),
    )


def _unread(new: CalledDie, hit: Mapping[int, CalledDie]) -> Question:
    """Its place is measured, its number is not read."""
    options = tuple(
        Option(
            words=phrase("it shows {value}", value=value),
            events=(_landed(CalledDie(die=replace(new.die, value=int(value)), call=new.call), hit),),
        )
        for value in FACES["pip"]
    )
    return Question(
        kind="unread",
        text=phrase(
            "The die in zone {zone} cannot be read. Say on the console what it shows, or throw again and "
            "press ROLL DONE.",
            zone=new.call.zone,
        ),
        options=options,
    )


def _gone(new: CalledDie, hit: Mapping[int, CalledDie], gone: Sequence[TrackedDie]) -> Question:
    """A die of this turn is missing since the throw."""
    names = together([phrase("die {place}", place=die.place) for die in gone])
    landed = _landed(new, hit)
    lost = tuple(Moved(die=die.place, value=die.told[0], off=True) for die in gone)
    moved = tuple(sorted((*landed.moved, *lost), key=lambda each: each.die))
    count = len(gone)
    knocked = phrase_count(
        "{dice} was knocked off the table", "{dice} were knocked off the table", count, dice=names
    )
    taken = phrase_count("{dice} was taken up", "{dice} were taken up", count, dice=names)
    text = phrase_count(
        "I do not see {dice} any more. STOP says that {dice} was knocked off the table, CACHE that a player "
        "took {dice} away, to count as it lay.",
        "I do not see {dice} any more. STOP says that {dice} were knocked off the table, CACHE that a player "
        "took {dice} away, to count as they lay.",
        count,
        dice=names,
    )
    options = (
        Option(words=knocked, events=(replace(landed, moved=moved),), key="stop"),
        Option(words=taken, events=(landed,), key="cache"),
    )
    return Question(kind="gone", text=text, options=options)


def _close(new: CalledDie, hit: Mapping[int, CalledDie], close: Sequence[tuple[int, CalledDie]]) -> Question:
    """The two official ways out (rule 8): a third party's word, or one die, odd or even."""
    named = [
        phrase("die {place}: {zones}", place=place, zones=closeness(lies.call))
        if place
        else closeness(lies.call)
        for place, lies in close
    ]
    text = phrase("Too close to call: {dice}.", dice=together(named))
    if len(close) == 1 and close[0][0] == 0:
        return _close_new(new, hit, text)
    combos = product(*[[(place, zone) for zone, _ in _zones(lies.call)[:2]] for place, lies in close])
    options = []
    for combo in combos:
        zones = dict(combo)
        words = together([_lies_in(place, zone) for place, zone in combo])
        options.append(Option(words=words, events=(_landed(new, hit, zones),)))
    options[0] = msgspec.structs.replace(options[0], key="cache")
    options[1] = msgspec.structs.replace(options[1], key="stop")
    ask = phrase(
        "Ask a third party: CACHE says {cache}, STOP says {stop}; else the console.",
        cache=options[0].words,
        stop=options[1].words,
    )
    return Question(kind="close", text=f"{text} {ask}", options=tuple(options))


def _lies_in(place: int, zone: int) -> str:
    if place:
        return phrase("die {place} in {zone}", place=place, zone=zone)
    return phrase("the new die in {zone}", zone=zone)


def _close_new(new: CalledDie, hit: Mapping[int, CalledDie], text: str) -> Question:
    likely = [zone for zone, _ in _zones(new.call)]
    first = _landed(new, hit)
    better, lower = max(likely[:2]), min(likely[:2])
    said = tuple(
        Option(
            words=phrase("a third party says {zone}", zone=zone),
            events=(first, Ruled(zone=_zone(zone), by=THIRD_PARTY)),
            key="cache" if zone == better else "stop" if zone == lower else "",
        )
        for zone in sorted(likely, reverse=True)
    )
    rolled = tuple(
        Option(
            words=phrase("one die shows {value}: {zone}", value=value, zone=better if value % 2 else lower),
            events=(first, DieRuled(odd=better, even=lower, value=value)),
            die=value,
        )
        for value in map(int, FACES["pip"])
    )
    ask = phrase(
        "Ask a third party: CACHE says {better}, STOP says {lower}. Or roll one die and press ROLL DONE: "
        "odd is {better}, even is {lower}.",
        better=better,
        lower=lower,
    )
    return Question(kind="close", text=f"{text} {ask}", options=(*said, *rolled))


# Two End Zones: to which of them a die was thrown, and what it is worth then.
#
# A die counts at the end to which it was thrown. In the other half it fell short of the halfway line, and is
# worth nothing wherever it lies there (rule 3). Where it came from is seen: on its way to one end it crosses
# the other's half. When the cameras cannot tell, people say.

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
