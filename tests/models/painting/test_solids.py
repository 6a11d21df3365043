"""Bodies of painted dice are met by rays where they are."""

import numpy as np
import pytest

from models.painting.solids import Body, blocks, cast, cube, dot, tetrahedron
from models.scenes.styles import faceted

BODIES = {
    "sharp": cube(16.0, 0.0),
    "rounded": cube(16.0, 0.2),
    "cut": cube(16.0, 0.0, 1.3),
    "d20": faceted(np.random.default_rng(1), "d20", 9.0).body,
    "d4": tetrahedron(19.0, blunt=0.95, bevel=0.03).body,
}


@pytest.mark.parametrize("body", BODIES.values(), ids=list(BODIES))
def test_rays_meet_a_body_on_its_surface(body: Body) -> None:
    chance = np.random.default_rng(1)
    origin = np.array((30, 20, 60), np.float32)
    goals = chance.uniform(-12, 12, (3, 400)).astype(np.float32)
    rays = goals - origin[:, None]
    rays /= np.sqrt((rays**2).sum(axis=0))
    hit = cast(body, origin, rays)
    assert 50 < hit.index.size < 400
    assert hit.point == pytest.approx(origin[:, None] + rays[:, hit.index] * hit.far, abs=1e-3)
    assert dot(hit.normal, hit.normal) == pytest.approx(np.ones(hit.index.size), abs=1e-3)
    assert (dot(hit.normal, rays[:, hit.index]) < 1e-3).all()
    assert (body.normals @ hit.point <= body.reach_mm[:, None] + 0.01).all()
    missed = np.setdiff1d(np.arange(400), hit.index)
    starts = np.repeat(origin[:, None], missed.size, axis=1)
    if body.shape == "facets":
        assert not blocks(body, starts, rays[:, missed]).any()
