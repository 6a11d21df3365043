"""Things of a die's size that came to lie on the table and that nobody read or mentioned.

How it works. Between the rest before and this one the small pictures differ where something new lies, and
where something lay that is gone (`vision.watch.glance`: light and noise apart). What the dice of either
reading explain, with their sides and shadows, is left out. What then is left, in one piece, about as large as
a die shows, and away from the picture's border, is something that no reader saw: a die in a strange colour, a
thing that fell on the table, or dice one of which hid another. Whether it is a die, people must say.
"""

from math import hypot

import cv2
import numpy as np
from numpy.typing import NDArray

from engine.wording import phrase_later
from vision.reading import Reading, SeenDie, UnsureDie
from vision.watch.change import find_edge
from vision.watch.glance import difference, of_small
from vision.watch.reel import Stretch
from vision.watch.spot import DIE_AREA, WOBBLE_PX

REASON = phrase_later("of a die's size; take it away if it is none")
"""What is told of such a thing."""
EXPLAINED_EDGES, BY_D4_EDGES = 1.25, 0.9
"""How far a die's sides and its shadow reach from the middle of its up-face, in edges; and those of a D4,
which is lower and tapers. With more, of two that touch one hides the other."""
LEAST_AREA, MOST_AREA = 0.22, 2.5
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
        sized = LEAST_AREA * die_area <= area <= MOST_AREA * die_area
        if inside and sized and hypot(wide, high) <= LONGEST_EDGES * edge_px:
            found.append((float(centers[number][0]), float(centers[number][1])))
    return found
