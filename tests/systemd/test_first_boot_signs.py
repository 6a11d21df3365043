"""What tells of the first boot before the box is there: lamps, board, page, and its form for a Wi-Fi."""

import http.client
import importlib.util
import threading
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from urllib.parse import urlencode

import pytest

from device.card import wifi_of
from device.first_boot import signs

PATH = Path(__file__).parents[2] / "systemd" / "first_boot_signs.py"


@pytest.fixture(scope="module")
def program() -> ModuleType:
    """The program, loaded from where it lies."""
    spec = importlib.util.spec_from_file_location("first_boot_signs", PATH)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture
def port(program: ModuleType, tmp_path: Path) -> Iterator[int]:
    """Where the page is, for the state in this folder."""
    server = program.serve(signs("", "en"), tmp_path, 0)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    yield server.server_address[1]
    server.shutdown()
    thread.join()
    server.server_close()


def ask(port: int, form: dict[str, str] | None = None) -> str:
    connection = http.client.HTTPConnection("127.0.0.1", port)
    body = urlencode(form) if form else None
    connection.request("POST" if form else "GET", "/wifi" if form else "/", body)
    text = connection.getresponse().read().decode()
    connection.close()
    return text


@pytest.mark.parametrize(
    ("state", "installer", "shown"),
    [
        ("", "", "step 1"),
        ("step 3", "", "step 3"),
        ("step 3", "check", "step 3"),
        ("step 3", "ready 1.0", "step 4"),
        ("step 3", "change 1.0", "step 5"),
        ("fault 4", "ready 1.0", "fault 4"),
    ],
)
def test_how_far_it_is_is_told_by_first_boot_and_installer(
    program: ModuleType, tmp_path: Path, state: str, installer: str, shown: str
) -> None:
    for name, text in (("state", state), ("installer", installer)):
        if text:
            (tmp_path / name).write_text(text, encoding="utf-8")
    assert program.read_state(tmp_path) == shown


def test_lamps_count_the_steps_and_a_fault_blinks_red(program: ModuleType) -> None:
    made = signs("", "en")
    blue, red = made["status"][2], made["status"][0]
    assert program.lit_at(made, "step 3", 0) == {*made["lamps"][:3], blue}
    blinks = [program.lit_at(made, "fault 2", at * program.LOOK_S) for at in range(2)]
    assert blinks == [set(), {*made["lamps"][:2], red}]


def test_a_box_without_any_lamp_has_none_to_light(program: ModuleType) -> None:
    made = signs("", "en") | {"lamps": [], "status": []}
    assert program.lit_at(made, "fault 2", program.LOOK_S) == set()
    program.Board(None).show([[1, 2]])


def test_the_page_says_the_step(program: ModuleType, tmp_path: Path, port: int) -> None:
    (tmp_path / "state").write_text("step 2\n", encoding="utf-8")
    text = ask(port)
    assert "StEP 2-5" in text
    assert "the box looks for its network" in text
    assert "<form" not in text


def test_a_wifi_is_taken_only_while_the_box_has_its_own(tmp_path: Path, port: int) -> None:
    form = {"name": "My <home>", "password": "right enough"}
    (tmp_path / "state").write_text("fault 2\n", encoding="utf-8")
    ask(port, form)
    assert not (tmp_path / "wifi").exists()
    (tmp_path / "state").write_text("ap\n", encoding="utf-8")
    assert "<form" in ask(port)
    assert "StEP 2-5" in ask(port, form)
    home = wifi_of(form["name"], form["password"])
    assert (tmp_path / "wifi").read_text(encoding="utf-8") == f"{home.name}\n{home.key}\n"
    assert (tmp_path / "wifi").stat().st_mode & 0o077 == 0


@pytest.mark.parametrize(
    "form",
    [
        {"name": "", "password": "long enough"},
        {"name": "a\nb", "password": "long enough"},
        {"name": "é" * 17, "password": "long enough"},
        {"name": "Home", "password": "short"},
        {"name": "Home", "password": "pässwörter"},
        {"name": "Home", "password": "x" * 5000},
    ],
)
def test_what_can_be_no_wifi_is_asked_again(tmp_path: Path, port: int, form: dict[str, str]) -> None:
    (tmp_path / "state").write_text("ap\n", encoding="utf-8")
    assert "<form" in ask(port, form)
    assert not (tmp_path / "wifi").exists()
