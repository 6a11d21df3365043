"""The cuts from which it is learnt how dice stand show what their truth says."""

import cv2
import numpy as np

from models.training.stance import UNIT_PX, WIDE_PX, Stances, pick_asked, stance_batch
from models.training.store import Truth, joined
from vision.learned.contract import STANCE_SIDE_PX

CORNERS = np.array(((100, 80), (140, 80), (140, 120), (100, 120)), np.float32)


def test_however_a_cut_is_turned_the_foot_lies_where_the_step_says() -> None:
    count, step = 40, np.array((0.9, -0.6))
    foot = WIDE_PX / 2 - step * UNIT_PX
    wide = np.full((WIDE_PX, WIDE_PX, 3), 128, np.uint8)
    cv2.circle(wide, (round(foot[0]), round(foot[1])), 3, (255, 255, 255), -1, cv2.LINE_AA)
    cuts = Stances(
        np.stack([wide] * count), np.tile(step.astype(np.float32), (count, 1)), np.zeros(count, np.bool_)
    )
    pictures, steps = stance_batch(cuts, np.arange(count), np.random.default_rng(3))
    for cut, told in zip(pictures, steps, strict=True):
        smooth = cv2.GaussianBlur(np.abs(cut.astype(np.float32) - np.median(cut)).sum(axis=0), (0, 0), 1.5)
        y, x = np.unravel_index(smooth.argmax(), smooth.shape)
        seen = (STANCE_SIDE_PX / 2 - np.array((x, y))) / UNIT_PX
        assert np.hypot(*(seen - told)) < 0.4


def test_of_d4_strangers_and_what_is_covered_nothing_is_asked() -> None:
    def die(kind: str, visible: float) -> Truth:
        return Truth(kind, 2, CORNERS, "flat", visible, np.zeros(2, np.float32))

    dice = [die("pip", 1.0), die("bet", 0.5), die("d4", 1.0), die("foreign", 1.0), die("zoinx", 0.7)]
    assert [one.kind for one in pick_asked(dice)] == ["pip", "zoinx"]


def test_put_together_nothing_is_lost() -> None:
    one = Stances(
        np.zeros((2, WIDE_PX, WIDE_PX, 3), np.uint8), np.ones((2, 2), np.float32), np.array((True, False))
    )
    both = joined(Stances, [one, one])
    assert len(both) == 4
    assert both.leans.tolist() == [True, False, True, False]
