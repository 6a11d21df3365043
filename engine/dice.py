"""What a die is: its kind, and the face that counts. A leaf: whoever reads dice says it in its words."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from engine.wording import phrase

DieKind = Literal["pip", "zoinx", "bet", "d4"]
Face = int | Literal["dot", "square"]

FACES: Mapping[DieKind, tuple[Face, ...]] = {
    "pip": (1, 2, 3, 4, 5, 6),
    "zoinx": ("dot", "square"),
    "bet": (0, 2, 4, 6, 8, 10),
    "d4": (1, 2, 3, 4),
}
"""The faces each kind of die can show."""


@dataclass(frozen=True, slots=True)
class Die:
    """One die at rest: its kind and the face that counts; raises ValueError for a face it does not have."""

    kind: DieKind
    value: Face

    def __post_init__(self) -> None:
        """Wrong dice die at birth."""
        if type(self.value) is bool or self.value not in FACES.get(self.kind, ()):
            raise ValueError(_fault(self.kind, self.value))


def read_die(kind: object, value: object) -> Die:
    """The die of a kind and a face as somebody told them; raises ValueError, in words, if there is none."""
    for known, faces in FACES.items():
        for face in faces:
            if known == kind and type(face) is type(value) and face == value:
                return Die(known, face)
    raise ValueError(_fault(kind, value))


def _fault(kind: object, value: object) -> str:
    for known, faces in FACES.items():
        if known == kind:
            return phrase(
                "a {kind} die shows one of {faces}; got {value}",
                kind=kind,
                faces=", ".join(map(str, faces)),
                value=repr(value),
            )
    return phrase("a die is {kinds}; got {kind}", kinds=", ".join(FACES), kind=repr(kind))
