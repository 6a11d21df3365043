"""Boxes in a picture: x0, y0, x1, y1 in pixels."""

from collections.abc import Sequence

Box = tuple[int, int, int, int]


def grouped(boxes: Sequence[Box], near_px: float, longest_px: float) -> list[tuple[Box, list[int]]]:
    """Boxes that lie nearer together than `near_px`, as long as what holds them stays below `longest_px`:
    each group's own box, and the places of its members."""
    groups: list[tuple[Box, list[int]]] = []
    for at, each in enumerate(boxes):
        box, members = each, [at]
        joined = True
        while joined:
            joined = False
            for group in groups:
                if apart(box, group[0]) < near_px and span(box, group[0]) < longest_px:
                    groups.remove(group)
                    box, members = around(box, group[0]), members + group[1]
                    joined = True
                    break
        groups.append((box, members))
    return groups


def apart(one: Box, other: Box) -> float:
    """How many pixels lie between two boxes; 0 where they meet."""
    across = max(one[0], other[0]) - min(one[2], other[2])
    down = max(one[1], other[1]) - min(one[3], other[3])
    return float(max(across, down, 0))


def span(one: Box, other: Box) -> float:
    """The longer side of the smallest box that holds both, in pixels."""
    both = around(one, other)
    return float(max(both[2] - both[0], both[3] - both[1]))


def at_least(box: Box, size: float) -> Box:
    """The box, grown equally to all sides until it is at least `size` wide and high."""
    across = max(0, round((size - box[2] + box[0]) / 2))
    down = max(0, round((size - box[3] + box[1]) / 2))
    return box[0] - across, box[1] - down, box[2] + across, box[3] + down


def around(one: Box, other: Box) -> Box:
    """The smallest box that holds both."""
    return min(one[0], other[0]), min(one[1], other[1]), max(one[2], other[2]), max(one[3], other[3])
