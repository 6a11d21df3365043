"""What a throw passes on its way from the frame to the lit score: distinct functions and files of our own.

    python benchmarks/house/passed.py ROOT    prints it as JSON for the product in that folder

A whole box plays on its simulated table and reads by itself. Counted is what the table's own thread calls in
`Table.see`, from the first frame in which the dice lie still to the frame whose snapshot has the reading:
named functions (not lambdas and comprehensions) whose file lies in one of the product's rooms. Each kind of
throw is tried with several seeds, and the middle one is told: other dice take slightly other ways.

This file runs in a process of its own and imports nothing of ours but what ROOT has: `device.box`,
`device.config`, `device.table`, and `open_camera` from wherever it is defined.
"""

import dataclasses
import importlib
import json
import sys
import tempfile
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from types import CodeType, FrameType
from typing import Any

ROOMS = ("device", "vision", "engine", "calibration", "models")
SEEDS = range(11, 23)
KEPT = 3
"""How many throws of each kind are followed. One that the box has to ask about does not count."""
FPS = 5.0
"""Slow enough for a box that is being counted to see every frame."""
STILL_FRAMES = 5
"""The empty table is looked at so often before something is thrown."""
PATIENCE_S = 120.0
GAMES: Mapping[str, tuple[str, tuple[str, ...], Mapping[str, str]]] = {
    "roll": ("zonk", ("Ann", "Bea"), {}),
    "landing": ("end-zone", ("Ann",), {"mode": "solo"}),
}
"""What is thrown for: game, players, options."""


@dataclasses.dataclass(frozen=True, slots=True, kw_only=True)
class Way:
    """What one throw passed."""

    functions: int
    files: tuple[str, ...]
    """In the order in which they were first called, from the root."""


class Follower:
    """Counts the calls of each frame that a table sees, in the table's thread."""

    def __init__(self, root: Path) -> None:
        """Nothing is counted before `on` is entered."""
        self._rooms = tuple(f"{root / room}/" for room in ROOMS)
        self._changed = threading.Condition()
        self._frames: list[dict[CodeType, None]] = []
        """What each frame called since the dice began to lie still."""
        self.way: Way | None = None
        """What passed until the newest reading was shown."""
        self._root = root
        self._reading = 0

    @contextmanager
    def on(self, table: type[Any]) -> Iterator[None]:
        """Count what every table of this class does with a frame."""
        see = table.see

        def counted(itself: Any, frame: object) -> None:
            called: dict[CodeType, None] = {}

            def note(inner: FrameType, event: str, _: object) -> None:
                code = inner.f_code
                if event == "call" and code.co_filename.startswith(self._rooms):
                    called.setdefault(code)

            sys.setprofile(note)
            try:
                see(itself, frame)
            finally:
                sys.setprofile(None)
            self._seen(called, itself.snapshot)

        table.see = counted
        try:
            yield
        finally:
            table.see = see

    def _seen(self, called: dict[CodeType, None], snapshot: Any) -> None:
        with self._changed:
            if snapshot.table.state == "still":
                self._frames.append(called)
            else:
                self._frames = []
            if snapshot.table.reading_id != self._reading:
                self._reading = snapshot.table.reading_id
                self.way = self._told()
            self._changed.notify_all()

    def _told(self) -> Way:
        codes = [code for called in self._frames for code in called]
        named = {code for code in codes if not code.co_name.startswith("<")}
        files = dict.fromkeys(Path(code.co_filename).relative_to(self._root).as_posix() for code in codes)
        return Way(functions=len(named), files=tuple(files))

    def wait_still(self) -> bool:
        """Wait until nothing has moved for some frames; False when that never came."""
        with self._changed:
            self._frames = []
            return self._changed.wait_for(lambda: len(self._frames) >= STILL_FRAMES, PATIENCE_S)

    def wait_read(self) -> Way | None:
        """Wait for the next reading."""
        with self._changed:
            self.way = None
            self._changed.wait_for(lambda: self.way is not None, PATIENCE_S)
            return self.way


def opener(root: Path) -> Any:
    """The module that opens cameras by the word after `--camera`, wherever in `device` it lies."""
    for path in sorted((root / "device").rglob("*.py")):
        text = path.read_text(encoding="utf-8")
        if "\ndef open_camera(" in text and "shape: Shape" in text:
            return importlib.import_module(".".join(path.relative_to(root).with_suffix("").parts))
    raise SystemExit(f"no module in {root / 'device'} defines open_camera")


def follow(root: Path, kind: str, seed: int) -> Way | None:
    """One throw; None when the box did not take it, or had to ask."""
    box_module, opening = importlib.import_module("device.box"), opener(root)
    config = importlib.import_module("device.config").load(None)
    table = importlib.import_module("device.table").Table
    camera = opening.open_camera("table", shape=opening.Shape(fps=FPS), seed=seed)
    follower, game = Follower(root), GAMES[kind]
    with tempfile.TemporaryDirectory() as folder, follower.on(table):
        wanted = {
            "config": config,
            "camera": camera,
            "data": Path(folder),
            "mock_pins": True,
            "reads": "at_rest",
            "host": "127.0.0.1",
            "port": 0,
            "tell": lambda text: print(text, file=sys.stderr),
        }
        known = {field.name for field in dataclasses.fields(box_module.Setup)}
        setup = box_module.Setup(**{name: value for name, value in wanted.items() if name in known})
        with box_module.Box(setup) as box:
            box.start()
            answer = box.desk.start(*game)
            if not answer.ok:
                raise SystemExit(f"{game[0]} did not begin: {answer.text}")
            if not follower.wait_still():
                return None
            # The hand is the simulated table's own: no door above the wire is needed to move it.
            camera.act("throw")
            way = follower.wait_read()
            return None if box.desk.snapshot().ask else way


def middle(root: Path, kind: str) -> Way:
    """The throw in the middle of several, by the functions that it passed."""
    ways: list[Way] = []
    for seed in SEEDS:
        way = follow(root, kind, seed)
        if way is not None:
            ways.append(way)
        if len(ways) == KEPT:
            return sorted(ways, key=lambda each: each.functions)[KEPT // 2]
    raise SystemExit(f"the box took {len(ways)} of {len(SEEDS)} throws ({kind}) without a question")


def main(root: Path) -> None:
    """Print the ways as JSON."""
    sys.path.insert(0, str(root))
    print(json.dumps({kind: dataclasses.asdict(middle(root, kind)) for kind in GAMES}))


if __name__ == "__main__":
    main(Path(sys.argv[1]).resolve())
