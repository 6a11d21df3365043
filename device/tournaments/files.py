"""A box's tournaments on its disk: `tournaments/1.json`, `2.json`, ... of the data folder.

Each write replaces a file by one that is on the disk (`calibration.durable`), so a power cut leaves the one
before or the one after.
"""

from pathlib import Path

import msgspec

from calibration.durable import sync_folder, write_whole
from device.tournaments.steps import KeptTournament
from engine.refusal import Refused
from engine.wording import phrase


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
