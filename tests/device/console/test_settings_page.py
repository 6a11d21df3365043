"""The settings in a real Chromium: changed, refused in a sentence, taken by a restart; and who may do it."""

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, expect
from starlette.testclient import TestClient

from device.config import load, parse
from device.console.app import ConsoleSettings, make_app
from device.languages import speak_language
from device.people.actor import Role, TableKind
from device.settings_shown import OwnSettings
from tests.device.axe import find_violations
from tests.device.conftest import Opener
from tests.device.console.fake_box import HERE, HOME, FakeBox, begun
from tests.device.console.test_routes import OWN
from tests.device.console.test_setup_page import ANY_SCREEN, small_targets
from tests.device.console.test_who_may import FAR, HOST_ALONE, page_of, people_of
from tests.waiting import PATIENCE_S


@pytest.fixture
def file(tmp_path: Path) -> Path:
    made = tmp_path / "callbox.toml"
    made.write_text("# ours\n[voice]\nloudness = 80 # not louder\n", encoding="utf-8")
    return made


@pytest.fixture
def own(file: Path) -> OwnSettings:
    return OwnSettings(file, load(file), data=file.parent, restarts=True)


def client_of(own: OwnSettings | None, address: tuple[str, int] = HERE) -> TestClient:
    return TestClient(make_app(FakeBox(), ConsoleSettings(own_settings=own)), base_url=HOME, client=address)


def post(client: TestClient, path: str, body: dict[str, Any]) -> dict[str, Any]:
    answer: dict[str, Any] = client.post(path, json=body, headers=OWN).json()
    return answer


def test_what_is_changed_stands_in_the_file_and_a_refusal_is_the_settings_own_sentence(
    own: OwnSettings, file: Path
) -> None:
    client = client_of(own)
    assert post(client, "/settings/look", {})["file"] == str(file)
    answer = post(client, "/settings/change", {"values": {"language": "de", "console.names": ["dice.box"]}})
    assert answer["ok"]
    assert answer["waits"]
    assert load(file).console.names == ("dice.box",)
    answer = post(client, "/settings/change", {"values": {"voice.loudness": 900}})
    assert answer == {
        "ok": False,
        "text": "callbox.toml: voice.loudness is 900; allowed is a whole number from 0 to 200. "
        "Volume; 100 is the usual one.",
    }
    assert load(file).voice.loudness == 80


def test_a_restart_is_asked_for_by_a_page(own: OwnSettings) -> None:
    assert post(client_of(own), "/settings/restart", {}) == {"ok": True, "text": ""}
    assert own.restart_asked.is_set()


def test_a_file_that_cannot_be_read_is_told_of(own: OwnSettings, file: Path) -> None:
    file.write_text("[voice", encoding="utf-8")
    answer = post(client_of(own), "/settings/look", {})
    assert not answer["ok"]
    assert "is not TOML" in answer["text"]


def test_a_console_without_settings_says_where_they_stand() -> None:
    response = client_of(None).post("/settings/look", json={}, headers=OWN)
    assert (response.status_code, response.json()["ok"]) == (404, False)
    assert "callbox.toml" in response.json()["text"]


def test_over_a_network_settings_are_changed_by_a_page_that_seals_and_no_other(
    own: OwnSettings, file: Path
) -> None:
    client = client_of(own, FAR)
    for path, body in (("/settings/change", {"values": {"language": "de"}}), ("/settings/restart", {})):
        assert client.post(path, json=body, headers=OWN).status_code == 403
    assert load(file).language == "en"
    assert not own.restart_asked.is_set()


@HOST_ALONE
def test_only_the_host_changes_settings_at_a_club_or_a_tournament(
    own: OwnSettings, file: Path, tmp_path: Path, kind: TableKind, role: Role, may: bool
) -> None:
    desk, people = begun(), people_of(tmp_path, kind)
    app = make_app(desk, ConsoleSettings(people=people, own_settings=own))
    page = page_of(role, people, TestClient(app, base_url=HOME, client=FAR), desk)
    page.post("/settings/look", {})
    assert (page.status == 200) is may
    answer = page.post("/settings/change", {"values": {"language": "de"}})
    assert (page.status == 200) is may
    assert may or answer["text"].startswith("Only the host may change the settings here.")
    answer = page.post("/settings/restart", {})
    assert may or answer["text"].startswith("Only the host may restart the box here.")
    assert (load(file).language == "de") is own.restart_asked.is_set() is may


@pytest.mark.chromium
def test_a_setting_is_changed_and_the_file_keeps_its_comments(
    opened: Opener, own: OwnSettings, file: Path
) -> None:
    page = opened(FakeBox(), "settings", own_settings=own)
    expect(page.locator("#restart")).to_be_hidden()
    page.get_by_role("button", name="Save").click()
    expect(page.locator("#notice")).to_contain_text("Nothing was changed.")
    page.get_by_label("Volume").fill("60")
    page.get_by_label("When to read the dice.").select_option("As soon as they lie still")
    page.get_by_label("Keep a short film of each throw.").uncheck()
    page.get_by_label("More names for the box.").fill("dice.box, callbox.box")
    page.get_by_role("button", name="Save").click()
    expect(page.locator("#restart")).to_be_focused()
    expect(page.locator("[id='table.reads-hint']")).to_contain_text("Waits for the restart.")
    assert file.read_text(encoding="utf-8").startswith("# ours\n[voice]\nloudness = 60 # not louder\n")
    config = load(file)
    assert (config.table.reads, config.films.keep) == ("at_rest", False)
    assert config.console.names == ("dice.box", "callbox.box")
    page.get_by_role("button", name="Restart now").click()
    expect(page.locator("#restart p")).to_have_text("The box is restarting…")
    assert own.restart_asked.is_set()


@pytest.mark.chromium
def test_a_refused_value_is_pointed_at_and_what_was_entered_stays(
    opened: Opener, own: OwnSettings, file: Path
) -> None:
    page = opened(FakeBox(), "settings", own_settings=own)
    page.get_by_label("Language of box, pages and voice.").select_option("Deutsch")
    page.get_by_label("Volume").fill("900")
    page.get_by_role("button", name="Save").click()
    expect(page.locator("#notice")).to_contain_text("voice.loudness is 900; allowed is a whole number from 0")
    expect(page.get_by_label("Volume")).to_be_focused()
    expect(page.get_by_label("Volume")).to_have_attribute("aria-invalid", "true")
    expect(page.get_by_label("Language of box, pages and voice.")).to_have_value("de")
    assert load(file).language == "en"


@pytest.mark.chromium
def test_where_nobody_starts_the_box_again_the_page_says_how(opened: Opener, file: Path) -> None:
    by_hand = OwnSettings(file, parse(""), data=file.parent, restarts=False)
    page = opened(FakeBox(), "settings", own_settings=by_hand)
    expect(page.locator("#restart p")).to_contain_text("End Callbox with Ctrl-C and start it again.")
    expect(page.get_by_role("button", name="Restart now")).to_be_hidden()


@pytest.mark.chromium
@ANY_SCREEN
def test_the_page_can_be_read_touched_and_heard(
    opened: Opener, own: OwnSettings, scheme: str, language: str, width: int, height: int
) -> None:
    speak_language(language)
    page = opened(FakeBox(), "settings", width, height, own_settings=own)
    page.emulate_media(color_scheme="dark" if scheme == "dark" else "light")
    page.locator("[id='voice.loudness']").fill("61")
    page.locator("#save button").click()
    expect(page.locator("#restart")).to_be_focused()
    assert find_violations(page) == []
    assert small_targets(page) == []
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    page.locator("[id='voice.loudness']").fill("999")
    page.locator("#save button").click()
    expect(page.locator("#notice")).to_be_visible()
    assert find_violations(page) == []


class Service:
    """A box that runs as systemd would run it, and is started again when it ends by itself."""

    def __init__(self, folder: Path, file: Path) -> None:
        self._command = [sys.executable, "-m", "device", "play", "--config", str(file), "--camera", "table"]
        self._command += ["--data", str(folder / "data"), "--host", "127.0.0.1", "--port", "0"]
        self._environment = os.environ | {"NOTIFY_SOCKET": str(folder / "nobody")}
        self.process = self.start()
        self.address = self.await_address()

    def start(self) -> "subprocess.Popen[str]":
        """Start it; at the port that it had, where it had one."""
        return subprocess.Popen(self._command, env=self._environment, stdout=subprocess.PIPE, text=True)

    def await_address(self) -> str:
        """The console's address, once it answers."""
        assert self.process.stdout is not None
        line = next(each for each in self.process.stdout if "http://" in each)
        address = line[line.index("http://") :].strip()
        self._command[-1] = address.rstrip("/").rpartition(":")[2]
        return address

    def start_again(self) -> None:
        """What systemd does when it has ended, which it must do by itself and well."""
        self.process.communicate(timeout=PATIENCE_S)
        assert self.process.returncode == 0
        self.process = self.start()
        assert self.await_address() == self.address


@pytest.fixture
def service(tmp_path: Path) -> Iterator[Service]:
    file = tmp_path / "callbox.toml"
    file.write_text("# ours\n", encoding="utf-8")
    running = Service(tmp_path, file)
    yield running
    running.process.send_signal(signal.SIGTERM)
    running.process.communicate()


@pytest.mark.long
@pytest.mark.chromium
def test_after_the_restart_the_page_speaks_the_language_that_was_chosen(
    chromium: Browser, service: Service, tmp_path: Path
) -> None:
    page = chromium.new_context().new_page()
    page.set_default_timeout(1000 * PATIENCE_S)
    page.goto(f"{service.address}settings")
    page.get_by_label("Language of box, pages and voice.").select_option("Deutsch")
    page.get_by_role("button", name="Save").click()
    page.get_by_role("button", name="Restart now").click()
    service.start_again()
    expect(page.locator("html")).to_have_attribute("lang", "de")
    expect(page.locator("h1")).to_contain_text("Einstellungen")
    expect(page.locator("#restart")).to_be_hidden()
    assert (tmp_path / "callbox.toml").read_text(encoding="utf-8") == '# ours\nlanguage = "de"\n'
    page.context.close()
