"""The picture of light in docs/builder.md: a lamp mirrors where the drawing and the page say it does."""

import importlib.util
import sys
from math import atan2
from pathlib import Path
from types import ModuleType

import pytest

DOCS = Path(__file__).parents[3] / "docs"


@pytest.fixture(scope="module")
def lighting() -> ModuleType:
    spec = importlib.util.spec_from_file_location("lighting_drawing", DOCS / "lighting_drawing.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize(("camera", "lamp", "aside"), [(60, 60, 20), (100, 40, 75), (90, 150, 10)])
def test_light_comes_and_goes_under_the_same_angle(
    lighting: ModuleType, camera: float, lamp: float, aside: float
) -> None:
    spot = lighting.mirrors_at(camera, lamp, aside)
    assert 0 < spot < aside
    assert atan2(camera, spot) == pytest.approx(atan2(lamp, aside - spot))


def test_the_drawing_is_the_one_that_the_script_makes_and_its_signs_are_right(lighting: ModuleType) -> None:
    drawn = (DOCS / "lighting.svg").read_text(encoding="utf-8")
    assert drawn == lighting.drawing(), "run: python docs/lighting_drawing.py"
    assert [setup.glares for setup in lighting.SETUPS] == [
        "mirrors outside" not in s.title for s in lighting.SETUPS
    ]
    assert lighting.mirrors_at(60, 60, 60) == 60 / 2, "the page's example: just at the edge of 60 cm"
