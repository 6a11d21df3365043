"""Journal rows in words for people, one line each, with nothing in them that a terminal would obey."""

import json
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from device.journal.journal import GameRecord
from device.journal.replay import Replay, Step, options_shown
from device.journal.rows import (
    ByNote,
    CallNote,
    CourseNote,
    DiceReading,
    EventRow,
    KeptDie,
    LandingReading,
    OtherNote,
    PressRow,
    ReadDie,
    Row,
    SignOffNote,
    UnknownRow,
    write_body,
)
from device.people.actor import Actor
from device.shown.words import faces
from engine.events import (
    Bet,
    Confirmed,
    Corrected,
    DieRuled,
    Landed,
    Moved,
    Refereed,
    Rolled,
    Ruled,
    Stop,
    Undo,
)
from engine.wording import phrase, phrase_later
from engine.words import together

SECRET = phrase_later("a bet is locked; it is shown when all are")


SIGNING: Mapping[str, str] = {
    "asked": phrase_later("the result waits for the referee's sign-off"),
    "signed": phrase_later("the result was signed off"),
    "opened": phrase_later("the result was opened again"),
}
"""What a `SignOffNote` says happened."""


STANDING = {"paused": phrase_later("paused"), "put away": phrase_later("saved")}
COURSE: Mapping[str, str] = {
    "paused": phrase_later("the game was paused"),
    "went on": phrase_later("the game went on"),
    "put away": phrase_later("the game was saved for later"),
    "taken up": phrase_later("the game was resumed"),
    "abandoned": phrase_later("the game was abandoned"),
}
UNDONE = {"undone": phrase_later("undone"), "corrected": phrase_later("corrected")}
FOULS = {
    "late": phrase_later("foul: late"),
    "slid": phrase_later("foul: slid"),
    "thrown": phrase_later("foul: thrown"),
}
CALLS = {
    "certain": phrase_later("in zone {zone}, certain"),
    "too_close": phrase_later("in zone {zone}, too close"),
}
ONE_DIE = phrase_later("one die decided: {value}, odd says zone {odd}, even zone {even}")
GOING_ON = phrase_later("going on")


def plain(text: str) -> str:
    """The text with everything unprintable spelled out: a player may be called anything."""
    return "".join(
        char if char.isprintable() else char.encode("unicode_escape", "surrogatepass").decode()
        for char in text
    )


def local(iso: str) -> str:
    """A stored moment as the clock on this machine's wall shows it: "2026-11-20 19:04:05"."""
    try:
        return datetime.fromisoformat(iso).astimezone().strftime("%Y-%m-%d %H:%M:%S")
    except (ValueError, OverflowError):
        return plain(iso)


def state(record: GameRecord) -> str:
    """Whether a game is over, and why."""
    if record.ended:
        return phrase("ended: {cause}", cause=phrase(record.cause))
    what = record.course.what if record.course else ""
    return phrase(STANDING.get(what, GOING_ON))


def title(record: GameRecord) -> str:
    """Game and options: "zoinx (edition=gamewright)"."""
    options = ", ".join(f"{key}={value}" for key, value in options_shown(record).items())
    return f"{record.game} ({options})" if options else record.game


def tell_game(game: Replay) -> list[str]:
    """A whole game, event by event: time, what happened, and the position line after it."""
    record = game.record
    lines = [
        phrase(
            "Game {number}: {title}, {players}",
            number=record.id,
            title=title(record),
            players=together(record.players),
        ),
        phrase("Begun {when}; {state}", when=local(record.begun), state=state(record)),
    ]
    if game.trouble:
        lines.append(phrase("Positions cannot be shown: {why}", why=game.trouble))
    if game.start is not None:
        lines.append(f"{'':28}{game.start_line}")
    withheld = False
    for step in game.steps:
        if step.veiled and step.entry.kind != "event":
            withheld = True
            continue
        if isinstance(step.entry.row, ByNote) and step.entry.seq > 1:
            continue  # the rows that it signs say it
        number = str(step.entry.seq) if step.public else ""
        signed = step.by and not step.veiled and not isinstance(step.entry.row, ByNote)
        by = f" - {step.by.words}" if step.by and signed else ""
        lines.append(f"{number:>5}  {local(step.entry.at)}  {describe_row(step)}{by}")
        if step.entry.kind == "event" and step.line:
            lines.append(f"{'':28}{step.line}")
    if withheld:
        lines.append(phrase("Presses are withheld while bets are secret."))
    if record.ended:
        end = phrase("the end: {cause}", cause=phrase(record.cause))
        lines.append(f"{'':7}{local(record.ended)}  {end}")
    return [plain(line) for line in lines]


def describe_row(step: Step) -> str:
    """What one row says happened."""
    if step.veiled:
        return f"{step.event.player}: {phrase(SECRET)}" if isinstance(step.event, Bet) else phrase(SECRET)
    match step.entry.row:
        case EventRow() | UnknownRow(kind="event"):
            text = _event(step)
        case PressRow(button=button, kind=kind):
            text = phrase("press: {button} {kind}", button=button, kind=kind)
        case DiceReading(dice=dice, unsure=unsure, picture=picture):
            text = _reading(dice, unsure, picture)
        case LandingReading(sight=sight, question=question):
            text = _reading(sight.dice, sight.unsure, sight.picture)
            if question:
                text = phrase("{reading}; asked: {question}", reading=text, question=question.text)
        case ByNote(role=role, name=name):
            text = phrase("by {who}", who=Actor(role, name).words)
        case CourseNote(what=done, scores=scores):
            had = zip(step.position.view().players, scores, strict=False) if step.position else ()
            text = phrase(COURSE[done])
            text += "".join(f", {player} {score}" for player, score in had)
        case SignOffNote() | CallNote() as told:
            text = _at_a_tournament(told)
        case OtherNote(body=body):
            said = [str(body[key]) for key in ("said", "text", "reason") if body.get(key)]
            text = phrase("note: {text}", text=": ".join(said) or _object(body))
        case UnknownRow(kind=kind, body=body):
            text = f"{kind}: {_object(body)}"
        case note:
            text = phrase("note: {text}", text=": ".join(_noted(note)))
    return text


def _at_a_tournament(note: SignOffNote | CallNote) -> str:
    if isinstance(note, CallNote):
        words = phrase_later("called by the hall's desk: match {number} of {title}")
        return phrase(words, number=note.match, title=note.title)
    done = phrase(SIGNING[note.what])
    return f"{done}: {note.text}" if note.text else done


def _event(step: Step) -> str:
    match step.event:
        case Bet(player=player, dots=dots):
            text = phrase("{player} bets {dots}", player=player, dots=dots)
        case Rolled(dice=dice):
            text = phrase("rolled {dice}", dice=faces(dice))
        case Stop():
            text = "STOP"
        case Corrected():
            text = _corrected(step.event)
        case Landed():
            text = _landed(step.event)
        case Confirmed(covered=covered):
            text = phrase("the dot is covered") if covered else phrase("the dot is to be seen")
        case Ruled(zone=zone, by=by):
            text = phrase("ruled: zone {zone}", zone=zone) + (f" ({phrase(by)})" if by else "")
        case DieRuled(odd=odd, even=even, value=value):
            text = phrase(ONE_DIE, value=value, odd=odd, even=even)
        case Refereed(landed=landed, reason=reason):
            text = phrase("the referee: {landed} ({reason})", landed=_landed(landed), reason=reason)
        case Undo():
            text = "UNDO"
        case _:
            text = _object(step.entry.body)
    if step.trouble:
        return phrase("{event} - cannot be played again: {why}", event=text, why=step.trouble)
    return f"{text} [{phrase(UNDONE[step.standing])}]" if step.standing in UNDONE else text


def _corrected(event: Corrected) -> str:
    dice = faces(event.dice)
    if event.roll:
        text = phrase("roll {roll} corrected to {dice}", roll=event.roll, dice=dice)
    else:
        text = phrase("corrected to {dice}", dice=dice)
    return text + (f" ({phrase(event.reason)})" if event.reason else "")


def _landed(landed: Landed) -> str:
    """ "landed 5 x 20, covers the dot; die 1 to 3 x 2"; "off the table, caught" """
    if landed.off == "caught":
        parts = [phrase("off the table, caught")]
    elif landed.off:
        parts = [phrase("off the table, missed")]
    else:
        parts = [phrase("landed {value} x {zone}", value=landed.value, zone=landed.zone)]
    if landed.dot:
        parts.append(phrase("covers the dot"))
    if landed.foul:
        parts.append(phrase(FOULS[landed.foul]))
    text, moved = ", ".join(parts), [_moved(each) for each in landed.moved]
    return f"{text}; {together(moved)}" if moved else text


def _moved(moved: Moved) -> str:
    if moved.off:
        return phrase("die {place} off the table", place=moved.die)
    return phrase("die {place} to {value} x {zone}", place=moved.die, value=moved.value, zone=moved.zone)


def _noted(note: Row) -> list[str]:
    """What a note says; the box's own words are in it in English."""
    return [
        phrase(part) if isinstance(part, str) else str(part) for part in write_body(note).values() if part
    ]


def _reading(dice: Sequence[ReadDie | KeptDie], unsure: Sequence[str], picture: str) -> str:
    seen = [f"{die.kind} {die.value}{_lay(die)}" for die in dice]
    seen += [phrase("unsure ({reason})", reason=phrase(reason)) for reason in unsure]
    dice_seen = ", ".join(seen) or phrase("no dice")
    if picture:
        return phrase("reading: {dice} (picture {picture})", dice=dice_seen, picture=picture)
    return phrase("reading: {dice}", dice=dice_seen)


def _lay(die: ReadDie | KeptDie) -> str:
    """Where a measured die lay: " in zone 10, certain"."""
    if not isinstance(die, KeptDie):
        return ""
    return " " + phrase(CALLS[die.call], zone=die.zone)


def _object(body: Mapping[str, Any]) -> str:
    return json.dumps(dict(body), ensure_ascii=False)
