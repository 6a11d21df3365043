"""Runs under the virtual camera: a box that plays on while its camera is killed, stopped, unplugged, black or
frozen, again and again. Tells as JSON when each was noticed, when pictures were back, and what was kept.

python tests/rigs/troubles.py PYTHON_WITH_PICAMERA2 KIND TIMES

Black and frozen pictures are part of the scene (`paint`), which begins again for ever; the others are done to
the process that takes the pictures. Meanwhile a bet is made and taken back, and the journal must hold both.
"""

import json
import os
import signal
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from calibration.arrays import Picture
from device.box import Box, Setup, steady_ms
from device.cameras import Frame
from device.cameras.picamera import PiCamera
from device.commands.play import POLL_S
from device.config import load
from device.journal.rows import EventRow
from device.journal.verify import verify
from device.requests import LockBet, PressButton, StartGame
from device.shown.snapshot import Snapshot

WIDTH, HEIGHT, FPS = 1280, 960, 20
WELL, ILL = 15, 24
"""Pictures of each; every one is shown for four frames at 30 a second: 2 s and 3.2 s."""
MARK_PX, MARK_GREY = 64, 220
"""A square in the corner of the frozen picture, so that its beginning is known."""
WORDS = {"black": "is black", "frozen": "has frozen", "unplugged": "no such camera"}
GIVE_UP_S = 3600.0
SETTLE_S = 1.0
FINGER_S = 0.1


def paint(folder: Path, kind: str) -> None:
    """The scene of that kind, as pictures in `folder`."""
    rng = np.random.default_rng(1)
    for number in range(WELL):
        cv2.imwrite(str(folder / f"{number:03d}.jpg"), table(rng))
    if kind in {"black", "frozen"}:
        last = table(rng) if kind == "frozen" else np.zeros((HEIGHT, WIDTH, 3), np.uint8)
        if kind == "frozen":
            last[:MARK_PX, :MARK_PX] = MARK_GREY
        for number in range(WELL, WELL + ILL):
            cv2.imwrite(str(folder / f"{number:03d}.jpg"), last)


def table(rng: np.random.Generator) -> Picture:
    """A plain table with the sensor's noise: never the same twice."""
    noise = rng.normal(110, 4, (HEIGHT // 4, WIDTH // 4, 3)).clip(0, 255).astype(np.uint8)
    return np.asarray(cv2.resize(noise, (WIDTH, HEIGHT)), np.uint8)


def is_ill(picture: Picture) -> bool:
    """Whether this picture of the scene is one of the black or frozen ones."""
    corner = float(picture[8 : MARK_PX - 8, 8 : MARK_PX - 8].mean())
    return corner > (110 + MARK_GREY) / 2 or corner < 40


class Dated(PiCamera):
    """The Pi's camera, which keeps when the scene last turned ill and well, and when a picture last came."""

    ill_ms = well_ms = came_ms = 0.0
    ill = False
    turned = 0

    def frames(self) -> Iterator[Frame]:
        """The frames as they come."""
        for frame in super().frames():
            self.came_ms = steady_ms()
            ill = is_ill(frame.picture)
            if ill != self.ill:
                self.ill = ill
                self.turned += ill
                if ill:
                    self.ill_ms = frame.time_ms
                else:
                    self.well_ms = frame.time_ms
            yield frame

    def pid(self) -> int:
        """The process that takes the pictures."""
        assert self._link is not None
        return self._link.process.pid


@dataclass
class Heard:
    """What the console was told of the camera last, and when that changed."""

    text: str = ""
    at_ms: float = 0.0

    def __call__(self, snapshot: Snapshot) -> None:
        """Take a snapshot."""
        if snapshot.camera.text != self.text:
            self.at_ms, self.text = steady_ms(), snapshot.camera.text


def until(holds: Callable[[], object], what: str) -> float:
    """Wait until it holds; the time then, in ms. Ends the rig when it never does."""
    end_s = time.monotonic() + GIVE_UP_S
    while not holds():
        if time.monotonic() > end_s:
            raise SystemExit(f"never seen: {what}")
        time.sleep(0.01)
    return steady_ms()


class Rig:
    """A box with a camera, and what is done to it."""

    def __init__(self, box: Box, camera: Dated, kind: str) -> None:
        self.box, self.camera, self.kind = box, camera, kind
        self.heard = Heard()
        self.acknowledged = 0
        self.config = os.environ["LIBCAMERA_VIRTUAL_CONFIG"]
        box.api.subscribe(self.heard)

    def round(self) -> dict[str, float]:
        """One trouble, from its beginning to pictures that come again: noticed and back, in ms."""
        began_ms, ended = self._befall()
        word = WORDS.get(self.kind, "")
        until(lambda: word in self.heard.text and self.heard.text, f"{self.kind} is told")
        noticed_ms = (self.first_ms or self.heard.at_ms) - began_ms
        self._play_on()
        ended_ms = ended()
        until(lambda: not self.heard.text and self.camera.came_ms > ended_ms, "pictures come again")
        back_ms = max(0.0, self.heard.at_ms - ended_ms)
        time.sleep(SETTLE_S)
        return {"noticed_ms": noticed_ms, "back_ms": back_ms}

    def _befall(self) -> tuple[float, Callable[[], float]]:
        """Let it happen: when it began, and what ends it and says when."""
        self.first_ms = 0.0
        if self.kind in {"black", "frozen"}:
            turned = self.camera.turned
            until(lambda: self.camera.turned > turned, f"a {self.kind} picture")
            return self.camera.ill_ms, self._scene_heals
        began_ms = steady_ms()
        if self.kind == "unplugged":
            return began_ms, self._plug_in(began_ms)
        os.kill(self.camera.pid(), signal.SIGKILL if self.kind == "killed" else signal.SIGSTOP)
        return began_ms, lambda: began_ms

    def _scene_heals(self) -> float:
        until(lambda: not self.camera.ill, "the scene goes on")
        return self.camera.well_ms

    def _plug_in(self, began_ms: float) -> Callable[[], float]:
        """Take the camera away: no picture comes, and from now on libcamera finds none."""
        with tempfile.NamedTemporaryFile("w", suffix=".yaml", delete=False) as empty:
            empty.write("%YAML 1.1\n---\n{}\n")
        os.environ["LIBCAMERA_VIRTUAL_CONFIG"] = empty.name
        os.kill(self.camera.pid(), signal.SIGSTOP)
        until(lambda: self.heard.text, "that it is gone")
        self.first_ms = max(self.heard.at_ms, began_ms)

        def plug_in() -> float:
            os.environ["LIBCAMERA_VIRTUAL_CONFIG"] = self.config
            Path(empty.name).unlink()
            return steady_ms()

        return plug_in

    def _play_on(self) -> None:
        """Bet and take it back, while there is no picture: two events that the box acknowledges."""
        api = self.box.api
        answer = api.request(LockBet("Ann", 4))
        if not answer.ok:
            raise SystemExit(f"the box refused a bet: {answer.text}")
        for down in (True, False):
            api.request(PressButton(down=down, button="undo"))
            time.sleep(FINGER_S)
        until(lambda: "locked" not in self._bets(), "the bet is taken back")
        self.acknowledged += 2

    def _bets(self) -> tuple[str, ...]:
        game = self.box.api.snapshot().game
        return tuple(map(str, game.bets)) if game else ("locked",)


def main(python: str, kind: str, times: int) -> None:
    """Play on through so many troubles of one kind."""
    config = load(None)
    camera = Dated(0, WIDTH, HEIGHT, FPS, python=python, stall_ms=config.table.no_picture_ms)
    said: list[str] = []
    with tempfile.TemporaryDirectory() as folder:
        data = Path(folder)
        setup = Setup(
            config=config, camera=camera, data=data, mock_pins=True, reads="roll_done",
            host="127.0.0.1", port=0, tell=said.append,
        )  # fmt: skip
        with Box(setup) as box:
            over = threading.Event()
            threading.Thread(target=watch, args=(box, over), daemon=True).start()
            rig = Rig(box, camera, kind)
            box.start()
            answer = box.api.request(StartGame("zoinx", ("Ann", "Bea"), {}))
            assert answer.ok, answer.text
            until(lambda: camera.came_ms and not rig.heard.text, "the first picture")
            rounds = [rig.round() for _ in range(times)]
            over.set()
            kept = events_kept(box)
        verdict = verify(data / "journal.db")
    report = {"rounds": rounds, "acknowledged": rig.acknowledged, "kept": kept, "damages": verdict.damages}
    sys.stdout.write(json.dumps(report | {"said": said}) + "\n")


def watch(box: Box, over: threading.Event) -> None:
    """What `callbox play` does beside: see whether the camera's thread hangs."""
    while not over.wait(POLL_S):
        box.feed.check_thread(time.monotonic())


def events_kept(box: Box) -> int:
    """How many events of the game stand in the journal."""
    game_id = box.api.snapshot().game_id
    assert game_id is not None
    rows: list[Any] = [entry.row for entry in box.journal.rows(game_id)]
    return sum(isinstance(row, EventRow) for row in rows)


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], int(sys.argv[3]))
