"""The console's addresses for who somebody is: signing in, taking a seat, handing seats out."""

import asyncio

import msgspec
from starlette.requests import Request
from starlette.responses import Response

from device.console.answers import EmptyBody, SeatBody, SignInBody, SitBody, answer, body, told
from device.console.codes import page_link, qr_svg
from device.console.pin_queue import PinQueue
from device.console.post import Post, ShowsTable
from device.people.people import Caller, People
from device.people.rights import OFFICES, WHO_MAY, Deed
from device.people.who import Office, Role, TableKind
from device.shown.snapshot import Snapshot
from engine.refusal import Unreadable
from engine.seating import tidy_name
from engine.wording import phrase, phrase_later

NO_GAME = phrase_later("No game is going on, so there are no seats. Begin one first.")


class BoxTold(msgspec.Struct, frozen=True):
    """What a page needs to know before it can seal anything."""

    key: str
    """The box's public key."""
    word: str
    table: TableKind
    offices: tuple[Office, ...]
    """Who signs in with a PIN here; the first one leads."""


class MeTold(msgspec.Struct, frozen=True):
    """Whose page this is, and what it may do."""

    role: Role
    name: str
    may: tuple[Deed, ...]
    ok: bool = True
    text: str = ""


class SatTold(msgspec.Struct, frozen=True):
    """What came of taking a seat (`device.people.seats.Sitting`)."""

    ok: bool
    text: str
    player: str
    pin: str
    wants_pin: bool


class SeatTold(msgspec.Struct, frozen=True):
    """A seat to be handed out."""

    player: str
    taken: bool
    link: str
    code: str
    """The link as a QR code, as SVG."""


class SeatsTold(msgspec.Struct, frozen=True):
    """All seats of the game."""

    seats: tuple[SeatTold, ...]
    ok: bool = True
    text: str = ""


class PeopleDesk:
    """The addresses' functions."""

    def __init__(self, people: People, desk: ShowsTable, pins: PinQueue | None = None) -> None:
        """`pins`: where PINs wait to be hashed; None makes one for this desk alone."""
        self._people = people
        self._desk = desk
        self._pins = pins or PinQueue()

    async def box(self, request: Request) -> Response:  # noqa: ARG002 - everybody gets the same
        """The box's public key and its present word."""
        seal, kind = self._people.seal, self._people.kind
        return told(BoxTold(seal.public, seal.word, kind, OFFICES[kind]))

    async def me(self, request: Request) -> Response:
        """Who somebody is to the box."""
        body(request, EmptyBody)
        who = _post(request).who
        may = [deed for deed, roles in WHO_MAY[self._people.kind].items() if who.role in roles]
        return told(MeTold(who.role, who.name, tuple(may)))

    async def sign_in(self, request: Request) -> Response:
        """Referee or host give the PIN."""
        asked, post = body(request, SignInBody), _post(request)
        if not post.key:
            return answer(
                False, phrase("This page cannot seal, so nobody can be known by it. Open the console's page.")
            )
        try:
            name = tidy_name(asked.name) if asked.name.strip() else ""
        except Unreadable as refusal:
            return answer(False, str(refusal))
        trouble = await self._pins.run(
            post.address, lambda: self._people.sign_in(_caller(post), asked.office, name, asked.pin)
        )
        return answer(not trouble, trouble)

    async def leave(self, request: Request) -> Response:
        """Sign out, or leave a seat."""
        body(request, EmptyBody)
        trouble = await asyncio.to_thread(self._people.leave, _post(request).key)
        return answer(not trouble, trouble)

    async def sit(self, request: Request) -> Response:
        """Take a seat."""
        asked, post, shown = body(request, SitBody), _post(request), self._desk.snapshot()
        if not post.key:
            return answer(
                False, phrase("This page cannot seal, so no seat can be its own. Open the console's page.")
            )
        sat, trouble = await self._pins.run(
            post.address, lambda: self._people.sit(_caller(post), asked.token, asked.pin, _game_id(shown))
        )
        return told(SatTold(not trouble, trouble, sat.player, sat.pin, sat.wants_pin))

    async def seats(self, request: Request) -> Response:
        """All seats with their codes, for whoever hands them out."""
        body(request, EmptyBody)
        shown = self._desk.snapshot()
        game_id = _game_id(shown)
        if game_id is None or shown.game is None:
            return answer(False, phrase(NO_GAME))
        address = shown.address or f"http://{request.headers['host']}/"
        seats = await asyncio.to_thread(self._people.seats, game_id, shown.game.players)
        made = []
        for each in seats:
            link = page_link(address, each.player, key=self._people.seal.public, token=each.token)
            code = (await asyncio.to_thread(qr_svg, link)).decode()
            made.append(SeatTold(each.player, bool(each.key), link, code))
        return told(SeatsTold(tuple(made)))

    async def take_back(self, request: Request) -> Response:
        """Take a seat back: its page and its code are void."""
        asked, game_id = body(request, SeatBody), _game_id(self._desk.snapshot())
        if game_id is None:
            return answer(False, phrase(NO_GAME))
        trouble = await asyncio.to_thread(self._people.take_back, game_id, asked.player)
        return answer(not trouble, trouble)


def _post(request: Request) -> Post:
    post: Post = request.state.post
    return post


def _caller(post: Post) -> Caller:
    return Caller(key=post.key, count=post.count, address=post.address)


def _game_id(shown: Snapshot) -> int | None:
    return shown.game_id if shown.stage == "playing" else None
