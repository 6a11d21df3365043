"""What was learnt of shapes, as bytes: it comes back whole, or a sentence says why not."""

import numpy as np
import pytest

from vision.landing.shapes import KeptShape, ShapesError, shapes_from_bytes, shapes_to_bytes

SHAPE = (
    KeptShape(color="red")
    .landed(np.diag([90.0, 8.0]), np.array([1440.0, 16.0]), np.array([36.0, 40.0, 23.0]), (1.0, 2.0, 3.0))
    .measured(15.9, 0.02)
)


def test_shapes_come_back_as_they_were() -> None:
    assert shapes_from_bytes(shapes_to_bytes((SHAPE, KeptShape(color="black")))) == (
        SHAPE,
        KeptShape(color="black"),
    )
    assert shapes_from_bytes(shapes_to_bytes(())) == ()


def test_tints_of_landings_are_averaged() -> None:
    twice = SHAPE.landed(np.eye(2), np.ones(2), np.array([38.0, 44.0, 21.0]), (9.0, 9.0, 9.0))
    assert twice.tint == (37.0, 42.0, 22.0)
    assert len(twice.taught) == 2


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (b"callbox shapes", b"callbox dice"),
        (b"90.0", b"-90.0"),
        (b"8.0", b"1e300"),
        (b"36.0", b"NaN"),
        (b'"red"', b"7"),
        (b"}", b""),
    ],
)
def test_a_damaged_file_is_told(before: bytes, after: bytes) -> None:
    content = shapes_to_bytes(
        (KeptShape(color="red", rows=((90.0, 0.0), (0.0, 8.0)), tint=(36.0, 1.0, 1.0)),)
    )
    assert before in content
    with pytest.raises(ShapesError, match="damaged"):
        shapes_from_bytes(content.replace(before, after))


def test_a_file_of_another_version_is_told() -> None:
    with pytest.raises(ShapesError, match="another version"):
        shapes_from_bytes(shapes_to_bytes((SHAPE,)).replace(b'"version": 1', b'"version": 2'))
