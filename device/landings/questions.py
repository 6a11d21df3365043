"""What a measured throw means at the End Zone: a landing that counts, or a question for people.

Pure: dice as they lie and the game's view in, events or a `Question` out. The box never guesses: what is too
close to call, not seen or not read is asked, and each answer is a button or a line on the console that
carries the engine's own events. A covered dot is told as covered, and somebody looks before it wins.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import product
from math import dist
from typing import Literal, get_args

import msgspec

from calibration.description import PointMm
from calibration.ends import End
from device.journal.rows import Option, Question
from device.landings.fouls import side_of
from engine.dice import FACES
from engine.events import DieRuled, Landed, Moved, Ruled, Zone
from engine.game import GameView
from engine.wording import phrase, phrase_count, phrase_later
from engine.words import number, together
from vision.landing import Call, CalledDie, Departure, MeasuredDie
from vision.landing.call import length_words

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
        "{reason} Nothing is called until that is mended; the referee may say where the die lies.",
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
        "I do not see {dice} any more. STOP says that {dice} was knocked off the table, CACHE that somebody "
        "took {dice} up, to count as it lay.",
        "I do not see {dice} any more. STOP says that {dice} were knocked off the table, CACHE that somebody "
        "took {dice} up, to count as it lay.",
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
