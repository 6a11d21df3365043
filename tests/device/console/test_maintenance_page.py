"""The maintenance in a real Chromium: release, findings and log; and who may look."""

from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import expect
from starlette.testclient import TestClient

from device.config import parse
from device.console.app import ConsoleSettings, make_app
from device.doctor import Finding
from device.languages import speak_language
from device.maintenance import Maintenance
from device.people.actor import Role, TableKind
from device.service.log import BoxLog
from device.settings_shown import OwnSettings
from device.updates import UpdatePlaces
from tests.device.axe import find_violations
from tests.device.conftest import Opener
from tests.device.console.fake_box import HERE, HOME, FakeBox, begun
from tests.device.console.test_routes import OWN, SEATS
from tests.device.console.test_setup_page import ANY_SCREEN, small_targets
from tests.device.console.test_who_may import FAR, HOST_ALONE, page_of, people_of
from tests.device.test_maintenance import BOX, NOWHERE, Doctor
from tests.device.test_updates import installer_is_at, places_in
from tests.waiting import eventually

RELEASE = "0.9.0-c0ffee0123"
SAID = "The camera is away: seat its cable at both ends."
FOUND = (
    Finding("python", "ok", "Python 3.13.5 in /opt/callbox."),
    Finding("camera", "fail", "No camera.", "seat the cable at both ends"),
    Finding("clock", "not here", "timedatectl does not answer here."),
    Finding("heat", "warn", "The processor has 81 °C.", "give it air: a fan, or a larger box"),
)


@pytest.fixture
def doctor() -> Doctor:
    return Doctor(FOUND)


@pytest.fixture
def maintenance(doctor: Doctor) -> Maintenance:
    return with_log(NOWHERE, doctor)


def with_log(places: UpdatePlaces, doctor: Doctor) -> Maintenance:
    log = BoxLog()
    log.note(SAID)
    return Maintenance(lambda: BOX, log, places, open_doctor=lambda: doctor)


@pytest.fixture
def installed(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, doctor: Doctor) -> Maintenance:
    """That of a release which the installer has made ready."""
    (tmp_path / RELEASE).mkdir()
    (tmp_path / RELEASE / ".whole").touch()
    monkeypatch.setattr("device.maintenance.ROOT", tmp_path / RELEASE)
    return with_log(places_in(tmp_path), doctor)


def client_of(maintenance: Maintenance | None, address: tuple[str, int] = HERE) -> TestClient:
    return TestClient(
        make_app(FakeBox(), ConsoleSettings(maintenance=maintenance)), base_url=HOME, client=address
    )


def post(client: TestClient, path: str, body: dict[str, Any] | None = None) -> dict[str, Any]:
    answer: dict[str, Any] = client.post(path, json=body or {}, headers=OWN).json()
    return answer


def test_the_doctor_looks_when_asked_and_the_page_is_told_what_was_found(
    maintenance: Maintenance, doctor: Doctor
) -> None:
    client = client_of(maintenance)
    shown = post(client, "/maintenance/look")
    assert (shown["checking"], shown["checked"], shown["findings"]) == (False, None, [])
    assert [each["text"] for each in shown["log"]] == [SAID]
    assert post(client, "/maintenance/check")["checking"]
    doctor.may_end.set()
    shown = eventually(
        lambda: found if (found := post(client, "/maintenance/look"))["findings"] else {}, "findings"
    )
    assert not shown["checking"]
    assert shown["findings"][1] == {
        "name": "camera",
        "verdict": "fail",
        "text": "No camera.",
        "fix": "seat the cable at both ends",
    }


def test_a_console_that_shows_nothing_of_it_says_what_does() -> None:
    response = client_of(None).post("/maintenance/look", json={}, headers=OWN)
    assert (response.status_code, response.json()["ok"]) == (404, False)
    assert "callbox doctor" in response.json()["text"]


def test_over_a_network_only_a_page_that_seals_is_told(maintenance: Maintenance, doctor: Doctor) -> None:
    for path in ("/maintenance/look", "/maintenance/check", "/maintenance/receive", "/maintenance/roll-back"):
        response = client_of(maintenance, FAR).post(path, json=SEATS[path], headers=OWN)
        assert response.status_code == 403
        assert SAID not in response.text
    assert doctor.examined == []


def test_a_file_comes_in_from_the_console_s_own_page_alone_and_by_its_ticket(installed: Maintenance) -> None:
    client = client_of(installed)
    assert client.put("/maintenance/release", content=b"abc").status_code == 403
    response = client.put("/maintenance/release", content=b"abc", headers=OWN | {"callbox-ticket": "guessed"})
    assert (response.status_code, response.json()["ok"]) == (409, False)
    assert client_of(None).put("/maintenance/release", content=b"abc", headers=OWN).status_code == 404
    awaited = post(client, "/maintenance/receive", {"name": "callbox-0.9.1.tar.gz", "size_bytes": 2})
    headers = OWN | {"callbox-ticket": awaited["ticket"]}
    response = client.put("/maintenance/release", content=b"abc", headers=headers)
    assert response.json() == {"text": "More came than the file has. Choose it once more.", "ok": False}
    assert list(installed.updates.places.taken.iterdir()) == []


@HOST_ALONE
def test_only_the_host_looks_after_the_box_at_a_club_or_a_tournament(
    maintenance: Maintenance, doctor: Doctor, tmp_path: Path, kind: TableKind, role: Role, may: bool
) -> None:
    desk, people = begun(), people_of(tmp_path, kind)
    app = make_app(desk, ConsoleSettings(people=people, maintenance=maintenance))
    page = page_of(role, people, TestClient(app, base_url=HOME, client=FAR), desk)
    doctor.may_end.set()
    answer = page.post("/maintenance/look", {})
    assert (page.status == 200) is may
    assert may or answer["text"].startswith("Only the host may look after the box here.")
    answer = page.post("/maintenance/check", {})
    assert may or answer["text"].startswith("Only the host may check the box here.")
    for path in ("/maintenance/receive", "/maintenance/roll-back"):
        answer = page.post(path, SEATS[path])
        assert answer["text"].startswith("This Callbox was not installed" if may else "Only the host may ")
    if may:
        eventually(lambda: doctor.examined, "the doctor at work")
    assert (doctor.examined == [BOX]) is may


@pytest.mark.chromium
def test_the_box_is_checked_by_a_press_and_its_log_is_kept_as_a_file(
    opened: Opener, maintenance: Maintenance, doctor: Doctor, tmp_path: Path
) -> None:
    own = OwnSettings(tmp_path / "callbox.toml", parse(""), data=tmp_path, restarts=True)
    page = opened(FakeBox(), "settings", maintenance=maintenance, own_settings=own)
    page.get_by_role("link", name="Maintenance").click()
    button = page.get_by_role("button", name="Check the box")
    expect(page.locator("#version")).to_contain_text("Callbox ")
    expect(page.locator("#since")).to_contain_text("Running since ")
    expect(page.locator("#update")).to_contain_text("This Callbox was not installed as a service")
    for hidden in ("form", "#roll-back"):
        expect(page.locator(f"#update {hidden}")).to_be_hidden()
    button.click()
    expect(page.locator("#check [role=status]")).to_contain_text("Checking…")
    expect(button).to_be_disabled()
    doctor.may_end.set()
    expect(page.locator("#findings li").first).to_contain_text("camera No camera.")
    expect(page.locator("#findings li").first.locator("code")).to_have_text("seat the cable at both ends")
    expect(page.locator("#findings li")).to_have_count(len(FOUND))
    expect(page.locator("#check [role=status]")).to_contain_text("1 failed, 1 could be better, 1 fine, on ")
    expect(button).to_be_enabled()
    page.get_by_role("button", name="Copy").click()
    expect(page.locator("#notice")).to_contain_text("Copied.")
    with page.expect_download() as saving:
        page.get_by_role("button", name="Save as a file").click()
    saved = saving.value.path().read_text(encoding="utf-8").splitlines()
    assert saving.value.suggested_filename.startswith("callbox-log-")
    assert saved[0].startswith("Callbox ")
    assert saved[1].endswith(SAID)
    page.get_by_role("link", name="Settings").click()
    expect(page.get_by_role("link", name="Maintenance")).to_be_visible()


@pytest.mark.chromium
def test_a_release_is_sent_its_installation_is_followed_and_it_is_taken_back(
    opened: Opener, installed: Maintenance
) -> None:
    places = installed.updates.places
    page = opened(FakeBox(), "maintenance", maintenance=installed)
    course, install = page.locator("#update .course"), page.get_by_role("button", name="Install")
    expect(page.locator("#update .why-not")).to_be_hidden()
    file = page.get_by_label("A release’s file")
    file.set_input_files({"name": "holiday.jpg", "mimeType": "image/jpeg", "buffer": b"dice"})
    install.click()
    expect(page.locator("#notice")).to_contain_text("holiday.jpg is no release. Choose a file")
    release = b"signed" * 100_000
    file.set_input_files({"name": "callbox-0.9.1.tar.gz", "mimeType": "application/gzip", "buffer": release})
    install.click()
    expect(course).to_contain_text("The installer is about to begin.")
    expect(install).to_be_disabled()
    assert (places.taken / "release.tar.gz").read_bytes() == release
    installer_is_at(places, "ready 0.9.1")
    expect(course).to_contain_text("Callbox 0.9.1 is signed by makers whom this box trusts.")
    installer_is_at(places, "try 0.9.1", result="1", said="console  fail")
    expect(course).to_contain_text("Callbox 0.9.1 was not well when it was tried, so the box keeps 0.9.0.")
    expect(install).to_be_enabled()
    page.get_by_role("button", name="Go back to 0.2.0").click()
    expect(page.get_by_role("button", name="Go back to 0.2.0")).to_be_disabled()
    installer_is_at(places, "", job="roll-back", result="0")
    expect(course).to_have_text("The box runs Callbox 0.9.0 again.")


@pytest.mark.chromium
@ANY_SCREEN
def test_the_page_can_be_read_touched_and_heard(
    opened: Opener,
    installed: Maintenance,
    doctor: Doctor,
    scheme: str,
    language: str,
    width: int,
    height: int,
) -> None:
    speak_language(language)
    page = opened(FakeBox(), "maintenance", width, height, maintenance=installed)
    page.emulate_media(color_scheme="dark" if scheme == "dark" else "light")
    expect(page.locator("#version")).to_contain_text(RELEASE)
    installer_is_at(
        installed.updates.places, "ready 0.9.1", result="1", said="install: the card is failing, or full."
    )
    page.reload()
    page.locator("#update summary").click()
    expect(page.locator("#update pre")).to_contain_text("the card is failing")
    page.locator("#check button").click()
    assert find_violations(page) == []
    doctor.may_end.set()
    expect(page.locator("#findings li")).to_have_count(len(FOUND))
    assert find_violations(page) == []
    assert small_targets(page) == []
    assert page.evaluate("document.documentElement.scrollWidth") <= width
