"""A whole game of Zoinx on a box's own pins: buttons pressed, lamps and digits read, at their lines.

    python zoinx_game.py mock|kernel

Prints a line for each step: what was pressed, which lamps were lit then, and the score; at the end "ok". On
gpiozero's mock pins it runs anywhere, on kernel GPIO in the virtual machine, and both must print the same.
The box is whole but for its eye: nobody can throw dice before a picture, so people say what they show.
"""

import os
import random
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Protocol

import numpy as np
from gpiozero import LEDMultiCharDisplay
from gpiozero.pins.mock import MockFactory

import device.box
from device.box import Box, Setup, steady_ms
from device.cameras import Frame
from device.config import Config, parse
from device.panel.displays import Late, PlainDigits
from device.requests import Correct, StartGame
from device.shown.snapshot import Snapshot
from engine.dice import Die
from vision.reading import Reading

SETTINGS = """
[panel]
long_press_ms = {long_press_ms}
[panel.buttons]
cache = "none"
[panel.lamps]
cache = "none"
[scoreboard]
kind = "digits"
[films]
keep = false
"""
"""Bare digits on pins: the only scoreboard that the kernel's lines can show."""
PLAYERS = ("Ann", "Bea", "Cid")
PATIENCE_S = 3600.0
PAUSE_S = 0.02
DOTS = 0.4
"""How often a die shows a dot: enough turns to see every lamp, and an end."""
LIT_S = 0.2
"""How long each digit is lit in turn on the kernel's lines (5 ms elsewhere). An emulated processor takes
milliseconds to look at a line, and a digit must stay lit while all its segments are looked at."""
ROUNDS = 3
"""How many rounds a digit is waited for before it counts as dark."""


class Lines(Protocol):
    """The lines of a header."""

    def pull(self, pin: int, down: bool) -> None:
        """What is wired to an input."""
        ...

    def high(self, pin: int) -> bool:
        """What a line carries."""
        ...


class MockLines:
    """gpiozero's mock pins."""

    def __init__(self, box: Box) -> None:
        assert box.panel is not None
        factory = box.panel._factory
        assert isinstance(factory, MockFactory)
        self._pin = factory.pin

    def pull(self, pin: int, down: bool) -> None:
        """Drive the pin."""
        self._pin(pin).drive_low() if down else self._pin(pin).drive_high()

    def high(self, pin: int) -> bool:
        """Its state."""
        return bool(self._pin(pin).state)


class KernelLines:
    """The kernel's gpio-sim, in the virtual machine."""

    def __init__(self) -> None:
        sys.path.insert(0, "/rig/gpio-vm/guest")
        import simgpio  # noqa: PLC0415 - is in the machine only

        self._sim = simgpio
        self._files: dict[int, int] = {}

    def pull(self, pin: int, down: bool) -> None:
        """A pressed button joins its line to ground."""
        self._sim.pull(pin, "down" if down else "up")

    def high(self, pin: int) -> bool:
        """What the line carries; its file stays open, for opening it takes longer than a digit is lit."""
        if pin not in self._files:
            self._files[pin] = os.open(self._sim._line(pin, "value"), os.O_RDONLY)
        return os.pread(self._files[pin], 1, 0) == b"1"


class StillTable:
    """A camera before which nothing ever happens."""

    live = False

    def __init__(self) -> None:
        self._over = threading.Event()

    def frames(self) -> Iterator[Frame]:
        """The same grey picture, again and again."""
        picture = np.full((240, 320, 3), 90, np.uint8)
        while not self._over.wait(0.2):
            yield Frame(picture=picture, time_ms=steady_ms(), name="a still table")

    def sharpen(self, on: bool) -> None:
        """Nothing is sharper."""

    def close(self) -> None:
        """No more of it."""
        self._over.set()


class NothingSeen:
    """A reader that sees no die."""

    def read(self, picture: np.ndarray, *_: object) -> Reading:
        """An empty table."""
        height, width = picture.shape[:2]
        return Reading(width_px=width, height_px=height, dice=(), unsure=(), elapsed_ms=1.0)


def until(holds: Callable[[], object], what: str) -> None:
    """Wait for it, as long as a busy machine takes."""
    end_s = time.monotonic() + PATIENCE_S
    while not holds():
        assert time.monotonic() < end_s, what
        time.sleep(PAUSE_S)


def digits_of(box: Box) -> LEDMultiCharDisplay:
    """The digits on pins, once they are there."""
    late = box.display
    assert isinstance(late, Late)
    until(lambda: late._display, "the digits' pins are opened")
    assert isinstance(late._display, PlainDigits)
    digits = late._display._display
    assert isinstance(digits, LEDMultiCharDisplay)
    return digits


class Game:
    """A box, its lines, and what people at its table do."""

    def __init__(self, box: Box, config: Config, lines: Lines) -> None:
        self.box, self.config, self.lines = box, config, lines
        self.lit_s = digits_of(box).plex_delay
        self.dice = random.Random(14)
        self.buttons, self.lamps = config.panel.buttons.fitted(), config.panel.lamps.fitted()

    @property
    def now(self) -> Snapshot:
        """What is shown."""
        return self.box.api.snapshot()

    def lit(self) -> list[str]:
        """The lamps that are lit, by their lines."""
        return [name for name, pin in self.lamps.items() if self.lines.high(pin)]

    def digits(self) -> tuple[int, ...]:
        """The digits as an eye sees them: those that are lit one after the other; a dark one never is."""
        board = self.config.scoreboard
        seen = [0] * len(board.digit_pins)
        end_s = time.monotonic() + ROUNDS * len(seen) * self.lit_s
        while time.monotonic() < end_s:
            for place, chosen in enumerate(board.digit_pins):
                if self.lines.high(chosen):
                    shows = sum(self.lines.high(pin) << bit for bit, pin in enumerate(board.segment_pins))
                    if self.lines.high(chosen):  # still the same one
                        seen[place] = shows
        return tuple(seen)

    def wanted(self) -> list[str]:
        """The lamps that the box has lit, without the blinks that answer a press."""
        return [name for name, lit in self.now.lamps.items() if lit and name in self.lamps]

    def settled(self) -> str:
        """Wait until lamps and digits are what is shown; returns them, with the score."""
        until(lambda: sorted(self.lit()) == sorted(self.wanted()), "the lamps as the game has them")
        places = len(self.config.scoreboard.digit_pins)
        until(lambda: self.digits() == self.now.segments[0][:places], "digits as shown")
        game = self.now.game
        assert game is not None
        return f"{' '.join(self.lit()) or 'dark'}; {game.phase} {' '.join(map(str, game.scores))}"

    def press(self, button: str, *, long: bool = False) -> None:
        """A finger on a button, on and off again."""
        pin = self.buttons[button]
        self.lines.pull(pin, True)
        until(lambda: button in self.box.table._presses.held(), f"{button} is down")
        if long:
            time.sleep(self.config.panel.long_press_ms / 1000 + 0.1)
        self.lines.pull(pin, False)
        until(lambda: button not in self.box.table._presses.held(), f"{button} is up")

    def bet(self, seat: int, dots: int) -> None:
        """Turn the dial by touch, and lock it."""
        for _ in range(dots // 2):
            self.press(f"bet{seat + 1}")
        self.press(f"bet{seat + 1}", long=True)
        until(lambda: self.now.game and self.now.game.bets[seat] != "thinking", f"the bet of {seat}")

    def roll(self) -> None:
        """ROLL DONE; the box sees no die, and people say what they show."""
        before = self.now.number
        self.press("roll_done")
        until(lambda: self.now.number > before and self.now.ask == "correct", "the box asks")
        dice = tuple(Die("zoinx", "dot" if self.dice.random() < DOTS else "square") for _ in range(4))
        answer = self.box.api.request(Correct(dice, "by hand"))
        assert answer.ok, answer

    def play(self, say: Callable[[str], None]) -> None:
        """From the first bet to the winner."""
        while self.now.stage == "playing":
            game = self.now.game
            assert game is not None
            if game.phase == "bet":
                for seat in range(len(PLAYERS)):
                    self.bet(seat, 2 * self.dice.randint(1, 3))
                say(f"bets: {self.settled()}")
            elif "stop" in self.wanted():
                self.press("stop")
                until(lambda: "stop" not in self.wanted(), "STOP is taken")
                say(f"stop: {self.settled()}")
            else:
                self.roll()
                say(f"roll: {self.settled()}")


def main(kind: str) -> None:
    """One game; fails with an AssertionError that names what was waited for."""
    kernel = kind == "kernel"
    config = parse(SETTINGS.format(long_press_ms=5000 if kernel else 400))
    setattr(device.box, "TableReader", lambda **_: NothingSeen())  # noqa: B010 - a name that box only borrows
    with tempfile.TemporaryDirectory() as data:
        setup = Setup(
            config=config,
            camera=StillTable(),
            data=Path(data),
            mock_pins=not kernel,
            reads="roll_done",
            host="127.0.0.1",
            port=0,
            tell=lambda text: print("told:", text, file=sys.stderr, flush=True),
            patience_s=PATIENCE_S,
        )
        lines = KernelLines() if kernel else None
        if lines is not None:
            for pin in config.panel.buttons.fitted().values():
                lines.pull(pin, False)
        with Box(setup) as box:
            box.start()
            if kernel:
                digits_of(box).plex_delay = LIT_S
            assert box.api.request(StartGame("zoinx", PLAYERS, {})).ok
            Game(box, config, lines or MockLines(box)).play(lambda line: print(line, flush=True))
            assert box.table.snapshot.game is not None
            print("won by", *box.table.snapshot.game.winners)
    print("ok", flush=True)


if __name__ == "__main__":
    main(sys.argv[1])
