"""Follows one game row by row, and tells its throws: the log that pages get.

Only what everybody may know goes in: no bet, no press, and nothing at all while bets are secret but what
people rule, correct and take back. Whatever a row changes is worked out when it comes, so that a long game
costs no more at its next throw than a short one.
"""

import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import msgspec

from device.journal import JournalError
from device.journal.records import Entry, GameId, GameRecord
from device.journal.rows import (
    AnswerNote,
    ByNote,
    CloseUpNote,
    CorrectionNote,
    DiceReading,
    EventRow,
    KeptSight,
    LandingReading,
    Option,
    PressRow,
    Question,
    RefusedNote,
    UnknownRow,
)
from device.landings.match import landed_words, ruled_by
from device.match.changes import changed
from device.people.actor import Actor
from device.shown.throws import ThrowShown, ThrowsShown, WordKind, WordShown
from device.shown.words import faces
from engine import wire
from engine.dice import Die, DieKind, Face
from engine.events import Confirmed, Corrected, DieRuled, Event, Landed, Refereed, Rolled, Ruled, Ruling, Undo
from engine.game import GameView, Position, start_written
from engine.history import History
from engine.refusal import Refused
from engine.rulebooks import rulebook
from engine.wording import phrase, phrase_later

# What a throw's log says of rulings and questions, in words.


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


SAID = phrase_later("said what it shows")
MOST = 30
"""How many throws are told at a time."""
CHANGES = ("ruled", "confirmed", "corrected", "answered")
"""What UNDO takes back of what was said to a throw."""
Written = tuple[str, float]
"""When rows were written: those of one write have the same moment."""


@dataclass(frozen=True, slots=True)
class _Done:
    """Something that UNDO takes back: an event that was added, or a throw that was changed."""

    place: int | None
    """The throw that it added or changed; None where it was something else."""
    before: ThrowShown | None = None
    """The throw as it was; None where it was added."""


@dataclass(slots=True)
class _Write:
    """What was read of one write so far."""

    moment: Written = ("", 0.0)
    by: Actor | None = None
    answer: str | None = None
    fresh: ThrowShown | None = None
    """A reading that has not counted yet."""


@dataclass(slots=True)
class _Line:
    """The game as it counts."""

    steps: list[_Done] = field(default_factory=list)
    landings: list[int] = field(default_factory=list)
    """The throws of the landings that count, in their order."""
    rolls: list[int] = field(default_factory=list)
    """The throws of the rolls that count."""
    places: list[int | None] = field(default_factory=list)
    """For each event that counts, the throw it was."""


class ThrowLog:
    """The throws of one game."""

    def __init__(self, record: GameRecord) -> None:
        """A game before its first row; raises `Refused` where it has no rulebook any more."""
        self._game_id = record.id
        self._history = History(start_written(rulebook(record.game), record.players, record.options))
        self._throws: list[ThrowShown] = []
        self._by_reading: dict[int, int] = {}
        self._line = _Line()
        self._for_number: set[int] = set()
        """The throws that were rolled for who goes first: where they lie means nothing."""
        self._write = _Write()
        self._readings = 0
        self._open: int | None = None
        """The throw that people are asked about."""
        self._trouble = ""
        self.rows = 0
        """How many rows were taken."""

    def show(self, before: int = 0) -> ThrowsShown:
        """The newest throws, or the newest of those before the throw with that number."""
        end = min(before - 1, len(self._throws)) if before > 0 else len(self._throws)
        some = self._throws[max(end - MOST, 0) : end]
        return ThrowsShown(self._game_id, len(self._throws), tuple(reversed(some)), self._trouble)

    def take(self, entry: Entry) -> None:
        """The game's next row."""
        self.rows = entry.seq
        if self._trouble:
            return
        moment = (entry.at, entry.steady_ms)
        if moment != self._write.moment:
            self._write = _Write(moment)
        match entry.row:
            case EventRow(event=event):
                self._event(event)
            case UnknownRow(why=why):
                self._trouble = phrase(
                    "What came after row {row} cannot be told: {why}", row=entry.seq, why=why
                )
            case _:
                self._note(entry)

    def _note(self, entry: Entry) -> None:
        write = self._write
        match entry.row:
            case ByNote(role=role, name=name):
                write.by = Actor(role, name)
            case DiceReading(picture=picture, asks=asks):
                self._read(_number(picture) or self._readings + 1, entry.at, asks)
            case LandingReading(decides=True):
                self._readings += 1
            case LandingReading(sight=sight, question=asked):
                self._read(sight.number or self._readings + 1, entry.at, asked.text if asked else "")
                place = self._open if asked else None
                found = likeliest(asked, sight) if asked else ""
                self._add(place, likeliest=found)
            case AnswerNote(text=text) | CorrectionNote(reason=text):
                write.answer = text
            case RefusedNote(text=text):
                self._refused(text)
            case CloseUpNote(picture=picture):
                self._add(self._by_reading.get(_number(picture)), evidence=picture)
            case PressRow(button="undo") if self._open is not None:
                self._close("undone", phrase("taken back: it does not count"))
            case _:
                pass

    def _read(self, reading: int, at: str, asks: str) -> None:
        """A reading: it is asked about, or what comes with it says what it is."""
        self._readings += 1
        view = self._history.position.view()
        if _is_secret(view):
            return
        if self._open is not None:
            self._close("undone", phrase("thrown again"))
        number = len(self._throws) + 1
        made = ThrowShown(number, at, view.active or "", "", "asked", reading, asked=asks, lying=_lying(view))
        if asks:
            self._open = self._put(made)
        else:
            self._write.fresh = made

    def _refused(self, text: str) -> None:
        """What was read in this write does not count; an answer given in it does not either."""
        fresh, self._write.fresh, self._write.answer = self._write.fresh, None, None
        if fresh is not None:
            self._put(msgspec.structs.replace(fresh, standing="refused", asked=text))

    def _event(self, event: Event) -> None:
        before = self._history.position
        try:
            self._history.take(event)
        except Refused as refused:
            self._trouble = phrase("What came later cannot be told: {why}", why=refused)
            return
        match event:
            case Undo():
                self._undo(before)
            case Ruled() | DieRuled() | Refereed():
                self._rule(event, before)
            case Corrected():
                self._correct(event, before)
            case Landed():
                self._land(event, before.view())
            case Rolled(dice=dice):
                roll, view = len(self._line.rolls) + 1, before.view()
                self._line.rolls.append(self._count(view, words=faces(dice), roll=roll, dice=_faces_of(dice)))
            case _:
                self._other(event)

    def _other(self, event: Event) -> None:
        """An event that is no throw; what is said of the dot is said of the throw that covers it."""
        self._close("undone", phrase("it does not count"))
        self._line.steps.append(_Done(None))
        self._line.places.append(None)
        if isinstance(event, Confirmed) and self._line.landings:
            text = phrase("the dot is covered") if event.covered else phrase("the dot is to be seen")
            self._say(self._line.landings[-1], "answered", text)

    def _land(self, landed: Landed, before: GameView) -> None:
        place = self._count(
            before,
            words=landed_words(landed, counts=_landing_counts(before)),
            landing=len(self._line.landings) + 1,
            landed={**wire.event_object(landed)},
        )
        self._line.landings.append(place)
        if not _landing_counts(before):
            self._for_number.add(place)

    def _count(self, before: GameView, **what: object) -> int:
        """What was asked about counts now, or what was read, or a throw without a picture; its place."""
        place, fresh, self._open = self._open, self._write.fresh, None
        if place is None:
            at = self._write.moment[0]
            player = before.active or ""
            number = len(self._throws) + 1
            made = fresh or ThrowShown(number, at, player, "", "counts", lying=_lying(before))
            place = self._put(made)
            self._write.fresh = None
        self._add(place, standing="counts", **what)
        if self._write.answer is not None:
            self._say(place, "answered", phrase(self._write.answer or SAID))
        self._line.steps.append(_Done(place))
        self._line.places.append(place)
        return place

    def _rule(self, ruling: Ruling, before: Position) -> None:
        place = self._line.landings[ruling.landing - 1]
        throw = self._throws[place]
        self._line.steps.append(_Done(place, throw))
        landed = self._history.counting[self._line.places.index(place)]
        if not isinstance(landed, Landed):  # a ruling puts a landing in a landing's place
            raise TypeError(f"landing {ruling.landing} is {landed}")
        same = throw.landed == {**wire.event_object(landed)}
        counts = place not in self._for_number
        words = landed_words(landed, counts=counts)
        self._add(place, words=words, landed={**wire.event_object(landed)}, ruled=ruled_by(ruling))
        if self._write.answer is None:  # else it is that answer, and was told
            kind: WordKind = "confirmed" if same else "ruled"
            self._say(place, kind, ruled_words(ruling, counts=counts), before)

    def _correct(self, event: Corrected, before: Position) -> None:
        place = self._line.rolls[event.roll - 1]
        self._line.steps.append(_Done(place, self._throws[place]))
        shown = faces(event.dice)
        self._add(place, words=shown, dice=_faces_of(event.dice))
        self._say(place, "corrected", corrected_words(event, shown), before)

    def _undo(self, before: Position) -> None:
        step = self._line.steps.pop()
        if step.before is None:
            self._line.places.pop()
        if step.place is None:
            return
        place = step.place
        if step.before is None:
            self._add(place, standing="undone", landing=0, roll=0)
            for each in (self._line.landings, self._line.rolls):
                if each and each[-1] == place:
                    each.pop()
            self._say(place, "undone", phrase("taken back"), before)
        else:
            was = step.before
            self._add(place, words=was.words, landed=was.landed, ruled=was.ruled, dice=was.dice)
            word = _word_of_change(self._throws[place].said, len(was.said))
            self._say(place, "undone", phrase("taken back: {what}", what=word.text), before)

    def _close(self, standing: str, text: str) -> None:
        """The throw that people were asked about will not count."""
        if self._open is not None:
            self._add(self._open, standing=standing)
            self._say(self._open, "undone", text)
        self._open = None

    def _say(self, place: int, kind: WordKind, text: str, before: Position | None = None) -> None:
        by = self._write.by
        change = changed(before.view(), self._history.position.view()) if before is not None else ""
        word = WordShown(kind, text, by.words if by else "", self._write.moment[0], change)
        self._add(place, said=(*self._throws[place].said, word))

    def _put(self, throw: ThrowShown) -> int:
        self._throws.append(throw)
        if throw.reading:
            self._by_reading[throw.reading] = len(self._throws) - 1
        return len(self._throws) - 1

    def _add(self, place: int | None, **what: object) -> None:
        """What is now known of a throw; None: of the reading that has not counted yet."""
        if place is not None:
            self._throws[place] = msgspec.structs.replace(self._throws[place], **what)
        elif self._write.fresh is not None:
            self._write.fresh = msgspec.structs.replace(self._write.fresh, **what)


def _word_of_change(said: Sequence[WordShown], before: int) -> WordShown:
    """What was said of a change, where so many words had been said before it; an answer came just before."""
    changes = [(number, word) for number, word in enumerate(said) if word.kind in CHANGES]
    return next((word for number, word in changes if number >= before), changes[-1][1])


def _number(picture: str) -> int:
    """The reading's number in a picture's name: "GAME/READING.jpg", "GAME/READING-2.jpg"; 0 for another."""
    name = picture.rpartition("/")[2].partition(".")[0].partition("-")[0]
    return int(name) if name.isdecimal() else 0


def _faces_of(dice: tuple[Die, ...]) -> tuple[tuple[DieKind, Face], ...]:
    return tuple((die.kind, die.value) for die in dice)


def _lying(view: GameView) -> tuple[str, ...]:
    """The dice of the turn that lie there, by their numbers."""
    return next((fact.words for fact in view.facts if fact.name == "on the table"), ())


def _landing_counts(view: GameView) -> bool:
    """Whether a landing counts by where it lies, and not by its number alone."""
    return view.wanted is not None and view.wanted.landing


def _is_secret(view: GameView) -> bool:
    """Whether a bet is locked or thought about in secret."""
    return any(isinstance(bet, str) for bet in view.bets)


# The log of the game that is shown, kept between the looks at it and brought up to date from the journal.

Rows = Callable[[GameId, int], tuple[Entry, ...]]
"""A game's rows after the row with that number; raises `JournalError`."""


class KeptThrows:
    """The throws of one game at a time. For any thread but the table's: it reads the journal."""

    def __init__(self, record: Callable[[GameId], GameRecord], rows: Rows) -> None:
        """`record` and `rows` ask the journal."""
        self._record = record
        self._rows = rows
        self._game_id: GameId | None = None
        self._log: ThrowLog | None = None
        self._lock = threading.Lock()

    def show(self, game_id: GameId | None, before: int = 0, *, anew: bool = True) -> ThrowsShown:
        """That game's newest throws, or those before the throw with that number.

        `anew`: take in what the journal has gained; else what was told last is told again. Never raises: what
        cannot be read is told in `trouble`.
        """
        if game_id is None:
            return ThrowsShown()
        with self._lock:
            try:
                return self._update_log(game_id, before, anew)
            except (JournalError, Refused) as error:
                self._game_id = None
                return ThrowsShown(game_id, trouble=str(error))

    def _update_log(self, game_id: GameId, before: int, anew: bool) -> ThrowsShown:
        if self._log is None or game_id != self._game_id:
            self._log, self._game_id, anew = ThrowLog(self._record(game_id)), game_id, True
        if anew:
            for entry in self._rows(game_id, self._log.rows):
                self._log.take(entry)
        return self._log.show(before)
