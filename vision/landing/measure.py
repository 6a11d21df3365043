"""Measures all dice in one picture of a calibrated table; what was not measured is reported with its reason.

How it works. A small picture tells where something lies (`find`); there, outlines of dice are laid over the
picture's edges (`pose_candidates`); from the best places the cube's pose is fitted to sub-pixel edges at full
resolution (`fit`), its up-face is read (`faces`), and the pips' evidence of the place is put together with
the outline's (`pose_evidence`); how a die with a lone pip is turned, its sides tell (`shape_refinement`), and
how round and long the edges of a die are, networks (`shape_refinement`). Where flat dice do not fit, leaning
ones are tried (`lean_test`). What lies there and is none of these is reported, never guessed.
"""

import time
from dataclasses import replace
from functools import partial

import cv2
import numpy as np

from calibration.arrays import Picture
from calibration.table import TableCalibration
from engine.wording import phrase_later
from vision.landing.candidate_filter import (
    CLOSE_MM,
    OVERLAP,
    DoubtedStart,
    at_border,
    beside,
    doubted_near,
    least_gap_mm,
    may_be_made_up,
    off_mm,
    once,
    outdone,
    resting_after_all,
    scene_at,
    shows_more,
)
from vision.landing.cube import Cube, flat_cube, gap_mm, yaw_of
from vision.landing.faces import FaceReading, likeness_of, read_face, shows_part
from vision.landing.find import Blob, Box, Finder, Foreground, at_least, grouped
from vision.landing.fit import Fit, FitInput, fit_cube
from vision.landing.image_quality import refuse_mismatch
from vision.landing.lean_test import LEANS_DOUBT, MAY_LEAN_DOUBT, RestTest, is_believable, lean_near
from vision.landing.pose_candidates import SlopeField, Start, starts
from vision.landing.pose_evidence import LONELY_DOUBT, FittedDie, agree, anchor_of, lean_doubt, report
from vision.landing.shape_refinement import ShapeReader, turn_as_sides_run
from vision.measured import MeasuredDie, Measurement
from vision.reading import UnsureDie

MOST_PLACES = 24
"""The most places that are looked at in one picture, the most striking first: no game throws more dice."""
LIKELY_SCORE = 0.56
"""The least `Start.score` with which a flat die is fitted."""
SECOND_SCORE = 0.68
"""The same for a second die, where hardly more stands out than one die and its shadow."""
FAINT_SCORE = 0.5
"""The least score of a die that hardly stands out (of clear resin, say): it is reported if it shows pips."""
CLEAR_SCORE = 0.68
"""The score from which an outline is a die's or like one: it is reported if it cannot be measured."""
BESIDE, MOST_BESIDE = 1.6, 8
"""How far round a die that was found its neighbours are looked for, in edges, and in how many places."""
LEAST_VISIBLE = 0.6
PIPS_SEARCH_MM = 1.0
"""How far round a start's middle pips are searched for."""
LIKE_PIPS = 0.8
"""The least correlation with a pattern of pips of an up-face that is where it was thought."""
BETTER_PIPS = 0.004
"""How much more like pips a leaning pose's up-face must be than the flat pose's in its place."""
LEAN_SHOWS = 2.5
"""In px per mm: in coarser pictures a die that leans on another may pass for a flat one."""
ARGUED = phrase_later("leans, or touches another die")
MOST_EDGE_MM = 0.33
"""The most by which a die's edge may differ from the nominal."""
LEAST_SUPPORT = 0.55
"""The least share of its outline that must run along edges for a thing without a number to be a die."""
CROWDED = 2.2
"""In areas of a die: a blob of this size or more is more than one die and its shadow."""
PERHAPS_TWO = 1.9
"""In areas of a die: a blob of this size or more may be two dice, one leaning on the other."""
LARGEST_HEAP = 14.0
LARGEST_THING = 60.0
STRIKING_LARGE = 20.0
"""How strongly (`Blob.depth`) something larger than a heap of dice must stand out to be reported, as a card
does. A stain, or a part of the table in another light, is not."""
MOST_LEANS = 3
"""The most places in one heap where leaning dice are tried; further ones are only reported."""
OVERLAP_MM = 1.5
"""The most by which two flat dice may overlap: they cannot, but both have errors."""
LEANING_OVERLAP_MM = 5.0
"""The same for a leaning die, which may lie over another's edge."""
NEAR_MM = 24.0
"""What stands out within this distance of a measured die's middle is its shadow or its side."""
UNREAD = phrase_later("its number cannot be read")
LEANS = phrase_later("leans, or is half hidden")


class Measurer:
    """Measures pictures of one calibrated table."""

    def __init__(self, calibration: TableCalibration, threads: int = 1) -> None:
        """`threads` is OpenCV's number of threads for the whole program."""
        if threads < 1:
            raise ValueError(f"a measurer needs one thread or more; got {threads}")
        cv2.setNumThreads(threads)
        self.calibration = calibration
        self._finder = Finder(calibration)
        self._rest_test = RestTest(calibration, threads)
        self._shape_reader = ShapeReader(calibration, threads)

    def measure(self, picture: Picture, empty: Picture | None = None) -> Measurement:
        """The dice in a picture (h, w, 3), blue green red, of the calibration's size.

        `empty`, where there is one, shows the empty table from the same place; it is not needed. Raises
        `CalibrationMismatch`.
        """
        begun = time.perf_counter()
        fitted, unsure = self.fitted(picture, empty)
        placed = self._shape_reader.refine(picture, fitted)
        dice = sorted((self._reported(one, placed, unsure) for one in placed), key=lambda die: die.center_px)
        elapsed_ms = (time.perf_counter() - begun) * 1000
        return Measurement(dice=tuple(dice), unsure=tuple(unsure), elapsed_ms=elapsed_ms)

    def fitted(
        self, picture: Picture, empty: Picture | None = None
    ) -> tuple[list[FittedDie], list[UnsureDie]]:
        """What lies in the picture, as outline and pips alone tell it."""
        refuse_mismatch(picture, self.calibration.view.lens)
        if empty is not None:
            refuse_mismatch(empty, self.calibration.view.lens)
        found = self._finder.find(picture, empty)
        placed: list[FittedDie] = []
        unsure: list[UnsureDie] = []
        for box, blobs in self._places(found.blobs):
            self._look(picture, box, blobs, placed, unsure)
        for one in tuple(placed):
            self._look_beside(picture, found, one, placed, unsure)
        placed = self._parted(picture, placed, unsure)
        left = [one for one in unsure if not self._is_measured(one, placed)]
        return placed, once(left, OVERLAP * self.calibration.dice.edge_mm)

    def _places(self, blobs: tuple[Blob, ...]) -> list[tuple[Box, list[Blob]]]:
        """The boxes to look at, the most striking first; blobs that nearly touch share one."""
        view = self.calibration.view
        middle = view.on_plane(np.array([[view.lens.width_px / 2, view.lens.height_px / 2]]))[0]
        near = 6.0 * view.scale_px_per_mm(float(middle[0]), float(middle[1]))
        found = grouped([blob.box_px for blob in blobs], near, 12 * near)
        groups = [(box, [blobs[at] for at in members]) for box, members in found]
        groups.sort(key=lambda group: -max(b.depth * min(b.area_dice, 1.5) for b in group[1]))
        # Perhaps only the shadow of a white die on white tape stands out: the die's middle may lie beside
        # that.
        die = self.calibration.dice.edge_mm * near / 6.0
        return [(at_least(box, 1.6 * die), members) for box, members in groups[:MOST_PLACES]]

    def _look(
        self, picture: Picture, box: Box, blobs: list[Blob], placed: list[FittedDie], unsure: list[UnsureDie]
    ) -> None:
        """Find the dice in one box and add them to `placed` or `unsure`."""
        if max(blob.area_dice for blob in blobs) > LARGEST_HEAP:
            large = [
                b for b in blobs if b.depth > STRIKING_LARGE and LARGEST_HEAP < b.area_dice < LARGEST_THING
            ]
            if large:
                unsure.append(self._thing(large, phrase_later("something large that is no die")))
            return
        view, dice = self.calibration.view, self.calibration.dice
        area = sum(blob.area_dice for blob in blobs)
        crowded = area > CROWDED
        tried, field = starts(picture, view, dice, box, most=6 + 2 * round(area))
        doubts: list[DoubtedStart] = []
        refused: list[FittedDie] = []
        known = len(placed) + len(unsure)
        for start in tried:
            if start.score < FAINT_SCORE or self._taken(start.x_mm, start.y_mm, placed):
                continue
            alone = len(placed) + len(unsure) == known or crowded
            if start.score < (LIKELY_SCORE if alone else SECOND_SCORE):
                doubts.append(DoubtedStart(start, len(placed)))
                continue
            close = area > PERHAPS_TWO or self._near(start.x_mm, start.y_mm, placed, CLOSE_MM)
            one = self._flat(picture, start, placed, refused, crowded=close)
            if isinstance(one, FittedDie):
                placed.append(one)
            elif isinstance(one, UnsureDie):
                unsure.append(one)
            else:
                doubts.append(DoubtedStart(start, len(placed)))
        placed += resting_after_all(refused, placed, doubts, view, partial(self._rest_test.doubt, picture))
        self._doubted(picture, field, doubts, placed, unsure)
        striking = [b for b in blobs if b.is_worth_a_word]
        if len(placed) + len(unsure) == known and striking:
            thing = self._thing(striking, phrase_later("no die that can be recognised"))
            if thing.center_mm is not None and not self._near(*thing.center_mm, placed, NEAR_MM):
                unsure.append(thing)

    def _doubted(
        self,
        picture: Picture,
        field: SlopeField,
        doubts: list[DoubtedStart],
        placed: list[FittedDie],
        unsure: list[UnsureDie],
    ) -> None:
        """Try a leaning die at each place where no flat one fitted, or leave it to the referee."""
        reach_mm = OVERLAP * self.calibration.dice.edge_mm
        leant: list[Start] = []
        for start, known in doubts:
            if self._taken(start.x_mm, start.y_mm, placed):
                continue
            clear = start.score > CLEAR_SCORE
            one = self._again(picture, start, placed) if clear and len(placed) > known else None
            if one is None and clear and len(leant) < MOST_LEANS and not outdone(start, leant, reach_mm):
                leant.append(start)
                one = self._leaning(picture, field, start, placed)
            if one is not None:
                placed.append(one)
            elif clear or self._has_pips(picture, start):
                unsure.append(self._unmeasured(start.x_mm, start.y_mm, LEANS))

    def _look_beside(
        self,
        picture: Picture,
        found: Foreground,
        one: FittedDie,
        placed: list[FittedDie],
        unsure: list[UnsureDie],
    ) -> None:
        """Find a die that touches one which was found, and stands out so little by itself that nobody looked
        where it lies."""
        view, dice = self.calibration.view, self.calibration.dice
        reach = round(
            BESIDE * dice.edge_mm * view.scale_px_per_mm(*(float(part) for part in one.cube.center_mm[:2]))
        )
        x, y = (round(float(part)) for part in view.project(one.cube.center_mm[None])[0])
        if not found.has_spots(x, y, reach):
            return
        tried, _ = starts(picture, view, dice, (x - reach, y - reach, x + reach, y + reach), most=MOST_BESIDE)
        for start in tried:
            at = start.x_mm, start.y_mm
            known = self._taken(*at, placed) or doubted_near(*at, unsure, OVERLAP * dice.edge_mm)
            if known or start.score <= CLEAR_SCORE or not self._has_pips(picture, start):
                continue
            other = self._flat(picture, start, placed, [], crowded=True)
            if isinstance(other, FittedDie):
                placed.append(other)
            else:
                unsure.append(other or self._unmeasured(*at, LEANS))

    def _again(self, picture: Picture, start: Start, placed: list[FittedDie]) -> FittedDie | None:
        """A die that lies flat after all, now that a neighbour with edges like its own is known."""
        near = self._near(start.x_mm, start.y_mm, placed, CLOSE_MM)
        one = self._flat(picture, start, placed, [], crowded=True) if near else None
        return one if isinstance(one, FittedDie) else None

    def _rest_doubt(self, picture: Picture, fit: Fit, others: list[FittedDie]) -> float:
        return self._rest_test.doubt(picture, fit, least_gap_mm(fit.cube, others))

    def _thing(self, blobs: list[Blob], reason: str) -> UnsureDie:
        """The largest of some blobs, as something that is not measured."""
        largest = max(blobs, key=lambda blob: blob.area_dice)
        x, y = (float(part) for part in self.calibration.view.on_plane(np.array([largest.center_px]))[0])
        return UnsureDie(center_px=largest.center_px, center_mm=(x, y), reason=reason)

    def _has_pips(self, picture: Picture, start: Start) -> bool:
        """Whether something like a face with pips is seen at a start."""
        dice = self.calibration.dice
        cube = flat_cube(start.x_mm, start.y_mm, start.yaw_rad, dice.edge_mm, dice.corner_radius_mm)
        return likeness_of(picture, self.calibration.view, cube, PIPS_SEARCH_MM) > LIKE_PIPS

    def _flat(
        self,
        picture: Picture,
        start: Start,
        placed: list[FittedDie],
        refused: list[FittedDie],
        *,
        crowded: bool,
    ) -> FittedDie | UnsureDie | None:
        """The die that lies flat at a start, or why none is measured there. One that was read and is doubted
        goes to `refused`."""
        dice = self.calibration.dice
        cube = flat_cube(start.x_mm, start.y_mm, start.yaw_rad, dice.edge_mm, dice.corner_radius_mm)
        scene = scene_at(picture, self.calibration, start.x_mm, start.y_mm, placed)
        fit, reading = self._fitted(picture, scene, cube, PIPS_SEARCH_MM)
        if fit is None or (fit.visible < LEAST_VISIBLE and at_border(self.calibration, start)):
            return self._unmeasured(start.x_mm, start.y_mm, phrase_later("half out of the picture"))
        inside = any(gap_mm(fit.cube, other.cube) < -OVERLAP_MM for other in beside(fit.cube, placed))
        if inside or abs(fit.cube.edge_mm - dice.edge_mm) > MOST_EDGE_MM:
            return None
        if reading.value is not None and agree(fit) and reading.likeness > LIKE_PIPS:
            doubt = lean_doubt(fit, reading, scene.scale(start.x_mm, start.y_mm))
            few = may_be_made_up(fit, reading, scene.scale(start.x_mm, start.y_mm), start.score)
            part = shows_part(picture, self.calibration.view, fit.cube, reading)
            if few or part or shows_more(refused, fit, reading):
                return None
            rest_doubt = self._rest_doubt(picture, fit, placed) if crowded else 0.0
            one = FittedDie(fit, reading, "flat", rest_doubt)
            if rest_doubt <= LEANS_DOUBT and (crowded or doubt <= LONELY_DOUBT):
                return one
            refused.append(one)
            return None
        blank = reading.value is None and fit.support > LEAST_SUPPORT and fit.weakest > 0
        # An outline without pips may be a shadow with one side of a die: such ones were up to 5 mm off.
        unread = blank and not crowded and start.score > CLEAR_SCORE
        return self._unmeasured(start.x_mm, start.y_mm, UNREAD) if unread else None

    def _fitted(
        self, picture: Picture, scene: FitInput, cube: Cube, search_mm: float
    ) -> tuple[Fit | None, FaceReading]:
        """A flat cube fitted to its outline and its pips, and what its face shows."""
        view = self.calibration.view
        reading = read_face(picture, view, cube, search_mm)
        scale = scene.scale(*(float(part) for part in cube.center_mm[:2]))
        anchor = anchor_of(cube, reading, scale)
        if anchor is not None and search_mm:
            # Read again from where the pips put the die: pips far from the start are seen a little aslant.
            yaw = anchor.yaw_rad if anchor.yaw_rad is not None else yaw_of(cube)
            cube = flat_cube(anchor.x_mm, anchor.y_mm, yaw, cube.edge_mm, cube.radius_mm)
            reading = read_face(picture, view, cube)
            anchor = anchor_of(cube, reading, scale)
        fit = fit_cube(scene, cube, anchor=anchor)
        if fit is not None and anchor is not None and anchor.yaw_rad is None:
            fit = turn_as_sides_run(picture, scene, fit, anchor)
        return fit, reading

    def _leaning(
        self, picture: Picture, field: SlopeField, start: Start, placed: list[FittedDie]
    ) -> FittedDie | None:
        dice = self.calibration.dice
        cube = flat_cube(start.x_mm, start.y_mm, start.yaw_rad, dice.edge_mm, dice.corner_radius_mm)
        scene = scene_at(picture, self.calibration, start.x_mm, start.y_mm, placed)
        found = lean_near(picture, scene, field, cube)
        scale = scene.scale(start.x_mm, start.y_mm)
        if found is None or not is_believable(*found, scale):
            return None
        upright = likeness_of(picture, self.calibration.view, cube, PIPS_SEARCH_MM)
        if found[1].likeness < upright + BETTER_PIPS:
            return None
        near = beside(found[0].cube, placed)
        if any(gap_mm(found[0].cube, other.cube) < -LEANING_OVERLAP_MM for other in near):
            return None
        return FittedDie(*found, "cocked")

    def _parted(self, picture: Picture, placed: list[FittedDie], unsure: list[UnsureDie]) -> list[FittedDie]:
        """The dice, with those that lie close to others fitted again now that the others are known. Where
        that raises a doubt, the die goes to `unsure`."""
        again: list[FittedDie] = []
        for i, one in enumerate(placed):
            others = [other for j, other in enumerate(placed) if j != i]
            x, y = (float(part) for part in one.cube.center_mm[:2])
            if one.pose == "cocked" or not (beside(one.cube, others) or doubted_near(x, y, unsure)):
                again.append(one)
                continue
            scene = scene_at(picture, self.calibration, x, y, others)
            fit, reading = self._fitted(picture, scene, one.cube, 0.0)
            if fit is None or reading.value is None or not agree(fit):
                again.append(one)
            elif (doubt := self._rest_doubt(picture, fit, others)) > LEANS_DOUBT:
                unsure.append(self._unmeasured(x, y, ARGUED))
            else:
                again.append(FittedDie(fit, reading, "flat", doubt))
        return again

    def _reported(self, one: FittedDie, placed: list[FittedDie], unsure: list[UnsureDie]) -> MeasuredDie:
        others = [other for other in placed if other is not one]
        touching = any(gap_mm(one.cube, other.cube) < 0.8 for other in beside(one.cube, others))
        note = phrase_later("touches another die") if touching else ""
        if one.pose == "cocked":
            note = "leans"
        x, y = (float(part) for part in one.cube.center_mm[:2])
        close = bool(beside(one.cube, others)) or doubted_near(x, y, unsure)
        coarse = self.calibration.view.scale_px_per_mm(x, y) < LEAN_SHOWS
        may_lean = close and (coarse or one.rest_doubt > MAY_LEAN_DOUBT)
        return replace(report(one, self.calibration, note), may_lean=may_lean)

    def _taken(self, x_mm: float, y_mm: float, placed: list[FittedDie]) -> bool:
        """Whether a die is known at this place already."""
        return self._near(x_mm, y_mm, placed, OVERLAP * self.calibration.dice.edge_mm)

    def _near(self, x_mm: float, y_mm: float, placed: list[FittedDie], reach_mm: float) -> bool:
        return any(off_mm(p, x_mm, y_mm) < reach_mm for p in placed)

    def _is_measured(self, one: UnsureDie, placed: list[FittedDie]) -> bool:
        """Whether what was left unsure is a die that was measured after all."""
        return one.center_mm is not None and self._taken(*one.center_mm, placed)

    def _unmeasured(self, x_mm: float, y_mm: float, reason: str) -> UnsureDie:
        at = self.calibration.view.project(np.array([[x_mm, y_mm, self.calibration.dice.edge_mm / 2]]))[0]
        seen = (round(float(at[0]), 2), round(float(at[1]), 2))
        return UnsureDie(center_px=seen, center_mm=(x_mm, y_mm), reason=reason)
