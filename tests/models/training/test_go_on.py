"""A network goes on from its file: the mean of before and after is written and signed."""

import hashlib
import shutil
import sys
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import cv2
import pytest

torch = pytest.importorskip(
    "torch", reason="torch is needed only to make networks (requirements-models.lock)"
)

from models import files  # noqa: E402 - torch first, as above
from models.training import (  # noqa: E402
    d4_course,
    d4_cuts,
    faces_course,
    finder_course,
    fit,
    go_on,
    photos,
    real,
    store,
    train,
)
from models.training.d4_course import D4Reader  # noqa: E402
from models.training.nets import FaceReader, FinderNet, StanceNet  # noqa: E402
from models.training.quantize import recall  # noqa: E402
from vision.learned.networks import Networks  # noqa: E402

FEW = (
    (store, "SHARD", 8),
    (store, "PROBES", 1),
    (train, "STANCE_BATCH", 10),
    (finder_course, "BATCH", 2),
    (faces_course, "BATCH", 20),
    (faces_course, "BLANKS", 20),
    (d4_course, "SHARDS", 1),
    (d4_course, "SKETCHED", 1),
    (d4_course, "BATCH", 20),
    (d4_course, "KNOWN_KINDS", 1.0),
    (d4_cuts, "SCENES", 6),
    (d4_cuts, "SKETCHED_DESIGNS", 2),
)
"""Scenes, cuts and batches for a course of seconds."""
SHARDS = (0, store.LEANING, *(first for first, _ in store.SPECIAL))
"""One shard of each sort that is learnt from."""
NETS: dict[str, tuple[Callable[[], Any], tuple[int, int], str]] = {
    "finder": (FinderNet, (96, 128), "head.bias"),
    "faces": (FaceReader, (48, 48), "classes.weight"),
    "stance": (StanceNet, (48, 48), "told.4.weight"),
    "d4": (D4Reader, (128, 128), "says.weight"),
}
"""By network: how it is made, the size that it looks at, and weights that its file has as they are: not in
steps, nor together with a normalisation's."""


@pytest.fixture(scope="module")
def cache(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A cache folder with a few drawn scenes, and no photographs beside the project."""
    cache = tmp_path_factory.mktemp("cache")
    with pytest.MonkeyPatch.context() as patch:
        for module, name, value in FEW:
            patch.setattr(module, name, value)
        for module in (store, d4_cuts, faces_course, real):
            patch.setattr(module, "CACHE", cache)
        patch.setattr(photos, "PHOTOS", cache / "photos")
        for shard in SHARDS:
            store.render(store.scenes_folder(), shard, 1, processes=1)
        yield cache


@pytest.fixture
def folder(cache: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A models folder of its own, with copies of the networks, and courses of its own, in `courses`."""
    for path in (*go_on.FILES.values(), files.SUMS):
        shutil.copy(path, tmp_path)
        if path.suffix == ".onnx":
            shutil.copy(path.with_suffix(".md"), tmp_path)
    monkeypatch.setattr(files, "FOLDER", tmp_path)
    monkeypatch.setattr(files, "SUMS", tmp_path / files.SUMS.name)
    monkeypatch.setattr(go_on, "FILES", {name: tmp_path / path.name for name, path in go_on.FILES.items()})
    monkeypatch.setattr(go_on, "MEASURING", tmp_path / "measuring")
    shutil.copytree(files.MEASURING, tmp_path / "measuring")
    for module in (d4_course, faces_course, finder_course, train):
        monkeypatch.setattr(module, "COURSES", tmp_path / "courses")
    threads, painting = torch.get_num_threads(), cv2.getNumThreads()
    yield tmp_path
    torch.set_num_threads(threads)
    cv2.setNumThreads(painting)


@pytest.fixture
def command(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[str], None]:
    """The command with these words; one thread, so that all is drawn in this process."""

    def run(words: str) -> None:
        monkeypatch.setattr(sys, "argv", ["go_on", "--threads", "1", *words.split()])
        go_on.main()

    return run


def weights(network: str, path: Path) -> Any:
    """Some weights that a file has as they are."""
    make, size, name = NETS[network]
    return recall(make(), path, torch.rand(2, 3, *size) * 255).state_dict()[name]


def is_mean(network: str, path: Path, before: Any, learnt: Any) -> bool:
    """Whether a file has the mean of these weights, of which the second went on a little from the first."""
    assert 1e-5 < (learnt - before).abs().max() < 0.01
    return bool(torch.allclose(weights(network, path), (before + learnt) / 2, rtol=0, atol=1e-6))


def kept(folder: Path) -> Any:
    """The checkpoint of the only course."""
    (path,) = (folder / "courses").glob("*.pt")
    return torch.load(path, weights_only=True, map_location="cpu")


@pytest.mark.parametrize("network", NETS)
def test_the_mean_of_before_and_after_is_written_and_signed(
    network: str, folder: Path, command: Callable[[str], None]
) -> None:
    path, *others = sorted(folder.glob("*.onnx"), key=lambda one: one.stem != network)
    before, left = weights(network, path), [one.read_bytes() for one in others]
    command(f"{network} --steps 3")
    assert is_mean(network, path, before, kept(folder)["mean"][NETS[network][2]])
    digest = hashlib.sha256(files.load_network(path)).hexdigest()  # which the list of hashes lets pass
    assert f"SHA-256 `{digest}`" in path.with_suffix(".md").read_text(encoding="utf-8")
    assert [one.read_bytes() for one in others] == left


@pytest.mark.parametrize("network", NETS)
def test_on_a_lent_machine_the_network_is_written_elsewhere_and_the_next_call_goes_on(
    network: str, folder: Path, command: Callable[[str], None], tmp_path: Path
) -> None:
    path, lent = folder / f"{network}.onnx", tmp_path / "lent"
    if network in ("faces", "d4"):
        command(f"{network} --steps 1")  # cuts what is then kept
    before, left = weights(network, path), path.read_bytes()
    checkpoints = set((folder / "courses").glob("*.pt"))
    command(f"{network} --out {lent} --size 6 --steps 2")
    command(f"{network} --out {lent} --size 6 --steps 4")
    assert path.read_bytes() == left
    (checkpoint,) = set((folder / "courses").glob("*.pt")) - checkpoints
    saved = torch.load(checkpoint, weights_only=True, map_location="cpu")
    assert saved["step"] == 4
    assert is_mean(network, lent / path.name, before, saved["mean"][NETS[network][2]])


def test_what_is_measured_only_goes_on_from_its_own_file(
    folder: Path, command: Callable[[str], None]
) -> None:
    path, ours, listed = folder / "measuring" / "finder-upper.onnx", folder / "finder.onnx", files.SUMS
    before, left = weights("finder", path), (ours.read_bytes(), listed.read_bytes())
    command("finder --without upper --steps 3")
    assert is_mean("finder", path, before, kept(folder)["mean"]["head.bias"])
    assert (ours.read_bytes(), listed.read_bytes()) == left


@pytest.mark.parametrize(
    ("network", "course", "loss"), [("d4", d4_course, "d4_loss"), ("finder", finder_course, "finder_loss")]
)
def test_broken_off_a_course_goes_on_and_the_next_begins_anew(
    network: str,
    course: Any,
    loss: str,
    folder: Path,
    command: Callable[[str], None],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(fit, "SAVED_EVERY_S", -1.0)  # a checkpoint after each step
    path, name, true = folder / f"{network}.onnx", NETS[network][2], getattr(course, loss)
    before = path.read_bytes()
    steps: list[Any] = []

    def learn(net: Any, *batch: Any) -> Any:
        steps.append(net.state_dict()[name].clone().cpu())
        if len(steps) == 3:
            raise KeyboardInterrupt
        return true(net, *batch)

    monkeypatch.setattr(course, loss, learn)
    with pytest.raises(KeyboardInterrupt):
        command(f"{network} --steps 5")
    assert path.read_bytes() == before
    checkpoint = kept(folder)
    assert checkpoint["step"] == 2
    with pytest.raises(SystemExit, match=r"has 2 steps already, more than the 1 that are asked for: ask"):
        command(f"{network} --steps 1")
    assert path.read_bytes() == before
    command(f"{network} --steps 5")
    assert len(steps) == 3 + 3, "five steps in all, of which two were made before"
    assert torch.equal(steps[3], checkpoint["net"][name])
    assert not torch.equal(steps[3], steps[0])

    after = weights(network, path)
    command(f"{network} --steps 2")
    assert len(steps) == 6 + 2
    assert torch.allclose(steps[6], after, rtol=0, atol=1e-6)
    assert len(list((folder / "courses").glob("*.pt"))) == 2


@pytest.mark.parametrize(
    ("words", "missing", "told"),
    [
        (
            "faces --without lower",
            "",
            r"no .*faces-lower\.onnx to go on from: make it first \(python -m .*train lower\)$",
        ),
        ("d4", "d4.onnx", r"no .*d4\.onnx to go on from: make it first \(python -m .*train d4\)$"),
        ("d4", "0000", r"no scenes of shards 0000 to 0899 in .*: draw .* \(python -m .*train scenes\)$"),
        ("faces", "1200", r"no scenes of shards 1200 to 1259 in .*train scenes\)$"),
        ("stance", "1000", r"no scenes of shards 1000 to 1015 in .*train scenes\)$"),
    ],
)
def test_what_is_missing_is_named_and_how_to_make_it(
    words: str,
    missing: str,
    told: str,
    folder: Path,
    command: Callable[[str], None],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    scenes = folder / "scenes"
    shutil.copytree(store.scenes_folder(), scenes)
    for module in (go_on, train):
        monkeypatch.setattr(module, "scenes_folder", lambda: scenes)
    for path in (folder / missing, scenes / f"{missing}.json"):
        if path.is_file():
            path.unlink()
    with pytest.raises(SystemExit, match=f"^{told}"):
        command(f"{words} --steps 1")


@pytest.mark.parametrize(
    ("held", "told"),
    [
        (b"nonsense", r"d4\.onnx is no network's file, or is damaged$"),
        (b"", r"d4\.onnx ends before the network does"),
        (None, r"d4\.onnx is of another network"),
    ],
    ids=["nonsense", "empty", "another"],
)
def test_a_file_of_no_such_network_is_told_and_left(
    held: bytes | None, told: str, folder: Path, command: Callable[[str], None]
) -> None:
    path = folder / "d4.onnx"
    held = (folder / "stance.onnx").read_bytes() if held is None else held
    path.write_bytes(held)
    with pytest.raises(SystemExit, match=f"^{told}"):
        command("d4 --steps 2")
    assert path.read_bytes() == held


def test_a_damaged_network_that_looks_for_faces_is_told(
    folder: Path, command: Callable[[str], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    torn = folder / "finder.onnx"
    torn.write_bytes(torn.read_bytes()[:-1])
    monkeypatch.setattr(go_on, "Networks", partial(Networks, finder=torn))
    monkeypatch.setattr(faces_course, "CACHE", folder)
    with pytest.raises(SystemExit, match=r"^finder\.onnx is damaged: .* install Callbox again$"):
        command("faces --steps 2")


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ("d4 --steps 0", "argument --steps: 0 is no whole number from 1 on"),
        ("d4 --steps -3", "argument --steps: -3 is no whole number from 1 on"),
        ("faces --steps many", "argument --steps: many is no whole number from 1 on"),
        ("faces --steps 1 --shards 0", "argument --shards: 0 is no whole number from 1 on"),
        ("finder --steps 1 --threads 0", "argument --threads: 0 is no whole number from 1 on"),
        ("d4 --steps 1 --without upper", "d4 learns from no photographs: there is nothing to leave out"),
    ],
)
def test_what_makes_no_course_is_told(
    words: str, told: str, command: Callable[[str], None], capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit, match="2"):
        command(words)
    assert capsys.readouterr().err.endswith(f"error: {told}\n")
