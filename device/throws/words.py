"""What a throw's log says of rulings and questions, in words."""

from device.journal.rows import KeptSight, Option, Question
from device.landings.past import landed_words
from engine.events import Corrected, DieRuled, Landed, Refereed, Ruled, Ruling
from engine.wording import phrase


def ruled_words(ruling: Ruling, *, counts: bool) -> str:
    """What was ruled: "zone 10", "one die showed 5: zone 20", "5 × 10 = 50 (it rolled on)"."""
    match ruling:
        case Ruled():
            if ruling.by:
                return phrase("zone {zone}, said {who}", zone=ruling.zone, who=phrase(ruling.by))
            return phrase("zone {zone}", zone=ruling.zone)
        case DieRuled():
            zone = ruling.odd if ruling.value % 2 else ruling.even
            return phrase("one die showed {value}: zone {zone}", value=ruling.value, zone=zone)
        case Refereed():
            return f"{landed_words(ruling.landed, counts=counts)} ({ruling.reason})"


def corrected_words(event: Corrected, shown: str) -> str:
    """What the dice were corrected to: "4 and 1 (a thumb hid one)"."""
    return f"{shown} ({phrase(event.reason)})" if event.reason else shown


def likeliest(question: Question, sight: KeptSight) -> str:
    """The answer that the measurement makes likeliest, in its words; "" where it says nothing of it."""
    if question.kind != "close":
        return ""
    zone = next((die.zone for die in sight.dice if not die.counted), None)
    if zone is None:
        return question.options[0].words if question.options else ""
    return next((each.words for each in question.options if _zone(each) == zone and not each.die), "")


def zones_beside(sight: KeptSight) -> tuple[int, ...]:
    """The zones beside the line that decides where the new die lies, the measured one first."""
    new = next((die for die in sight.dice if not die.counted), None)
    if new is None:
        return ()
    beside = [int(part) for part in new.nearest_line.split("|") if part.isdecimal()]
    return tuple(dict.fromkeys([new.zone, *beside]))


def _zone(option: Option) -> int | None:
    """Where an answer says that the new die lies."""
    zone = None
    for event in option.events:
        match event:
            case Landed(zone=told) | Ruled(zone=told):
                zone = told
            case _:
                pass
    return zone
