"""Rows as they stand on the disk: a kind and a JSON object. The one place where these are written and read.

The form is older than the messages of `device.journal.rows` and stays as it is: a journal is read by boxes
and programs of any age. Keys that are not known are passed over; `Entry.body` still has them.
"""

from collections.abc import Mapping
from typing import Any

from msgspec import Struct, ValidationError, convert, to_builtins

from device.journal.rows import (
    AnswerNote,
    Body,
    ByNote,
    CallNote,
    CloseUpNote,
    CorrectionNote,
    CourseNote,
    DiceReading,
    EventRow,
    KeptSight,
    KeyOf,
    LandingReading,
    Note,
    Option,
    OtherNote,
    PlacesNote,
    PressRow,
    Question,
    QuestionKind,
    RefusedNote,
    Row,
    RowKind,
    SignOffNote,
    UnknownRow,
)
from engine.refusal import Refused
from engine.wire import event_object, event_of

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
