"""Measures all dice in one picture of a calibrated table; what was not measured is reported with its reason.

How it works. Networks that read dice anywhere tell where one may lie, how it is turned, what it shows and
where its foot is (`candidates`). There the cube's pose is fitted to sub-pixel edges at full resolution
(`fit`), to its outline and to the pips on its up-face (`faces`, `pose_evidence`). The die so claimed is held
against the picture once more (`claim`): it lies flat there, or it stands otherwise, and then leaning poses
are tried (`leaning`), or there is none. How a die with a lone pip is turned, its sides tell, and how round
and long its edges are, networks (`shape_refinement`). What may be a die and is not measured is reported,
never guessed.
"""

import math
import time
from collections.abc import Iterator, Sequence
from dataclasses import replace

import cv2
import numpy as np

from calibration.arrays import Picture
from calibration.table import TableCalibration
from engine.wording import phrase_later
from vision.landing.candidates import Candidate, find_candidates
from vision.landing.claim import ClaimVerdict, verify_claims
from vision.landing.cube import Cube, flat_cube, gap_mm, outline, yaw_of
from vision.landing.edges import patch
from vision.landing.faces import FaceReading, read_face
from vision.landing.fit import Fit, FitInput, fit_cube
from vision.landing.image_quality import refuse_mismatch
from vision.landing.leaning import fit_leaning
from vision.landing.pose_evidence import FittedDie, anchor_of, chance_flat, report
from vision.landing.shape_refinement import ShapeReader, turn_as_sides_run
from vision.learned.networks import Networks
from vision.measured import MeasuredDie, Measurement
from vision.reading import UnsureDie

CLOSE_MM = 26.0
"""Dice whose middles are nearer than this hide each other's edges."""
OVERLAP = 0.8
"""The least distance of two dice's middles, in edges."""
PIPS_SEARCH_MM = 0.4
"""How far round a candidate's middle pips are searched for."""
LEAST_VISIBLE = 0.6
"""The share of its outline that must lie in the picture of a die at its border."""
LIKELY = 0.2
"""The least chance of a die, in whatever pose, with which anything is fitted or said."""
HOLDS, THERE = 0.75, 0.85
"""The least chance of lying flat, and of being there in whatever pose, with which a flat die is measured."""
SURELY_FLAT = 0.95
"""The chance of lying flat from which a die is not thought to lean, perhaps."""
LEANS_MAYBE = 0.5
"""The least chance of a die, in whatever pose, with which leaning ones are tried."""
LEANING_HOLDS = 0.5
"""The least chance that a leaning pose holds with which it is measured."""
OVERLAP_MM = 1.5
"""The most by which two flat dice may overlap: they cannot, but both have errors."""
LEANING_OVERLAP_MM = 5.0
"""The same for a leaning die, which may lie over another's edge."""
TOUCHING_MM = 0.8
SURE_NUMBER, PLAIN_NUMBER = 0.9, 0.99
"""The chance of a number from which it is told if the pips lie as they should, and even if that is not to be
seen."""
LIKE_PATTERN = 0.5
"""The confidence of the pattern of pips from which they lie as they should."""
WORTH_A_WORD = 0.5
"""The finder's heat from which something is reported that is hardly a pip die."""
TOUCHES = phrase_later("touches another die")
LEANS = phrase_later("leans, or is half hidden")
UNREAD = phrase_later("two ways of reading its number differ")
HALF_OUT = phrase_later("half out of the picture")
NO_DIE = phrase_later("no die that can be recognised")


class Measurer:
    """Measures pictures of one calibrated table."""

    def __init__(self, calibration: TableCalibration, threads: int = 1) -> None:
        """`threads` is OpenCV's number of threads for the whole program."""
        if threads < 1:
            raise ValueError(f"a measurer needs one thread or more; got {threads}")
        cv2.setNumThreads(threads)
        self.calibration = calibration
        self._networks = Networks(threads=threads)
        self._shape_reader = ShapeReader(calibration, threads)

    def measure(self, picture: Picture) -> Measurement:
        """The dice in a picture (h, w, 3), blue green red, of the calibration's size. Raises
        `CalibrationMismatch`."""
        begun = time.perf_counter()
        fitted, unsure = self.fitted(picture)
        placed = self._shape_reader.refine(picture, fitted)
        dice = sorted((self._reported(one, placed) for one in placed), key=lambda die: die.center_px)
        elapsed_ms = (time.perf_counter() - begun) * 1000
        return Measurement(dice=tuple(dice), unsure=tuple(unsure), elapsed_ms=elapsed_ms)

    def fitted(self, picture: Picture) -> tuple[list[FittedDie], list[UnsureDie]]:
        """What lies in the picture, as outline and pips alone tell it."""
        refuse_mismatch(picture, self.calibration.view.lens)
        found = self._likely(picture, find_candidates(picture, self.calibration, self._networks))
        measurable = [one for one in found if one.may_be_measured]
        flat, otherwise = self._flat_ones(picture, measurable)
        placed = list(flat.values())
        for i in otherwise:
            if (leaning := self._leaning(picture, measurable[i], placed)) is not None:
                placed.append(leaning)
        unsure = [self._doubted(one) for one in found if self._is_worth_a_word(one, placed)]
        return placed, sorted(unsure, key=lambda one: one.center_px)

    def _likely(self, picture: Picture, found: Sequence[Candidate]) -> list[Candidate]:
        """The candidates without those that are plainly no dice, flat or otherwise, as they were found."""
        cubes = [one.flat(*self._size) for one in found]
        verdicts = verify_claims(picture, self.calibration.view, cubes, self._networks)
        return [one for one, verdict in zip(found, verdicts, strict=True) if verdict.there >= LIKELY]

    def _flat_ones(
        self, picture: Picture, found: Sequence[Candidate]
    ) -> tuple[dict[int, FittedDie], list[int]]:
        """The dice that lie flat, by the places of their candidates, and the places of those that may lie
        otherwise. Each is fitted by itself first, and once more where others were found beside it whose edges
        may have been taken for its own."""
        alone = {i: self._flat(picture, one, one.flat(*self._size), []) for i, one in enumerate(found)}
        first = self._verified(picture, {i: fit for i, fit in alone.items() if fit is not None})
        flat = {i: one for i, (one, verdict) in first.items() if self._lies_flat(one, verdict)}
        again = {
            i: self._flat(picture, found[i], one.cube, others)
            for i, one in flat.items()
            if (others := _beside(one.cube, [other for j, other in flat.items() if j != i]))
        }
        second = self._verified(picture, {i: fit for i, fit in again.items() if fit is not None})
        flat |= {i: one for i, (one, verdict) in second.items() if self._lies_flat(one, verdict)}
        kept = _without_overlaps(flat, OVERLAP_MM)
        return kept, [i for i, (_, told) in first.items() if i not in kept and told.there >= LEANS_MAYBE]

    @staticmethod
    def _lies_flat(one: FittedDie, verdict: ClaimVerdict) -> bool:
        return one.holds >= HOLDS and verdict.there >= THERE

    def _scale(self, cube: Cube) -> float:
        x, y = (float(part) for part in cube.center_mm[:2])
        return self.calibration.view.scale_px_per_mm(x, y, cube.edge_mm / 2)

    @property
    def _size(self) -> tuple[float, float]:
        return self.calibration.dice.edge_mm, self.calibration.dice.corner_radius_mm

    def flat_fits(self, picture: Picture) -> Iterator[tuple[Fit, ClaimVerdict, float]]:
        """The flat fit to each thing that may be a die, whether it lies flat or not, what the picture says of
        it, and the scale there in px per mm."""
        found = find_candidates(picture, self.calibration, self._networks)
        for one in found:
            fitted = self._flat(picture, one, one.flat(*self._size), []) if one.may_be_measured else None
            if fitted is not None:
                cube = fitted[0].cube
                (verdict,) = verify_claims(picture, self.calibration.view, [cube], self._networks)
                yield fitted[0], verdict, self._scale(cube)

    def _verified(
        self, picture: Picture, fits: dict[int, tuple[Fit, FaceReading]]
    ) -> dict[int, tuple[FittedDie, ClaimVerdict]]:
        """Fits to flat dice, with how likely each is one and what the picture says of it."""
        cubes = [fit.cube for fit, _ in fits.values()]
        verdicts = verify_claims(picture, self.calibration.view, cubes, self._networks)
        return {
            i: (FittedDie(fit, reading, "flat", chance_flat(fit, verdict, self._scale(fit.cube))), verdict)
            for (i, (fit, reading)), verdict in zip(fits.items(), verdicts, strict=True)
        }

    def _flat(
        self, picture: Picture, one: Candidate, cube: Cube, others: Sequence[FittedDie]
    ) -> tuple[Fit, FaceReading] | None:
        """A flat cube fitted to its outline and its pips, and what its face shows; None where too little of
        it is seen."""
        view = self.calibration.view
        scene = self._scene(picture, one, others)
        reading = read_face(picture, view, cube, PIPS_SEARCH_MM, one.value)
        scale = scene.scale(one.x_mm, one.y_mm)
        anchor = anchor_of(cube, reading, scale)
        if anchor is not None:
            # Read again from where the pips put the die: pips far from the start are seen a little aslant.
            yaw = anchor.yaw_rad if anchor.yaw_rad is not None else yaw_of(cube)
            cube = flat_cube(anchor.x_mm, anchor.y_mm, yaw, cube.edge_mm, cube.radius_mm)
            reading = read_face(picture, view, cube, 0.0, one.value)
            anchor = anchor_of(cube, reading, scale)
        fit = fit_cube(scene, cube, anchor=anchor)
        if fit is not None and anchor is not None and anchor.yaw_rad is None:
            fit = turn_as_sides_run(picture, scene, fit, anchor)
        if fit is None or (fit.visible < LEAST_VISIBLE and self._is_at_border(one)):
            return None
        return fit, _vouched_for(reading, one)

    def _leaning(self, picture: Picture, one: Candidate, placed: Sequence[FittedDie]) -> FittedDie | None:
        """The die that leans at a candidate's place; None where none is sure enough."""
        scene = self._scene(picture, one, placed)
        poses = fit_leaning(picture, scene, one, one.flat(*self._size))
        cubes = [fit.cube for fit, _ in poses]
        verdicts = verify_claims(picture, self.calibration.view, cubes, self._networks)
        holding = [
            FittedDie(fit, _vouched_for(reading, one), "cocked", verdict.holds)
            for (fit, reading), verdict in zip(poses, verdicts, strict=True)
            if verdict.holds >= LEANING_HOLDS
            and not any(
                gap_mm(fit.cube, other.cube) < -LEANING_OVERLAP_MM for other in _beside(fit.cube, placed)
            )
        ]
        return max(holding, key=lambda die: die.holds, default=None)

    def _scene(self, picture: Picture, one: Candidate, others: Sequence[FittedDie]) -> FitInput:
        """What a die is fitted against that may lie at a candidate's place, with others that were found."""
        view, dice = self.calibration.view, self.calibration.dice
        reach = 1.05 * dice.edge_mm
        around = np.array(
            [
                (one.x_mm + a * reach, one.y_mm + b * reach, z)
                for a in (-1, 1)
                for b in (-1, 1)
                for z in (0.0, 1.3 * dice.edge_mm)
            ]
        )
        at = view.project(around)
        low, high = np.floor(at.min(axis=0)).astype(int), np.ceil(at.max(axis=0)).astype(int)
        box = (int(low[0]), int(low[1]), int(high[0]), int(high[1]))
        near = [other for other in others if _off_mm(other, one.x_mm, one.y_mm) < 2 * CLOSE_MM]
        outlines = tuple(outline(view, other.cube, 2.0).points_px for other in near)
        return FitInput(view, patch(picture, box), dice, outlines)

    def _is_at_border(self, one: Candidate) -> bool:
        """Whether a die at a candidate's place may reach over the picture's border."""
        lens, half = self.calibration.view.lens, 2 * one.face.place.half_px
        size = np.array((lens.width_px, lens.height_px))
        return bool((one.face.place.center < half).any() or (one.face.place.center > size - half).any())

    def _is_worth_a_word(self, one: Candidate, placed: Sequence[FittedDie]) -> bool:
        """Whether a candidate is to be reported: likely a die, and none of those that were measured."""
        known = any(
            _off_mm(other, one.x_mm, one.y_mm) < OVERLAP * self.calibration.dice.edge_mm for other in placed
        )
        return not known and (one.may_be_measured or one.face.heat >= WORTH_A_WORD)

    def _doubted(self, one: Candidate) -> UnsureDie:
        x, y = (round(float(part), 2) for part in one.face.place.center)
        reason = HALF_OUT if self._is_at_border(one) else LEANS if one.may_be_measured else NO_DIE
        return UnsureDie(center_px=(x, y), center_mm=(one.x_mm, one.y_mm), reason=reason)

    def _reported(self, one: FittedDie, placed: list[FittedDie]) -> MeasuredDie:
        near = _beside(one.cube, [other for other in placed if other is not one])
        touching = any(gap_mm(one.cube, other.cube) < TOUCHING_MM for other in near)
        notes = [
            "leans" if one.pose == "cocked" else TOUCHES if touching else "",
            UNREAD if one.reading.value is None else "",
        ]
        note = "; ".join(note for note in notes if note)
        may_lean = one.pose == "flat" and one.holds < SURELY_FLAT
        return replace(report(one, self.calibration, note), may_lean=may_lean)


def _vouched_for(reading: FaceReading, one: Candidate) -> FaceReading:
    """The reading of a face where the pips of the candidate's number lie; without that number, where they do
    not lie so and the network is not sure enough by itself."""
    least = SURE_NUMBER if reading.confidence >= LIKE_PATTERN else PLAIN_NUMBER
    if one.value_chance < least:
        return replace(reading, value=None, confidence=0.0)
    return replace(reading, value=one.value, confidence=one.value_chance)


def _off_mm(one: FittedDie, x_mm: float, y_mm: float) -> float:
    """The distance from a die's middle to a place."""
    x, y, _ = one.cube.center_mm
    return math.hypot(x - x_mm, y - y_mm)


def _beside(cube: Cube, others: Sequence[FittedDie]) -> list[FittedDie]:
    """The dice that are so near to a cube that they may touch it or hide its edges."""
    x, y, _ = (float(part) for part in cube.center_mm)
    return [other for other in others if _off_mm(other, x, y) < CLOSE_MM]


def _without_overlaps(dice: dict[int, FittedDie], most_mm: float) -> dict[int, FittedDie]:
    """The dice without those that would lie within a likelier one."""
    kept: dict[int, FittedDie] = {}
    for i, one in sorted(dice.items(), key=lambda each: -each[1].holds):
        if all(gap_mm(one.cube, other.cube) >= -most_mm for other in _beside(one.cube, list(kept.values()))):
            kept[i] = one
    return kept
