"""The desk's addresses for the organiser: the list of players, the draw, and what is done about each match.

Everybody in the hall's network may look. To act takes the desk's own PIN (`callbox desk pin`), as a referee's
answers do. Each act is on the disk before it is answered, and says what its page had seen.
"""

import secrets
from collections.abc import Awaitable, Callable
from typing import Annotated, ClassVar

import msgspec
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from device.console import Authorizer, Post, respond
from device.hall.entries import Entries, EntriesKept, EntryBook, read_players
from device.hall.ledger import Ledger, LedgerBroken
from device.hall.organiser import Organiser
from device.hall.questions import NoGame
from device.match.showing import choices_shown
from device.people.people import People
from device.people.permissions import Permission
from device.requests import BoxRequest, Declined, Done, MatchNumber, Options, Reply, Word
from device.shown.snapshot import GameChoice
from engine.refusal import Refused
from engine.rulebooks import RULEBOOKS
from engine.tournament import TournamentFormat
from engine.wording import phrase, phrase_later

HIGHEST_NUMBER = 999_999
"""The highest number of a draw: what six ten-sided dice show."""
TableName = Annotated[str, msgspec.Meta(max_length=40)]
ReasonGiven = Annotated[str, msgspec.Meta(max_length=200)]
"""It may be missing: then a sentence says so."""
Points = Annotated[int, msgspec.Meta(ge=-1_000_000_000, le=1_000_000_000)]


class OrganiserAct(BoxRequest, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Something about the tournament that goes on."""

    cup: int | None = None
    """The tournament's number, as its page has it. The keyboard means whatever is so now, here and below."""

    def do(self, organiser: Organiser) -> str:
        """Do it, and say what has happened; raises `Refused`, and then nothing has."""
        raise NotImplementedError


class SaveEntries(BoxRequest, frozen=True, forbid_unknown_fields=True, tag="organiser/entries"):
    """Keep the list of players, and what is to be drawn."""

    permission: ClassVar[Permission] = "lead"
    verb: ClassVar[str] = phrase_later("change the list of players")
    seen: int
    """The version that the page had."""
    title: Annotated[str, msgspec.Meta(max_length=40)]
    kind: TournamentFormat
    game: Word
    players: Annotated[str, msgspec.Meta(max_length=6000)]
    """One a line."""
    options: Options = msgspec.field(default_factory=dict)
    goal: Annotated[int, msgspec.Meta(ge=0, le=999)] = 0
    seeds: Annotated[int, msgspec.Meta(ge=0, le=64)] = 0
    number: Annotated[int, msgspec.Meta(ge=0, le=HIGHEST_NUMBER)] | None = None
    tables: Annotated[tuple[TableName, ...], msgspec.Meta(max_length=1000)] = ()

    @property
    def entries(self) -> Entries:
        """The same as it is kept; raises `Refused`."""
        return Entries(
            title=" ".join(self.title.split()),
            kind=self.kind,
            game=self.game,
            options=self.options,
            goal=self.goal,
            players=read_players(self.players),
            seeds=self.seeds,
            number=self.number,
            tables=self.tables,
        )


class DrawEntries(BoxRequest, frozen=True, forbid_unknown_fields=True, tag="organiser/draw"):
    """Draw what was saved."""

    permission: ClassVar[Permission] = "lead"
    verb: ClassVar[str] = phrase_later("draw a tournament")
    seen: int


class CallToTable(OrganiserAct, frozen=True, forbid_unknown_fields=True, kw_only=True, tag="organiser/call"):
    """Call a match to a table."""

    permission: ClassVar[Permission] = "lead"
    verb: ClassVar[str] = phrase_later("call a match")
    match: MatchNumber
    table: TableName = ""
    """ "" for the next one that is free."""
    seen_at: TableName | None = None
    """Where the page saw it called; "" for nowhere."""

    def do(self, organiser: Organiser) -> str:
        """Call it there."""
        organiser.call(self.match, self.table or None, self.seen_at)
        if not self.table:
            return phrase("Match {number} is called to the next free table.", number=self.match)
        return phrase("Match {number} is called to {table}.", number=self.match, table=self.table)


class TakeCallBack(
    OrganiserAct, frozen=True, forbid_unknown_fields=True, kw_only=True, tag="organiser/call-back"
):
    """Have nobody called for a match until that is done by hand."""

    permission: ClassVar[Permission] = "lead"
    verb: ClassVar[str] = phrase_later("take a call back")
    match: MatchNumber
    seen_at: TableName | None = None

    def do(self, organiser: Organiser) -> str:
        """Take it back."""
        organiser.take_call_back(self.match, self.seen_at)
        return phrase("The call of match {number} is taken back.", number=self.match)


class SignMatch(OrganiserAct, frozen=True, forbid_unknown_fields=True, kw_only=True, tag="organiser/sign"):
    """Sign a match's result off."""

    permission: ClassVar[Permission] = "judge"
    verb: ClassVar[str] = phrase_later("sign a result off")
    match: MatchNumber
    seen: int | None = None
    """How many steps of the match the page knew."""
    winner: Word

    def do(self, organiser: Organiser) -> str:
        """Sign it off."""
        organiser.sign(self.match, self.winner, self.seen)
        return phrase("Match {number} is signed off.", number=self.match)


class RuleMatch(OrganiserAct, frozen=True, forbid_unknown_fields=True, kw_only=True, tag="organiser/rule"):
    """Decide a match, whatever its game says."""

    permission: ClassVar[Permission] = "judge"
    verb: ClassVar[str] = phrase_later("decide a match")
    match: MatchNumber
    seen: int | None = None
    winner: Word
    scores: Annotated[tuple[tuple[Word, Points], ...], msgspec.Meta(max_length=2)] = ()
    """What both have; none where that is not known."""
    reason: ReasonGiven

    def do(self, organiser: Organiser) -> str:
        """Decide it."""
        organiser.rule(self.match, self.winner, self.scores, self.reason, self.seen)
        return phrase("Match {number} is decided: {winner} has won.", number=self.match, winner=self.winner)


class PlayMatchAgain(
    OrganiserAct, frozen=True, forbid_unknown_fields=True, kw_only=True, tag="organiser/again"
):
    """A match does not count, and is called again."""

    permission: ClassVar[Permission] = "judge"
    verb: ClassVar[str] = phrase_later("take a match back")
    match: MatchNumber
    seen: int | None = None
    reason: ReasonGiven

    def do(self, organiser: Organiser) -> str:
        """Take it back."""
        organiser.take_back(self.match, self.reason, self.seen)
        return phrase("Match {number} is taken back, and is called again.", number=self.match)


class WithdrawPlayer(
    OrganiserAct, frozen=True, forbid_unknown_fields=True, kw_only=True, tag="organiser/withdraw"
):
    """A player plays no more."""

    permission: ClassVar[Permission] = "lead"
    verb: ClassVar[str] = phrase_later("withdraw a player")
    player: Word
    reason: ReasonGiven = ""

    def do(self, organiser: Organiser) -> str:
        """Withdraw them."""
        organiser.withdraw(self.player, self.reason)
        return phrase("{player} has withdrawn.", player=self.player)


class BringPlayerBack(
    OrganiserAct, frozen=True, forbid_unknown_fields=True, kw_only=True, tag="organiser/bring-back"
):
    """A player who withdrew plays again."""

    permission: ClassVar[Permission] = "lead"
    verb: ClassVar[str] = phrase_later("bring a player back")
    player: Word

    def do(self, organiser: Organiser) -> str:
        """Bring them back."""
        organiser.bring_back(self.player)
        return phrase("{player} plays again.", player=self.player)


class CloseCup(OrganiserAct, frozen=True, forbid_unknown_fields=True, kw_only=True, tag="organiser/close"):
    """The tournament is over; another may be drawn."""

    permission: ClassVar[Permission] = "lead"
    verb: ClassVar[str] = phrase_later("end the tournament")

    def do(self, organiser: Organiser) -> str:
        """End it."""
        organiser.close()
        return phrase("The tournament is over.")


ACTS: tuple[type[BoxRequest], ...] = (
    SaveEntries,
    DrawEntries,
    CallToTable,
    TakeCallBack,
    SignMatch,
    RuleMatch,
    PlayMatchAgain,
    WithdrawPlayer,
    BringPlayerBack,
    CloseCup,
)


class EntriesShown(msgspec.Struct, frozen=True):
    """What the page gets before a tournament is drawn."""

    kept: EntriesKept
    games: tuple[GameChoice, ...]


class EntriesSaved(msgspec.Struct, frozen=True):
    """The list is kept."""

    text: str
    version: int
    ok: bool = True


class OrganiserPages:
    """The addresses' functions."""

    def __init__(
        self,
        ledger: Ledger,
        people: People,
        page: Callable[[Request, str], Awaitable[Response]],
        chance: Callable[[], int] = lambda: secrets.randbelow(HIGHEST_NUMBER + 1),
    ) -> None:
        """`page` answers with a template of that name. `chance`: the number of a draw for which none was
        written down."""
        self._ledger, self._people, self._page, self._chance = ledger, people, page, chance
        self._entries = EntryBook(ledger)

    def routes(self) -> list[BaseRoute]:
        """The addresses."""
        return [
            Route("/organiser", self.page, methods=["GET"]),
            Route("/organiser/entries", self.entries, methods=["GET"]),
            *Authorizer(self._people, NoGame()).routes(ACTS, self.take),
        ]

    async def page(self, request: Request) -> Response:
        """The organiser's page."""
        return await self._page(request, "organiser.html")

    async def entries(self, request: Request) -> Response:  # noqa: ARG002 - everybody gets the same
        """The list of players as it was saved last, and the games that may be played."""
        kept = await run_in_threadpool(self._entries.newest)
        return respond(EntriesShown(kept, choices_shown(RULEBOOKS.values())))

    async def take(self, asked: BoxRequest, post: Post) -> msgspec.Struct:
        """Do what an organiser asks for."""
        by = post.who.name or phrase("the organiser")
        try:
            return await run_in_threadpool(self._do, asked, by)
        except (Refused, LedgerBroken) as why:
            return Declined(str(why))

    def _do(self, asked: BoxRequest, by: str) -> Reply | EntriesSaved:
        match asked:
            case SaveEntries():
                kept = self._entries.save(asked.entries, asked.seen, by)
                return EntriesSaved(phrase("The list is saved."), kept.version)
            case DrawEntries():
                drawn = self._entries.draw(asked.seen, Organiser(self._ledger, by), self._chance)
                return Done(phrase("{title} is drawn.", title=drawn.title))
            case OrganiserAct():
                return Done(asked.do(Organiser(self._ledger, by, cup=asked.cup)))
            case _:
                raise AssertionError(asked)
