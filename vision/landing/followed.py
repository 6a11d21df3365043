"""A die followed back from where it lies through the pictures in which it still moved, by its up-face.

Theory of operation
- In each picture, from the last one back, the up-face is looked for around where the die should have been:
  it goes as straight on as it did, and slows down as evenly. A place counts where something lies that does
  not lie there at rest.
- There it is turned about the vertical until it fits best, and blurred by several shares of the way to the
  next picture: nobody knows here how long a picture was exposed.
- A die that rolls is followed, too: something of its size moves there. But its face does not fit.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from math import radians

import cv2
import numpy as np

from calibration.arrays import Floats, Picture, Singles
from calibration.view import View
from vision.landing.measured import MeasuredDie
from vision.landing.same_face import UpFace, blur, compare, share_inside, straight_down

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
