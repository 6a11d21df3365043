"""Releases come and go, and a working box stays one: side by side, tried first, back again if one fails."""

import itertools
import shutil
from pathlib import Path

import pytest

from tests.systemd.stage import Stage


def links(stage: Stage) -> dict[str, str]:
    app = stage.root / "opt" / "callbox"
    return {
        name: (app / name).resolve().name for name in ("current", "previous") if (app / name).is_symlink()
    }


def test_installing_makes_a_box_that_plays_and_a_second_time_there_is_nothing_to_do(stage: Stage) -> None:
    first = stage.release("1.0")
    done = stage.install(first)
    assert done.status == 0, done.said
    assert "Callbox is installed" in done.said
    assert stage.runs == stage.current
    assert stage.runs.startswith("1.0-")
    assert (stage.root / "opt/callbox/.venv/bin/callbox").exists(), "where people know it"
    again = stage.install(first)
    assert (again.status, again.said) == (0, "Nothing to do: everything is as it should be.\n")
    stage.control("boot")
    assert stage.runs == stage.current, "and it plays after a power cut"


@pytest.mark.long
def test_a_newer_release_is_tried_and_then_runs_with_the_old_one_beside_it(stage: Stage) -> None:
    stage.install(stage.release("1.0"))
    old = stage.runs
    done = stage.install(stage.release("1.1"))
    assert done.status == 0, done.said
    assert stage.runs.startswith("1.1-")
    assert links(stage) == {"current": stage.runs, "previous": old}
    assert not (stage.root / "opt/callbox/unproven").exists()
    third = stage.install(stage.release("1.2"))
    assert third.status == 0
    kept = {path.name for path in (stage.root / "opt/callbox/releases").iterdir()}
    assert kept == set(links(stage).values()), "two releases, no more"


@pytest.mark.long
def test_the_trial_writes_into_a_copy_of_the_journal_and_is_gone_afterwards(stage: Stage) -> None:
    stage.install(stage.release("1.0"))
    stage.install(stage.release("1.1", "mute"))
    assert {line.split("-")[0] for line in stage.journal} == {"1.0"}
    assert not (stage.root / "var/lib/callbox-trial").exists()
    assert not list((stage.root / "run/systemd/system").iterdir())


@pytest.mark.long
@pytest.mark.parametrize(
    ("mode", "said"),
    [
        ("dead", "not well"),
        pytest.param("blind", "not seen that pictures come", marks=pytest.mark.long),
        pytest.param("mute", "console  fail", marks=pytest.mark.long),
    ],
)
def test_a_broken_release_leaves_the_box_with_the_one_that_it_had(stage: Stage, mode: str, said: str) -> None:
    stage.install(stage.release("1.0"))
    old = stage.runs
    done = stage.install(stage.release("1.1", mode))
    assert done.status == 1
    assert said in done.said
    assert "is installed" not in done.said
    assert stage.runs == old
    assert links(stage) == {"current": old}
    assert stage.install(stage.release("1.2")).status == 0, "and the next one is taken"
    assert stage.runs.startswith("1.2-")


@pytest.mark.long
def test_a_release_that_fails_only_as_a_service_is_rolled_back(stage: Stage) -> None:
    stage.install(stage.release("1.0"))
    old = stage.runs
    done = stage.install(stage.release("1.1", "pinless"))
    assert done.status == 1
    assert f"The box runs {old} again" in done.said
    assert stage.runs == old == stage.current
    stage.control("boot")
    assert stage.runs == old


@pytest.mark.long
def test_without_any_package_index_the_old_release_stays_whole_and_a_wheelhouse_does(stage: Stage) -> None:
    stage.install(stage.release("1.0"))
    old = stage.runs
    (stage.root / "no-index").touch()
    new = stage.release("1.1")
    done = stage.install(new)
    assert done.status == 1
    assert "no index can be reached" in done.said
    assert stage.runs == old
    stage.control("boot")
    assert stage.runs == old, "its packages are where they were"
    (new / "wheelhouse").mkdir()
    (new / "wheelhouse" / "numpy.whl").touch()
    assert stage.install(new).status == 0
    assert stage.runs.startswith("1.1-")
    asked = (stage.root / "pip").read_text(encoding="utf-8")
    assert f"--no-index --find-links {new}/wheelhouse" in asked
    assert asked.count("--require-hashes") == 3, "wherever packages come from, the lock file's hashes count"


@pytest.mark.long
def test_a_box_that_has_no_camera_takes_releases_all_the_same(stage: Stage) -> None:
    done = stage.install(stage.release("1.0", "blind"))
    assert done.status == 0
    assert "no pictures come" in done.said
    done = stage.install(stage.release("1.1", "blind"))
    assert done.status == 0, done.said
    assert stage.runs.startswith("1.1-")


@pytest.mark.long
def test_a_first_release_that_does_not_start_is_not_called_installed(stage: Stage) -> None:
    done = stage.install(stage.release("1.0", "dead"))
    assert done.status == 1
    assert "is installed" not in done.said


@pytest.mark.long
def test_what_was_broken_in_the_running_release_is_mended_beside_it(stage: Stage) -> None:
    first = stage.release("1.0")
    stage.install(first)
    broken = stage.runs
    (stage.root / "opt/callbox/current/models/faces.onnx").write_bytes(b"a bit has flipped")
    done = stage.install(first)
    assert done.status == 0, done.said
    assert stage.runs != broken
    assert (stage.root / "opt/callbox/current/models/faces.onnx").read_bytes() == bytes(range(256))


@pytest.mark.long
def test_people_can_go_back_themselves(stage: Stage) -> None:
    first = stage.release("1.0")
    stage.install(first)
    old = stage.runs
    assert "no release to go back to" in stage.install(first, "--roll-back").said
    stage.install(stage.release("1.1"))
    assert stage.install(first, "--roll-back").status == 0
    assert stage.runs == old


@pytest.mark.long
def test_an_installation_from_before_releases_becomes_one(stage: Stage) -> None:
    first = stage.release("1.0")
    app, units = stage.root / "opt" / "callbox", stage.root / "etc" / "systemd" / "system"
    shutil.copytree(first, app)
    (app / ".venv" / "bin").mkdir(parents=True)
    units.mkdir(parents=True)
    unit = (first / "systemd" / "callbox.service").read_text(encoding="utf-8")
    (units / "callbox.service").write_text(unit.replace("/current/", "/"), encoding="utf-8")
    done = stage.install(first)
    assert done.status == 0, done.said
    assert stage.runs == stage.current
    assert sorted(path.name for path in app.iterdir()) == [
        ".venv", "current", "device", "docs", "releases"
    ]  # fmt: skip
    assert (app / ".venv").is_symlink()


def test_the_settings_lie_where_pages_may_change_them_and_etc_leads_there(stage: Stage) -> None:
    stage.install(stage.release("1.0"))
    link, file = stage.root / "etc/callbox/callbox.toml", stage.root / "var/lib/callbox/callbox.toml"
    assert link.is_symlink()
    assert link.resolve() == file
    assert file.stat().st_mode & 0o777 == 0o644
    assert file.parent.stat().st_mode & 0o777 == 0o751
    assert all(line.startswith("#") for line in file.read_text(encoding="utf-8").splitlines())
    link.unlink()
    link.write_text("# ours\n[films]\nkeep = false\n", encoding="utf-8")
    done = stage.install(stage.release("1.1"))
    assert f"move {link} to {file.parent}, where pages may change it" in done.said
    assert link.resolve() == file
    assert file.read_text(encoding="utf-8") == "# ours\n[films]\nkeep = false\n"
    file.unlink()
    stage.install(stage.release("1.2"))
    assert link.resolve() == file
    assert file.exists()
    assert not (link.parent / "callbox.toml.new").is_symlink()


def test_a_power_cut_while_the_settings_move_loses_nothing(stage: Stage, tmp_path: Path) -> None:
    release = stage.release("1.0")
    stage.install(release)
    link, file = stage.root / "etc/callbox/callbox.toml", stage.root / "var/lib/callbox/callbox.toml"
    said = "# ours\n"
    for step in itertools.count(1):
        link.unlink()
        link.write_text(said, encoding="utf-8")
        steps = stage.cut(release, step)
        assert link.read_text(encoding="utf-8") == said, f"cut before step {step}: {steps[-1]}"
        stage.install(release)
        assert link.resolve() == file
        assert file.read_text(encoding="utf-8") == said
        if len(steps) < step:
            break
    assert step > 5


@pytest.mark.long
def test_uninstalling_leaves_nothing_but_games_and_settings(stage: Stage) -> None:
    first = stage.release("1.0")
    stage.install(first)
    stage.install(stage.release("1.1"))
    before = stage.journal
    # From its own place, too: then the script is taken away while it runs.
    done = stage.install(stage.root / "opt" / "callbox" / "current", "--uninstall")
    assert done.status == 0, done.said
    assert stage.runs == ""
    left = {str(path.relative_to(stage.root)) for path in stage.root.rglob("*") if path.is_file()}
    beside = {path for path in left if path.startswith("run/") or path in ("pip", "etc/systemd/enabled")}
    assert left - beside == {
        "etc/callbox/callbox.toml",
        "var/lib/callbox/callbox.toml",
        "var/lib/callbox/journal.db",
    }
    assert stage.journal == before
    assert stage.install(first).status == 0, "and it can come back"


@pytest.mark.long
def test_a_power_cut_at_any_step_of_an_update_leaves_a_box_that_plays(stage: Stage, tmp_path: Path) -> None:
    stage.install(stage.release("1.0"))
    old = stage.runs
    new = stage.release("1.1")
    stage.control("stop", "callbox")
    before = tmp_path / "before"
    shutil.copytree(stage.root, before, symlinks=True)
    for step in itertools.count(1):
        stage.end()
        shutil.rmtree(stage.root)
        shutil.copytree(before, stage.root, symlinks=True)
        stage.control("start", "callbox")
        steps = stage.cut(new, step)
        where = f"cut before step {step}: {steps[-1]}"
        assert stage.runs == old or stage.runs.startswith("1.1-"), where
        assert stage.runs == stage.current, where
        if step % 5 == 0:
            done = stage.install(new)
            assert done.status == 0, f"{where}: {done.said}"
            assert stage.runs.startswith("1.1-"), where
            assert not (stage.root / "opt/callbox/unproven").exists(), where
        if len(steps) < step:
            break
    assert step > 40


@pytest.mark.long
def test_a_power_cut_after_the_change_over_to_a_release_that_is_not_well_goes_back_at_the_next_start(
    stage: Stage,
) -> None:
    stage.install(stage.release("1.0"))
    old = stage.runs
    new = stage.release("1.1", "pinless")
    steps = stage.cut(new, 10_000)
    (restart,) = [number for number, step in enumerate(steps, 1) if step == "systemctl restart callbox"][:1]
    assert stage.runs == old
    stage.install(stage.release("1.2"))
    before = stage.runs
    steps = stage.cut(new, restart)
    assert steps[-1] == "systemctl restart callbox"
    assert stage.runs == before == stage.current
