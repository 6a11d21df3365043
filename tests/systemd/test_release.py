"""A release is whole and from somebody whom the box trusts, or it is refused and nothing is done."""

import os
import shutil
import subprocess
import tarfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.systemd.stage import Done, Stage

GIT = (
    "git",
    "-c",
    "user.name=A maker",
    "-c",
    "user.email=maker@example.org",
    "-c",
    "init.defaultBranch=main",
)


def key(folder: Path, name: str) -> Path:
    """A new pair of keys."""
    made = folder / name
    words = ("-q", "-t", "ed25519", "-N", "", "-C", f"{name} releases")
    subprocess.run(["ssh-keygen", *words, "-f", str(made)], check=True)
    return made


def pack(release: Path, *options: str | Path) -> Done:
    """Commit everything in this folder and have it packed."""
    for words in (
        ("init", "-q", "-b", "main"),
        ("add", "-A"),
        ("commit", "-q", "--allow-empty", "-m", "as it is"),
    ):
        subprocess.run([*GIT, *words], cwd=release, check=True)
    packed = [release / "systemd" / "pack.sh", *options, release.parent / "dist"]
    done = subprocess.run(packed, cwd=release, capture_output=True, text=True, check=False)
    return Done(done.returncode, done.stdout + done.stderr)


def packed(stage: Stage, version: str, *options: str | Path) -> Path:
    """The archive of a release."""
    done = pack(stage.release(version), *options)
    assert done.status == 0, done.said
    return stage.folder / "dist" / f"callbox-{version}.tar.gz"


def unpacked(archive: Path) -> Path:
    """Its folder, to be tampered with."""
    with tarfile.open(archive) as opened:
        opened.extractall(archive.parent, filter="data")
    return archive.parent / archive.name.removesuffix(".tar.gz")


@pytest.fixture(scope="module")
def ours(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The makers' key."""
    return key(tmp_path_factory.mktemp("keys"), "ours")


@pytest.fixture(scope="module")
def box(tmp_path_factory: pytest.TempPathFactory, ours: Path) -> Iterator[Stage]:
    """A box with a first release from the makers. Each test brings it others, by numbers of its own."""
    stage = Stage(tmp_path_factory.mktemp("box"))
    first = unpacked(packed(stage, "1.0", "--key", ours))
    done = stage.install(first)
    assert done.status == 0, done.said
    assert "no signer is trusted yet" in done.said
    assert "trust releases that are signed by" in done.said
    assert stage.install(first).said == "Nothing to do: everything is as it should be.\n"
    yield stage
    stage.end()


def by_the_box(stage: Stage, release: Path, *options: str) -> Done:
    """What the box's own installer makes of a release."""
    return stage.install(stage.root / "opt" / "callbox" / "current", "--from", str(release), *options)


def refused(stage: Stage, release: Path, why: str) -> None:
    """The box takes neither the release's own word nor the archive, and plays on with what it had."""
    old, names = stage.runs, sorted((stage.root / "opt/callbox/releases").iterdir())
    for done in (by_the_box(stage, release), stage.install(release)):
        assert done.status == 1, done.said
        assert why in done.said
        assert done.said.count("\n") == 1, "one sentence, no trace of a script"
    assert stage.runs == old
    assert sorted((stage.root / "opt/callbox/releases").iterdir()) == names


@pytest.mark.long
def test_a_signed_archive_is_taken_offline_with_its_wheelhouse(box: Stage, ours: Path) -> None:
    no_index = box.root / "no-index"
    no_index.touch()
    wheelhouse = box.folder / "wheels"
    wheelhouse.mkdir()
    (wheelhouse / "numpy.whl").touch()
    archive = packed(box, "1.1", "--key", ours, "--wheelhouse", wheelhouse)
    done = by_the_box(box, archive)
    no_index.unlink()
    assert done.status == 0, done.said
    assert box.runs.startswith("1.1-")
    again = box.install(box.root / "opt" / "callbox" / "current")
    assert again.said == "Nothing to do: everything is as it should be.\n", "from its own place, too"
    assert by_the_box(box, archive, "--dry-run").said == "0 changes would be made; nothing was done.\n"


@pytest.mark.long
def test_a_release_whose_network_was_altered_is_refused_with_a_sentence(box: Stage, ours: Path) -> None:
    release = unpacked(packed(box, "1.2", "--key", ours))
    network = release / "models" / "faces.onnx"
    network.write_bytes(network.read_bytes()[:-1] + b"\0")
    refused(box, release, "not as its MANIFEST says: models/faces.onnx. Nothing was done")
    network.unlink()
    refused(box, release, "models/faces.onnx")


@pytest.mark.long
def test_a_file_that_came_to_a_release_is_refused(box: Stage, ours: Path) -> None:
    release = unpacked(packed(box, "1.3", "--key", ours))
    (release / "device" / "more.py").write_text("import os\n", encoding="utf-8")
    refused(box, release, "device/more.py")
    (release / "device" / "more.py").unlink()
    (release / "device" / "more.py").symlink_to("/etc/passwd")
    refused(box, release, "links where only files belong: device/more.py")


@pytest.mark.long
@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("vision/ev\\il.toml", r"'vision/ev\\il.toml'"),
        ("device/x\ny.py", r"'device/x\ny.py'"),
        ("sitecustomize.py", "sitecustomize.py"),
        ("device/__pycache__/evil.py", "device/__pycache__/evil.py"),
        (".whole", ".whole"),
    ],
)
def test_any_added_file_is_refused_whatever_its_name_and_place(
    box: Stage, ours: Path, tmp_path: Path, name: str, told: str
) -> None:
    release = tmp_path / "release"
    shutil.copytree(unpacked(packed_once(box, ours)), release)
    added = release / name
    added.parent.mkdir(exist_ok=True)
    added.write_text("x", encoding="utf-8")
    refused(box, release, told)


def test_a_first_release_with_a_compiled_file_added_is_refused(stage: Stage, ours: Path) -> None:
    release = unpacked(packed(stage, "1.0", "--key", ours))
    (release / "device" / "__pycache__").mkdir()
    (release / "device" / "__pycache__" / "evil.pyc").write_bytes(b"x")
    done = stage.install(release)
    assert done.status == 1
    assert "not as its MANIFEST says: device/__pycache__/evil.pyc." in done.said


@pytest.mark.long
def test_what_is_no_plain_file_is_refused(box: Stage, ours: Path, tmp_path: Path) -> None:
    release = tmp_path / "release"
    shutil.copytree(unpacked(packed_once(box, ours)), release)
    os.mkfifo(release / "device" / "fifo")
    refused(box, release, "device/fifo")
    (release / "device" / "fifo").unlink()
    (release / "MANIFEST").unlink()
    os.mkfifo(release / "MANIFEST")
    refused(box, release, "MANIFEST")


def packed_once(stage: Stage, ours: Path) -> Path:
    """A signed archive, made at the first call."""
    archive = stage.folder / "dist" / "callbox-1.9.tar.gz"
    return archive if archive.exists() else packed(stage, "1.9", "--key", ours)


@pytest.mark.long
def test_a_release_by_somebody_else_is_refused_even_with_a_manifest_that_fits(box: Stage, ours: Path) -> None:
    theirs = unpacked(packed(box, "1.4", "--key", key(box.folder, "theirs")))
    refused(box, theirs, "not signed by anybody in")
    (theirs / "MANIFEST.sig").unlink()
    refused(box, theirs, "not signed by anybody in")
    (theirs / "MANIFEST").unlink()
    refused(box, theirs, "nobody vouches for it")
    assert by_the_box(box, theirs, "--unsigned").status == 0, "unless the owner of the box wants it"
    assert box.runs.startswith("1.4-")
    third = packed(box, "1.5", "--key", key(box.folder, "third"))
    refused(box, unpacked(third), "not signed by anybody in")


@pytest.mark.long
def test_a_signed_release_may_name_who_signs_the_next_one(box: Stage, ours: Path) -> None:
    heir = key(box.folder, "heir")
    release = box.release("1.6")
    lines = [
        f'callbox namespaces="callbox-release" {each.with_suffix(".pub").read_text(encoding="utf-8")}'
        for each in (ours, heir)
    ]
    (release / "systemd" / "signers").write_text("".join(lines), encoding="utf-8")
    assert pack(release, "--key", ours).status == 0
    assert by_the_box(box, box.folder / "dist" / "callbox-1.6.tar.gz").status == 0
    assert by_the_box(box, packed(box, "1.7", "--key", heir)).status == 0
    assert box.runs.startswith("1.7-")


def test_a_broken_archive_is_refused_with_a_sentence(box: Stage, ours: Path) -> None:
    archive = packed(box, "1.8", "--key", ours)
    cut = archive.with_name("cut.tar.gz")
    cut.write_bytes(archive.read_bytes()[:-400])
    assert "cut.tar.gz cannot be unpacked" in by_the_box(box, cut).said
    assert "there is no" in by_the_box(box, archive.with_name("none.tar.gz")).said
    empty = archive.with_name("empty")
    empty.mkdir()
    assert "there is no release in" in by_the_box(box, empty).said


def test_only_what_git_has_is_packed_and_only_with_a_key_that_boxes_will_take(stage: Stage) -> None:
    release = stage.release("1.0")
    assert pack(release, "--key", release / "none").said.startswith("pack: there is no")
    (release / "systemd" / "signers").write_text("callbox ssh-ed25519 AAAA nobody\n", encoding="utf-8")
    assert "not one of those in systemd/signers" in pack(release, "--key", key(stage.folder, "ours")).said
    (release / "device" / "draft.py").write_text("", encoding="utf-8")
    done = subprocess.run(
        [release / "systemd" / "pack.sh"], cwd=release, capture_output=True, text=True, check=False
    )
    assert done.returncode == 1
    assert "?? device/draft.py" in done.stderr
    shutil.rmtree(release / "device")
