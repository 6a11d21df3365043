"""PINs are kept as hashes, in a file for the box's own user, and set by a command that tells what to do."""

import json
import sys
from pathlib import Path
from types import SimpleNamespace

import click
import pytest
from click.testing import CliRunner

from device.cli import callbox
from device.commands.pin import ask_pin
from device.languages import speak_language
from device.people.pins import PinBook, PinsBroken, hash_pin, pins_path
from tests.device.conftest import REAL_DIGEST


@pytest.fixture(autouse=True)
def costly_pins(monkeypatch: pytest.MonkeyPatch) -> None:
    """Here a PIN is hashed as on a box."""
    monkeypatch.setattr("device.people.pins._digest", REAL_DIGEST)


def run_pin(*words: str, typed: str = "") -> tuple[int, str]:
    result = CliRunner().invoke(callbox, ["pin", *words], input=typed)
    return result.exit_code, result.output


def test_a_pin_fits_its_hash_and_no_other() -> None:
    hashed = hash_pin("4711")
    assert hashed.fits("4711")
    assert not hashed.fits("4712")
    assert hash_pin("4711") != hashed, "each has a salt of its own"


def test_the_file_holds_no_pin_and_is_for_its_owner_alone(tmp_path: Path) -> None:
    PinBook(pins_path(tmp_path)).put("referee", "86420975")
    path = pins_path(tmp_path)
    assert path.stat().st_mode & 0o777 == 0o600
    assert "86420975" not in path.read_text(encoding="utf-8")
    assert list(tmp_path.iterdir()) == [path]


def test_a_running_box_takes_a_new_pin_at_once(tmp_path: Path) -> None:
    box, command = PinBook(pins_path(tmp_path)), PinBook(pins_path(tmp_path))
    assert box.of("host") is None
    command.put("host", "1234")
    first = box.of("host")
    assert first is not None
    assert first.fits("1234")
    command.put("host", "5678")
    second = box.of("host")
    assert second is not None
    assert not second.fits("1234")
    command.put("host", None)
    assert box.of("host") is None


def test_one_office_s_pin_leaves_the_other_s(tmp_path: Path) -> None:
    book = PinBook(pins_path(tmp_path))
    book.put("host", "1234")
    book.put("referee", "5678")
    book.put("referee", None)
    known = book.of("host")
    assert known is not None
    assert known.fits("1234")


@pytest.mark.parametrize("pin", ["", "123", "12a4", "1234567890123", "١٢٣٤", "12 34"])
def test_what_is_no_pin_is_refused(tmp_path: Path, pin: str) -> None:
    with pytest.raises(PinsBroken, match="4 to 12 digits"):
        PinBook(pins_path(tmp_path)).put("host", pin)
    assert not pins_path(tmp_path).exists()


@pytest.mark.parametrize("content", [b"", b"[]", b"\xff", b'{"host": {"salt": 3}}'])
def test_a_damaged_file_says_how_to_mend_it(tmp_path: Path, content: bytes) -> None:
    pins_path(tmp_path).write_bytes(content)
    with pytest.raises(PinsBroken, match="Set them again on the box"):
        PinBook(pins_path(tmp_path)).of("host")
    status, text = run_pin("host", "--data", str(tmp_path), typed="1234\n")
    assert status == 2
    assert "Set them again" in text


def test_the_command_sets_a_pin_and_never_says_it(tmp_path: Path) -> None:
    status, text = run_pin("referee", "--data", str(tmp_path), typed="86420\n")
    assert status == 0
    assert text.startswith("The referee's PIN is set.")
    assert 'table = "tournament"' in text, "the box is a family's: a PIN alone changes nothing"
    assert "86420" not in text
    known = PinBook(pins_path(tmp_path)).of("referee")
    assert known is not None
    assert known.fits("86420")
    assert run_pin("referee", "--forget", "--data", str(tmp_path))[0] == 0
    assert json.loads(pins_path(tmp_path).read_bytes()) == {}


def test_the_command_refuses_what_is_no_pin(tmp_path: Path) -> None:
    status, text = run_pin("host", "--data", str(tmp_path), typed="12\n")
    assert status == 2
    assert text == "callbox pin: a PIN has 4 to 12 digits and nothing else. Nothing was changed.\n"


def test_a_pin_is_asked_for_twice_in_the_language_of_the_house(monkeypatch: pytest.MonkeyPatch) -> None:
    typed, prompts = iter(["1234", "1243", "1234", "1234"]), list[str]()

    def prompt(text: str, *, hide_input: bool) -> str:
        assert hide_input
        prompts.append(text)
        return next(typed)

    monkeypatch.setattr(click, "prompt", prompt)
    monkeypatch.setattr(sys, "stdin", SimpleNamespace(isatty=lambda: True))
    speak_language("de")
    assert ask_pin("referee") == "1234"
    assert prompts == ["Neue PIN des Schiedsrichters, 4 bis 12 Ziffern", "Dieselbe PIN noch einmal"] * 2
