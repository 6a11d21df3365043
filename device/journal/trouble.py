"""What can go wrong with the journal, in sentences that name cause and fix."""

from pathlib import Path

import apsw

from engine.wording import phrase, phrase_later


class JournalError(Exception):
    """The journal could not do it. `str(error)` is for a person at the table."""


class JournalBroken(JournalError):
    """The file cannot be opened or is damaged: somebody has to look after it."""


class JournalDamaged(JournalBroken):
    """The file is damaged, or of an unknown form: it is put aside, never written to."""


class JournalNewer(JournalDamaged):
    """A newer Callbox made the file: it is put aside until that one is back."""


class JournalEmpty(JournalBroken):
    """The file is there, and no table in it."""


class JournalFull(JournalError):
    """The disk did not take the last write. Nothing of it is in; trying again later is right."""


class NoSuchGame(JournalError):
    """No game has this number."""


class RowBroken(JournalBroken):
    """A row is there and cannot be read."""

    def __init__(self, text: str, game_id: int, seq: int) -> None:
        """`text` says what is wrong with row `seq`."""
        super().__init__(text)
        self.game_id = game_id
        self.seq = seq


class RowNotUnderstood(JournalError):
    """A game cannot be gone on with: this Callbox does not know what one of its rows says."""

    def __init__(self, game_id: int, seq: int, why: str) -> None:
        """`why`: what is wrong with row `seq`."""
        self.game_id = game_id
        self.seq = seq
        super().__init__(
            phrase(
                "row {seq} of game {game_id} is not understood: {why}. If a newer Callbox wrote it, "
                "install that one to go on. callbox show {game_id} shows the game.",
                seq=seq,
                game_id=game_id,
                why=why.rstrip("."),
            )
        )


_WORDS: tuple[tuple[type[apsw.Error] | tuple[type[apsw.Error], ...], type[JournalError], str], ...] = (
    (
        apsw.FullError,
        JournalFull,
        phrase_later(
            "the disk with {folder} is full, so the last step was not taken; all before it is "
            "safe. Make room on it, then do the step again."
        ),
    ),
    (
        apsw.IOError,
        JournalFull,
        phrase_later(
            "the disk did not take a write to {path}, so the last step was not taken; all before "
            "it is safe. Do it again; if this comes back, the card is worn out or loose: copy "
            "{folder} and replace it."
        ),
    ),
    (
        apsw.NotADBError,
        JournalDamaged,
        phrase_later(
            "{path} is no journal but some other file. Move it away, or name another folder with --data."
        ),
    ),
    (
        apsw.CorruptError,
        JournalDamaged,
        phrase_later(
            "the journal {path} is damaged. Move the folder {folder} away and put its last copy back."
        ),
    ),
    (
        apsw.ReadOnlyError,
        JournalBroken,
        phrase_later(
            "{path} may only be read. Make its disk and folder writable, or name another folder with --data."
        ),
    ),
    (
        (apsw.CantOpenError, apsw.PermissionsError, apsw.AuthError),
        JournalBroken,
        phrase_later(
            "{path} cannot be opened. Its folder must exist and belong to the user who runs "
            "callbox; another folder is named with --data."
        ),
    ),
    (
        (apsw.BusyError, apsw.LockedError),
        JournalBroken,
        phrase_later("another program holds {path} and does not let go. Close it, then try again."),
    ),
)


def in_words(error: apsw.Error, path: Path, *, writing: bool) -> JournalError:
    """The sentence for what SQLite says about the journal at `path`, when writing it or just looking."""
    if not writing and isinstance(error, apsw.IOError | apsw.FullError):
        return JournalBroken(
            phrase(
                "{path} cannot be read. If it is a file, its card is worn out, loose or full: see to that.",
                path=path,
            )
        )
    for kinds, trouble, text in _WORDS:
        if isinstance(error, kinds):
            return trouble(phrase(text, path=path, folder=path.parent))
    return JournalBroken(phrase("the journal {path} does not work: {error}.", path=path, error=error))
