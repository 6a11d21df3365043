"""A second reader may doubt a number, and never puts one in."""

from dataclasses import replace

import cv2
import numpy as np
import pytest

from tests.vision.landing.test_follow import die
from vision.landing.detector import NOTE, drop_contradicted
from vision.learned.networks import Networks
from vision.measured import MeasuredDie

NETWORKS = Networks()


def plain_die(value: int) -> tuple[np.ndarray, MeasuredDie]:
    """An ivory die with black pips from straight above, and how it was measured."""
    picture = np.full((160, 160, 3), (70, 95, 60), np.uint8)
    cv2.rectangle(picture, (50, 50), (110, 110), (215, 232, 238), -1)
    spots = {1: "c", 2: "ai", 3: "aci", 4: "agbi", 5: "agbic", 6: "agbide"}[value]
    at = {
        "a": (62, 62),
        "g": (62, 98),
        "b": (98, 62),
        "i": (98, 98),
        "c": (80, 80),
        "d": (62, 80),
        "e": (98, 80),
    }
    for spot in spots:
        cv2.circle(picture, at[spot], 6, (25, 25, 25), -1, cv2.LINE_AA)
    blurred = np.asarray(cv2.GaussianBlur(picture, (0, 0), 0.8), np.uint8)
    corners = ((50.0, 50.0), (110.0, 50.0), (110.0, 110.0), (50.0, 110.0))
    return blurred, replace(die(0, 100, value), center_px=(80.0, 80.0), corners_px=corners)


@pytest.mark.parametrize("value", range(1, 7))
def test_a_number_that_both_read_stands(value: int) -> None:
    picture, measured = plain_die(value)
    assert drop_contradicted(picture, [measured], NETWORKS) == (measured,)


@pytest.mark.parametrize(("shown", "said"), [(4, 6), (5, 3), (6, 4), (2, 3)])
def test_a_number_that_the_other_reads_otherwise_is_not_vouched_for(shown: int, said: int) -> None:
    picture, measured = plain_die(shown)
    told = replace(measured, value=said, note="touches another die")
    (after,) = drop_contradicted(picture, [told], NETWORKS)
    assert after.value is None
    assert after.confidence == 0
    assert after.note == f"touches another die; {NOTE}"
    assert after.footprint_mm == measured.footprint_mm


def test_an_unread_die_stays_unread_and_others_keep_their_order() -> None:
    picture, measured = plain_die(5)
    unread = replace(measured, value=None, center_mm=(9.0, 9.0))
    assert drop_contradicted(picture, [unread, measured], NETWORKS) == (unread, measured)
    assert drop_contradicted(picture, [], NETWORKS) == ()


def test_what_is_no_face_to_it_is_left_alone() -> None:
    empty = np.full((160, 160, 3), 120, np.uint8)
    _, measured = plain_die(5)
    assert drop_contradicted(empty, [measured], NETWORKS) == (measured,)
