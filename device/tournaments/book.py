"""The tournament that goes on, stored whole before anything of it is shown: at a box, or at a hall's desk."""

from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Protocol

import msgspec

from calibration.durable import sync_folder, write_whole
from device.tournaments.view import TournamentView, view_tournament
from engine.refusal import Refused
from engine.tournament import (
    NONE,
    BracketMatch,
    TournamentAgreed,
    TournamentRecord,
    TournamentStep,
)
from engine.wording import phrase


def utc_text(moment: datetime) -> str:
    """A wall clock's time, ISO in UTC to the millisecond."""
    return moment.isoformat(timespec="milliseconds").replace("+00:00", "Z")


class TournamentStore(Protocol):
    """Where tournaments are stored, by their numbers from 1 on."""

    def newest(self) -> int:
        """The newest one's number; 0 where there is none."""
        ...

    def read(self, number: int) -> TournamentRecord:
        """One of them; raises `Refused`."""
        ...

    def write(self, number: int, record: TournamentRecord) -> None:
        """Durable when it returns; raises `Refused`, and then nothing has changed."""
        ...


class TournamentBook:
    """The tournament of the evening, and what is shown of it. Not for several threads.

    Whatever changes it raises `Refused`, and then nothing has changed.
    """

    def __init__(
        self,
        store: TournamentStore | None = None,
        tell: Callable[[str], None] = print,
        now: Callable[[], datetime] = lambda: datetime.now(UTC),
        by: Callable[[], str] = str,
    ) -> None:
        """`store`: None stores nothing. `tell`: where trouble with what is stored is told. `by`: whose doing
        it is now, in words."""
        self._store, self._now, self._by = store, now, by
        self.number = 0
        """Its number; 0 where none was drawn yet."""
        self.record: TournamentRecord | None = None
        """The newest tournament, also when it is over."""
        self.changes = 0
        """Counts what pages have to ask for anew; 0 where there is nothing."""
        self.trouble = ""
        """Why the last result did not flow in; "" where it did."""
        self._view = TournamentView()
        self._load(tell)

    def view(self) -> TournamentView:
        """The newest tournament; made once until something changes."""
        if self._view.changes != self.changes:
            self._view = (
                TournamentView(changes=self.changes)
                if self.record is None
                else view_tournament(self.record, self.number, self.changes, self.trouble)
            )
        return self._view

    def match_words(self, game_id: int | None) -> str:
        """Which match that game is: "Match 3 of Autumn Cup"; "" for none."""
        number, record = self.match_of(game_id), self.record
        if not number or record is None:
            return ""
        return phrase("Match {number} of {title}", number=number, title=record.agreed.title)

    def match_of(self, game_id: int | None) -> int:
        """Which match of a tournament that goes on that game is; 0 for none."""
        if self.record is None or self.record.closed or game_id is None:
            return 0
        return self.record.so_far.matches_by_game.get(game_id, 0)

    def game_of(self, number: int) -> int | None:
        """The game in which that match was begun last; None for none."""
        so_far = self.going.so_far
        return None if number in so_far.undecided else so_far.games.get(number)

    @property
    def going(self) -> TournamentRecord:
        """The tournament that goes on; raises `Refused` where there is none."""
        if self.record is None or self.record.closed:
            raise Refused(phrase(NONE))
        return self.record

    def draw(self, agreed: TournamentAgreed) -> None:
        """Draw a new tournament."""
        if self.record is not None and not self.record.closed:
            raise Refused(phrase("{title} goes on. Close it first.", title=self.record.agreed.title))
        self._write(self.number + 1, TournamentRecord.draw(agreed, self._at(), self._by()))

    def match_to_begin(self, number: int) -> BracketMatch:
        """A match that may be played now; raises `Refused` with the reason why not."""
        return self.going.match_to_begin(number)

    def begin(self, number: int, game_id: int) -> None:
        """Have that match played in this game."""
        step = TournamentStep("begun", self._at(), number, game_id, by=self._by())
        self._change(self.going.after(step))

    def why_not(self, game_id: int, winners: Sequence[str], scores: Sequence[tuple[str, int]]) -> str:
        """Why a game's result cannot flow in, in a sentence; "" where it can, or is no match's."""
        if not self.match_of(game_id):
            return ""
        return self.going.why_not(self.going.result_step(game_id, winners, scores, self._at()))

    def add_result(
        self, game_id: int, winners: Sequence[str], scores: Sequence[tuple[str, int]], by: str = ""
    ) -> None:
        """A game is over, and its result counts."""
        if self.match_of(game_id):
            step = self.going.result_step(game_id, winners, scores, self._at(), by)
            self._change(self.going.with_result(step))

    def follow(self, game_id: int, winners: Sequence[str], scores: Sequence[tuple[str, int]]) -> None:
        """The same where nobody signs results off: what does not flow in is told in `trouble`."""
        try:
            self.add_result(game_id, winners, scores)
        except Refused as refused:
            if self.trouble != str(refused):
                self.trouble = str(refused)
                self.changes += 1

    def take_back(self, number: int, reason: str) -> None:
        """Have a match not count, and be played again."""
        self._change(self.going.take_back(number, reason, self._at(), self._by()))

    def withdraw(self, player: str, reason: str) -> None:
        """Have a player play no more: whoever would have met them goes on."""
        self._change(self.going.withdraw(player, reason, self._at(), self._by()))

    def bring_back(self, player: str) -> None:
        """Have a player who withdrew play again, where nobody has played on from it."""
        self._change(self.going.bring_back(player, self._at(), self._by()))

    def close(self) -> None:
        """End it; another may be drawn."""
        self._change(self.going.after(TournamentStep("closed", self._at(), by=self._by())))

    def _at(self) -> str:
        return utc_text(self._now())

    def _change(self, record: TournamentRecord) -> None:
        if record is not self.record:
            self._write(self.number, record)

    def _write(self, number: int, record: TournamentRecord) -> None:
        """Durable first, then known."""
        if self._store is not None:
            self._store.write(number, record)
        self.number, self.record, self.trouble = number, record, ""
        self.changes += 1

    def _load(self, tell: Callable[[str], None]) -> None:
        if self._store is None or not (newest := self._store.newest()):
            return
        self.number = newest
        try:
            self.record = self._store.read(newest)
            self.record.drawn  # noqa: B018 - what cannot be played is told now
            self.changes = 1
        except Refused as refused:
            self.record = None
            tell(str(refused))


class TournamentFiles:
    """A box's `TournamentStore`: `tournaments/1.json`, `2.json`, ... of its data folder.

    Each write replaces a file by one that is on the disk (`calibration.durable`), so a power cut leaves the
    one before or the one after.
    """

    def __init__(self, data: Path) -> None:
        """`data`: the data folder; the folder of tournaments is made with the first one."""
        self.folder = data / "tournaments"

    def numbers(self) -> list[int]:
        """The tournaments that are stored, the oldest first."""
        return sorted(int(path.stem) for path in self.folder.glob("*.json") if path.stem.isdigit())

    def newest(self) -> int:
        """The newest one's number; 0 where there is none."""
        return max(self.numbers(), default=0)

    def read(self, number: int) -> TournamentRecord:
        """One of them; raises `Refused`, in a sentence."""
        path = self.folder / f"{number}.json"
        try:
            return msgspec.json.decode(path.read_bytes(), type=TournamentRecord)
        except (OSError, msgspec.MsgspecError, UnicodeDecodeError) as error:
            raise Refused(
                phrase(
                    "The tournament in {path} cannot be read ({error}). Put a copy back, or move it away.",
                    path=path,
                    error=error,
                )
            ) from error

    def write(self, number: int, record: TournamentRecord) -> None:
        """Replace it by this; raises `Refused`, and then nothing has changed."""
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            write_whole(self.folder / f"{number}.json", msgspec.json.encode(record))
            sync_folder(self.folder)
            sync_folder(self.folder.parent)
        except OSError as error:
            raise Refused(
                phrase(
                    "The tournament cannot be kept in {folder} ({strerror}). Make room on the disk, or "
                    "mend the folder's rights.",
                    folder=self.folder,
                    strerror=error.strerror,
                )
            ) from error
