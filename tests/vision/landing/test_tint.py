"""The colour of a die's body, by which the owner's dice are told apart."""

from dataclasses import replace

import numpy as np
import pytest

from tests.vision.landing.lying import die_at
from tests.vision.landing.stage import Light, StagedDie, Table, calibrated, camera, photograph, window
from vision.landing.cube import flat_cube
from vision.landing.faces import up_face
from vision.landing.shapes import tint_of

RED = (0.03, 0.03, 0.42)


@pytest.mark.long
@pytest.mark.parametrize("value", [1, 6])
def test_a_tint_is_the_bodys_and_not_that_of_its_pips(value: int) -> None:
    view = window(camera(), 40.0, 250.0, 160)
    bare = calibrated(view)
    tints = []
    for body, ink in ((RED, (0.8, 0.8, 0.8)), (RED, (0.01, 0.01, 0.01))):
        staged = StagedDie(x_mm=40.0, y_mm=250.0, yaw_deg=20.0, value=value, body=body, ink=ink)
        picture = photograph(view, Table(bare), [staged], Light(seed=4))
        corners = view.project(up_face(flat_cube(40.0, 250.0, np.radians(20.0), 16.0, 1.6)))
        seen = tuple((float(x), float(y)) for x, y in corners)
        tints.append(tint_of(picture, replace(die_at(40.0, 250.0, 20.0), corners_px=seen)))
    assert tints[0] == pytest.approx(tints[1], abs=2.0)
    assert tints[0][1] > 25
