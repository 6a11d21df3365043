"""A network's file is loaded only as it was made."""

import hashlib
import shutil
from pathlib import Path

import numpy as np
import pytest

from models import files
from models.files import CORNER, D4, EDGE, FACES, FINDER, STANCE, SUMS, ModelError, load_network, sign_network


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A models folder of its own, with the faces in it."""
    shutil.copy(FACES, tmp_path)
    shutil.copy(SUMS, tmp_path)
    monkeypatch.setattr(files, "FOLDER", tmp_path)
    monkeypatch.setattr(files, "SUMS", tmp_path / SUMS.name)
    return tmp_path


@pytest.mark.parametrize(
    "path",
    [FINDER, FACES, D4, STANCE, CORNER, EDGE],
    ids=["finder", "faces", "d4", "stance", "corner", "edge"],
)
def test_our_networks_are_as_they_were_made(path: Path) -> None:
    assert load_network(path) == path.read_bytes()


@pytest.mark.parametrize("at", [0, 1000, -1])
def test_a_single_damaged_byte_is_told(folder: Path, at: int) -> None:
    path = folder / "faces.onnx"
    data = bytearray(path.read_bytes())
    data[at] ^= 1
    path.write_bytes(data)
    with pytest.raises(ModelError, match=r"^faces.onnx is damaged: it is not the file that was made"):
        load_network(path)


def test_a_file_that_is_cut_short_is_told(folder: Path) -> None:
    path = folder / "faces.onnx"
    path.write_bytes(path.read_bytes()[:5000])
    with pytest.raises(ModelError, match=r"is damaged: .* install Callbox again"):
        load_network(path)


@pytest.mark.parametrize("text", ["", "nonsense", "a b c\n\n", "\N{BULLET}"])
def test_a_list_that_does_not_name_it_lets_nothing_pass(folder: Path, text: str) -> None:
    (folder / SUMS.name).write_text(text, encoding="utf-8")
    with pytest.raises(ModelError, match="is damaged"):
        load_network(folder / "faces.onnx")


def test_without_a_list_nothing_passes(folder: Path) -> None:
    (folder / SUMS.name).unlink()
    with pytest.raises(ModelError, match="is damaged"):
        load_network(folder / "faces.onnx")


def test_a_missing_file_and_a_folder_in_its_place_are_told(folder: Path) -> None:
    with pytest.raises(ModelError, match=r"^finder.onnx is missing from the models folder"):
        load_network(folder / "finder.onnx")
    (folder / "d4.onnx").mkdir()
    with pytest.raises(ModelError, match=r"^d4.onnx cannot be read"):
        load_network(folder / "d4.onnx")


def test_a_network_that_serves_for_measuring_needs_no_entry(folder: Path, tmp_path: Path) -> None:
    path = tmp_path / "courses" / "faces.onnx"
    path.parent.mkdir()
    path.write_bytes(b"anything")
    assert load_network(path) == b"anything"


def test_a_new_network_is_put_on_the_list_and_the_others_stay(folder: Path) -> None:
    path = folder / "faces.onnx"
    path.write_bytes(np.random.default_rng(1).bytes(500))
    assert sign_network(path) == hashlib.sha256(path.read_bytes()).hexdigest()
    assert load_network(path) == path.read_bytes()
    before = SUMS.read_text(encoding="utf-8").splitlines()
    after = (folder / SUMS.name).read_text(encoding="utf-8").splitlines()
    assert [line for line in after if "faces" not in line] == [line for line in before if "faces" not in line]
