"""The persons who play at this table, remembered from evening to evening: name, colour, a PIN if they like.

A person is known by the name, whatever its capitals: the journal has names, so a person's games are those in
which somebody of that name played. A PIN keeps others from changing or forgetting that person, and from
taking that person's seat on a phone. All of it lies in one file that only the box's own user may read.
"""

from collections.abc import Callable
from pathlib import Path
from typing import Literal, get_args

import msgspec

from calibration.durable import sync_folder, write_whole
from device.people.pins import FORM, Hashed
from engine.refusal import Unreadable
from engine.seating import tidy, tidy_name
from engine.wording import phrase

PersonColor = Literal["red", "orange", "yellow", "green", "teal", "blue", "purple", "pink"]
COLORS: tuple[PersonColor, ...] = get_args(PersonColor)
MOST_PERSONS = 200


class Person(msgspec.Struct, frozen=True):
    """Somebody who plays here."""

    name: str
    color: PersonColor
    pin: Hashed | None = None
    """None for somebody who needs none."""


class PersonRefused(Exception):
    """That cannot be remembered so. `str(error)` is a sentence for people."""


def persons_path(folder: Path) -> Path:
    """The file of the persons in a data folder."""
    return folder / "persons.json"


class Persons:
    """The persons of one table. Not for several threads at once."""

    def __init__(self, path: Path | None, tell: Callable[[str], None]) -> None:
        """None keeps nothing, as in tests. `tell` gets a sentence when the file cannot be read."""
        self._path = path
        self._broken = ""
        self._all = self._load(tell)

    def all(self) -> tuple[Person, ...]:
        """Everybody, in the order of the names."""
        return tuple(sorted(self._all, key=lambda each: each.name.casefold()))

    def find(self, name: str) -> Person | None:
        """The person of that name; None for nobody."""
        known = tidy(name).casefold()
        return next((each for each in self._all if each.name.casefold() == known), None)

    def put(self, person: Person) -> None:
        """Remember somebody, or somebody's new colour and PIN; raises `PersonRefused`."""
        try:
            name = tidy_name(person.name)
        except Unreadable as refusal:
            raise PersonRefused(str(refusal)) from None
        others = [each for each in self._all if each.name.casefold() != name.casefold()]
        if len(others) >= MOST_PERSONS:
            raise PersonRefused(
                phrase("{count} players are saved already. Forget one first.", count=MOST_PERSONS)
            )
        self._keep((*others, msgspec.structs.replace(person, name=name)))

    def forget(self, name: str) -> None:
        """Remember that person no more; games stay in the journal. Raises `PersonRefused`."""
        gone = self.find(name)
        if gone is None:
            raise PersonRefused(phrase("Nobody called {name} is remembered here.", name=name))
        self._keep(tuple(each for each in self._all if each is not gone))

    def _keep(self, persons: tuple[Person, ...]) -> None:
        if self._broken:
            raise PersonRefused(self._broken)
        if self._path is not None:
            try:
                write_whole(self._path, msgspec.json.encode(persons), mode=0o600)
                sync_folder(self._path.parent)
            except OSError as error:
                raise PersonRefused(
                    phrase(
                        "That cannot be kept ({strerror}). Make room on the disk with {folder}, or fix its "
                        "permissions.",
                        strerror=error.strerror,
                        folder=self._path.parent,
                    )
                ) from error
        self._all = persons

    def _load(self, tell: Callable[[str], None]) -> tuple[Person, ...]:
        if self._path is None:
            return ()
        try:
            return msgspec.json.decode(self._path.read_bytes(), type=tuple[Person, ...])
        except FileNotFoundError:
            return ()
        except (OSError, msgspec.MsgspecError, UnicodeDecodeError) as error:
            self._broken = phrase(
                "The players cannot be read from {path} ({error}). Put a copy of that file back, "
                "or remove it, and restart the box.",
                path=self._path,
                error=error,
            )
            tell(self._broken)
            return ()


def why_no_pin(pin: str) -> str:
    """Why that is no PIN of a person; "" where it is one, or none is given."""
    return "" if not pin or FORM.fullmatch(pin) else phrase("A PIN has 4 to 12 digits and nothing else.")
