"""What games come to: sign-offs, the tournament that they feed, and what of both is shown."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace

from device.call_slip import CallSlip, MatchCall, SignedResult
from device.games.games import CANNOT_BE_PLAYED, Games, RunningGame
from device.journal import GameId, Journal, JournalError, Moment
from device.journal.rows import CallNote, SignOffNote
from device.match import Match
from device.match.showing import sign_off_shown
from device.people.actor import Actor
from device.shown.snapshot import PutAwayShown, SignOffShown, VenueCallShown
from device.tournaments import TournamentBook
from engine.refusal import Refused
from engine.wording import phrase, phrase_later

# The hall's desk has called players to this table: they begin with one touch, or the table refuses.
#
# The game that is begun carries the call in the very write that begins it, so the desk knows it among all
# others, whoever has the same names, and no power cut parts the two.

LOOK_MS = 500.0
"""How often the slip is looked at."""
NEWEST = 8
"""The game of a call that stands is among so many of the newest."""
NOT_CALLED = phrase_later("The desk calls nobody to this table any more. Look again.")


class CalledHere:
    """The calls of one table. Not for several threads: the table is the only caller."""

    def __init__(self, journal: Journal, now: Callable[[], Moment], slip: CallSlip | None) -> None:
        """`slip` is what the desk calls; None where no desk is told."""
        self._journal = journal
        self._now = now
        self._slip = slip
        self._stamp: tuple[int, ...] = ()
        self._looked_ms = float("-inf")
        self._call: MatchCall | None = None
        self.shown: VenueCallShown | None = None
        """For whom the table is called; the very same while that is so."""
        self.signed: tuple[SignedResult, ...] = ()
        """What the desk has signed off, until that is taken up."""

    def poll(self) -> None:
        """See now and then whether the desk calls anybody else."""
        now_ms = self._now().steady_ms
        if self._slip is not None and now_ms >= self._looked_ms + LOOK_MS:
            self._looked_ms = now_ms
            if (stamp := self._slip.stamp) != self._stamp:
                self._stamp = stamp
                self._set_call(self._slip.standing())
                self.signed = self._slip.current().signed

    def begin(self, call_id: str, start: Callable[[MatchCall], object]) -> None:
        """Begin that game with its players; raises `Refused`."""
        call = self._expect_call(call_id)
        with calling(self._journal, call):
            start(call)
        self._set_call(None)

    def refuse(self, call_id: str, why: str) -> None:
        """Send the players away, for a reason that the organiser reads; raises `Refused`."""
        call, slip = self._expect_call(call_id), self._slip
        if not why.strip():
            raise Refused(phrase("Say why the table does not take the match: the organiser reads it."))
        if slip is not None:
            try:
                slip.refuse(call.id, why.strip())
            except OSError as error:
                raise Refused(
                    phrase("The disk does not take that: {error}. Make room on it.", error=error.strerror)
                ) from error
        self._set_call(None)

    def _expect_call(self, call_id: str) -> MatchCall:
        if self._call is None or self._call.id != call_id:
            raise Refused(phrase(NOT_CALLED))
        return self._call

    def _set_call(self, call: MatchCall | None) -> None:
        if call is not None and has_begun(self._journal, call.id):
            call = None
        self._call, self.shown = call, None
        if call is not None:
            words = phrase("Match {number} of {title}", number=call.match, title=call.title)
            self.shown = VenueCallShown(call.id, words, call.game, call.players)


@contextmanager
def calling(journal: Journal, call: MatchCall) -> Iterator[None]:
    """A game that is begun inside is that call's."""
    with journal.begun_with(CallNote(call.id, call.title, call.match)):
        yield


def has_begun(journal: Journal, call_id: str) -> bool:
    """Whether a game of the journal was begun for that call."""
    try:
        return any(_carries(journal, record.id, call_id) for record in journal.games()[-NEWEST:])
    except JournalError:  # whoever begins a game then is told
        return False


def _carries(journal: Journal, game_id: GameId, call_id: str) -> bool:
    """Whether that game was begun for that call; raises `JournalError`."""
    rows = (entry.row for entry in journal.rows(game_id)[:NEWEST])
    return any(isinstance(row, CallNote) and row.call == call_id for row in rows)


# The referee signs a result off, or opens one again; what waits for that is listed.
#
# Each of these is a row of the game's own, with who did it, and durable before anything of it is shown. A
# game that has left the table, by a power cut for instance, can be signed all the same. To be ruled on again
# it comes back to the table.

MOST = 24
"""Among so many of the newest games those are sought that wait for a sign-off."""


class Signing:
    """The sign-offs of one table's journal. Not for several threads: the table is the only caller."""

    def __init__(
        self,
        journal: Journal,
        games: Games,
        now: Callable[[], Moment],
        book: TournamentBook,
        *,
        asks_sign_off: bool,
    ) -> None:
        """`book`: the tournament that results feed; `asks_sign_off`: whether they wait for a referee."""
        self._journal = journal
        self._games = games
        self._now = now
        self._book = book
        self._asks_sign_off = asks_sign_off
        self._waits: tuple[PutAwayShown, ...] | None = None

    def sign(self, play: RunningGame | None, game_id: GameId) -> None:
        """The result counts from now on; raises `Refused` or `JournalError`, and then nothing has changed.

        `play` is what is at the table.
        """
        self._sign(self._find(play, game_id))

    def sign_for_desk(self, play: RunningGame | None, told: SignedResult) -> None:
        """The same at the hall's desk: for that very result alone, and not once it was opened again here."""
        match = self._find(play, told.game)
        scores = tuple(zip(match.view.players, match.view.scores, strict=True))
        meant = scores == told.scores and _carries(self._journal, told.game, told.call)
        if meant and match.sign_off.standing == "waits":
            with self._journal.heard_from(Actor("desk", told.by)):
                self._sign(match)

    def _find(self, play: RunningGame | None, game_id: GameId) -> Match:
        at_table = play is not None and play.match.game_id == game_id
        return play.match if play and at_table else Match.resume(self._journal, game_id)

    def _sign(self, match: Match) -> None:
        game_id = match.game_id
        if match.view.ending is None or match.in_question:
            raise Refused(
                phrase("Game {game_id} is not over, so there is no result to sign off.", game_id=game_id)
            )
        if not match.sign_off.waits:
            raise Refused(
                match.sign_off.closed
                or phrase("Nobody asks for a sign-off of game {game_id}.", game_id=game_id)
            )
        winners = match.view.ending.winners
        scores = tuple(zip(match.view.players, match.view.scores, strict=True))
        if why := self._book.why_not(game_id, winners, scores):
            raise Refused(why)
        self._write(match, SignOffNote("signed", self._by))
        self._book.add_result(game_id, winners, scores, self._by)
        match.say(phrase("Signed off by {who}. {news}", who=self._by, news=match.view.news), "good")

    def reopen(self, play: RunningGame | None, game_id: GameId, reason: str) -> RunningGame:
        """The result counts no more, and the game is at the table, for rulings and another sign-off.

        Raises `CANNOT_BE_PLAYED`; then nothing has changed.
        """
        if not reason:
            raise Refused(phrase("Say why the result is opened again: the reason is entered in the journal."))
        opened = play
        if opened is None or opened.match.game_id != game_id:
            if play is not None and play.match.view.ending is None:
                raise Refused(phrase("Another game is at the table. Save it for later first."))
            opened = replace(self._games.resume(game_id), paused=False)
        match = opened.match
        if match.view.ending is None or not match.sign_off.standing:
            raise Refused(
                phrase("Nobody has signed game {game_id} off, so there is nothing to open.", game_id=game_id)
            )
        if opened is play and not match.sign_off.closed:
            raise Refused(phrase("The result is open already."))
        self._write(match, SignOffNote("opened", self._by, reason))
        match.say(phrase("Opened again by {who}: {reason}", who=self._by, reason=reason))
        return opened

    def list_waiting(self, game_id: GameId | None) -> tuple[PutAwayShown, ...]:
        """The games that are over and wait, but for that one; made once until something changes."""
        if self._waits is None:
            try:
                found = self._journal.unsigned(MOST) if self._asks_sign_off else ()
                self._waits = tuple(
                    self._games.describe(each) for each in reversed(found) if each.id != game_id
                )
            except JournalError:  # whoever begins a game then is told
                self._waits = ()
        return self._waits

    def forget_list(self) -> None:
        """A game was begun, is over or has left the table: the list is to be made anew."""
        self._waits = None

    @property
    def _by(self) -> str:
        heard = self._journal.heard
        return heard.words if heard else phrase("someone at the box")

    def _write(self, match: Match, note: SignOffNote) -> None:
        if not match.keep([note], self._now()):
            raise Refused(match.message.text)
        self.forget_list()


@dataclass(frozen=True, slots=True, kw_only=True)
class ResultsShown:
    """What pages see of it."""

    sign_off: SignOffShown | None = None
    unsigned: tuple[PutAwayShown, ...] = ()
    tournament: int = 0
    match: str = ""
    call: VenueCallShown | None = None


Start = Callable[[str, tuple[str, ...], dict[str, str]], GameId]
"""Begins a game; returns its number, and raises `Refused`."""
NO_RESULTS = ResultsShown()


class Results:
    """The results of one table's games. Not for several threads: the table is the only caller."""

    def __init__(
        self,
        journal: Journal,
        games: Games,
        now: Callable[[], Moment],
        *,
        book: TournamentBook | None = None,
        slip: CallSlip | None = None,
        asks_sign_off: bool = False,
        desk_signs: bool = False,
    ) -> None:
        """`book`: the tournament of the evening; `slip`: what a hall's desk calls, if one is told.

        `asks_sign_off`: whether results wait for a referee; `desk_signs`: also for one at the desk.
        """
        book = book or TournamentBook()
        self.signing = Signing(journal, games, now, book, asks_sign_off=asks_sign_off)
        self._journal, self.tournament = journal, book
        self.called = CalledHere(journal, now, slip)
        self._desk_signs = desk_signs

    def poll(self, play: RunningGame | None) -> None:
        """See now and then whom the desk calls and what it signs off. `play` is what is at the table."""
        self.called.poll()
        signed, self.called.signed = self.called.signed, ()
        for each in signed if self._desk_signs else ():
            with suppress(*CANNOT_BE_PLAYED):  # it goes on waiting, and the desk's page shows that
                self.signing.sign_for_desk(play, each)

    def advance(self, match: Match) -> None:
        """Where nobody signs, the result of a game that is over moves its tournament on."""
        ending = match.view.ending
        if ending is not None and not match.sign_off.standing:
            scores = tuple(zip(match.view.players, match.view.scores, strict=True))
            self.tournament.follow(match.game_id, ending.winners, scores)

    def begin_match(self, number: int, start: Start) -> None:
        """Begin a match of the tournament with its players; raises `Refused`."""
        match = self.tournament.match_to_begin(number)
        before = self.tournament.game_of(number)
        if before is not None and self._journal.game(before).ended is None:
            raise Refused(
                phrase(
                    "Match {number} was started as game {before}. Resume that game, or abandon it.",
                    number=number,
                    before=before,
                )
            )
        agreed = self.tournament.going.agreed
        self.tournament.begin(number, start(agreed.game, match.players, dict(agreed.options)))

    def show(self, match: Match | None) -> ResultsShown:
        """What is shown with that game at the table, or with none."""
        game_id = match.game_id if match else None
        over = match is None or match.view.ending is not None
        return ResultsShown(
            sign_off=sign_off_shown(match.sign_off, match.view) if match and over else None,
            unsigned=self.signing.list_waiting(game_id) if over else (),
            tournament=self.tournament.changes,
            match=self.tournament.match_words(game_id),
            call=self.called.shown,
        )
