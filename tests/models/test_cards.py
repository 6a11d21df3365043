"""Each network's file has a card that describes this very file."""

import hashlib
from pathlib import Path

import pytest

from models.files import CLAIM, CORNER, D4, EDGE, FACES, FINDER, FOLDER, STANCE


@pytest.mark.parametrize(
    "path",
    [FINDER, FACES, D4, STANCE, CLAIM, CORNER, EDGE],
    ids=["finder", "faces", "d4", "stance", "claim", "corner", "edge"],
)
def test_the_card_is_of_this_file(path: Path) -> None:
    digest = hashlib.sha256(path.read_bytes()).hexdigest()
    assert f"SHA-256 `{digest}`" in path.with_suffix(".md").read_text(encoding="utf-8")


def test_every_network_has_a_card_and_all_are_small() -> None:
    files = sorted(FOLDER.glob("*.onnx"))
    assert files == [CLAIM, CORNER, D4, EDGE, FACES, FINDER, STANCE]
    assert sum(path.stat().st_size for path in files) < 16_000_000
