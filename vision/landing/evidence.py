"""Draws the evidence of one landing, seen from straight above, with its call.

The upper part shows the table at 10 pixels to the millimetre or more: the die's footprint, the lines as they
were laid with their uncertainty, the gap or the reach as a dimension, under a magnifying glass where it is
small, and a plan of where on the table this is. The lower part gives the call in words. All sizes are for a
picture 1200 pixels wide, for a phone or a print.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.arrays import Bools, Floats, Picture
from calibration.table import LaidDot, TableCalibration
from calibration.view import View
from engine.wording import phrase
from vision.landing import drafting
from vision.landing.call import (
    FAR_MM,
    NEAR_DOT_MM,
    SURE,
    Call,
    chances,
    dot_words,
    length_words,
    nearness,
    verdict_words,
    worth_words,
)
from vision.landing.drafting import GREY, INK, PAPER, LabelLayout
from vision.landing.field import Field, apart, field_of, sides
from vision.measured import MeasuredDie

# The table as it would look from straight above, put together from a picture taken from anywhere.
#
# Everything is brought to the table's plane; a die's top, which leans outwards in the picture, is brought
# down from its own height, and each point of its rounded edges from its own. What stands behind a die was not
# seen by the camera: it is drawn as it was laid, and striped so that nobody takes it for photographed.

_UNSEEN = (96, 96, 96)
"""The colour of what lies outside the picture."""
_BLOCK = 8
"""Rays are calculated for every eighth pixel and interpolated: a lens bends nothing in between."""


@dataclass(frozen=True, slots=True)
class DrawnArea:
    """Which part of the table a drawing shows. The table's +y points up in it."""

    center_mm: tuple[float, float]
    px_per_mm: float
    width_px: int
    height_px: int

    def px(self, points_mm: Floats) -> Floats:
        """Where points (..., 2) of the table lie in the drawing."""
        off = (np.asarray(points_mm) - self.center_mm) * (self.px_per_mm, -self.px_per_mm)
        found: Floats = np.add(off, ((self.width_px - 1) / 2, (self.height_px - 1) / 2))
        return found

    def mm(self, points_px: Floats) -> Floats:
        """The places of the table (..., 2) at points of the drawing."""
        off = np.asarray(points_px) - ((self.width_px - 1) / 2, (self.height_px - 1) / 2)
        found: Floats = off / (self.px_per_mm, -self.px_per_mm) + self.center_mm
        return found

    def grid_mm(self, step_px: int = 1, around: int = 0) -> Floats:
        """The places on the table (h, w, 2) of all blocks of `step_px` pixels, with `around` more blocks on
        each side."""
        count_x, count_y = -(-self.width_px // step_px), -(-self.height_px // step_px)
        xs = (np.arange(-around, count_x + around) + 0.5) * step_px - 0.5
        ys = (np.arange(-around, count_y + around) + 0.5) * step_px - 0.5
        return self.mm(np.stack(np.meshgrid(xs, ys), axis=-1))

    def filled(self, outline_mm: Floats) -> Bools:
        """Which pixels lie within a closed outline (height, width)."""
        mask = np.zeros((self.height_px, self.width_px), np.uint8)
        cv2.fillPoly(mask, [np.rint(self.px(outline_mm) * 16).astype(np.int32)], 1, shift=4)
        return mask.astype(bool)


def view_from_above(
    picture: Picture, calibration: TableCalibration, dice: Sequence[MeasuredDie], frame: DrawnArea
) -> Picture:
    """The part of the table in `frame` (height, width, 3) as seen from straight above."""
    view = calibration.view
    table = _on_plane(picture, view, frame)
    flat = [die for die in dice if die.pose == "flat"]
    footprints = [np.array(die.footprint_mm) for die in flat]
    hidden = np.zeros(table.shape[:2], bool)
    for die, outline in zip(flat, footprints, strict=True):
        hidden |= frame.filled(_behind(view, outline, die.edge_mm))
    if hidden.any():
        _as_laid(table, hidden, calibration, frame)
    for die, outline in zip(flat, footprints, strict=True):
        _lower(table, picture, die, outline, (calibration, frame))
    return table


def _on_plane(picture: Picture, view: View, frame: DrawnArea) -> Picture:
    """The whole picture seen as if it all lay in the table's plane."""
    places = frame.grid_mm(_BLOCK, around=1)
    height, width = places.shape[:2]
    seen = view.project(np.dstack([places, np.zeros((height, width))]).reshape(-1, 3))
    coarse = seen.reshape(height, width, 2).astype(np.float32)
    fine = cv2.resize(coarse, (width * _BLOCK, height * _BLOCK), interpolation=cv2.INTER_LINEAR)
    fine = fine[_BLOCK : _BLOCK + frame.height_px, _BLOCK : _BLOCK + frame.width_px]
    return _sampled(picture, np.asarray(fine, np.float32))


def _sampled(picture: Picture, places_px: NDArray[np.float32]) -> Picture:
    found = cv2.remap(
        picture,
        places_px[..., 0],
        places_px[..., 1],
        cv2.INTER_CUBIC,
        borderMode=cv2.BORDER_CONSTANT,
        borderValue=_UNSEEN,
    )
    return np.asarray(found, np.uint8)


def _behind(view: View, outline_mm: Floats, height_mm: float) -> Floats:
    """The part of the table (n, 2) that a die covers in the picture, including what it stands on."""
    eye = view.eye_mm
    top = eye[:2] + (outline_mm - eye[:2]) * eye[2] / (eye[2] - height_mm)
    hull = cv2.convexHull(np.concatenate([outline_mm, top]).astype(np.float32))
    return np.asarray(hull, np.float64).reshape(-1, 2)


def _as_laid(table: Picture, hidden: Bools, calibration: TableCalibration, frame: DrawnArea) -> None:
    """Paint what a die hides in the colours of its zones, with stripes."""
    zones = np.zeros(hidden.shape, np.int64)
    for value, lines in field_of(calibration.laid).painted:
        zones[frame.filled(lines[:, 0])] = value
    planned = {zone.value: bgr(zone.color) for zone in calibration.planned.end_zone.zone}
    for zone in np.unique(zones[hidden]).tolist():
        here = zones == zone
        open_ = here & ~hidden
        # Colours as they look in this light, where enough of the zone is visible.
        seen = np.median(table[open_], axis=0) if open_.sum() > 500 else planned.get(zone, (150, 150, 150))
        table[here & hidden] = np.asarray(seen, np.uint8)
    dot, drawn = calibration.laid.dot, calibration.planned.end_zone.dot
    if dot is not None and drawn is not None:
        table[frame.filled(circle(dot)) & hidden] = bgr(drawn.color)
    rows, columns = np.arange(hidden.shape[0])[:, None], np.arange(hidden.shape[1])
    pitch = max(10, round(frame.px_per_mm * 0.7))
    stripe = hidden & ((rows + columns) % pitch < pitch // 4)
    table[stripe] = (0.72 * table[stripe] + 0.28 * 255).astype(np.uint8)


def circle(dot: LaidDot) -> Floats:
    """The dot's outline (120, 2)."""
    turn = np.linspace(0, 2 * np.pi, 120, endpoint=False)
    found: Floats = dot.diameter_mm / 2 * np.stack([np.cos(turn), np.sin(turn)], axis=-1) + dot.center_mm
    return found


def bgr(color: str) -> tuple[int, int, int]:
    """A planned colour (#rrggbb) as blue, green, red."""
    red, green, blue = (int(color[at : at + 2], 16) for at in (1, 3, 5))
    return blue, green, red


def _lower(
    table: Picture,
    picture: Picture,
    die: MeasuredDie,
    outline_mm: Floats,
    where: tuple[TableCalibration, DrawnArea],
) -> None:
    """Bring a die's top down onto its footprint, each point of its rounded edge from its own height."""
    calibration, frame = where
    inside = frame.filled(outline_mm)
    if not inside.any():
        return
    left, top, width, height = cv2.boundingRect(inside.astype(np.uint8))
    box = (slice(top, top + height), slice(left, left + width))
    radius = calibration.dice.corner_radius_mm
    depth_px = cv2.distanceTransform(inside.astype(np.uint8), cv2.DIST_L2, cv2.DIST_MASK_PRECISE)
    rounded = np.maximum(radius - depth_px[box] / frame.px_per_mm, 0.0)
    below = radius - np.sqrt(np.maximum(radius**2 - rounded**2, 0.0))
    xs, ys = np.meshgrid(np.arange(left, left + width), np.arange(top, top + height))
    solid = np.dstack([frame.mm(np.dstack([xs, ys])), die.edge_mm - below])
    seen = calibration.view.project(solid.reshape(-1, 3)).astype(np.float32).reshape(height, width, 2)
    table[box][inside[box]] = _sampled(picture, seen)[inside[box]]


WIDTH_PX = 1200
SCENE_PX = 1080
CLOSE_PX_PER_MM = 20.0
WIDE_PX_PER_MM = 10.0
CLOSE_MM = 20.0
"""A line nearer than this is shown in close-up."""
GLASS_MM = 3.5
"""A gap smaller than this is shown under the magnifying glass."""
GLASS_PX = 210
"""The radius of the magnifying glass."""
LENGTH, NUMBER = 36, 52
"""The letters of a length, and those of a zone's number, in px."""
SHARES = (0.5, 0.65, 0.8, 0.35, 0.2, 0.95, 0.05)
"""Where along an arrow its length may stand, the best place first; 1 is at the line."""
OFFS_PX = (0, 40, 80, 130, 190, 250)
"""How much farther from it than close by."""
EDGE_PX = 8
"""As far from an outline or an arrow words keep away."""
PLAN_PX, SCALE_PX = (260.0, 340.0), (160.0, 100.0)
"""Width and height of the corners of the plan and of the scale."""
FOOTPRINT: drafting.Color = (214, 43, 255)
LINE: drafting.Color = PAPER
VERDICTS: dict[str, drafting.Color] = {"certain": (72, 128, 24), "too_close": (0, 106, 214)}


@dataclass(frozen=True, eq=False)
class Spot:
    """The place that decides: where a die comes nearest to a line, or to showing the dot."""

    on_die_mm: Floats
    on_line_mm: Floats
    mm: float
    sigma_mm: float

    @property
    def middle_mm(self) -> Floats:
        """The middle between the two places."""
        found: Floats = (self.on_die_mm + self.on_line_mm) / 2
        return found

    @property
    def words(self) -> str:
        """The length as words, with its plus-minus."""
        return length_words(self.mm, self.sigma_mm)


@dataclass(frozen=True, eq=False)
class Case:
    """Everything that is drawn of one landing."""

    picture: Picture
    calibration: TableCalibration
    die: MeasuredDie
    call: Call
    others: tuple[MeasuredDie, ...]
    number_alone: bool
    """Nobody asks for its zone: it was rolled for who goes first."""

    @property
    def field(self) -> Field:
        """The lines as they were laid."""
        return field_of(self.calibration.laid)

    @property
    def outline_mm(self) -> Floats:
        """The die's footprint (n, 2)."""
        return np.array(self.die.footprint_mm)


def draw_evidence(
    picture: Picture,
    calibration: TableCalibration,
    die: MeasuredDie,
    call: Call,
    *,
    others: Sequence[MeasuredDie] = (),
    title: str = "",
    number_alone: bool = False,
) -> Picture:
    """The evidence for one call: a picture (h, 1200, 3).

    `picture` is the measured one, of the calibration's size; `others` are the other dice on the table, which
    are shown from above too; `title` stands small at the foot: the file's name, the game, the time.
    `number_alone`: the die was rolled for its number, and no line or zone is told.
    """
    case = Case(picture, calibration, die, call, tuple(others), number_alone)
    spot = _spot(case)
    frame = _frame(case, spot)
    scene = _scene(case, frame)
    if not number_alone:
        room = _room(case, frame)
        if GLASS_MM < abs(spot.mm) <= FAR_MM:
            _arrow(scene, frame, spot, room)
        _numbers(scene, case, frame, room)
        if abs(spot.mm) <= GLASS_MM:
            _glass(scene, case, frame, spot)
    _overview(scene, case, frame)
    drafting.scale_bar(scene, (36, SCENE_PX - 34), 5, frame.px_per_mm)
    return np.concatenate([scene, _caption(case, title)])


def _spot(case: Case) -> Spot:
    """The place that decides: at the nearest line, or at the dot where that is closer."""
    near, dot, laid = case.call.near, case.call.dot, case.calibration.laid.dot
    if dot is None or laid is None or abs(dot.margin_mm) >= min(abs(near.mm), NEAR_DOT_MM):
        return Spot(np.array(near.on_die_mm), np.array(near.on_line_mm), near.mm, case.call.near_sigma_mm)
    middle = np.array(laid.center_mm)
    on_die = apart(middle[None], sides(case.outline_mm)).least().at_mm[0]
    out = on_die - middle if dot.margin_mm > -laid.diameter_mm / 2 else middle - on_die
    rim = middle + out / max(float(np.hypot(*out)), 1e-9) * laid.diameter_mm / 2
    return Spot(on_die, rim, dot.margin_mm, dot.sigma_mm)


def _frame(case: Case, spot: Spot) -> DrawnArea:
    """The part of the table to show: the die, and the line that decides where it is near enough."""
    x, y = case.die.center_mm
    if abs(spot.mm) <= GLASS_MM:  # A little down and to the left, for the glass stands at the upper right.
        return DrawnArea((x + 5.5, y + 3.5), CLOSE_PX_PER_MM, WIDTH_PX, SCENE_PX)
    if abs(spot.mm) > FAR_MM:
        return DrawnArea((x, y), CLOSE_PX_PER_MM, WIDTH_PX, SCENE_PX)
    both = np.concatenate([case.outline_mm, spot.on_line_mm[None]])
    right, up = ((both.max(axis=0) + both.min(axis=0)) / 2).tolist()
    scale = CLOSE_PX_PER_MM if abs(spot.mm) <= CLOSE_MM else WIDE_PX_PER_MM
    return DrawnArea((right, up), scale, WIDTH_PX, SCENE_PX)


def _scene(case: Case, frame: DrawnArea) -> Picture:
    """The table from above, with footprint, lines and dot, and how far each may be off."""
    scene = view_from_above(case.picture, case.calibration, (case.die, *case.others), frame)
    laid = case.calibration.laid
    pieces = [frame.px(piece) for piece in _in_view(case.field, frame)]
    wide = max(1.5, SURE * laid.sigma_mm * frame.px_per_mm)
    drafting.band(scene, pieces, wide + 1.5, INK, 0.35)
    drafting.band(scene, pieces, wide, LINE, 0.55)
    for piece in pieces:
        drafting.stroke(scene, piece, LINE, 2)
    if laid.dot is not None:
        drafting.stroke(scene, frame.px(circle(laid.dot)), LINE, 2, closed=True, casing=INK)
    for other in case.others:
        drafting.stroke(scene, frame.px(np.array(other.footprint_mm)), PAPER, 2, closed=True, casing=GREY)
    outline = frame.px(case.outline_mm)
    wide = SURE * case.die.sigma_mm * frame.px_per_mm
    if wide > 2:
        drafting.band(scene, list(sides(outline)), wide, FOOTPRINT, 0.25)
    drafting.stroke(scene, outline, FOOTPRINT, 3, closed=True, casing=PAPER)
    return scene


def _in_view(field: Field, frame: DrawnArea) -> Floats:
    """The pieces of line that may be visible."""
    reach = float(np.hypot(frame.width_px, frame.height_px)) / 2 / frame.px_per_mm
    pieces = field.pieces.segments_mm
    far = apart(np.array([frame.center_mm]), pieces).mm[0]
    found: Floats = pieces[far < reach]
    return found


def _room(case: Case, frame: DrawnArea) -> LabelLayout:
    """Where words may stand: not on dice, nor on the plan and the scale in their corners."""
    room = LabelLayout(WIDTH_PX, SCENE_PX)
    for die in (case.die, *case.others):
        room.take(frame.px(np.array(die.footprint_mm)), EDGE_PX)
    room.take_box(np.array([WIDTH_PX - PLAN_PX[0] / 2, SCENE_PX - PLAN_PX[1] / 2]), PLAN_PX)
    room.take_box(np.array([SCALE_PX[0] / 2, SCENE_PX - SCALE_PX[1] / 2]), SCALE_PX)
    return room


def _numbers(scene: Picture, case: Case, frame: DrawnArea, room: LabelLayout) -> None:
    """Write each zone's number where there is most room for it."""
    step = 20
    zones = case.field.zone_at(frame.grid_mm(step))
    free = np.ones(zones.shape, np.uint8)
    free[: 2 * GLASS_PX // step + 2, -(2 * GLASS_PX // step) - 2 :] = 0
    free[[0, -1]] = free[:, [0, -1]] = 0
    middles = np.indices(zones.shape)[::-1].reshape(2, -1).T.astype(np.float64) * step + step / 2
    free[room.hidden_px(middles, (step, step)).reshape(zones.shape) > 0] = 0
    for zone in np.unique(zones).tolist():
        name = f"×{zone}" if zone else phrase("out")
        hidden = room.hidden_px(middles, drafting.plate_size(name, NUMBER)).reshape(zones.shape)
        near = cv2.distanceTransform(free * (zones == zone).astype(np.uint8), cv2.DIST_L2, 5)
        near[hidden > 0] = 0
        _, most, _, (column, row) = cv2.minMaxLoc(near)
        if most * step > 55:
            middle = ((column + 0.5) * step, (row + 0.5) * step)
            drafting.plate(scene, name, middle, NUMBER, fill=INK, color=PAPER)


def _arrow(scene: Picture, frame: DrawnArea, spot: Spot, room: LabelLayout) -> None:
    """Draw the gap or the reach as a dimension, in place, its length beside it where it hides nothing."""
    begin, end = frame.px(spot.on_die_mm), frame.px(spot.on_line_mm)
    drafting.dimension(scene, begin, end)
    room.take(np.stack([begin, end]), EDGE_PX)
    way = end - begin
    aside = np.array([-way[1], way[0]]) / max(float(np.hypot(*way)), 1e-9)
    near = 48 + 150 * abs(float(aside[0]))
    away = [far for off in OFFS_PX for far in (near + off, -near - off)]
    middles: Floats = np.array([begin + share * way + far * aside for far in away for share in SHARES])
    size = drafting.plate_size(spot.words, LENGTH)
    middle = middles[int(np.argmin(room.hidden_px(middles, size)))]
    room.take_box(middle, size)
    drafting.plate(scene, spot.words, (float(middle[0]), float(middle[1])), LENGTH)


def _glass(scene: Picture, case: Case, frame: DrawnArea, spot: Spot) -> None:
    """Draw the deciding place enlarged, under a round glass."""
    size = 2 * GLASS_PX
    scale = float(np.clip(0.75 * GLASS_PX / max(abs(spot.mm), 1e-3), 2.5 * frame.px_per_mm, 400.0))
    x, y = spot.middle_mm.tolist()
    near = DrawnArea((x, y), scale, size, size)
    view = _scene(case, near)
    drafting.dimension(view, near.px(spot.on_die_mm), near.px(spot.on_line_mm))
    middle = np.array([WIDTH_PX - GLASS_PX - 26, GLASS_PX + 26])
    place = frame.px(spot.middle_mm)
    ring = max(GLASS_PX / scale * frame.px_per_mm, 9.0)
    way = (middle - place) / max(float(np.hypot(*(middle - place))), 1e-9)
    drafting.stroke(scene, np.stack([place + ring * way, middle - GLASS_PX * way]), INK, 2, casing=PAPER)
    cv2.circle(scene, np.rint(place).astype(int).tolist(), round(ring), PAPER, 5, cv2.LINE_AA)
    cv2.circle(scene, np.rint(place).astype(int).tolist(), round(ring), INK, 2, cv2.LINE_AA)
    mask = np.zeros((size, size), np.uint8)
    cv2.circle(mask, (GLASS_PX, GLASS_PX), GLASS_PX, 255, -1, cv2.LINE_AA)
    left, top = (middle - GLASS_PX).tolist()
    under = scene[top : top + size, left : left + size]
    share = mask[..., None] / 255.0
    under[:] = np.rint(share * view + (1 - share) * under).astype(np.uint8)
    cv2.circle(scene, middle.tolist(), GLASS_PX, PAPER, 9, cv2.LINE_AA)
    cv2.circle(scene, middle.tolist(), GLASS_PX, INK, 4, cv2.LINE_AA)
    drafting.plate(scene, spot.words, (float(middle[0]), float(middle[1] + GLASS_PX - 6)), 36)


def _overview(scene: Picture, case: Case, frame: DrawnArea) -> None:
    """Draw a small plan of the sheet, or of the whole field, with the die in it."""
    planned, laid = case.calibration.planned, case.calibration.laid
    sheet = case.die.center_mm[1] < planned.end_zone.depth_mm + 40
    corners = np.concatenate(
        [np.array(zone.polygon_mm) for zone in laid.zones]
        if sheet
        else [np.array(line) for tape in laid.tapes for line in (tape.inner_mm, tape.outer_mm)]
        + [np.array(laid.table_edge_mm) * (0.3, 1.0)]
    )
    everything = np.concatenate([corners, case.outline_mm])
    low, high = everything.min(axis=0) - 12, everything.max(axis=0) + 12
    scale = min(220 / (high[0] - low[0]), 300 / (high[1] - low[1]))
    width, height = (round(float(size) * scale) for size in high - low)
    middle = ((high + low) / 2).tolist()
    plan = DrawnArea((middle[0], middle[1]), scale, width, height)
    drawn = np.full((height, width, 3), (222, 226, 230), np.uint8)
    color = bgr(planned.tape.color)
    for tape in laid.tapes:
        strip = np.concatenate([np.array(tape.outer_mm), np.array(tape.inner_mm)[::-1]])
        drawn[plan.filled(strip)] = color
        drafting.stroke(drawn, plan.px(strip), GREY, 1, closed=True)
    colors = {zone.value: bgr(zone.color) for zone in planned.end_zone.zone}
    for zone in laid.zones:
        drawn[plan.filled(np.array(zone.polygon_mm))] = colors.get(zone.value, GREY)
    if laid.dot is not None:
        cv2.circle(drawn, np.rint(plan.px(np.array(laid.dot.center_mm))).astype(int).tolist(), 3, INK, -1)
    view = frame.mm(np.array([[0, 0], [WIDTH_PX, 0], [WIDTH_PX, SCENE_PX], [0, SCENE_PX]], float))
    drafting.stroke(drawn, plan.px(view), PAPER, 2, closed=True, casing=INK)
    drafting.stroke(drawn, plan.px(case.outline_mm), FOOTPRINT, 3, closed=True, casing=PAPER)
    left, top = WIDTH_PX - width - 28, SCENE_PX - height - 28
    drafting.box(scene, (left - 8, top - 8, width + 16, height + 16), PAPER, radius=10)
    scene[top : top + height, left : left + width] = drawn


def _caption(case: Case, title: str) -> Picture:
    """The call in words, on paper."""
    call, left, room = case.call, 44, WIDTH_PX - 88
    told = [nearness(call), f"{chances(call)}.", dot_words(call.dot)]
    told = [phrase("Its number alone counts.")] if case.number_alone else told
    if case.die.pose == "cocked":
        told.append(phrase("It leans: what counts is its projection, which is drawn."))
    if case.die.note:
        note = "; ".join(phrase(reason) for reason in case.die.note.split("; "))
        told.append(f"{note[:1].upper()}{note[1:]}.")
    lines = [line for words_ in told if words_ for line in drafting.wrap(words_, 36, room, 500)]
    out = drafting.wrap("" if case.number_alone else call.ways_out, 32, room, 500)
    small = phrase("± holds 95 times in 100 · straight from above · striped: hidden from the camera")
    foot = f"{title} · {small}" if title else small
    notes = drafting.wrap(foot, 22, room)
    paper = np.full((196 + 52 * len(lines) + 44 * len(out) + 32 * len(notes), WIDTH_PX, 3), PAPER, np.uint8)
    drafting.text(paper, _headline(case), (left, 112), 92, weight=800)
    if not case.number_alone:
        _pill(paper, call)
    at = 182
    for line in lines:
        drafting.text(paper, line, (left, at), 36, weight=500)
        at += 52
    for line in out:
        drafting.text(paper, line, (left, at), 32, VERDICTS["too_close"], weight=500)
        at += 44
    for line in notes:
        drafting.text(paper, line, (left, at), 22, GREY)
        at += 32
    return paper


def _headline(case: Case) -> str:
    """What the die counts, in large letters."""
    if case.number_alone:
        return phrase("Rolls {value}", value=case.die.value) if case.die.value else phrase("Rolls")
    return worth_words(case.die.value, case.call)


def _pill(paper: Picture, call: Call) -> None:
    """How sure the zone is, in its colour at the right."""
    pill = verdict_words(call)
    width = drafting.text_width(pill, 40, 700) + 60
    drafting.box(paper, (WIDTH_PX - 44 - width, 42, width, 78), VERDICTS[call.call], radius=39)
    drafting.text(paper, pill, (WIDTH_PX - 44 - width + 30, 95), 40, PAPER, weight=700)
