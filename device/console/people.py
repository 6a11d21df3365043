"""The console's part in who people are: signing in, taking a seat, handing seats out, who plays here."""

import asyncio
from functools import partial

import msgspec
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response

from device.console.answers import respond
from device.console.authorize import Post, ShowsTable
from device.console.concurrency_limit import PinQueue
from device.console.pages import page_link, qr_svg
from device.people.actor import Office, Role, TableKind
from device.people.people import People
from device.people.permissions import OFFICES, WHO_MAY, Permission
from device.people.player_profiles import PersonColor
from device.requests import (
    Declined,
    Done,
    ForgetPerson,
    ListSeats,
    PeopleRequest,
    PutPerson,
    Reply,
    SignIn,
    SignOut,
    TakeSeat,
    TakeSeatBack,
    WhoAmI,
    reply_of,
)
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
    may: tuple[Permission, ...]
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


class PersonTold(msgspec.Struct, frozen=True):
    """Somebody, for the pages."""

    name: str
    color: PersonColor
    has_pin: bool


class PersonsTold(msgspec.Struct, frozen=True):
    """Everybody who is remembered."""

    persons: tuple[PersonTold, ...]
    ok: bool = True
    text: str = ""


PeopleReply = Done | Declined | MeTold | SatTold | SeatsTold


class PeopleRoutes:
    """What is asked about who people are; for a hall's desk as well."""

    def __init__(self, people: People, box: ShowsTable, pins: PinQueue | None = None) -> None:
        """`pins`: where PINs wait to be hashed; None makes one for this desk alone."""
        self._people = people
        self._box = box
        self._pins = pins or PinQueue()

    async def box(self, request: Request) -> Response:  # noqa: ARG002 - everybody gets the same
        """The box's public key and its present word."""
        seal, kind = self._people.seal, self._people.kind
        return respond(BoxTold(seal.public, seal.word, kind, OFFICES[kind]))

    async def everybody(self, request: Request) -> Response:  # noqa: ARG002 - everybody gets the same
        """Who plays here; of a PIN only whether there is one."""
        known = await run_in_threadpool(self._people.persons)
        return respond(
            PersonsTold(tuple(PersonTold(each.name, each.color, bool(each.pin)) for each in known))
        )

    async def do(self, asked: PeopleRequest, post: Post) -> PeopleReply:  # noqa: PLR0911 - an arm each
        """Do what somebody asks who may."""
        match asked:
            case WhoAmI():
                return self._me(post)
            case SignIn():
                return await self._sign_in(asked, post)
            case SignOut():
                return reply_of(await asyncio.to_thread(self._people.leave, post.key))
            case TakeSeat():
                return await self._sit(asked, post)
            case ListSeats():
                return await self._seats(post)
            case TakeSeatBack():
                return await self._take_back(asked.player)
            case PutPerson():
                put = partial(self._people.put_person, post.caller, asked.name, asked.color)
                return reply_of(await self._pins.run(post.address, lambda: put(asked.pin, asked.new_pin)))
            case ForgetPerson():
                forget = partial(self._people.forget_person, post.caller, asked.name, asked.pin)
                return reply_of(await self._pins.run(post.address, forget))

    def _me(self, post: Post) -> MeTold:
        may = [deed for deed, roles in WHO_MAY[self._people.kind].items() if post.who.role in roles]
        return MeTold(post.who.role, post.who.name, tuple(may))

    async def _sign_in(self, asked: SignIn, post: Post) -> Reply:
        if not post.key:
            return Declined(
                phrase("This page cannot seal, so nobody can be known by it. Open the console's page.")
            )
        try:
            name = tidy_name(asked.name) if asked.name.strip() else ""
        except Unreadable as refusal:
            return Declined(str(refusal))
        sign_in = partial(self._people.sign_in, post.caller, asked.office, name, asked.pin)
        return reply_of(await self._pins.run(post.address, sign_in))

    async def _sit(self, asked: TakeSeat, post: Post) -> Declined | SatTold:
        if not post.key:
            return Declined(
                phrase("This page cannot seal, so no seat can be its own. Open the console's page.")
            )
        sit = partial(self._people.sit, post.caller, asked.token, asked.pin, _game_id(self._box.snapshot()))
        sat, trouble = await self._pins.run(post.address, sit)
        return SatTold(not trouble, trouble, sat.player, sat.pin, sat.wants_pin)

    async def _seats(self, post: Post) -> Declined | SeatsTold:
        shown = self._box.snapshot()
        game_id = _game_id(shown)
        if game_id is None or shown.game is None:
            return Declined(phrase(NO_GAME))
        address = shown.address or f"http://{post.host}/"
        seats = await asyncio.to_thread(self._people.seats, game_id, shown.game.players)
        made = []
        for each in seats:
            link = page_link(address, each.player, key=self._people.seal.public, token=each.token)
            code = (await asyncio.to_thread(qr_svg, link)).decode()
            made.append(SeatTold(each.player, bool(each.key), link, code))
        return SeatsTold(tuple(made))

    async def _take_back(self, player: str) -> Reply:
        game_id = _game_id(self._box.snapshot())
        if game_id is None:
            return Declined(phrase(NO_GAME))
        return reply_of(await asyncio.to_thread(self._people.take_back, game_id, player))


def _game_id(shown: Snapshot) -> int | None:
    return shown.game_id if shown.stage == "playing" else None
