"""What waits for a referee, told to who asks; and the door by which the box's own teller answers for a desk.

The door is there only where the box's owner allows it. It opens to this machine alone, to whoever says the
word that the box gave its teller when it was started, and for the very question that waits: what was
meant for another is refused in the table's own thread, so nothing can come between looking and doing.
"""

import asyncio
import hmac
from typing import Annotated

import msgspec
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from device.console.answers import BadBody, DieBody, answer, decoded, read_whole, told
from device.console.feed import SnapshotFeed
from device.console.guard import peer_is_here
from device.console.throws import ThrowsDesk
from device.desk import Answer, Desk
from device.people.who import Who
from device.shown.questions import QuestionShown, QuestionTold, question_id, question_of
from device.shown.snapshot import Snapshot
from device.shown.throws import ThrowsShown
from engine import wire
from engine.dice import read_die
from engine.events import Landed, Refereed
from engine.refusal import Unreadable
from engine.wording import phrase, phrase_later

WAITS_NO_MORE = phrase_later(
    "That question does not wait any more: it was answered at the table, or thrown again. Nothing was "
    "changed."
)
DOOR_SHUT = phrase_later("Only this box's own teller answers here.")


class AnsweredAfar(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A referee at the hall's desk answers: with one of the answers offered, or with what the dice show."""

    word: Annotated[str, msgspec.Meta(max_length=100)]
    """The teller's."""
    by: Annotated[str, msgspec.Meta(min_length=1, max_length=40)]
    question: Annotated[str, msgspec.Meta(min_length=1, max_length=40)]
    choice: Annotated[int, msgspec.Meta(ge=0, le=9999)] = 0
    words: Annotated[str, msgspec.Meta(max_length=400)] = ""
    """The answer's words, as they were seen."""
    dice: Annotated[tuple[DieBody, ...], msgspec.Meta(max_length=40)] = ()
    """Instead, for a question about dice."""


class QuestionDesk:
    """The addresses' functions."""

    def __init__(self, desk: Desk, feed: SnapshotFeed, throws: ThrowsDesk, teller_word: str) -> None:
        """`teller_word`: what the box's teller says; "" where no desk may answer."""
        self._desk, self._feed, self._throws = desk, feed, throws
        self._word = teller_word
        self._changes: tuple[str, dict[int, str]] = "", {}
        """What each answer to a question would change; worked out once."""

    def routes(self) -> list[BaseRoute]:
        """The addresses; without a word there is no door."""
        looks = Route("/question", self.question, methods=["GET"])
        door = Route("/question/answer", self.answer_afar, methods=["POST"])
        return [looks, door] if self._word else [looks]

    async def question(self, request: Request) -> Response:  # noqa: ARG002 - everybody gets the same
        """What waits for a referee now."""
        log = msgspec.json.decode(await self._throws.newest(), type=ThrowsShown)
        shown = self._feed.newest()
        question = question_of(shown, log)
        if question is not None and question.answers:
            question = await self._with_changes(question, shown)
        return told(QuestionTold(question, takes_answers=bool(self._word)))

    async def answer_afar(self, request: Request) -> Response:
        """The teller brings the desk's answer."""
        if not peer_is_here(request.scope):
            return answer(False, phrase(DOOR_SHUT), status=403)
        try:
            asked = decoded(await read_whole(request), AnsweredAfar)
            dice = [read_die(die.kind, die.value) for die in asked.dice]
        except BadBody as bad:
            return answer(False, str(bad), status=bad.status)
        except ValueError as error:
            return answer(False, phrase("The console cannot take that: {error}.", error=error), status=422)
        if not hmac.compare_digest(asked.word.encode(), self._word.encode()):
            return answer(False, phrase(DOOR_SHUT), status=403)
        desk = self._desk.asked_by(Who("desk", asked.by)).only_while(lambda now: why_too_late(asked, now))
        if dice:
            said = await asyncio.to_thread(desk.correct, dice, "")
        else:
            said = await asyncio.to_thread(desk.choose, asked.choice, asked.words)
        return answer(said.ok, said.text)

    async def _with_changes(self, question: QuestionShown, shown: Snapshot) -> QuestionShown:
        known, changes = self._changes
        if known != question.id:
            changes = await run_in_threadpool(self._foresee, question, shown)
            self._changes = question.id, changes
        answers = [
            msgspec.structs.replace(each, changes=changes.get(each.choice, "")) for each in question.answers
        ]
        return msgspec.structs.replace(question, answers=tuple(answers))

    def _foresee(self, question: QuestionShown, shown: Snapshot) -> dict[int, str]:
        """What each answer would change, by its place; what is no landing has no such sentence."""
        found = {}
        for each in question.answers:
            said = self._changed_by(shown, each.choice)
            if said.ok:
                found[each.choice] = said.text
        return found

    def _changed_by(self, shown: Snapshot, choice: int) -> Answer:
        try:
            event = wire.event_of(shown.game.choices[choice].event) if shown.game else None
        except Unreadable:
            return Answer(False)
        if not isinstance(event, Landed):
            return Answer(False)
        return self._desk.foresee(Refereed(landed=event, reason="?"))


def why_too_late(asked: AnsweredAfar, now: Snapshot) -> str:
    """Why an answer does not count any more; "" where its very question waits."""
    if question_id(now) != asked.question or bool(asked.dice) != (now.ask == "correct"):
        return phrase(WAITS_NO_MORE)
    return ""
