"""The box speaks with programs that the test writes: one that notes what it hears, one that never ends."""

from collections.abc import Callable
from pathlib import Path

import pytest

from device.config import VoiceConfig, load, parse
from device.shown.snapshot import CalledShown, Snapshot
from device.voice import Voice, open_voice
from tests.waiting import eventually


def called(number: int, words: str) -> Snapshot:
    return Snapshot(called=CalledShown(number=number, words=words))


def program(folder: Path, line: str) -> list[str]:
    """A program that notes the line that it is told in `said`, and then does what `line` says."""
    path = folder / "speaks"
    path.write_text(f'#!/bin/sh\nread -r words\necho "$words" >> {folder}/said\n{line}\n', encoding="utf-8")
    path.chmod(0o755)
    return [str(path)]


def said(folder: Path) -> list[str]:
    path = folder / "said"
    return path.read_text(encoding="utf-8").splitlines() if path.exists() else []


def no_trouble(text: str) -> None:
    pytest.fail(text)


def test_each_call_is_said_once(tmp_path: Path) -> None:
    voice = Voice(program(tmp_path, "exit 0"), no_trouble)
    odd = "$(rm) -q; `x`"
    voice.follow(called(1, "Ann rolls two dots."))
    voice.follow(called(1, "Ann rolls two dots."))
    eventually(lambda: said(tmp_path), "the first call")
    voice.follow(called(2, odd))
    eventually(lambda: odd in said(tmp_path), "the second call")
    voice.close()
    assert said(tmp_path) == ["Ann rolls two dots.", odd]


def test_a_newer_call_ends_the_one_that_is_being_said(tmp_path: Path) -> None:
    voice = Voice(program(tmp_path, "exec sleep 1000"), no_trouble)
    voice.follow(called(1, "old"))
    eventually(lambda: said(tmp_path) == ["old"], "it is being said")
    voice.follow(called(2, "new"))
    eventually(lambda: said(tmp_path) == ["old", "new"], "the newer one is said")
    voice.close()  # ends the second one, too: else this would wait for it


def test_a_program_that_hangs_is_ended_and_the_next_call_is_said(tmp_path: Path) -> None:
    told: list[str] = []
    voice = Voice(program(tmp_path, "exec sleep 1000"), told.append, hangs_s=0)
    voice.follow(called(1, "first"))
    eventually(lambda: len(told) == 1, "that it hung")
    voice.follow(called(2, "second"))
    eventually(lambda: len(told) == 2, "that the next one hung, too")
    voice.close()
    assert told[0].startswith("The voice hung and was ended: ")


def test_a_program_that_cannot_start_is_told_and_harms_nobody(tmp_path: Path) -> None:
    told: list[str] = []
    voice = Voice([str(tmp_path / "gone")], told.append)
    voice.follow(called(1, "first"))
    eventually(lambda: told != [], "why it is silent")
    voice.follow(called(2, "second"))
    voice.close()
    assert len(told) == 1
    assert "does not start: No such file" in told[0]


Find = Callable[[str], str | None]


@pytest.mark.parametrize(
    ("config", "find", "told"),
    [
        (load().voice, lambda name: name, []),
        (
            parse('[voice]\nspeaks = "espeak-ng"').voice,
            {}.get,
            ["The voice is silent: there is no espeak-ng. Get it with: sudo apt install espeak-ng"],
        ),
    ],
)
def test_without_voice_or_program_the_box_is_silent(config: VoiceConfig, find: Find, told: list[str]) -> None:
    heard: list[str] = []
    asked: list[Callable[[Snapshot], None]] = []
    open_voice(config, heard.append, asked.append, find).close()
    assert asked == []
    assert heard == told


def test_the_program_is_told_how_to_speak_and_comes_after_every_score(tmp_path: Path) -> None:
    (command,) = program(tmp_path, f'echo "$@" > {tmp_path}/how')
    config = parse('[voice]\nspeaks = "espeak-ng"\naccent = "en-us"\nloudness = 60').voice
    asked: list[Callable[[Snapshot], None]] = []
    voice = open_voice(config, no_trouble, asked.append, {"espeak-ng": command, "nice": "nice"}.get)
    (follow,) = asked
    follow(called(1, "hello"))
    how = tmp_path / "how"
    eventually(lambda: how.exists() and how.read_text(encoding="utf-8"), "how it is to speak")
    voice.close()
    assert how.read_text(encoding="utf-8").split() == ["-v", "en-us", "-s", "155", "-a", "60", "--stdin"]
