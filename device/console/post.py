"""What comes by POST: opened if it was sealed, held against who may do that, answered the way it came.

How it works. A page seals what it sends (`device.people.letters`); the page's key says whose it is. Then the
table of rights is asked (`device.console.acts`), and only then the address's own function. What is not sealed
comes from nobody in particular: at a family's table that is enough, but for a bet that crosses a network.
"""

import asyncio
import ipaddress
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Protocol

import msgspec
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response

from device.console.acts import act_of
from device.console.answers import BadBody, answer, read_whole, told
from device.decode import Undecodable, decode_json
from device.people.letters import BadLetter, Envelope
from device.people.people import People
from device.people.rights import Act
from device.people.who import Who
from device.shown.snapshot import Snapshot
from engine.wording import phrase, phrase_later

Function = Callable[[Request], Awaitable[Response]]
ActOf = Callable[[str, str, Snapshot, str], Act | None]
IN_CLEAR = phrase_later(
    "What is not sealed can be read by whoever listens in the network. Open the page anew: it seals that."
)
COUNTED = phrase_later(
    "Presses of BET on a page can be counted by whoever listens in the network. Bet on "
    "your own page, which seals the bet (open Phones), or press BET on the box."
)
SECRET = ("/bets", "/sign-in", "/sit", "/persons", "/persons/forget")
"""What never crosses a network unsealed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Post:
    """How something came."""

    who: Who
    key: str = ""
    """The page's public key; "" where nothing was sealed."""
    count: int = 0
    address: str = ""


class Again(msgspec.Struct, frozen=True):
    """The page is to seal it anew, for the box's present word."""

    text: str
    word: str
    ok: bool = False


class _Peek(msgspec.Struct, frozen=True):
    """What of a body is needed to say whose business it is."""

    player: str = ""
    down: bool = True


class ShowsTable(Protocol):
    """As a `Desk` does."""

    def snapshot(self) -> Snapshot:
        """What is shown now."""
        ...


class PostRoom:
    """Opens, judges and answers whatever is posted."""

    def __init__(self, people: People, desk: ShowsTable, acts: ActOf = act_of) -> None:
        """`acts`: what each address asks for."""
        self._people = people
        self._desk = desk
        self._act_of = acts

    def takes(self, path: str, function: Function) -> Function:
        """The function of an address, as it is called once all is well; it finds `Post` in the request."""

        async def take(request: Request) -> Response:
            try:
                raw = await read_whole(request)
                post, raw = await asyncio.to_thread(self._open, request, raw)
            except BadLetter as bad:
                if bad.again:
                    return told(Again(str(bad), self._people.seal.word), status=409)
                return answer(False, str(bad), status=400)
            except ClientDisconnect:
                return answer(False, phrase("The rest never came."), status=400)  # nobody is left to hear it
            request.state.post, request.state.raw = post, raw
            try:
                why = await asyncio.to_thread(self._why_not, path, request)
                response = answer(False, why, status=403) if why else await function(request)
            except BadBody as error:
                response = answer(False, str(error), status=error.status)
            return self._sealed(post, response)

        return take

    def _open(self, request: Request, raw: bytes) -> tuple[Post, bytes]:
        """Who posted this, and what; raises `BadLetter`."""
        address = request.client.host if request.client else ""
        shown = self._desk.snapshot()
        game_id = shown.game_id if shown.stage == "playing" else None
        try:
            envelope = decode_json(raw, Envelope)
        except Undecodable:
            return Post(who=self._people.who("", game_id), address=address), raw
        letter = self._people.seal.open(envelope, own_path(request))
        if not self._people.takes(envelope.key, letter):
            raise BadLetter(phrase("That has come before, so it does not count again. Open the page anew."))
        who = self._people.who(envelope.key, game_id)
        return Post(who=who, key=envelope.key, count=letter.count, address=address), bytes(letter.body)

    def _why_not(self, path: str, request: Request) -> str:
        """Why this may not be done; "" when it may."""
        post: Post = request.state.post
        button = request.path_params.get("button", "")
        try:
            peek = decode_json(request.state.raw, _Peek)
        except Undecodable:
            peek = _Peek()  # the address's own function says what is wrong with it
        if not _is_here(post.address):
            if button.startswith("bet"):
                return phrase(COUNTED)
            if path in SECRET and not post.key:
                return phrase(IN_CLEAR)
        if button and not peek.down:
            return ""  # whoever pressed it may let it go, whatever has happened since
        act = self._act_of(path, button, self._desk.snapshot(), peek.player)
        if act is None:
            return "" if button else phrase("Nobody has said who may post to {path}.", path=path)
        return self._people.why_not(act, post.who)

    def _sealed(self, post: Post, response: Response) -> Response:
        """The answer, sealed for the page where it had sealed."""
        if not post.key:
            return response
        said = msgspec.Raw(bytes(response.body))
        text = msgspec.json.encode({"count": post.count, "said": said})
        return told(self._people.seal.close(post.key, text), status=response.status_code)


def own_path(request: Request) -> str:
    """The path as the box's own addresses are, without what a proxy has put before it."""
    path: str = request.scope["path"]
    return path.removeprefix(request.scope.get("root_path", ""))


def _is_here(address: str) -> bool:
    """Whether something came from this very machine, and so over no network."""
    try:
        found = ipaddress.ip_address(address)
    except ValueError:
        return False
    return (getattr(found, "ipv4_mapped", None) or found).is_loopback
