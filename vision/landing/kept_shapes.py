"""What was learnt of dice's shapes, as it is kept over a restart."""

import math
from typing import Annotated

import msgspec
import numpy as np

from calibration.arrays import Floats
from engine.wording import phrase, phrase_later

SCHEMA = 1
DAMAGED = phrase_later("This file is damaged. Run `callbox learn --shape` again.")
OTHER_VERSION = phrase_later(
    "This was learnt by another version of Callbox. Run `callbox learn --shape` again."
)
Pair = tuple[float, float]
Triple = tuple[float, float, float]
NOTHING: Pair = (0.0, 0.0)
_Words = Annotated[str, msgspec.Meta(max_length=40)]


class ShapesError(ValueError):
    """What was learnt of shapes cannot be used; the message says why and what to do."""


class KeptShape(msgspec.Struct, frozen=True, kw_only=True):
    """What the landings of one die have told of its edge and its rounding, mm; nothing at first."""

    color: _Words
    """What people call its colour."""
    tint: Triple = (0.0, 0.0, 0.0)
    """The mean of `vision.landing.tint.tint_of` over the landings."""
    rows: tuple[Pair, Pair] = (NOTHING, NOTHING)
    """The inverse of the covariance that the landings by themselves leave; without what was expected."""
    sums: Pair = NOTHING
    """That times (edge, rounding)."""
    taught: tuple[Triple, ...] = ()
    """Where it lay then: x and y in mm, yaw in degrees."""
    by_calliper: bool = False
    """Whether somebody measured its edge."""

    @property
    def weight(self) -> Floats:
        """`rows` (2, 2)."""
        return np.array(self.rows)

    @property
    def weighted(self) -> Floats:
        """`sums` (2,)."""
        return np.array(self.sums)

    def landed(self, weight: Floats, weighted: Floats, tint: Floats, place: Triple) -> "KeptShape":
        """With what one more landing of that tint, at that place, tells."""
        mean = (len(self.taught) * np.array(self.tint) + tint) / (len(self.taught) + 1)
        lightness, red, yellow = mean.tolist()
        told = self._told(weight, weighted)
        return msgspec.structs.replace(told, tint=(lightness, red, yellow), taught=(*self.taught, place))

    def measured(self, edge_mm: float, sigma_mm: float) -> "KeptShape":
        """With an edge that somebody measured."""
        firm = np.diag([sigma_mm**-2, 0.0])
        return msgspec.structs.replace(self._told(firm, firm @ [edge_mm, 0.0]), by_calliper=True)

    def _told(self, weight: Floats, weighted: Floats) -> "KeptShape":
        (a, b), (c, d) = (self.weight + weight).tolist()
        edge, rounding = (self.weighted + weighted).tolist()
        return msgspec.structs.replace(self, rows=((a, b), (c, d)), sums=(edge, rounding))


class _ShapesFile(msgspec.Struct, frozen=True, kw_only=True, tag_field="kind", tag="callbox shapes"):
    """The content of the file."""

    version: int
    shapes: tuple[KeptShape, ...]


def shapes_to_bytes(shapes: tuple[KeptShape, ...]) -> bytes:
    """The content of a file that holds them; `shapes_from_bytes` reads it."""
    return (
        msgspec.json.format(msgspec.json.encode(_ShapesFile(version=SCHEMA, shapes=shapes)), indent=1) + b"\n"
    )


def shapes_from_bytes(content: bytes) -> tuple[KeptShape, ...]:
    """Read what `shapes_to_bytes` made. Raises `ShapesError`."""
    try:
        told = msgspec.json.decode(content, type=_ShapesFile)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise ShapesError(phrase(DAMAGED)) from error
    if told.version != SCHEMA:
        raise ShapesError(phrase(OTHER_VERSION))
    if not all(_is_sound(shape) for shape in told.shapes):
        raise ShapesError(phrase(DAMAGED))
    return told.shapes


def _is_sound(shape: KeptShape) -> bool:
    """Whether the numbers can come from landings of a die."""
    (a, b), (c, d) = shape.rows
    numbers = (a, b, c, d, *shape.sums, *shape.tint, *(part for place in shape.taught for part in place))
    if not all(math.isfinite(number) and abs(number) < 1e9 for number in numbers):
        return False
    slack = 1e-9 * max(a, d, 1.0)
    return math.isclose(b, c, abs_tol=slack) and min(a, d) >= 0 and a * d - b * b >= -slack * max(a, d, 1.0)
