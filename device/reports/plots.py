"""What a report draws: scores over the turns of a game, how often each face came, where dice landed."""

import math
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import pairwise

from calibration.description import TableDescription
from device.printing import end_zone_drawing
from device.printing.shapes import INK, SOFT, Align, Area, Disc, Drawing, PointMm, Rule, Shape, Words, box
from device.reports.played import LandingPlace, PlayedGame
from engine.dice import Face
from engine.wording import phrase, told_number
from engine.words import face_word

COLORS = (
    "#b3261e", "#1d5fb8", "#8a5a00", "#29733a", "#7b3fa0", "#00706b",
    "#a3386c", "#4a4f55", "#5b6b00", "#a04a12", "#3f51b5", "#6d4c41",
)  # fmt: skip
"""One for each player of a game; on white each has a contrast of 4.5 or more."""
PAPER = "#ffffff"
LINE = "#d9d9d4"
FAIR = "#b3261e"
BAR = "#7d9bc1"
SCORES_MM = (170.0, 70.0)
FACES_MM = (80.0, 42.0)
LEFT_MM, BELOW_MM, ABOVE_MM = 12.0, 9.0, 5.0
NAMES_MM = 38.0
"""Room for the names at the right end of their lines."""
TYPE_MM = 2.2
LONGEST_NAME = 14
CELL_MM = 25.0
"""Where many dice landed they are counted in squares of that side."""
FEW = 60
"""Up to so many landings are drawn each by itself, and turns with a dot."""
COOL, HOT = (255, 214, 102), (178, 24, 43)
"""A square with the fewest landings, and one with the most."""
BEYOND_MM = 150.0
"""How much of the table before the sheet is drawn at most."""


def score_lines(game: PlayedGame) -> Drawing:
    """Each player's score over the turns."""
    wide, high = SCORES_MM
    courses = [(0,) * len(game.record.players), *(turn.scores for turn in game.turns)]
    least = min(0, *(min(scores) for scores in courses))
    most = max(1, *(max(scores) for scores in courses))
    step = nice_step((most - least) / 5)
    top, bottom = math.ceil(most / step) * step, math.floor(least / step) * step
    right, turns = wide - NAMES_MM, max(1, len(courses) - 1)

    def at(turn: int, score: float) -> PointMm:
        along = LEFT_MM + (right - LEFT_MM) * turn / turns
        return along, BELOW_MM + (high - BELOW_MM - ABOVE_MM) * (score - bottom) / (top - bottom)

    shapes: list[Shape] = [Area(points_mm=box(0, 0, wide, high), fill=PAPER)]
    for number in range(round((top - bottom) / step) + 1):
        score = bottom + number * step
        shapes.append(Rule(from_mm=at(0, score), to_mm=at(turns, score), color=LINE))
        shapes.append(_note(f"{score:,g}", (LEFT_MM - 1.5, at(0, score)[1] - TYPE_MM / 2), "right"))
    every = range(0, turns + 1, nice_step(turns / 10))
    shapes += [_note(str(turn), (at(turn, 0)[0], BELOW_MM - 4.0), "middle") for turn in every]
    shapes.append(_note(phrase("turns of all players"), ((LEFT_MM + right) / 2, 1.0), "middle"))
    for seat in range(len(game.record.players)):
        points = [at(turn, scores[seat]) for turn, scores in enumerate(courses)]
        shapes += _course(points, COLORS[seat % len(COLORS)])
    shapes += _names(game, [at(turns, score)[1] for score in courses[-1]], right + 1.5)
    return Drawing(title="Scores", width_mm=wide, height_mm=high, shapes=tuple(shapes))


def nice_step(least: float) -> int:
    """The least of 1, 2, 5, 10, 20, 50 and so on that is no smaller."""
    scale = int(10 ** math.floor(math.log10(max(least, 1))))
    return next(scale * factor for factor in (1, 2, 5, 10) if scale * factor >= least)


def _course(points: Sequence[PointMm], color: str) -> Iterator[Shape]:
    for start, end in pairwise(points):
        yield Rule(from_mm=start, to_mm=end, color=color, width_mm=0.6)
    if len(points) <= FEW:
        for point in points[1:]:
            yield Disc(center_mm=point, radius_mm=0.8, fill=color)


def _names(game: PlayedGame, ends: Sequence[float], x: float) -> Iterator[Shape]:
    """Each player's name and score beside the end of the line; where ends meet, one above the other."""
    room = TYPE_MM * 1.6
    order = sorted(range(len(ends)), key=lambda seat: (ends[seat], -seat))
    floor = BELOW_MM - room
    placed = {}
    for seat in order:
        placed[seat] = floor = max(ends[seat] - TYPE_MM / 2, floor + room)
    ceiling = SCORES_MM[1] - TYPE_MM
    for seat in reversed(order):
        placed[seat] = ceiling = min(placed[seat], ceiling)
        ceiling -= room
    for seat, y in placed.items():
        name, score = game.record.players[seat], game.turns[-1].scores[seat] if game.turns else 0
        text = f"{shortened(name)} {told_number(score, ',')}"
        yield Words(text=text, at_mm=(x, y), size_mm=TYPE_MM, color=COLORS[seat % len(COLORS)], bold=True)


def shortened(name: str) -> str:
    """A name that fits beside a line."""
    return name if len(name) <= LONGEST_NAME else f"{name[: LONGEST_NAME - 1]}…"


def face_bars(counts: Mapping[Face, int], expected: Mapping[Face, float]) -> Drawing:
    """How often each face came, and how often a fair die's would (the red lines)."""
    wide, high = FACES_MM
    most = max(1.0, *counts.values(), *expected.values())
    floor, room = 6.0, high - 6.0 - 6.0
    slot = wide / len(expected)
    shapes: list[Shape] = [Area(points_mm=box(0, 0, wide, high), fill=PAPER)]
    for number, (face, fair) in enumerate(expected.items()):
        middle, count = slot * (number + 0.5), counts.get(face, 0)
        left, right, top = middle - slot * 0.32, middle + slot * 0.32, floor + room * count / most
        level = floor + room * fair / most
        shapes += [
            Area(points_mm=box(left, floor, right, top), fill=BAR),
            Rule(from_mm=(left - 1, level), to_mm=(right + 1, level), color=FAIR, width_mm=0.5),
            Words(text=face_word(face), at_mm=(middle, 1.5), size_mm=TYPE_MM, align="middle", bold=True),
            _note(told_number(count, ","), (middle, max(top, level) + 1.2), "middle"),
        ]
    shapes.append(Rule(from_mm=(0, floor), to_mm=(wide, floor), color=SOFT))
    return Drawing(title="Faces", width_mm=wide, height_mm=high, shapes=tuple(shapes))


def landing_map(places: Sequence[LandingPlace], told: TableDescription) -> Drawing:
    """Where dice came to lie on the sheet, its back edge below; the far end's are turned onto the same."""
    sheet = end_zone_drawing(told)
    at = [_on_sheet(place, told) for place in places]
    high = sheet.height_mm + min(
        BEYOND_MM, max(0.0, *(y - sheet.height_mm + CELL_MM for _, y in at)) if len(at) > 1 else BEYOND_MM
    )
    ground = Area(points_mm=box(0, 0, sheet.width_mm, high), fill="#efeee8")
    inside = [(x, y) for x, y in at if 0 <= x <= sheet.width_mm and 0 <= y <= high]
    shapes: list[Shape] = [ground, *(_pale(shape) for shape in sheet.shapes if not isinstance(shape, Words))]
    shapes += _points(inside) if len(inside) <= FEW else _squares(inside, (sheet.width_mm, high))
    shapes += [replace(shape, color=INK) for shape in sheet.shapes if isinstance(shape, Words)]
    return Drawing(title=sheet.title, width_mm=sheet.width_mm, height_mm=high, shapes=tuple(shapes))


def _on_sheet(place: LandingPlace, told: TableDescription) -> PointMm:
    """A place in mm from the sheet's lower left corner, whichever end it is at."""
    x, y, half = place.x_mm, place.y_mm, told.end_zone.width_mm / 2
    if y > told.table.halfway_y_mm:
        x, y = -x, 2 * told.table.halfway_y_mm - y
    return x + half, y


def _pale(shape: Shape) -> Shape:
    """The sheet in washed-out colours, so that landings stand out."""
    match shape:
        case Area(points_mm=points, fill=fill) if fill:
            return Area(points_mm=points, fill=_mixed(_rgb(fill), (255, 255, 255), 0.65), stroke=SOFT)
        case Disc(center_mm=center, radius_mm=radius):
            return Disc(center_mm=center, radius_mm=radius, stroke=SOFT, stroke_mm=1.0)
        case _:
            return shape


def _points(at: Sequence[PointMm]) -> Iterator[Shape]:
    for point in at:
        yield Disc(center_mm=point, radius_mm=4.0, fill=_mixed(COOL, HOT, 1.0), stroke=PAPER, stroke_mm=0.8)


def _squares(at: Sequence[PointMm], room_mm: PointMm) -> Iterator[Shape]:
    """A square for each stretch of the sheet: the more dice came to lie there, the larger and the darker."""
    counts = Counter((int(x // CELL_MM), int(y // CELL_MM)) for x, y in at)
    most = max(counts.values())
    for (column, row), count in sorted(counts.items()):
        left, bottom = column * CELL_MM, row * CELL_MM
        share = count / most
        off = CELL_MM * (1 - math.sqrt(share)) / 2
        right, top = min(left + CELL_MM, room_mm[0]), min(bottom + CELL_MM, room_mm[1])
        if right - left > 2 * off and top - bottom > 2 * off:
            corners = box(left + off, bottom + off, right - off, top - off)
            yield Area(points_mm=corners, fill=_mixed(COOL, HOT, share), stroke=PAPER)


def _rgb(color: str) -> tuple[int, int, int]:
    return int(color[1:3], 16), int(color[3:5], 16), int(color[5:7], 16)


def _mixed(one: tuple[int, int, int], other: tuple[int, int, int], share: float) -> str:
    red, green, blue = (round(a + (b - a) * share) for a, b in zip(one, other, strict=True))
    return f"#{red:02x}{green:02x}{blue:02x}"


def _note(text: str, at_mm: PointMm, align: Align) -> Words:
    return Words(text=text, at_mm=at_mm, size_mm=TYPE_MM * 0.9, color=SOFT, align=align)
