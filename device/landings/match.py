"""A game whose throws are landings: questions about a throw, their answers, and the referee's word.

A question waits until somebody answers: with CACHE and STOP on the box, on the console, by another throw, or
through the referee. It is kept in the journal like everything else, so it still waits after a power cut.
"""

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Any, Self, cast, get_args

import msgspec

from device.journal import Journal, Moment, Row
from device.landings.past import Past
from device.landings.questions import SHOUTS, KeyOf, Kind, Option, Question
from device.match import Match
from device.panel import Press
from device.snapshot import ChoiceShown, GameShown, MessageShown
from engine import wire
from engine.events import Event, Landed, Refereed, Ruling

DOT_KEYS: tuple[KeyOf, ...] = ("cache", "stop")
"""The box's buttons for the rulebook's choices at the dot: it is covered; some of it is to be seen."""
CLOSE_UP = "close-up"
"""What the note says that names a close-up."""
Body = Mapping[str, Any]


class LandingMatch(Match):
    """One game of landings between its first die and its ending."""

    asked: Question | None = None
    """What the box asks about the last throw."""
    last_landing: Body | None = None
    """The last throw as the journal has it."""
    _from = 0
    """The number of the reading that a landing taken now comes from."""

    @cached_property
    def _past(self) -> Past:
        return Past()

    @classmethod
    def resume(cls, journal: Journal, game_id: int) -> Self:
        """A game as its journal left it."""
        match = super().resume(journal, game_id)
        if match.asked is not None:
            match._ask(match.asked)
        return match

    @property
    def which_matters(self) -> bool:
        """Whether it is not all one which of several equal dice is which (rules 11, 12)."""
        return self._options.get("shuffle", "no") != "no" or "die" in self._options.get("double", "")

    def land(self, outcome: Landed | Question, body: Body, at: Moment) -> bool:
        """Take a throw, measured: as a landing that counts, or as a question."""
        self.last_landing, self._from = body, int(body["number"])
        if isinstance(outcome, Landed):
            return self._take(outcome, [_reading(body)], at)
        if not self._keep([_reading({**body, "question": question_body(outcome)})], at):
            return False
        self._ask(outcome)
        return False

    def decide(self, option: Option, body: Body, at: Moment) -> bool:
        """Take the answer that a deciding die gave."""
        row = _reading({**body, "decides": True})
        return self._take_all(option.events, [row, _answer(option.words)], at)

    def close_up(self, name: str, at: Moment) -> bool:
        """A landing's close-up was kept under that name."""
        if not self._keep([Row("note", {"said": CLOSE_UP, "text": name})], at):
            return False
        self._past.close_up(name)
        return True

    def rule(self, event: Ruling, at: Moment) -> bool:
        """A ruling on a landing that counts; the referee's word on a throw in question is its landing."""
        if self.asked is None:
            return self._take(event, [], at)
        if isinstance(event, Refereed) and not event.landing:
            return self._take(event.landed, [_answer(f"the referee: {event.reason}")], at)
        self._refuse("First answer what is asked about the last throw.", [], at)
        return False

    def press(self, press: Press, at: Moment) -> bool:
        """Take a press of the panel. True when the table is to be read now."""
        option = next((each for each in self._offered() if each.key == press.button), None)
        if option is None:
            return super().press(press, at)
        row = Row("press", {"button": press.button, "kind": press.kind})
        self._take_all(option.events, [row, _answer(option.words)], at)
        return False

    def choose(self, choice: int, words: str, at: Moment) -> bool:
        """Take one of the answers or choices that are shown, if it still is what the player saw."""
        if self.asked is None:
            return super().choose(choice, words, at)
        options = self.asked.options
        if not 0 <= choice < len(options) or options[choice].words != words:
            self._say("That may not be chosen any more. Look again.", "refused")
            return False
        return self._take_all(options[choice].events, [_answer(words)], at)

    def lamps(self) -> dict[str, bool]:
        """Which lamps glow: also those of the buttons that answer."""
        keys = {option.key for option in self._offered()}
        return {name: lit or name in keys for name, lit in super().lamps().items()}

    def shown(self) -> GameShown:
        """The game for displays; what is asked stands in front of what the rulebook offers."""
        landings = self._past.shown(self.played, self.start)
        shown = msgspec.structs.replace(super().shown(), landings=landings)
        if self.asked is None:
            return shown
        answers = tuple(ChoiceShown(option.words) for option in self.asked.options)
        return msgspec.structs.replace(shown, choices=answers)

    def _offered(self) -> tuple[Option, ...]:
        """The answers that a button of the box gives now."""
        if self.asked is not None:
            return self.asked.options
        if self.view.phase != "confirm":
            return ()
        return tuple(
            Option(words=choice.words, events=(choice.event,), key=key)
            for choice, key in zip(self.view.choices, DOT_KEYS, strict=False)
        )

    def _take_all(self, events: Sequence[Event], rows: list[Row], at: Moment) -> bool:
        if not super()._take_all(events, rows, at):
            return False
        self.asked = None
        for event in events:
            self._past.take(event, self._from)
        if self.view.phase == "confirm":
            text = f"{self.message.text} CACHE says that it is covered, STOP that some of it is to be seen."
            self.message = MessageShown(text, "unsure", "dot")
        return True

    def _ask(self, question: Question) -> None:
        self.asked = question
        self.message = MessageShown(question.text, "unsure", SHOUTS[question.kind])

    def _rebuild(self) -> None:
        super()._rebuild()
        self.asked, self.last_landing, self._from, past = None, None, 0, Past()
        readings = 0
        for entry in self._journal.rows(self.game_id):
            if entry.kind == "event":
                self.asked = None
                past.take(wire.event_of(dict(entry.body)), self._from)
            elif entry.kind == "reading":
                self.last_landing, readings = entry.body, readings + 1
                asked = entry.body.get("question")
                self.asked = question_of(asked) if asked else None
                if not entry.body.get("decides"):
                    self._from = int(entry.body.get("number", readings))
            elif entry.kind == "note" and entry.body.get("said") == CLOSE_UP:
                past.close_up(str(entry.body["text"]))
        self._past = past


def question_body(question: Question) -> dict[str, object]:
    """A question as the journal keeps it."""
    return {
        "kind": question.kind,
        "text": question.text,
        "options": [
            {
                "words": option.words,
                "key": option.key,
                "die": option.die,
                "events": [wire.event_object(event) for event in option.events],
            }
            for option in question.options
        ],
    }


def question_of(body: Body) -> Question:
    """The question that a row of the journal holds."""
    kind = cast("Kind", body["kind"])
    if kind not in get_args(Kind):
        raise ValueError(f"a question is {', '.join(get_args(Kind))}; got {kind!r}")
    return Question(
        kind=kind,
        text=str(body["text"]),
        options=tuple(
            Option(
                words=str(each["words"]),
                events=tuple(wire.event_of(dict(event)) for event in each["events"]),
                key=cast("KeyOf", each["key"]),
                die=int(each["die"]),
            )
            for each in body["options"]
        ),
    )


def _reading(body: Body) -> Row:
    # What a landing asks stands in its question; `asks` is for dice that wait for a correction.
    return Row("reading", {**body, "asks": ""})


def _answer(words: str) -> Row:
    return Row("note", {"said": "answer", "text": words})
