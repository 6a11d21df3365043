"""The tournament that goes on, kept whole before anything of it is shown: at a box, or at a hall's desk."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import UTC, datetime
from functools import cached_property
from pathlib import Path
from typing import Literal, Protocol

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from calibration.durable import sync_folder, write_whole
from engine.refusal import Refused
from engine.rulebooks import rulebook
from engine.tournament import DRAW_VERSION, BracketMatch, Tournament, TournamentFormat, matches, why_not
from engine.wording import phrase, phrase_later

# What is kept of a tournament: what was agreed, and one step after another, each with who and when.
#
# Who meets whom follows from these (`engine.tournament`) and is kept nowhere. Steps are never changed: what
# is taken back is a step of its own.


class TournamentAgreed(Struct, frozen=True):
    """What was agreed before the first match."""

    title: str
    kind: TournamentFormat
    players: tuple[str, ...]
    """In the order of their seeds, or of the line."""
    game: str
    options: Mapping[str, str] = {}
    """The rules of each match."""
    goal: int = 0


class TournamentStep(Struct, frozen=True, omit_defaults=True):
    """Something that happened."""

    what: Literal["begun", "result", "undecided", "taken back", "withdrawn", "returned", "closed"]
    """A match was begun; has a winner; ended without just one; does not count any more. A player plays no
    more; plays again. All is over."""
    at: str
    """Wall clock, ISO in UTC."""
    match: int = 0
    game_id: int = 0
    winner: str = ""
    scores: tuple[tuple[str, int], ...] = ()
    """What everybody had."""
    by: str = ""
    """Whose doing it was, in words."""
    reason: str = ""
    player: str = ""
    """Who withdrew, or is back."""


class KeptTournament(Struct, frozen=True, dict=True):
    """A tournament as its file has it. `dict`: what follows from it is computed once."""

    agreed: TournamentAgreed
    at: str
    """When it was drawn, ISO in UTC."""
    by: str = ""
    steps: tuple[TournamentStep, ...] = ()
    draw_version: int = 1
    """The version it was drawn by (`engine.tournament.DRAW_VERSION`); older files have none."""

    @classmethod
    def of(cls, agreed: TournamentAgreed, at: str, by: str = "") -> "KeptTournament":
        """A tournament that is drawn now."""
        return cls(agreed, at, by, draw_version=DRAW_VERSION)

    @cached_property
    def drawn(self) -> Tournament:
        """The tournament by its rules; raises `Refused` for what cannot be played."""
        agreed = self.agreed
        return Tournament(agreed.kind, agreed.players, agreed.goal, self.draw_version)

    @property
    def closed(self) -> bool:
        """Whether it is over, and another may be drawn."""
        return any(step.what == "closed" for step in self.steps)

    @cached_property
    def so_far(self) -> "MatchesSoFar":
        """Which matches were begun, and what they came to."""
        return _follow(self.steps)

    @cached_property
    def matches(self) -> tuple[BracketMatch, ...]:
        """All matches as they stand."""
        so_far = self.so_far
        return matches(self.drawn, so_far.winners, so_far.withdrawn, so_far.scores)

    def after(self, step: TournamentStep) -> "KeptTournament":
        """The same with one step more."""
        return replace(self, steps=(*self.steps, step))


class MatchesSoFar(Struct, frozen=True):
    """What the steps come to."""

    games: Mapping[int, int]
    """The game of each match that was begun."""
    matches_by_game: Mapping[int, int]
    winners: Mapping[int, str]
    """Who has won a match that was played."""
    scores: Mapping[int, tuple[tuple[str, int], ...]]
    undecided: frozenset[int]
    """Matches whose game ended without just one winner: they are played again."""
    withdrawn: frozenset[str] = frozenset()
    """Players who play no more."""


def _follow(steps: Iterable[TournamentStep]) -> MatchesSoFar:
    games: dict[int, int] = {}
    winners: dict[int, str] = {}
    scores: dict[int, tuple[tuple[str, int], ...]] = {}
    undecided: set[int] = set()
    withdrawn: set[str] = set()
    for step in steps:
        match step.what:
            case "begun":
                games[step.match] = step.game_id
                undecided.discard(step.match)
            case "result":
                winners[step.match], scores[step.match] = step.winner, step.scores
                undecided.discard(step.match)
            case "undecided":
                winners.pop(step.match, None)
                undecided.add(step.match)
                scores[step.match] = step.scores
            case "taken back":
                for known in (games, winners, scores):
                    known.pop(step.match, None)
                undecided.discard(step.match)
            case "withdrawn":
                withdrawn.add(step.player)
            case "returned":
                withdrawn.discard(step.player)
            case "closed":
                pass
    by_game = {game_id: number for number, game_id in games.items()}
    return MatchesSoFar(games, by_game, winners, scores, frozenset(undecided), frozenset(withdrawn))


NONE = phrase_later("No tournament is going on. Draw one first.")


class KeepsTournaments(Protocol):
    """Where tournaments are kept, by their numbers from 1 on."""

    def newest(self) -> int:
        """The newest one's number; 0 where there is none."""
        ...

    def read(self, number: int) -> KeptTournament:
        """One of them; raises `Refused`."""
        ...

    def write(self, number: int, kept: KeptTournament) -> None:
        """Durable when it returns; raises `Refused`, and then nothing has changed."""
        ...


class TournamentBook:
    """The tournament of the evening. Not for several threads.

    A match is played in a game, which is known by a number: at a box its journal's, at a desk the call's.
    """

    def __init__(
        self,
        shelf: KeepsTournaments | None = None,
        tell: Callable[[str], None] = print,
        now: Callable[[], datetime] = lambda: datetime.now(UTC),
    ) -> None:
        """`shelf`: None keeps nothing. `tell`: where trouble with what is kept is said."""
        self._shelf = shelf
        self._now = now
        self.number = 0
        """Its number; 0 where none was drawn yet."""
        self.kept: KeptTournament | None = None
        """The newest tournament, also when it is over."""
        self.changes = 0
        """Counts what pages have to ask for anew; 0 where there is nothing."""
        self.trouble = ""
        """Why the last result did not flow in; "" where it did."""
        self._load(tell)

    def draw(self, agreed: TournamentAgreed, by: str) -> None:
        """A new tournament; raises `Refused`."""
        if self.kept is not None and not self.kept.closed:
            raise Refused(phrase("{title} goes on. Close it first.", title=self.kept.agreed.title))
        kept = KeptTournament.of(agreed, self._at(), by)
        drawn = kept.drawn
        if not agreed.title.strip():
            raise Refused(phrase("Give the tournament a name."))
        rulebook(agreed.game).start(drawn.players[:2], dict(agreed.options))
        self._keep(self.number + 1, kept)

    def to_begin(self, number: int) -> BracketMatch:
        """A match that may be played now; raises `Refused` with the reason why not."""
        kept, _ = self._going()
        match = next((each for each in kept.matches if each.number == number), None)
        if match is None:
            raise Refused(phrase("There is no match {number}.", number=number))
        if match.winner:
            raise Refused(
                phrase(
                    "Match {number} has been played: {winner} won. Take it back to play it again.",
                    number=number,
                    winner=match.winner,
                )
            )
        if not match.ready:
            waits = next(side.words for side in match.sides if not side.player)
            raise Refused(phrase("Match {number} waits for {player}.", number=number, player=waits))
        return match

    def game_of(self, number: int) -> int | None:
        """The game in which that match was begun last; None for none."""
        _, so_far = self._going()
        return None if number in so_far.undecided else so_far.games.get(number)

    def match_of(self, game_id: int | None) -> int:
        """Which match that game is; 0 for none."""
        if self.kept is None or self.kept.closed or game_id is None:
            return 0
        return self.kept.so_far.matches_by_game.get(game_id, 0)

    def begun(self, number: int, game_id: int, by: str) -> None:
        """That match is played in this game."""
        self._add(TournamentStep("begun", self._at(), number, game_id, by=by))

    def why_not(self, game_id: int, winners: Sequence[str], scores: Sequence[tuple[str, int]]) -> str:
        """Why a game's result cannot flow in, in a sentence; "" where it can, or is no match's."""
        number = self.match_of(game_id)
        if not number:
            return ""
        return self._why_not(self._result(number, game_id, winners, scores), number)

    def result(
        self, game_id: int, winners: Sequence[str], scores: Sequence[tuple[str, int]], by: str = ""
    ) -> None:
        """A game is over, and its result counts; raises `Refused` where others played on from another."""
        number = self.match_of(game_id)
        if not number:
            return
        step = self._result(number, game_id, winners, scores, by)
        if why := self._why_not(step, number):
            raise Refused(why)
        _, so_far = self._going()
        known = so_far.winners.get(number, ""), so_far.scores.get(number)
        if known == (step.winner, step.scores) and (step.winner or number in so_far.undecided):
            return
        self._add(step)

    def follow(self, game_id: int, winners: Sequence[str], scores: Sequence[tuple[str, int]]) -> None:
        """The same where nobody signs results off: what does not flow in is told in `trouble`."""
        try:
            self.result(game_id, winners, scores)
        except Refused as refused:
            if self.trouble != str(refused):
                self.trouble = str(refused)
                self.changes += 1

    def take_back(self, number: int, reason: str, by: str) -> None:
        """That match does not count, and may be played again; raises `Refused`."""
        _, so_far = self._going()
        if number not in so_far.games:
            raise Refused(
                phrase("Match {number} has not been begun, so there is nothing to take back.", number=number)
            )
        if not reason.strip():
            raise Refused(phrase("Say why it is taken back: the reason is kept."))
        step = TournamentStep("taken back", self._at(), number, by=by, reason=reason.strip())
        if why := self._why_not(step, number):
            raise Refused(why)
        self._add(step)

    def withdraw(self, player: str, reason: str, by: str) -> None:
        """Somebody plays no more: whoever would have met them goes on; raises `Refused`."""
        kept, so_far = self._going()
        name = self._player(player)
        if name in so_far.withdrawn:
            raise Refused(phrase("{player} has withdrawn already.", player=name))
        if len(kept.agreed.players) - len(so_far.withdrawn) <= 2:
            raise Refused(phrase("Only two are left in {title}. Close it instead.", title=kept.agreed.title))
        self._add(TournamentStep("withdrawn", self._at(), by=by, reason=reason.strip(), player=name))

    def bring_back(self, player: str, by: str) -> None:
        """Somebody who withdrew plays again, where nobody has played on from it; raises `Refused`."""
        kept, so_far = self._going()
        name = self._player(player)
        if name not in so_far.withdrawn:
            raise Refused(phrase("{player} has not withdrawn.", player=name))
        without = kept.after(TournamentStep("returned", self._at(), by=by, player=name))
        after = {each.number: each for each in without.matches}
        for match in kept.matches:
            begun = match.number in so_far.games
            if begun and (match.number not in after or after[match.number].players != match.players):
                raise Refused(
                    phrase(
                        "Match {number} was begun because {player} had withdrawn. Take it back first.",
                        number=match.number,
                        player=name,
                    )
                )
        self._keep(self.number, without)

    def close(self, by: str) -> None:
        """It is over; another may be drawn."""
        self._going()
        self._add(TournamentStep("closed", self._at(), by=by))

    # Inside

    def _going(self) -> tuple[KeptTournament, MatchesSoFar]:
        if self.kept is None or self.kept.closed:
            raise Refused(phrase(NONE))
        return self.kept, self.kept.so_far

    def _result(
        self,
        number: int,
        game_id: int,
        winners: Sequence[str],
        scores: Sequence[tuple[str, int]],
        by: str = "",
    ) -> TournamentStep:
        """What a game came to: a winner, or none where several share the win."""
        winner = winners[0] if len(winners) == 1 else ""
        return TournamentStep(
            "result" if winner else "undecided", self._at(), number, game_id, winner, tuple(scores), by
        )

    def _why_not(self, step: TournamentStep, number: int) -> str:
        """Why that step of a match would upset others, in a sentence; "" where it would not."""
        kept, so_far = self._going()
        return why_not(kept.matches, kept.after(step).matches, so_far.games.keys(), number, step.winner)

    def _player(self, said: str) -> str:
        """A player's name as it was drawn; raises `Refused`."""
        kept, _ = self._going()
        known = said.strip().casefold()
        name = next((each for each in kept.agreed.players if each.casefold() == known), "")
        if not name:
            raise Refused(phrase("{player} is not in {title}.", player=said, title=kept.agreed.title))
        return name

    def _at(self) -> str:
        return self._now().isoformat(timespec="milliseconds").replace("+00:00", "Z")

    def _add(self, step: TournamentStep) -> None:
        kept, _ = self._going()
        self._keep(self.number, kept.after(step))

    def _keep(self, number: int, kept: KeptTournament) -> None:
        """Durable first, then known."""
        if self._shelf is not None:
            self._shelf.write(number, kept)
        self.number, self.kept, self.trouble = number, kept, ""
        self.changes += 1

    def _load(self, tell: Callable[[str], None]) -> None:
        if self._shelf is None or not (newest := self._shelf.newest()):
            return
        self.number = newest
        try:
            self.kept = self._shelf.read(newest)
            self.kept.drawn  # noqa: B018 - what cannot be played is said now
            self.changes = 1
        except Refused as refused:
            self.kept = None
            tell(str(refused))


# A box's tournaments on its disk: `tournaments/1.json`, `2.json`, ... of the data folder.
#
# Each write replaces a file by one that is on the disk (`calibration.durable`), so a power cut leaves the
# one before or the one after.


def tournaments_path(folder: Path) -> Path:
    """The folder of the tournaments in a data folder."""
    return folder / "tournaments"


def numbers(folder: Path) -> list[int]:
    """The tournaments that are kept, the oldest first."""
    return sorted(int(path.stem) for path in folder.glob("*.json") if path.stem.isdigit())


def read_tournament(path: Path) -> KeptTournament:
    """A tournament as it is kept; raises `Refused`, in a sentence."""
    try:
        return msgspec.json.decode(path.read_bytes(), type=KeptTournament)
    except (OSError, msgspec.MsgspecError, UnicodeDecodeError) as error:
        raise Refused(
            phrase(
                "The tournament in {path} cannot be read ({error}). Put a copy back, or move it away.",
                path=path,
                error=error,
            )
        ) from error


class TournamentFiles:
    """The folder as a `device.tournaments.book.KeepsTournaments`."""

    def __init__(self, folder: Path) -> None:
        """`folder`: see `tournaments_path`; it is made with the first tournament."""
        self._folder = folder

    def newest(self) -> int:
        """The newest one's number; 0 where there is none."""
        return max(numbers(self._folder), default=0)

    def read(self, number: int) -> KeptTournament:
        """One of them; raises `Refused`."""
        return read_tournament(self._folder / f"{number}.json")

    def write(self, number: int, kept: KeptTournament) -> None:
        """Replace it by this; raises `Refused`, and then nothing has changed."""
        try:
            self._folder.mkdir(parents=True, exist_ok=True)
            write_whole(self._folder / f"{number}.json", msgspec.json.encode(kept))
            sync_folder(self._folder)
            sync_folder(self._folder.parent)
        except OSError as error:
            raise Refused(
                phrase(
                    "The tournament cannot be kept in {folder} ({strerror}). Make room on the disk, or "
                    "mend the folder's rights.",
                    folder=self._folder,
                    strerror=error.strerror,
                )
            ) from error
