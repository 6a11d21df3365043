"""A signed release comes in by the console, and the page says what the machine's installer did with it."""

import subprocess
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from device.console.app import ConsoleSettings, make_app
from device.maintenance import Maintenance
from device.service.log import BoxLog
from device.updates import UpdatePlaces, Updates, UpdateShown
from tests.device.console.fake_box import HERE, HOME, FakeBox
from tests.device.console.test_routes import OWN
from tests.device.test_maintenance import BOX
from tests.systemd.stage import Stage
from tests.systemd.test_release import key, packed, unpacked

ROOT = Path(__file__).parents[2]


class Owner:
    """Somebody with the page Maintenance of a box below a folder."""

    def __init__(self, stage: Stage) -> None:
        root = stage.root
        self.stage = stage
        self.places = UpdatePlaces(
            app=root / "opt/callbox",
            signers=root / "etc/callbox/signers",
            asks=root / "run/callbox",
            told=root / "run/callbox-update",
            taken=root / "var/lib/callbox/update",
        )
        (root / "run/callbox").mkdir()

    def sends(self, release: Path) -> None:
        """The file of a release, by the console."""
        maintenance = Maintenance(lambda: BOX, BoxLog(), self.places)
        maintenance.updates = self.updates
        client = TestClient(
            make_app(FakeBox(), ConsoleSettings(maintenance=maintenance)), base_url=HOME, client=HERE
        )
        asked = {"name": release.name, "size_bytes": release.stat().st_size}
        awaited = client.post("/maintenance/receive", json=asked, headers=OWN).json()
        headers = OWN | {"callbox-ticket": awaited["ticket"]}
        with release.open("rb") as file:
            sent = client.put("/maintenance/release", content=file, headers=headers)
        assert sent.json()["ok"], sent.text
        self.systemd_sees_it()

    def systemd_sees_it(self) -> None:
        """What callbox-update.path does, where one of the files that it names is there."""
        lines = (ROOT / "systemd" / "callbox-update.path").read_text(encoding="utf-8").splitlines()
        watched = [line.partition("=")[2] for line in lines if line.startswith("PathExists=")]
        assert any((self.stage.root / path.lstrip("/")).exists() for path in watched)
        script = self.stage.root / "opt/callbox/current/systemd/update.sh"
        subprocess.run([script], env=self.stage.environment(), check=False, start_new_session=True)

    @property
    def updates(self) -> Updates:
        """What the running release would say."""
        return Updates(self.places, self.stage.current)

    def sees(self) -> UpdateShown:
        """How it went."""
        assert list((self.stage.root / "run/callbox").iterdir()) == []
        assert list(self.places.taken.glob("*")) == [], "the file is not kept"
        return self.updates.show()


@pytest.fixture
def ours(tmp_path: Path) -> Path:
    """The makers' key."""
    return key(tmp_path, "ours")


@pytest.fixture
def owner(stage: Stage, ours: Path) -> Owner:
    """Whoever owns a box that has a signed release."""
    assert stage.install(unpacked(packed(stage, "1.0", "--key", ours))).status == 0
    return Owner(stage)


@pytest.mark.long
def test_a_signed_release_comes_in_by_the_page_and_can_be_rolled_back_there(owner: Owner, ours: Path) -> None:
    old = owner.stage.runs
    owner.sends(packed(owner.stage, "1.1", "--key", ours))
    shown = owner.sees()
    assert (shown.text, shown.tone, shown.previous) == ("The box runs Callbox 1.1 now.", "good", "1.0")
    assert owner.stage.runs.startswith("1.1-")
    assert owner.updates.roll_back().ok
    owner.systemd_sees_it()
    shown = owner.sees()
    assert (shown.text, shown.tone, shown.previous) == ("The box runs Callbox 1.0 again.", "good", "")
    assert owner.stage.runs == old


@pytest.mark.long
def test_what_its_makers_have_not_signed_is_refused_and_nothing_of_it_is_run(
    owner: Owner, tmp_path: Path
) -> None:
    old = owner.stage.runs
    for option in (("--key", key(tmp_path, "theirs")), ()):
        owner.sends(packed(owner.stage, "1.1" if option else "1.2", *option))
        shown = owner.sees()
        assert shown.tone == "refused"
        assert shown.text.startswith("The release is not signed by makers whom this box trusts.")
        assert owner.stage.runs == old


@pytest.mark.long
def test_what_is_no_archive_is_refused(owner: Owner, tmp_path: Path) -> None:
    false = tmp_path / "callbox-2.0.tar.gz"
    false.write_bytes(b"not a release" * 1000)
    owner.sends(false)
    assert owner.sees().text.startswith("The file cannot be unpacked")


@pytest.mark.long
def test_a_release_that_is_not_well_is_told_with_what_the_box_keeps(owner: Owner, ours: Path) -> None:
    stage, old = owner.stage, owner.stage.runs
    stage_release = stage.release
    stage.release = lambda version, mode="dead": stage_release(version, mode)  # type: ignore[method-assign]
    owner.sends(packed(stage, "1.1", "--key", ours))
    shown = owner.sees()
    assert shown.text.startswith("Callbox 1.1 was not well when it was tried, so the box keeps 1.0.")
    assert "not well" in shown.said
    assert stage.runs == old


@pytest.mark.long
def test_the_first_maker_is_trusted_at_the_box_alone(owner: Owner, ours: Path) -> None:
    """The page refuses before; should somebody write the file past it, the installer does not begin."""
    old = owner.stage.runs
    release = packed(owner.stage, "1.1", "--key", ours)
    owner.places.signers.rename(owner.places.signers.with_name("away"))
    owner.places.taken.mkdir()
    (owner.places.taken / "release.tar.gz").write_bytes(release.read_bytes())
    owner.updates.ask("install")
    owner.systemd_sees_it()
    assert (owner.places.told / "result").read_text() == "1\n"
    assert owner.stage.runs == old
