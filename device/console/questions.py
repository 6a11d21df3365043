"""What waits for a referee, told to who asks; and the door by which the box's own uplink answers for a desk.

The door is there only where the box's owner allows it. It opens to this machine alone, to whoever says the
word that the box gave its uplink when it was started, and for the very question that waits: what was
meant for another is declined in the table's own thread, so nothing can come between looking and doing.
"""

import asyncio
import hashlib
import hmac

import msgspec
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from device.box_api import BoxApi
from device.console.answers import BadBody, answer, decode_body, read_whole, respond
from device.console.bet_timing_guard import hides_bets
from device.console.feed import SnapshotFeed
from device.console.guard import peer_is_here
from device.people.actor import Actor
from device.people.permissions import ONLY_UPLINK
from device.requests import AnswerQuestion, Done, PreviewRuling, Reply, address_of
from device.shown.questions import QuestionReply, QuestionShown, question_of
from device.shown.snapshot import Snapshot
from device.shown.throws import ThrowsShown
from engine.wording import phrase

# The console's log of throws: worked out only when something that everybody may know has changed.
#
# While bets are secret nothing of them leads to a look into the journal: no bet changes what the log is
# kept by, so who asks again and again gets the same bytes as fast for each bet.


class ThrowRoutes:
    """The address's function."""

    def __init__(self, box: BoxApi, feed: SnapshotFeed) -> None:
        self._box = box
        self._feed = feed
        self._seen: object = None
        """By what the log was told last."""
        self._newest = b""
        self._asking = asyncio.Lock()

    async def newest(self) -> bytes:
        """The newest throws, `ThrowsShown` as JSON."""
        async with self._asking:
            seen = public_facts(self._feed.newest())
            if seen != self._seen:
                self._newest = await self._encode_log(0, anew=True)
                self._seen = seen
        return self._newest

    async def throws(self, request: Request) -> Response:
        """The newest throws, or with `?before=THROW` older ones."""
        before = request.query_params.get("before", "")
        told = await self.newest()
        if before.isascii() and before.isdecimal() and (number := int(before[:9])) > 0:
            told = await self._encode_log(number, anew=False)
        tag = f'"{hashlib.sha256(told).hexdigest()[:20]}"'
        headers = {"etag": tag, "cache-control": "no-cache"}
        if request.headers.get("if-none-match") == tag:
            return Response(status_code=304, headers=headers)
        return Response(told, media_type="application/json", headers=headers)

    async def _encode_log(self, before: int, *, anew: bool) -> bytes:
        return msgspec.json.encode(await run_in_threadpool(self._box.throw_log, before, anew=anew))


def public_facts(shown: Snapshot) -> object:
    """What of a snapshot says that the log may have changed; no bet that is still secret is in it."""
    game, landing = shown.game, shown.landing
    facts: tuple[object, ...] = (shown.game_id, shown.stage, shown.ask, shown.table.reading_id, landing)
    if game is None:
        return facts
    facts = (*facts, game.scores, game.running, game.active, game.last_dice, game.landings, game.winners)
    return facts if hides_bets(shown) else (*facts, game.line, game.news, shown.message)


class QuestionRoutes:
    """The addresses' functions."""

    def __init__(self, box: BoxApi, feed: SnapshotFeed, throws: ThrowRoutes, uplink_word: str) -> None:
        """`uplink_word`: what the box's uplink says; "" where no desk may answer."""
        self._box, self._feed, self._throws = box, feed, throws
        self._word = uplink_word
        self._changes: tuple[str, dict[int, str]] = "", {}
        """What each answer to a question would change; worked out once."""

    def routes(self) -> list[BaseRoute]:
        """The addresses; without a word there is no door."""
        looks = Route("/question", self.question, methods=["GET"])
        door = Route(address_of(AnswerQuestion), self.answer_afar, methods=["POST"])
        return [looks, door] if self._word else [looks]

    async def question(self, request: Request) -> Response:  # noqa: ARG002 - everybody gets the same
        """What waits for a referee now."""
        log = msgspec.json.decode(await self._throws.newest(), type=ThrowsShown)
        shown = self._feed.newest()
        question = question_of(shown, log)
        if question is not None and question.answers:
            question = await self._with_changes(question, shown)
        return respond(QuestionReply(question, takes_answers=bool(self._word)))

    async def answer_afar(self, request: Request) -> Response:
        """The uplink brings the desk's answer."""
        if not peer_is_here(request.scope):
            return answer(False, phrase(ONLY_UPLINK), status=403)
        try:
            asked = decode_body(await read_whole(request), AnswerQuestion)
        except BadBody as bad:
            return answer(False, str(bad), status=bad.status)
        word = request.headers.get("authorization", "")
        if not hmac.compare_digest(word.encode(), f"Bearer {self._word}".encode()):
            return answer(False, phrase(ONLY_UPLINK), status=403)
        return respond(await asyncio.to_thread(self._box.request, asked, Actor("desk", asked.by)))

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
            reply = self._changed_by(shown, each.choice)
            if isinstance(reply, Done):
                found[each.choice] = reply.text
        return found

    def _changed_by(self, shown: Snapshot, choice: int) -> Reply | None:
        event = shown.game.choices[choice].event if shown.game else None
        if not event or event.get("event") != "landed":
            return None
        return self._box.request(PreviewRuling(event={"event": "refereed", "landed": event, "reason": "?"}))
