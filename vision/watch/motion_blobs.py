"""Finds what moves between two rests, and things of a die's size left unread.

Theory of operation
- A thing on its way differs from both rests: from the one before, where it is not yet, and from the one
  after, where it is no more. What differs from one of them only is a die that lies still or the place that it
  left. So dice at rest take no part, however many there are.
- What differs is sought as the watch does it (`vision.watch.thumbnail`): light that changes and noise do not
  count, and edges may lie one small pixel off.
- A thing that covers cells of a hand, or comes in from the border and is larger than dice, is a hand. Others
  are one die or several that touch; who follows them says how many.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import hypot

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.arrays import Bools, Reals
from engine.wording import phrase_later
from vision.reading import Reading, SeenDie, UnsureDie
from vision.watch.change import find_edge
from vision.watch.thumbnail import (
    ReelPicture,
    Stretch,
    Thumbnail,
    difference,
    of_small,
    shift,
    shift_between,
    unlike,
)

WOBBLE_PX = 1
DIE_AREA = 1.35
"""What one die covers with its sides and its shadow, in squares of its edge."""
LEAST_AREA = 0.3
"""The smallest thing that may be a die, by `DIE_AREA`."""
HAND_AREA = 2.5
"""The smallest hand, by `DIE_AREA`."""
UNSEEN_AREA = 6.0
"""The same where the watch sees none: a fast die is a long streak."""
LIES_SHARE = 0.06
"""Where less of a die's place differs from a rest, it lies there as it does then."""
THERE = 0.5
"""Where so much of a die's place does not look as before it came, something is there."""
PLACE_EDGES = 0.55
"""The radius of that place, in edges."""
TWICE_EDGES = 0.9
"""Where a die came to lie so near to where another had lain, the empty table looks unlike both rests."""
ROUNDS = 6
"""How often the parts of a thing are moved to the middles of what is theirs."""
KEPT = 6
"""How many pictures are held, so that whoever looks back a little computes nothing twice."""


@dataclass(frozen=True, slots=True, eq=False)
class MovingSpot:
    """Something that moves and is no hand: a die, or several that touch."""

    pixels: Reals
    """N x 2: x and y of each small pixel."""
    logs: Reals
    """N x 3: their colours in log units."""
    at_border: bool

    @property
    def center(self) -> Reals:
        """The middle: x, y in small pixels."""
        return np.asarray(self.pixels.mean(axis=0), np.float32)

    @property
    def color(self) -> Reals:
        """The mean colour in log units."""
        return np.asarray(self.logs.mean(axis=0), np.float32)

    def part(self, own: Bools) -> "MovingSpot":
        """Those of its pixels."""
        return MovingSpot(self.pixels[own], self.logs[own], self.at_border)

    def parted(self, centers: Sequence[Reals]) -> list["MovingSpot"]:
        """In as many parts as there are places, each near one of them."""
        middles = np.array(centers, np.float32)
        own = np.zeros(len(self.pixels), np.intp)
        for _ in range(ROUNDS):
            off = ((self.pixels[:, None] - middles[None]) ** 2).sum(axis=2)
            own = off.argmin(axis=1)
            for number in range(len(middles)):
                if (own == number).any():
                    middles[number] = self.pixels[own == number].mean(axis=0)
        parts: list[Bools] = [np.asarray(own == number) for number in range(len(middles))]
        return [self.part(part) for part in parts if part.any()]


@dataclass(frozen=True, slots=True, eq=False)
class Spotted:
    """What one picture shows."""

    time_ms: float
    blobs: tuple[MovingSpot, ...]
    hand: Bools
    """Height x width: what hands cover, in small pixels."""
    hand_px: Reals
    """For each small pixel how far the next hand is; a large number where there is none."""
    unlike_after: Bools
    unlike_before: Bools


class Spotter:
    """Looks at the pictures of one stretch, each at most once unless long ago."""

    def __init__(
        self,
        stretch: Stretch,
        edge_px: float,
        dice: Sequence[Reals],
        old: Sequence[Reals],
        cover: float = 1.0,
    ) -> None:
        """`edge_px`: a die's edge; `dice`, `old`: where dice lie in the end, and lay before; small pixels.

        `cover`: what the outline of a die at rest covers, in squares of its edge.
        """
        self._stretch = stretch
        self._after = of_small(stretch.after.small)
        self._before = self._aligned(stretch.before) if stretch.before else None
        self._unlike_rests = (
            unlike(self._before, self._after, stretch.noise, WOBBLE_PX)
            if self._before is not None
            else np.zeros(self._after.log.shape[:2], np.bool_)
        )
        self._edge_px = edge_px
        self.die_area = DIE_AREA * cover * edge_px * edge_px
        self._hand_area = DIE_AREA * edge_px * edge_px
        self.size = self._after.log.shape[1], self._after.log.shape[0]
        self.at = lru_cache(maxsize=KEPT)(self._at)
        self._old = self._discs(old)
        self._twice = self._discs(dice)
        if self._before is not None:
            self._twice &= self._old

    def _discs(self, places: Sequence[Reals]) -> Bools:
        """Where dice at these places may be seen."""
        found = np.zeros(self._after.log.shape[:2], np.bool_)
        for place in places:
            rows, columns, disc = _disc(place, TWICE_EDGES * self._edge_px, found.shape)
            found[rows, columns] |= disc
        return found

    def lay_before(self, center: Reals) -> bool:
        """Whether that place looks as it did at the rest before."""
        return self._before is not None and self.lies(self._unlike_rests, center)

    def blends(self, center: Reals, dice: Sequence[Reals]) -> bool:
        """Whether a place where a die lay before looks as it did, though none lies there in the end (x, y of
        `dice` in small pixels): nobody can see when that one left."""
        away_px = [float(np.hypot(*(center - one))) for one in dice]
        return self.lay_before(center) and min(away_px, default=np.inf) > self._edge_px / 2

    def lies(self, mask: Bools, center: Reals) -> bool:
        """Whether hardly anything of a die's place there is in the mask of what differs."""
        return share_near(mask, center, PLACE_EDGES * self._edge_px) < LIES_SHARE

    def is_there(self, spotted: Spotted, center: Reals) -> bool | None:
        """Whether something covers that place; None where nobody knows how it looks without."""
        x, y = (round(float(each)) for each in center)
        if self._before is None or self._old[min(y, self.size[1] - 1), min(x, self.size[0] - 1)]:
            return None
        return share_near(spotted.unlike_before, center, PLACE_EDGES * self._edge_px) >= THERE

    def color_at(self, center: Reals, *, before: bool = False) -> Reals:
        """The mean colour of a die's place at rest, in log units."""
        rest = self._before if before and self._before is not None else self._after
        rows, columns, disc = _disc(center, PLACE_EDGES * self._edge_px, rest.log.shape[:2])
        patch = rest.log[rows, columns].astype(np.float32)[disc]
        return np.asarray(patch.mean(axis=0) if len(patch) else np.zeros(3), np.float32)

    def _aligned(self, one: ReelPicture) -> Thumbnail:
        """The picture as a glance; as the camera sees it at the end, where the camera moves."""
        seen = of_small(one.small)
        return shift(seen, *shift_between(seen, self._after)) if self._stretch.hand_held else seen

    def _at(self, index: int) -> Spotted:
        one = self._stretch.pictures[index]
        seen, noise = self._aligned(one), self._stretch.noise
        unlike_after = unlike(self._after, seen, noise, WOBBLE_PX)
        if self._before is None:
            unlike_before = np.ones(unlike_after.shape, np.bool_)
        elif self._stretch.before is self._stretch.after:
            unlike_before = unlike_after
        else:
            unlike_before = unlike(self._before, seen, noise, WOBBLE_PX)
        blobs, hand = self._parted(unlike_after & unlike_before & ~self._twice, seen, one.hands)
        return Spotted(one.time_ms, blobs, hand, _away_px(hand), unlike_after, unlike_before)

    def _parted(
        self, moving: Bools, seen: Thumbnail, hands: Bools | None
    ) -> tuple[tuple[MovingSpot, ...], Bools]:
        """The things that move, and what hands cover."""
        height, width = moving.shape
        closed = cv2.morphologyEx(moving.astype(np.uint8), cv2.MORPH_CLOSE, np.ones((3, 3), np.uint8))
        count, labels, stats, _ = cv2.connectedComponentsWithStats(closed, connectivity=8)
        covered = _enlarged(hands, width, height) if hands is not None else None
        hand, blobs = np.zeros(moving.shape, np.bool_), list[MovingSpot]()
        for number in range(1, count):
            left, top, wide, high, area = (int(each) for each in stats[number])
            if area < LEAST_AREA * self.die_area:
                continue
            part = np.s_[top : top + high, left : left + wide]
            own = np.asarray(labels[part] == number)
            at_border = left <= 1 or top <= 1 or left + wide >= width - 1 or top + high >= height - 1
            in_hand = covered is not None and bool(covered[part][own].any())
            least = HAND_AREA if in_hand else UNSEEN_AREA
            if area >= least * self._hand_area and (at_border or in_hand):
                hand[part] |= own
                continue
            down, right = np.nonzero(own)
            pixels = np.column_stack((right + left, down + top)).astype(np.float32)
            blobs.append(MovingSpot(pixels, seen.log[part][own].astype(np.float32), at_border))
        return tuple(blobs), hand


def share_near(mask: Bools, center: Reals, radius_px: float) -> float:
    """The share of a disc that the mask covers; 0 for one outside the picture."""
    rows, columns, disc = _disc(center, radius_px, mask.shape)
    return float(mask[rows, columns][disc].mean()) if disc.any() else 0.0


def _disc(center: Reals, radius_px: float, shape: tuple[int, ...]) -> tuple[slice, slice, Bools]:
    """The part of a picture round a disc, and which of its pixels are of the disc."""
    x, y = float(center[0]), float(center[1])
    top, bottom = max(0, int(y - radius_px)), min(shape[0], int(y + radius_px) + 2)
    left, right = max(0, int(x - radius_px)), min(shape[1], int(x + radius_px) + 2)
    down, across = np.ogrid[top : max(top, bottom), left : max(left, right)]
    return slice(top, bottom), slice(left, right), (across - x) ** 2 + (down - y) ** 2 <= radius_px**2


def _enlarged(cells: Bools, width: int, height: int) -> NDArray[np.bool_]:
    """Cells as small pixels."""
    return np.asarray(
        cv2.resize(cells.astype(np.uint8), (width, height), interpolation=cv2.INTER_NEAREST) > 0
    )


def _away_px(hand: Bools) -> Reals:
    """How far each small pixel is from the next one that a hand covers."""
    if not hand.any():
        return np.full(hand.shape, 1e6, np.float32)
    return np.asarray(cv2.distanceTransform((~hand).astype(np.uint8), cv2.DIST_L2, 3), np.float32)


# Things of a die's size that came to lie on the table and that nobody read or mentioned.
#
# How it works. Between the rest before and this one the small pictures differ where something new lies, and
# where something lay that is gone (`vision.watch.thumbnail`: light and noise apart). What the dice of either
# reading explain, with their sides and shadows, is left out. What then is left, in one piece, about as large
# as a die shows, and away from the picture's border, is something that no reader saw: a die in a strange
# colour, a thing that fell on the table, or dice one of which hid another. Whether it is a die, people must
# say.

REASON = phrase_later("of a die's size; take it away if it is none")
"""What is told of such a thing."""
EXPLAINED_EDGES, BY_D4_EDGES = 1.25, 0.9
"""How far a die's sides and its shadow reach from the middle of its up-face, in edges; and those of a D4,
which is lower and tapers. With more, of two that touch one hides the other."""
UNREAD_LEAST_AREA, UNREAD_MOST_AREA = 0.22, 2.5
"""How much of the picture such a thing covers, by `DIE_AREA`."""
LONGEST_EDGES = 2.6
"""The longest such a thing may be across: a pencil is no die."""


def find_unread(stretch: Stretch, before: Reading | None, after: Reading) -> tuple[UnsureDie, ...]:
    """What lies there at the end of a stretch and is in neither reading, left to right, in pixels of `after`.

    `before` was read at the stretch's beginning, of the same camera, in pictures of the same size. Nothing is
    told where the rest before was not seen, where the camera moves, or where no die was ever read: then
    nobody knows how large a die is.
    """
    known: list[SeenDie | UnsureDie] = []
    for reading in (before, after):
        known += (*reading.dice, *reading.unsure) if reading else ()
    if stretch.before is None or stretch.hand_held or not any(r and r.dice for r in (before, after)):
        return ()
    scale = stretch.after.small.shape[1] / after.width_px
    edge_px = find_edge(*([before] if before else []), after) * scale
    rests = of_small(stretch.before.small), of_small(stretch.after.small)
    new = difference(*rests, stretch.noise, WOBBLE_PX).astype(np.uint8)
    for one in known:
        x, y = ((at + 0.5) * scale - 0.5 for at in one.center_px)
        by_d4 = isinstance(one, SeenDie) and one.kind == "d4"
        reach_px = (BY_D4_EDGES if by_d4 else EXPLAINED_EDGES) * edge_px
        cv2.circle(new, (round(x), round(y)), round(reach_px), 0, cv2.FILLED)
    return tuple(
        UnsureDie(center_px=((x + 0.5) / scale - 0.5, (y + 0.5) / scale - 0.5), reason=REASON)
        for x, y in sorted(_things(new, edge_px))
    )


def _things(new: NDArray[np.uint8], edge_px: float) -> list[tuple[float, float]]:
    """The middles of what is in one piece, of a die's size, and away from the border, in small pixels."""
    closed = cv2.morphologyEx(new, cv2.MORPH_CLOSE, np.ones((3, 3), np.uint8))
    count, _, stats, centers = cv2.connectedComponentsWithStats(closed, connectivity=8)
    height, width = new.shape
    die_area, found = DIE_AREA * edge_px * edge_px, []
    for number in range(1, count):
        left, top, wide, high, area = (int(each) for each in stats[number])
        inside = left > 1 and top > 1 and left + wide < width - 1 and top + high < height - 1
        sized = UNREAD_LEAST_AREA * die_area <= area <= UNREAD_MOST_AREA * die_area
        if inside and sized and hypot(wide, high) <= LONGEST_EDGES * edge_px:
            found.append((float(centers[number][0]), float(centers[number][1])))
    return found
