"""What the rows of the journal say: one closed union of messages, for everything that is kept of a game.

On the disk a row is its kind and a JSON object; `device.journal.rows` writes and reads those, and nobody
else does. Whoever reads a game matches on `Row`, so the type checker sees to it that nothing is forgotten.
A field that comes later needs a default: rows of older boxes do not have it.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from msgspec import Struct, ValidationError, convert, field, to_builtins

from calibration.description import PointMm
from device.people.actor import Role
from engine.dice import DieKind
from engine.events import Event
from engine.refusal import Refused
from engine.wire import event_object, event_of
from vision.measured import MeasuredDie

RowKind = Literal["event", "press", "reading", "note"]
Body = Mapping[str, Any]
"""A JSON object."""
KeyOf = Literal["", "cache", "stop"]
"""A button of the box that gives an answer; "" for none."""
QuestionKind = Literal["close", "off", "unread", "gone", "several", "blind", "aim", "foul"]
"""Too close to call; no die came to lie; one that cannot be measured or read; one is missing; more than one
is new; camera or sheet have moved; to which of two End Zones it was thrown; it may have been let go too
late."""

Course = Literal["paused", "went on", "put away", "taken up", "abandoned"]
"""It waits at the table; it waits no more; another may be played; it is at the table again; it is over."""


class EventRow(Struct, frozen=True):
    """The rulebook has taken an event."""

    event: Event


class PressRow(Struct, frozen=True):
    """A button of the panel was pressed."""

    button: str
    kind: Literal["short", "long"]


class ReadDie(Struct, frozen=True, kw_only=True):
    """A die that was read."""

    kind: DieKind
    value: int | str
    confidence: float
    """How often a die with this figure is read rightly, 0 to 1."""
    color: str = ""


class DiceReading(Struct, frozen=True, kw_only=True):
    """What the camera read of a roll."""

    picture: str
    """The name of the picture that was read; "" when the disk did not take it."""
    dice: tuple[ReadDie, ...] = ()
    unsure: tuple[str, ...] = ()
    """Why other dice were not read."""
    elapsed_ms: float = 0.0
    asks: str = ""
    """What the box asked about it; "" when it asked nothing."""


@dataclass(frozen=True, slots=True, kw_only=True)
class KeptDie(MeasuredDie):
    """A die at the End Zone as it was measured, where it lies, and which one it is."""

    footprint_mm: tuple[PointMm, ...] = ()
    """Not kept: the outline follows from the rest, and is long."""
    kind: Literal["pip"] = "pip"
    zone: int
    """The multiplier where it lies."""
    call: Literal["certain", "too_close"]
    probability: float
    """The chance that `zone` is right."""
    nearest_line: str
    """The line that decides."""
    to_line_mm: float
    """How far its outline is over that line; below 0 what is missing."""
    dot: float = 0.0
    """The chance that it covers the dot."""
    end: Literal["", "near", "far"] = ""
    """Whose camera measured it, where there are two."""
    aim: Literal["", "near", "far"] = ""
    """The End Zone to which it was thrown; "" where there is but one, or nobody can tell."""
    place: int
    """Its number among the dice of the turn, from 1; 0 for one that does not count."""
    counted: bool
    """It was a throw before this one, or it lay there before."""


class KeptSight(Struct, frozen=True, kw_only=True):
    """What one picture of the End Zone shows."""

    picture: str
    """The name of the picture; "" when the disk did not take it."""
    number: int = 0
    """The number of the reading, from 1; 0 where an older box did not tell it."""
    dice: tuple[KeptDie, ...]
    unsure: tuple[str, ...] = ()
    """Why other dice were not measured."""
    elapsed_ms: float = 0.0
    moved: str = ""
    """What has moved since the calibration, in a sentence; "" when nothing has."""


class Option(Struct, frozen=True, kw_only=True):
    """One answer to a question."""

    words: str
    events: tuple[Event, ...]
    key: KeyOf = ""
    die: int = 0
    """The number of a deciding die that gives it; 0 where none does."""


class Question(Struct, frozen=True, kw_only=True):
    """What the box asks about a throw before it can count."""

    kind: QuestionKind
    text: str
    options: tuple[Option, ...] = ()


class LandingReading(Struct, frozen=True, kw_only=True):
    """A throw at the End Zone was measured."""

    sight: KeptSight
    question: Question | None = None
    """What must be answered before it counts."""
    decides: bool = False
    """It was the die that decides an argument, and no throw."""


class RefusedNote(Struct, frozen=True, tag_field="said", tag="refused"):
    """Somebody was told that something does not count, and why."""

    text: str


class CorrectionNote(Struct, frozen=True, tag_field="said", tag="correction"):
    """People said what the dice show."""

    reason: str


class PlacesNote(Struct, frozen=True, omit_defaults=True, tag_field="said", tag="places"):
    """People did something with dice or cards on the mat."""

    text: str = ""


class AnswerNote(Struct, frozen=True, tag_field="said", tag="answer"):
    """A question was answered."""

    text: str


class CloseUpNote(Struct, frozen=True, tag_field="said", tag="close-up"):
    """The close-up of a landing was kept."""

    picture: str = field(name="text")
    """Its name."""


class ByNote(Struct, frozen=True, omit_defaults=True, tag_field="said", tag="by"):
    """Whose doing the rows after it in the same write are; without it nobody's on a page."""

    role: Role
    name: str = ""


class CourseNote(Struct, frozen=True, omit_defaults=True, tag_field="said", tag="game"):
    """People did something with the game as a whole."""

    what: Course
    scores: tuple[int, ...] = ()
    """What everybody had then."""


class SignOffNote(Struct, frozen=True, omit_defaults=True, tag_field="said", tag="sign-off"):
    """A referee's sign-off of the result was asked for or given, or the result was opened again."""

    what: Literal["asked", "signed", "opened"]
    by: str = ""
    """Whose doing it was, in words: "the referee Cleo"."""
    text: str = ""
    """Why the result was opened again."""


class CallNote(Struct, frozen=True, omit_defaults=True, tag_field="said", tag="call"):
    """The game was begun for players whom a hall's desk had called to the table."""

    call: str
    """The call's identity, as the desk made it."""
    title: str = ""
    """The tournament's."""
    match: int = 0
    """Its number there."""


class OtherNote(Struct, frozen=True):
    """A note that only another Callbox knows. Notes change nothing of a game, so it may be passed over."""

    body: Body


class UnknownRow(Struct, frozen=True):
    """A row that this Callbox does not understand: nobody can say where its game stands after it."""

    kind: RowKind
    body: Body
    why: str


Note = (
    RefusedNote
    | CorrectionNote
    | PlacesNote
    | AnswerNote
    | CloseUpNote
    | ByNote
    | CourseNote
    | SignOffNote
    | CallNote
    | OtherNote
)
Row = EventRow | PressRow | DiceReading | LandingReading | Note | UnknownRow


# Rows as they stand on the disk: a kind and a JSON object. The one place where these are written and read.
#
# The form is older than the messages of `device.journal.rows` and stays as it is: a journal is read by boxes
# and programs of any age. Keys that are not known are passed over; `Entry.body` still has them.

NOTES: Mapping[str, type[Note]] = {
    "refused": RefusedNote,
    "correction": CorrectionNote,
    "places": PlacesNote,
    "answer": AnswerNote,
    "close-up": CloseUpNote,
    "by": ByNote,
    "game": CourseNote,
    "sign-off": SignOffNote,
    "call": CallNote,
}
"""The notes that this Callbox writes, by what stands under `said`."""


class _OptionBody(Struct, kw_only=True):
    words: str
    key: KeyOf = ""
    die: int = 0
    events: list[dict[str, Any]]


class _QuestionBody(Struct, kw_only=True):
    kind: QuestionKind
    text: str
    options: list[_OptionBody] = []


def kind_of(row: Row) -> RowKind:
    """The kind under which a row stands."""
    match row:
        case EventRow():
            return "event"
        case PressRow():
            return "press"
        case DiceReading() | LandingReading():
            return "reading"
        case UnknownRow(kind=kind):
            return kind
        case _:
            return "note"


def write_body(row: Row) -> dict[str, Any]:
    """The JSON object of a row."""
    match row:
        case EventRow(event=event):
            return dict(event_object(event))
        case LandingReading(sight=sight, question=question, decides=decides):
            asked = {"question": _write_question(question)} if question else {}
            decided = {"decides": True} if decides else {}
            # What a landing asks stands in its question; `asks` is for dice that wait for a correction.
            return {**_write_sight(sight), **asked, **decided, "asks": ""}
        case OtherNote(body=body) | UnknownRow(body=body):
            return dict(body)
        case _:
            found: dict[str, Any] = to_builtins(row)
            return found


def _write_sight(sight: KeptSight) -> dict[str, Any]:
    """What a picture of the End Zone shows. What boxes before 0.3 did not know of a die is left out where it
    is not known today either, so that their rows are written as they were."""
    body: dict[str, Any] = to_builtins(sight)
    for die in body["dice"]:
        if not any(die["rounding_with"]) and not die["rounding_mm"]:
            del die["rounding_mm"], die["rounding_with"]
    return body


def read_row(kind: RowKind, body: Body) -> Row:
    """What a row says. Never raises: what it cannot understand is an `UnknownRow`, which says why."""
    try:
        match kind:
            case "event":
                return EventRow(event_of(dict(body)))
            case "press":
                return convert(body, PressRow)
            case "reading":
                return _read_reading(body)
            case "note":
                return _read_note(body)
    except (Refused, ValidationError, ValueError) as wrong:
        return UnknownRow(kind, body, str(wrong))


def _read_reading(body: Body) -> DiceReading | LandingReading:
    if "number" not in body and "moved" not in body:
        return convert(body, DiceReading)
    asked = body.get("question")
    return LandingReading(
        sight=convert(body, KeptSight),
        question=None if asked is None else _read_question(asked),
        decides=convert(body.get("decides", False), bool),
    )


def _read_note(body: Body) -> Note:
    said = body.get("said")
    known = NOTES.get(said) if isinstance(said, str) else None
    return OtherNote(body) if known is None else convert(body, known)


def _write_question(question: Question) -> dict[str, Any]:
    return {
        "kind": question.kind,
        "text": question.text,
        "options": [
            {
                "words": option.words,
                "key": option.key,
                "die": option.die,
                "events": [event_object(event) for event in option.events],
            }
            for option in question.options
        ],
    }


def _read_question(body: object) -> Question:
    found = convert(body, _QuestionBody)
    return Question(
        kind=found.kind,
        text=found.text,
        options=tuple(
            Option(
                words=option.words,
                events=tuple(map(event_of, option.events)),
                key=option.key,
                die=option.die,
            )
            for option in found.options
        ),
    )
