"""Follows a die back by its up-face, and tells whether it slid or rolled.

Theory of operation
- A die that rolls shows another face with each edge's length of its way. One that slides shows the same
  face up from the hand to where it lies; at most that face turns about the vertical, and slowly.
- So the die is followed back (`Shot`), and in each picture two things are weighed: how like its up-face
  it looks there, and how evenly that seems to turn. How often which likeness and which turn are found of
  dice that slide, and of dice that roll, was counted on the simulated table; the logarithms of how many
  times likelier they are of one that slides are added up.
- The last edge's length says nothing: every die comes to rest on a face. Nor do pictures that are blurred
  by more than a die's edge, or are from farther back than `FARTHEST_EDGES`.
- Where fewer than `LEAST_STEPS` pictures are left, or they show a shorter way than `LEAST_WAY_EDGES`, nothing
  is known, unless they show already that it rolled.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import ceil, degrees, exp, hypot, log, radians

import cv2
import numpy as np

from calibration.arrays import Floats, Picture, Singles
from calibration.view import View
from vision.measured import MeasuredDie

# The up-face of a die at rest, looked for in pictures in which the die still moved.
#
# Cuts of a picture show the table as from straight above, at the height of a die's up-face: there that face
# keeps its size and shape wherever it slides, and only turns about the vertical. How like two faces are is
# told by the correlation of their grey levels, after the resting one was blurred by what the die moves while
# a picture is exposed. It does not ask how bright they are: light differs from place to place.

FACE_EDGES = 0.46
"""Half the side of the part of an up-face that is compared, in edges: the rounding is left out."""
AROUND_EDGES = 0.85
"""How far from its middle the table is cut out with it, in edges: blur brings that in."""
LEAST_GAIN, MOST_LIGHTER = 0.5, 25.0
"""Contrast that differs by a larger factor's logarithm, and grey levels that do: no face of this die."""
LEAST_BLUR_PX = 0.5
LEAST_VARIANCE = 4.0
"""In squared grey levels: below there is nothing to correlate."""


def straight_down(
    picture: Picture, view: View, center_mm: Floats, half_mm: float, height_mm: float, px_mm: float
) -> Singles:
    """The square of that plane around a place, `px_mm` pixels to a mm; the table's +y is down in it.

    `picture`: rows x columns of grey. What lies outside it is black.
    """
    reach = round(half_mm * px_mm)
    side = 2 * reach + 1
    ends = np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)], np.float64)
    corners_mm = np.column_stack([center_mm + ends * (reach / px_mm), np.full(4, height_mm)])
    # A lens bends so small a square by less than a tenth of a pixel.
    to_cut = cv2.getPerspectiveTransform(
        view.project(corners_mm).astype(np.float32), ((ends + 1) * reach).astype(np.float32)
    )
    cut = cv2.warpPerspective(picture, to_cut, (side, side), flags=cv2.INTER_LINEAR)
    return np.asarray(cut, np.float32)


@dataclass(frozen=True, eq=False)
class Sample:
    """A face as it would look, turned and blurred."""

    weights: Singles
    """Which pixels are compared; they sum to one."""
    pattern: Singles
    """Grey levels less their mean."""
    mean: float
    variance: float

    @cached_property
    def reach(self) -> int:
        """Pixels from the middle to the border."""
        return (len(self.weights) - 1) // 2


@dataclass(frozen=True, eq=False)
class Likeness:
    """How like a sample each place of a cut is, one value for each place where the sample fits in."""

    correlation: Singles
    doubts: Singles
    """What speaks against a place beside: another contrast, another brightness."""


class UpFace:
    """The up-face of one die at rest."""

    def __init__(self, rest: Picture, view: View, die: MeasuredDie, px_mm: float) -> None:
        """`rest`: the picture at rest, rows x columns of grey."""
        edge_mm = die.edge_mm
        self._px_mm = px_mm
        center = np.array(die.center_mm)
        self._seen = straight_down(rest, view, center, AROUND_EDGES * edge_mm, edge_mm, px_mm)
        self._reach = (len(self._seen) - 1) // 2
        off = np.arange(-self._reach, self._reach + 1) / px_mm
        x, y = np.meshgrid(off, off)
        yaw = radians(die.yaw_deg)
        along, across = x * np.cos(yaw) + y * np.sin(yaw), y * np.cos(yaw) - x * np.sin(yaw)
        inside = np.maximum(np.abs(along), np.abs(across)) < FACE_EDGES * edge_mm
        self._inside = inside.astype(np.float32)

    @property
    def half_mm(self) -> float:
        """From its middle to the border of what is compared with a cut."""
        return self._reach / self._px_mm

    def sample(self, turn_rad: float, *blurs_mm: Floats) -> Sample:
        """The face turned so far about the vertical, and blurred along each of these ways (2,)."""
        middle, size = (float(self._reach), float(self._reach)), self._seen.shape[::-1]
        turn = cv2.getRotationMatrix2D(middle, -degrees(turn_rad), 1.0)
        seen = np.asarray(cv2.warpAffine(self._seen, turn, size, borderMode=cv2.BORDER_REPLICATE), np.float32)
        weights = np.asarray(cv2.warpAffine(self._inside, turn, size), np.float32)
        weights = weights / weights.sum()
        for blur_mm in blurs_mm:
            seen = blur(seen, blur_mm * self._px_mm)
        mean = float((weights * seen).sum())
        pattern = seen - np.float32(mean)
        return Sample(weights, pattern, mean, float((weights * pattern * pattern).sum()))


def compare(cut: Singles, sample: Sample) -> Likeness:
    """How like the sample each place of a cut is."""

    def over(pixels: Singles, kernel: Singles) -> Singles:
        whole = cv2.filter2D(pixels, -1, kernel)
        return np.asarray(whole[sample.reach : -sample.reach, sample.reach : -sample.reach], np.float32)

    mean = over(cut, sample.weights)
    variance = np.maximum(over(cut * cut, sample.weights) - mean * mean, 0)
    shared = over(cut, sample.weights * sample.pattern)
    correlation = shared / np.sqrt(np.maximum(variance * np.float32(sample.variance), LEAST_VARIANCE))
    gain = np.abs(np.log(np.maximum(shared / max(sample.variance, 1e-3), 0.05)))
    lighter = np.abs(mean - sample.mean)
    doubts = 0.5 * np.maximum(gain - LEAST_GAIN, 0) + np.maximum(lighter - MOST_LIGHTER, 0) / 60
    return Likeness(np.asarray(correlation, np.float32), np.asarray(doubts, np.float32))


def share_inside(mask: Singles, sample: Sample) -> Singles:
    """For each place where the sample fits in, the share of the face that the mask (0 or 1) covers."""
    reach = sample.reach
    return np.asarray(cv2.filter2D(mask, -1, sample.weights)[reach:-reach, reach:-reach], np.float32)


def blur(pixels: Singles, way_px: Floats) -> Singles:
    """The same blurred along a way (2,) in pixels, to the right and down."""
    if hypot(*way_px) <= LEAST_BLUR_PX:
        return pixels
    blurred = cv2.filter2D(pixels, -1, _streak(way_px), borderType=cv2.BORDER_REPLICATE)
    return np.asarray(blurred, np.float32)


def _streak(blur_px: Floats) -> Singles:
    """The kernel of an even motion of so many pixels, to the right and down."""
    size = 2 * ceil(hypot(*blur_px) / 2) + 3
    kernel = np.zeros((size, size), np.float32)
    for part in np.linspace(-0.5, 0.5, 4 * size):
        (x, y), middle = part * blur_px, (size - 1) / 2
        column, row = int(np.floor(middle + x)), int(np.floor(middle + y))
        right, down = middle + x - column, middle + y - row
        kernel[row, column] += (1 - right) * (1 - down)
        kernel[row, column + 1] += right * (1 - down)
        kernel[row + 1, column] += (1 - right) * down
        kernel[row + 1, column + 1] += right * down
    return np.asarray(kernel / kernel.sum(), np.float32)


# A die followed back from where it lies through the pictures in which it still moved, by its up-face.
#
# Theory of operation
# - In each picture, from the last one back, the up-face is looked for around where the die should have been:
#   it goes as straight on as it did, and slows down as evenly. A place counts where something lies that does
#   not lie there at rest.
# - There it is turned about the vertical until it fits best, and blurred by several shares of the way to the
#   next picture: nobody knows here how long a picture was exposed.
# - A die that rolls is followed, too: something of its size moves there. But its face does not fit.

COARSE_PX_MM, FINE_PX_MM = 1.25, 2.0
ASIDE_MM, ASIDE_MS = 22.0, 50.0
"""How far beside where it should have been it is looked for, if its next picture is that much later."""
TURNS_RAD = tuple(map(radians, range(-48, 49, 12)))
FINE_TURNS_RAD = tuple(map(radians, range(-8, 9, 4)))
FINE_MM = 2.5
BLURS = (0.0, 0.12, 0.24, 0.4)
"""The shares of the time between two pictures for which one may be exposed."""
USUAL_BLUR = 0.24
HARDLY_BLURRED_MM = 5.0
"""A die that goes on by less until the next picture is not blurred by half a pip."""
SMEARED_MM = 4.0
"""A little more than a pip: both are blurred by so much more along the way before they are compared. How fast
a die was while a picture was exposed, and how evenly, is known too roughly for finer things in its streak."""
DIFFERS = 12.0
"""Grey levels by which a die differs from the table under it."""
OWN_EDGES = 0.75
"""How near to where it lies, in edges, the empty table was not seen."""
LEAST_COVERED, UNCOVERED = 0.9, 2.0
"""Less of the face's place may not be a moving thing; and how much the rest counts against a place."""
AWAY, MOST_AWAY_MM = 0.03, 8.0
"""How much each mm counts against a place that is not where the die should have been: a row of pips that is
blurred along the way looks like its neighbour."""
KNOWN_PLACES = 3
"""By so many is known how fast it goes and how it slows down."""
FASTEST_SPIN = 0.02
"""In rad/ms."""


@dataclass(frozen=True, slots=True, eq=False)
class Shot:
    """One picture of a throw."""

    time_ms: float
    picture: Picture
    """Rows x columns of grey, as large as the camera's."""


@dataclass(frozen=True, slots=True, eq=False)
class FollowedStep:
    """Where a die was in one picture, and how like its up-face what was seen there is."""

    ago_ms: float
    """Before the next picture."""
    at_mm: Floats
    likeness: tuple[float, ...]
    """The correlation, for each of `BLURS`."""
    turns_rad: tuple[float, ...]
    """By how much the face seems to be turned against how it lies, for each of them."""


@dataclass(frozen=True, slots=True, eq=False)
class _FaceFit:
    """The best place for a face."""

    score: float
    at_mm: Floats
    turn_rad: float


class FollowedFace:
    """Follows one die."""

    def __init__(self, rest: Shot, view: View, die: MeasuredDie) -> None:
        """`rest`: the die as it lies; its time is when it came to lie so."""
        self._rest, self._view, self._die = rest, view, die
        self._coarse = UpFace(rest.picture, view, die, COARSE_PX_MM)
        self._fine = UpFace(rest.picture, view, die, FINE_PX_MM)
        self._lies_mm = np.array(die.center_mm)
        self._times_ms = [rest.time_ms]
        self._places_mm = [self._lies_mm]
        self._turn_rad = self._spin = 0.0

    def back(self, shot: Shot) -> FollowedStep:
        """The die in an earlier picture."""
        ago_ms = self._times_ms[-1] - shot.time_ms
        fits = list(self._fits(shot, self._find(shot, ago_ms)))
        fits = fits if len(fits) > 1 else fits * len(BLURS)
        best = max(fits, key=lambda one: one.score)
        spin = (best.turn_rad - self._turn_rad) / ago_ms
        self._spin = min(max(spin, -FASTEST_SPIN), FASTEST_SPIN)
        self._turn_rad = best.turn_rad
        self._times_ms.append(shot.time_ms)
        self._places_mm.append(best.at_mm)
        likeness, turns = tuple(one.score for one in fits), tuple(one.turn_rad for one in fits)
        return FollowedStep(ago_ms, best.at_mm, likeness, turns)

    def _expected(self, ago_ms: float) -> Floats:
        """Where it should have been."""
        times, places = self._times_ms[-3:], self._places_mm[-3:]
        if len(places) == 1:
            return places[0]
        speed = (places[-1] - places[-2]) / (times[-2] - times[-1])
        there: Floats = places[-1] + speed * ago_ms
        if len(places) == 2:
            return there
        later = (places[-2] - places[-3]) / (times[-3] - times[-2])
        slows = (speed - later) / ((times[-3] - times[-1]) / 2)
        there += slows * ago_ms * (ago_ms + times[-2] - times[-1]) / 2
        return there

    def _find(self, shot: Shot, ago_ms: float) -> _FaceFit:
        """About where it was: by its face, and by what is no empty table."""
        around_mm, face = self._expected(ago_ms), self._coarse
        half_mm = ASIDE_MM * max(1.0, ago_ms / ASIDE_MS) + face.half_mm
        cut = self._cut(shot.picture, around_mm, half_mm, COARSE_PX_MM)
        moving = self._moving(cut, around_mm, half_mm)
        blur_mm = (around_mm - self._places_mm[-1]) * USUAL_BLUR

        def fit(turn_rad: float) -> _FaceFit:
            sample = face.sample(turn_rad, blur_mm)
            like = compare(cut, sample)
            uncovered = np.maximum(LEAST_COVERED - share_inside(moving, sample), 0)
            score = like.correlation - like.doubts - UNCOVERED * uncovered - self._away(like.doubts)
            return _best(score, around_mm, COARSE_PX_MM, turn_rad)

        turned = self._turn_rad + self._spin * ago_ms
        return max((fit(turned + more) for more in TURNS_RAD), key=lambda one: one.score)

    def _away(self, like: Singles) -> Singles | float:
        """What speaks against places as many as those, by how far from where it should have been they are."""
        if len(self._places_mm) < KNOWN_PLACES:
            return 0.0
        off_mm = (np.arange(len(like)) - (len(like) - 1) / 2) / COARSE_PX_MM
        far_mm = np.hypot(off_mm[:, None], off_mm)
        return np.asarray(AWAY * np.minimum(far_mm, MOST_AWAY_MM), np.float32)

    def _fits(self, shot: Shot, found: _FaceFit) -> Iterator[_FaceFit]:
        """The same exactly, for each share of blur; once where none makes a difference."""
        face = self._fine
        cut = self._cut(shot.picture, found.at_mm, face.half_mm + FINE_MM, FINE_PX_MM)
        way_mm = found.at_mm - self._places_mm[-1]
        long_mm, more_mm = float(np.hypot(*way_mm)), np.zeros(2)
        if long_mm < HARDLY_BLURRED_MM:
            way_mm = np.zeros(2)
        else:
            more_mm = way_mm * (SMEARED_MM / long_mm)
            cut = blur(cut, more_mm * FINE_PX_MM)
        for share in BLURS if way_mm.any() else BLURS[:1]:
            turned = (
                _best(
                    compare(cut, face.sample(found.turn_rad + more, way_mm * share, more_mm)).correlation,
                    found.at_mm,
                    FINE_PX_MM,
                    found.turn_rad + more,
                )
                for more in FINE_TURNS_RAD
            )
            yield max(turned, key=lambda one: one.score)

    def _cut(self, picture: Picture, at_mm: Floats, half_mm: float, px_mm: float) -> Singles:
        return straight_down(picture, self._view, at_mm, half_mm, self._die.edge_mm, px_mm)

    def _moving(self, cut: Singles, at_mm: Floats, half_mm: float) -> Singles:
        """Where something lies that does not lie there at rest, 0 or 1."""
        empty = self._cut(self._rest.picture, at_mm, half_mm, COARSE_PX_MM)
        reach = (len(cut) - 1) // 2
        off_mm = np.arange(-reach, reach + 1) / COARSE_PX_MM
        x_mm, y_mm = np.meshgrid(*(off_mm + off for off in at_mm - self._lies_mm))
        own = np.hypot(x_mm, y_mm) < OWN_EDGES * self._die.edge_mm
        differs = ((np.abs(cut - empty) > DIFFERS) | own).astype(np.uint8)
        closed = cv2.morphologyEx(differs, cv2.MORPH_CLOSE, np.ones((5, 5), np.uint8))
        return np.asarray(closed, np.float32)


def _best(score: Singles, around_mm: Floats, px_mm: float, turn_rad: float) -> _FaceFit:
    """The best place of a score around that one."""
    row, column = np.unravel_index(int(score.argmax()), score.shape)
    off: Floats = np.array((column, row)) - (np.array(score.shape[::-1]) - 1) / 2
    return _FaceFit(float(score[row, column]), around_mm + off / px_mm, turn_rad)


NEAREST_EDGES, FARTHEST_EDGES = 0.75, 16.0
MOST_BLUR_EDGES = 1.1
LEAST_STEPS, MOST_STEPS = 3, 8
LEAST_WAY_EDGES = 4.0
"""Who was seen over a shorter way may have been set down."""
SURE = 8.5
"""The least sum that is told. One rolled die in a hundred comes near it, and these slid in the end."""
HOPELESS = -5.0
"""Below nothing is looked at any more: it rolled."""
GAP_MS = 300.0
"""What moved so long before is another throw's."""
LIKE, LIKE_SPREAD = 0.86, 0.08
"""How like its up-face a die is that slides: a picture's correlation, and its spread."""
UNLIKE, UNLIKE_SPREAD = 0.60, 0.15
"""The same of one that rolls."""
LIKE_MOST, LIKE_LEAST = 1.5, -4.0
"""No single picture says more."""
USUAL_MS = 50.0
EVEN_DEG, FAR_EVEN_DEG, UNEVEN_DEG = 5.0, 15.0, 28.0
"""By how much the turn within `USUAL_MS` differs from the one before: when sliding, when sliding far away,
and when rolling."""
FAR_EDGES = 12.5
TURN_MOST, TURN_LEAST = 1.5, -2.5


@dataclass(frozen=True, slots=True, kw_only=True)
class Slide:
    """How a die came to where it lies."""

    way_mm: float
    """How much of its way the pictures show that were looked at."""
    evidence: float
    """How much likelier, as a logarithm, what was seen is of a die that showed the same face all that way."""

    @property
    def slid(self) -> bool:
        """Whether it surely did."""
        return self.evidence >= SURE


def find_slide(rest: Shot, shots: Sequence[Shot], view: View, die: MeasuredDie) -> Slide | None:
    """How a die slid, or did not; None where too little of its way was seen.

    `rest`: the picture in which it was measured, and since when it lies so. `shots`: earlier ones in which
    something moves, the oldest first.
    """
    if die.pose != "flat":
        return None
    face = FollowedFace(rest, view, die)
    steps: list[FollowedStep] = []
    found: _BestBlur | None = None
    later_ms = rest.time_ms
    for shot in reversed([one for one in shots if one.time_ms < rest.time_ms]):
        if later_ms - shot.time_ms > GAP_MS:
            break
        steps.append(face.back(shot))
        later_ms = shot.time_ms
        found = _fit_blur(steps, die)
        if found.way_mm > FARTHEST_EDGES * die.edge_mm or found.told.evidence < HOPELESS:
            break
    return found.slide(die.edge_mm) if found else None


@dataclass(frozen=True, slots=True)
class _SlideEvidence:
    """What several pictures say together."""

    evidence: float = 0.0
    count: int = 0
    """How many of them say anything."""
    edges: float = 0.0
    """How far back the last of these is, in edges."""


@dataclass(frozen=True, slots=True)
class _BestBlur:
    """What is known so far."""

    way_mm: float
    """How far the die was followed."""
    told: _SlideEvidence

    def slide(self, edge_mm: float) -> Slide | None:
        """The same for others; None where it is too little."""
        short = self.told.count < LEAST_STEPS or self.told.edges < LEAST_WAY_EDGES
        if short and self.told.evidence >= HOPELESS:
            return None
        return Slide(way_mm=self.told.edges * edge_mm, evidence=self.told.evidence)


def _fit_blur(steps: Sequence[FollowedStep], die: MeasuredDie) -> _BestBlur:
    """What the steps say, by the share of blur by which they say it best."""
    places = np.array([die.center_mm, *(step.at_mm for step in steps)])
    lengths = np.hypot(*np.diff(places, axis=0).T)
    told = (_sum_evidence(steps, lengths / die.edge_mm, number) for number in range(len(BLURS)))
    return _BestBlur(float(lengths.sum()), max(told, key=lambda one: one.evidence))


def _sum_evidence(steps: Sequence[FollowedStep], lengths_edges: Floats, number: int) -> _SlideEvidence:
    """What they say with that share of blur."""
    told, turn_rad = _SlideEvidence(), 0.0
    before: float | None = None
    ways = np.cumsum(lengths_edges)
    for index, step in enumerate(steps):
        turned = degrees(step.turns_rad[number] - turn_rad) * USUAL_MS / step.ago_ms
        uneven = None if before is None else turned - before
        # How long before the first picture it came to rest is not known well.
        turn_rad, before = step.turns_rad[number], turned if index else None
        if ways[index] < NEAREST_EDGES:
            continue
        blurred = lengths_edges[index] * BLURS[number] > MOST_BLUR_EDGES
        if blurred or ways[index] > FARTHEST_EDGES or told.count == MOST_STEPS:
            break
        says = _by_likeness(step.likeness[number]) + _by_turn(uneven, float(ways[index]))
        told = _SlideEvidence(told.evidence + says, told.count + 1, float(ways[index]))
    return told


def _by_likeness(likeness: float) -> float:
    """What one picture's likeness says."""
    if likeness >= LIKE:
        return LIKE_MOST
    same = -0.5 * ((likeness - LIKE) / LIKE_SPREAD) ** 2 - log(LIKE_SPREAD)
    other = -0.5 * ((likeness - UNLIKE) / UNLIKE_SPREAD) ** 2 - log(UNLIKE_SPREAD)
    return min(max(same - other, LIKE_LEAST), LIKE_MOST)


def _by_turn(uneven_deg: float | None, way_edges: float) -> float:
    """What one picture's turn says, by how much it differs from the next one's."""
    if uneven_deg is None:
        return 0.0
    share = min(max(way_edges / FAR_EDGES - 1, 0.0), 1.0)
    even_deg = EVEN_DEG + (FAR_EVEN_DEG - EVEN_DEG) * share
    same = 0.9 * exp(-abs(uneven_deg) / even_deg) / even_deg + 0.1 / 90
    other = 0.85 * exp(-abs(uneven_deg) / UNEVEN_DEG) / UNEVEN_DEG + 0.15 / 90
    return min(max(log(same / other), TURN_LEAST), TURN_MOST)
