"""Journal rows in words for people, one line each, with nothing in them that a terminal would obey."""

import json
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from device.journal.bodies import write_body
from device.journal.journal import GameRecord
from device.journal.replay import Replay, Step, options_shown
from device.journal.rows import (
    ByNote,
    CourseNote,
    DiceReading,
    EventRow,
    KeptDie,
    LandingReading,
    OtherNote,
    PressRow,
    ReadDie,
    SignOffNote,
    UnknownRow,
)
from device.people.who import Who
from device.shown.words import faces
from engine.events import (
    Bet,
    Confirmed,
    Corrected,
    DieRuled,
    Landed,
    Refereed,
    Rolled,
    Ruled,
    Stop,
    Undo,
)
from engine.words import together

SECRET = "a bet is locked; it is shown when all are"  # noqa: S105 - a sentence for the table


SIGNING: Mapping[str, str] = {
    "asked": "the result waits for the referee's sign-off",
    "signed": "the result was signed off",
    "opened": "the result was opened again",
}
"""What a `SignOffNote` says happened."""


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
        return f"ended: {record.cause}"
    what = record.course.what if record.course else ""
    return what if what in ("paused", "put away") else "going on"


def title(record: GameRecord) -> str:
    """Game and options: "zoinx (edition=gamewright)"."""
    options = ", ".join(f"{key}={value}" for key, value in options_shown(record).items())
    return f"{record.game} ({options})" if options else record.game


def tell_game(game: Replay) -> list[str]:
    """A whole game, event by event: time, what happened, and the position line after it."""
    record = game.record
    lines = [
        f"Game {record.id}: {title(record)}, {together(record.players)}",
        f"Begun {local(record.begun)}; {state(record)}",
    ]
    if game.trouble:
        lines.append(f"Positions cannot be shown: {game.trouble}")
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
        lines.append(f"{number:>5}  {local(step.entry.at)}  {what(step)}{by}")
        if step.entry.kind == "event" and step.line:
            lines.append(f"{'':28}{step.line}")
    if withheld:
        lines.append("Presses are withheld while bets are secret.")
    if record.ended:
        lines.append(f"{'':7}{local(record.ended)}  the end: {record.cause}")
    return [plain(line) for line in lines]


def what(step: Step) -> str:
    """What one row says happened."""
    if step.veiled:
        return f"{step.event.player}: {SECRET}" if isinstance(step.event, Bet) else SECRET
    match step.entry.row:
        case EventRow() | UnknownRow(kind="event"):
            text = _event(step)
        case PressRow(button=button, kind=kind):
            text = f"press: {button} {kind}"
        case DiceReading(dice=dice, unsure=unsure, picture=picture):
            text = _reading(dice, unsure, picture)
        case LandingReading(sight=sight, question=question):
            asked = f"; asked: {question.text}" if question else ""
            text = f"{_reading(sight.dice, sight.unsure, sight.picture)}{asked}"
        case ByNote(role=role, name=name):
            text = f"by {Who(role, name).words}"
        case CourseNote(what=done, scores=scores):
            had = zip(step.position.view().players, scores, strict=False) if step.position else ()
            text = f"the game was {done}" if done != "went on" else "the game went on"
            text += "".join(f", {player} {score}" for player, score in had)
        case SignOffNote(what=done, text=why):
            text = f"{SIGNING[done]}{f': {why}' if why else ''}"
        case OtherNote(body=body):
            said = [str(body[key]) for key in ("said", "text", "reason") if body.get(key)]
            text = f"note: {': '.join(said) or _object(body)}"
        case UnknownRow(kind=kind, body=body):
            text = f"{kind}: {_object(body)}"
        case note:
            text = f"note: {': '.join(part for part in write_body(note).values() if part)}"
    return text


def _event(step: Step) -> str:
    match step.event:
        case Bet(player=player, dots=dots):
            text = f"{player} bets {dots}"
        case Rolled(dice=dice):
            text = f"rolled {faces(dice)}"
        case Stop():
            text = "STOP"
        case Corrected(dice=dice, reason=reason):
            text = f"corrected to {faces(dice)}{f' ({reason})' if reason else ''}"
        case Landed():
            text = _landed(step.event)
        case Confirmed(covered=covered):
            text = f"the dot is {'covered' if covered else 'to be seen'}"
        case Ruled(zone=zone, by=by):
            text = f"ruled: zone {zone}{f' ({by})' if by else ''}"
        case DieRuled(odd=odd, even=even, value=value):
            text = f"one die decided: {value}, odd says zone {odd}, even zone {even}"
        case Refereed(landed=landed, reason=reason):
            text = f"the referee: {_landed(landed)} ({reason})"
        case Undo():
            text = "UNDO"
        case _:
            text = _object(step.entry.body)
    if step.trouble:
        return f"{text} - cannot be played again: {step.trouble}"
    return f"{text} [{step.standing}]" if step.standing in ("undone", "corrected") else text


def _landed(landed: Landed) -> str:
    """ "landed 5 x 20, covers the dot; die 1 to 3 x 2"; "off the table, caught" """
    text = f"off the table, {landed.off}" if landed.off else f"landed {landed.value} x {landed.zone}"
    if landed.dot:
        text += ", covers the dot"
    if landed.foul:
        text += f", foul: {landed.foul}"
    moved = [
        f"die {each.die} {'off the table' if each.off else f'to {each.value} x {each.zone}'}"
        for each in landed.moved
    ]
    return f"{text}; {together(moved)}" if moved else text


def _reading(dice: Sequence[ReadDie | KeptDie], unsure: Sequence[str], picture: str) -> str:
    seen = [f"{die.kind} {die.value}{_lay(die)}" for die in dice]
    seen += [f"unsure ({reason})" for reason in unsure]
    return f"reading: {', '.join(seen) or 'no dice'}{f' (picture {picture})' if picture else ''}"


def _lay(die: ReadDie | KeptDie) -> str:
    """Where a measured die lay: " in zone 10, certain"."""
    return f" in zone {die.zone}, {die.call.replace('_', ' ')}" if isinstance(die, KeptDie) else ""


def _object(body: Mapping[str, Any]) -> str:
    return json.dumps(dict(body), ensure_ascii=False)
