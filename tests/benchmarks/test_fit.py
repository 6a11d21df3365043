"""The curves are fitted on what examples say, and are written as the readers take them."""

from pathlib import Path

import numpy as np
import pytest

import vision.learned.confidence
from benchmarks.fit import bins, crossed, fitted, predicted, write
from benchmarks.fit_examples import Example

HELPS, HARMS = ("margin", "chance", "flat", "heat"), ("small", "off", "rivalled", "askew", "leans")

KEPT: dict[str, tuple[float, dict[str, float]]] = {
    "read": (
        0.1477,
        {
            "margin": 1.17,
            "chance": 1.1533,
            "heat": 0.7354,
            "small": -4.4608,
            "off": -2.9693,
            "rivalled": -4.2896,
            "flat": 1.5357,
        },
    ),
    "flat": (1.2028, {"flat": 0.0885}),
}
"""Bias and weights of `examples`."""


def examples() -> list[Example]:
    """Faces whose numbers tell how they lie, drawn by a seed."""
    rng, made = np.random.default_rng(7), []
    for i in range(400):
        right = bool(rng.random() < 0.6)
        seen = {name: float(rng.normal(2 if right else 0, 1.5)) for name in HELPS}
        seen |= {name: float(abs(rng.normal(0.1 if right else 0.6, 0.3))) for name in HARMS}
        read = None if i % 17 == 0 else right
        flat = None if i % 13 == 0 else bool(rng.random() < 0.8)
        made.append(Example("drawn" if i % 2 else "photo", str(i // 5), seen, read, flat))
    return made


def test_the_curves_are_those_of_greatest_likelihood() -> None:
    """As the fitters before this one had them for the same examples, to four digits."""
    for name, (bias, weights) in fitted(examples()).items():
        known_bias, known_weights = KEPT[name]
        assert bias == pytest.approx(known_bias, abs=5e-5)
        assert weights == pytest.approx(known_weights, abs=5e-5)


def test_no_number_goes_against_its_sign() -> None:
    for _, weights in fitted(examples()).values():
        assert all((weight > 0) == (name in HELPS) for name, weight in weights.items())


def test_confidence_is_told_apart_by_examples_that_it_was_not_fitted_on() -> None:
    some = examples()
    chances, right = crossed(some), np.array([one.right for one in some])
    assert chances.shape == (400,)
    assert not np.allclose(chances, predicted(some, fitted(some)))
    assert sum(count for _, _, count in bins(chances, right)) == 400


def test_curves_are_written_into_the_module_that_uses_them(tmp_path: Path) -> None:
    path = tmp_path / "trust.py"
    path.write_text(Path(str(vision.learned.confidence.__file__)).read_text("utf-8"), "utf-8")
    write(vision.learned.confidence.CURVES, path)
    assert path.read_text("utf-8") == Path(str(vision.learned.confidence.__file__)).read_text("utf-8")
