"""Events and views as JSON text, for standard input and output, journal and console alike.

An event is one object: `{"event": "bet", "player": "Ann", "dots": 6}`. Dice are a list: a number 1 to 6 is a
pip die, "dot" or "square" a Zoinx die, any other is spelled out as `{"kind": "d4", "value": 3}`. Reading is
strict: whatever is not exactly an event is `Unreadable`, with a sentence that names the field. A new event is
one row in `EVENTS`.
"""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields, is_dataclass
from typing import TypeVar, get_args

from engine.dice import FACES, Die, DieKind, Face
from engine.events import (
    Bet,
    Cache,
    Chosen,
    Confirmed,
    Corrected,
    DieRuled,
    Draw,
    Event,
    Landed,
    Moved,
    Play,
    Pocket,
    Refereed,
    Rolled,
    Ruled,
    Stop,
    Undo,
)
from engine.game import GameView
from engine.refusal import Unreadable
from engine.wording import phrase

JSON = None | bool | int | float | str | list["JSON"] | dict[str, "JSON"]

LINE_BYTES = 65_536
"""The longest line that is read."""
TEXT_LENGTH = 500
DICE_MOST = 100
NUMBER_MOST = 1_000_000_000

E = TypeVar("E", bound=Event)


@dataclass(frozen=True, slots=True)
class EventKey:
    """One key of an event: how its value is read, naming the field in refusals, and whether it may lack."""

    read: Callable[[JSON, str], object]
    optional: bool = False


def text(value: JSON, field: str) -> str:
    """A text without halves of characters."""
    if not isinstance(value, str):
        raise Unreadable(
            phrase("{field} must be a text; got {value}.", field=field, value=short_value(value))
        )
    if len(value) > TEXT_LENGTH:
        raise Unreadable(
            phrase("{field} is too long: {most} characters are the most.", field=field, most=TEXT_LENGTH)
        )
    if any("\ud800" <= char <= "\udfff" for char in value):
        raise Unreadable(
            phrase("{field} holds half a character: {value}.", field=field, value=short_value(value))
        )
    return value


def whole(value: JSON, field: str) -> int:
    """A whole number."""
    if type(value) is not int:
        raise Unreadable(
            phrase("{field} must be a whole number; got {value}.", field=field, value=short_value(value))
        )
    if abs(value) > NUMBER_MOST:
        raise Unreadable(
            phrase("{field} is out of all bounds: {value}.", field=field, value=short_value(value))
        )
    return value


def dice(value: JSON, field: str) -> tuple[Die, ...]:
    """A list of dice, at least one."""
    if not isinstance(value, list) or not value:
        raise Unreadable(
            phrase(
                '{field} must be a list of dice such as [6, 1] or ["dot", "square"]; got {value}.',
                field=field,
                value=short_value(value),
            )
        )
    _not_too_many(value, field)
    return tuple(die(item, f"{field}[{place}]") for place, item in enumerate(value))


def combos(value: JSON, field: str) -> tuple[tuple[Die, ...], ...]:
    """A list of combos, at least one; each is a list of dice."""
    if not isinstance(value, list) or not value:
        raise Unreadable(
            phrase(
                "{field} must be a list of combos such as [[1, 1, 1], [5]], each a list of dice; got "
                "{value}.",
                field=field,
                value=short_value(value),
            )
        )
    _not_too_many(value, field)
    return tuple(dice(item, f"{field}[{place}]") for place, item in enumerate(value))


def _not_too_many(value: list[JSON], field: str) -> None:
    if len(value) > DICE_MOST:
        wrong = phrase(
            "{field} are too many: {count}; {most} are the most.",
            field=field,
            count=len(value),
            most=DICE_MOST,
        )
        raise Unreadable(wrong)


def die(value: JSON, field: str) -> Die:
    """One die: a face, or kind and value."""
    if isinstance(value, dict):
        _only(value, ("kind", "value"), field)
        kind, face = value.get("kind"), value.get("value")
        for known in get_args(DieKind):
            if kind == known:
                return Die(known, _face(face, known, f"{field}.value"))
        raise Unreadable(
            phrase(
                "{field}.kind is {kinds}; got {kind}.",
                field=field,
                kinds=", ".join(FACES),
                kind=short_value(kind),
            )
        )
    plain: DieKind = "zoinx" if isinstance(value, str) else "pip"
    return Die(plain, _face(value, plain, field))


def _face(value: JSON, kind: DieKind, field: str) -> Face:
    for face in FACES[kind]:
        if type(value) is type(face) and value == face:
            return face
    raise Unreadable(
        phrase(
            "{field}: a {kind} die shows {faces}; got {value}.",
            field=field,
            kind=kind,
            faces=", ".join(map(str, FACES[kind])),
            value=short_value(value),
        )
    )


def flag(value: JSON, field: str) -> bool:
    """True or false."""
    if type(value) is not bool:
        raise Unreadable(
            phrase("{field} must be true or false; got {value}.", field=field, value=short_value(value))
        )
    return value


def moved(value: JSON, field: str) -> tuple[Moved, ...]:
    """A list of dice that were hit, as they lie now."""
    if not isinstance(value, list) or len(value) > DICE_MOST:
        raise Unreadable(
            phrase(
                '{field} must be a list such as [{{"die": 1, "value": 3, "zone": 2}}]; got {value}.',
                field=field,
                value=short_value(value),
            )
        )
    return tuple(_moved(item, f"{field}[{place}]") for place, item in enumerate(value))


def _moved(value: JSON, field: str) -> Moved:
    if not isinstance(value, dict):
        raise Unreadable(
            phrase(
                "{field} must be an object with die, value and zone; got {value}.",
                field=field,
                value=short_value(value),
            )
        )
    _only(value, ("die", "value", "zone", "dot", "off"), field)
    flags = {key: flag(value.get(key, False), f"{field}.{key}") for key in ("dot", "off")}
    needed = {"die"} if flags["off"] else {"die", "value", "zone"}
    keys = [key for key in ("die", "value", "zone") if key in needed or key in value]
    numbers = {key: whole(value.get(key), f"{field}.{key}") for key in keys}
    try:
        return Moved(**numbers, dot=flags["dot"], off=flags["off"])
    except ValueError as wrong:
        raise Unreadable(f"{field}: {wrong}.") from None


def landing(value: JSON, field: str) -> Landed:
    """A landing, with or without the word of its event."""
    if not isinstance(value, dict):
        raise Unreadable(
            phrase(
                '{field} must be a landing such as {{"value": 5, "zone": 20}}; got {value}.',
                field=field,
                value=short_value(value),
            )
        )
    found = event_of({"event": "landed", **value}) if value.get("event", "landed") == "landed" else None
    if not isinstance(found, Landed):
        raise Unreadable(phrase("{field} must be a landing; got another event.", field=field))
    return found


WHICH = EventKey(whole, optional=True)
WORD = EventKey(text, optional=True)

EVENTS: Mapping[str, tuple[Callable[..., Event], Mapping[str, EventKey]]] = {
    "bet": (Bet, {"player": EventKey(text), "dots": EventKey(whole)}),
    "rolled": (Rolled, {"dice": EventKey(dice)}),
    "stop": (Stop, {}),
    "pocket": (Pocket, {"combos": EventKey(combos)}),
    "cache": (Cache, {}),
    "draw": (Draw, {"card": EventKey(text)}),
    "play": (
        Play,
        {
            "card": EventKey(text),
            "die": EventKey(die, optional=True),
            "pocket": EventKey(whole, optional=True),
        },
    ),
    "landed": (
        Landed,
        {
            "value": EventKey(whole, optional=True),
            "zone": EventKey(whole, optional=True),
            "dot": EventKey(flag, optional=True),
            "off": EventKey(text, optional=True),
            "foul": EventKey(text, optional=True),
            "player": EventKey(text, optional=True),
            "catcher": EventKey(text, optional=True),
            "moved": EventKey(moved, optional=True),
        },
    ),
    "confirmed": (Confirmed, {"covered": EventKey(flag)}),
    "chosen": (Chosen, {"mode": EventKey(text)}),
    "corrected": (Corrected, {"dice": EventKey(dice), "reason": WORD, "roll": WHICH}),
    "ruled": (Ruled, {"zone": EventKey(whole), "by": WORD, "landing": WHICH}),
    "die_ruled": (
        DieRuled,
        {"odd": EventKey(whole), "even": EventKey(whole), "value": EventKey(whole), "landing": WHICH},
    ),
    "refereed": (Refereed, {"landed": EventKey(landing), "reason": EventKey(text), "landing": WHICH}),
    "undo": (Undo, {}),
}
"""Each event's word, its class and its keys, which are the class's own fields."""

WORDS: Mapping[object, str] = {make: word for word, (make, _) in EVENTS.items()}


def short_value(value: JSON) -> str:
    """A value as it may stand in a sentence: short, plain characters."""
    if isinstance(value, list | dict):
        return phrase("a list") if isinstance(value, list) else phrase("an object")
    if isinstance(value, int) and abs(value) > NUMBER_MOST:
        return phrase("a huge number")
    told = json.dumps(value)
    return told if len(told) <= 40 else f"{told[:37]}..."


def _only(found: Mapping[str, JSON], known: tuple[str, ...], where: str) -> None:
    for key in found:
        if key not in known:
            keys = ", ".join(known)
            raise Unreadable(
                phrase(
                    "{field} has an unknown key {key}; known are {keys}.",
                    field=where,
                    key=short_value(key),
                    keys=keys,
                )
                if known
                else phrase(
                    "{field} has an unknown key {key}; it has no keys.", field=where, key=short_value(key)
                )
            )


def _pairs(pairs: list[tuple[str, JSON]]) -> dict[str, JSON]:
    found: dict[str, JSON] = {}
    for key, value in pairs:
        if key in found:
            raise Unreadable(phrase("The key {key} stands twice.", key=short_value(key)))
        found[key] = value
    return found


def _no_number(word: str) -> float:
    raise Unreadable(phrase("{word} is no number.", word=word))


def read_json(line: str | bytes) -> JSON:
    """The JSON value of one line; raises `Unreadable`."""
    if len(line) > LINE_BYTES:
        raise Unreadable(phrase("The line is too long: {most} bytes are the most.", most=LINE_BYTES))
    try:
        words = line.decode("utf-8") if isinstance(line, bytes) else line
    except UnicodeDecodeError as error:
        raise Unreadable(
            phrase("The line is not UTF-8 text, from byte {place} on.", place=error.start + 1)
        ) from None
    if not words.strip():
        raise Unreadable(phrase('The line is empty. An event is one JSON object, such as {"event": "stop"}.'))
    try:
        found: JSON = json.loads(words, object_pairs_hook=_pairs, parse_constant=_no_number)
    except RecursionError:
        raise Unreadable(phrase("The line is nested too deeply.")) from None
    except json.JSONDecodeError as error:
        raise Unreadable(
            phrase(
                "The line is no JSON: {reason} at character {place}.",
                reason=error.msg.lower(),
                place=error.pos + 1,
            )
        ) from None
    except ValueError:
        raise Unreadable(phrase("The line holds a number that is too long.")) from None
    return found


def read_event(line: str | bytes) -> Event:
    """The event of one line of JSON; raises `Unreadable` and nothing else."""
    return event_of(read_json(line))


def event_of(value: JSON) -> Event:
    """The event of a JSON value that was read already; raises `Unreadable` and nothing else."""
    if not isinstance(value, dict):
        raise Unreadable(
            phrase(
                'An event is an object such as {{"event": "stop"}}; got {value}.', value=short_value(value)
            )
        )
    word = value.get("event")
    if not isinstance(word, str) or word not in EVENTS:
        raise Unreadable(
            phrase("event is {words}; got {word}.", words=", ".join(EVENTS), word=short_value(word))
        )
    make, known = EVENTS[word]
    _only(value, ("event", *known), word)
    found = {}
    for key, field in known.items():
        if key in value:
            found[key] = field.read(value[key], key)
        elif not field.optional:
            raise Unreadable(phrase("{word} lacks {key}.", word=word, key=key))
    try:
        return make(**found)
    except ValueError as wrong:  # the event's own class found facts that cannot go together
        raise Unreadable(f"{word}: {wrong}.") from None


def event_object(event: Event) -> dict[str, JSON]:
    """The event as a JSON object; `event_of` reads it back."""
    return _written(WORDS[type(event)], event)


def _written(word: str, event: object) -> dict[str, JSON]:
    found: dict[str, JSON] = {"event": word}
    for key, field in EVENTS[word][1].items():
        value = _plain(getattr(event, key))
        if value or not field.optional:
            found[key] = value
    return found


def write_event(event: Event) -> str:
    """The event as one line of JSON, without the line's end."""
    return json.dumps(event_object(event), ensure_ascii=False)


def view_object(view: GameView) -> dict[str, JSON]:
    """The public state as a JSON object: the view's own fields by their names."""
    return {field.name: _plain(getattr(view, field.name)) for field in fields(view)}


def write_view(view: GameView) -> str:
    """The public state as one line of JSON, without the line's end."""
    return json.dumps(view_object(view), ensure_ascii=False)


def _plain(value: object) -> JSON:
    """Engine values as JSON: dataclasses become objects, tuples lists, plain dice short."""
    match value:
        case Die(kind="pip" | "zoinx", value=face):
            return face
        case None | bool() | int() | str():
            return value
        case tuple():
            return [_plain(item) for item in value]
        case Moved(off=False):
            return {"die": value.die, "value": value.value, "zone": value.zone, "dot": value.dot}
        case _ if (word := WORDS.get(type(value))) is not None:
            return _written(word, value)
        case _ if is_dataclass(value):
            return {field.name: _plain(getattr(value, field.name)) for field in fields(value)}
        case _:
            raise TypeError(f"no JSON for {type(value).__name__}")
