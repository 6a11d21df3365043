"""Players at the box: they throw, press, bet, choose and correct, as pages do it, over the console."""

import http.client
import json
import threading
import time
from array import array
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import chain, repeat
from random import Random

from calibration.arrays import Picture
from device.box import Box
from device.journal.rows import EventRow
from device.shown.snapshot import GameShown, Snapshot
from engine.dice import FACES, Die, DieKind
from engine.history import History
from engine.rulebooks import rulebook
from tests.soak.camera import DrawnCamera
from tests.soak.drawn import HAND_STEP_MS, STEP_MS, Dice, DrawnThrow, Pool

NAMES = ("Ann", "Bea", "Zoe")
TAP_MS = 60.0
STOPS = 0.5
"""How often somebody stops who may."""
EARLY = 0.5
"""How often ROLL DONE is pressed while the dice still roll."""
EARLY_FRAMES, LATE_FRAMES = 3, 2
"""It is pressed so many frames before the dice lie and no hand is seen, or so many after."""
TRAY_DICE = 5
MOST_THROWS = 60
"""Who has not ended a game by then puts an end to it."""
MOST_REST_FRAMES = 16
"""A box that has not read dice after so many frames at rest has missed them."""
ATTEMPTS = 5


@dataclass(slots=True)
class SoakTally:
    """What became of the throws."""

    throws: int = 0
    games: int = 0
    frames: int = 0
    asked: int = 0
    """Throws about which the box asked."""
    asked_in_vain: int = 0
    """Those of them in which all dice lay flat."""
    shown_ms: "array[float]" = field(default_factory=lambda: array("f"))
    """From the last frame or press that a reading needed to the snapshot that shows it, throw by throw."""
    work_ms: "array[float]" = field(default_factory=lambda: array("f"))
    """What the table's thread worked for that."""
    wrong: list[str] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Stamp:
    """The time on the wall's clock, and how long the table's thread has worked by then."""

    wall_s: float = 0.0
    work_s: float = 0.0


class PlayersPage:
    """A page of the console, on a connection that is kept."""

    def __init__(self, port: int) -> None:
        self._port = port
        self._line = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
        self._presses = 0

    def post(self, path: str, body: object) -> str:
        """What is wrong with that, or ""."""
        head = {"Content-Type": "application/json", "Origin": f"http://127.0.0.1:{self._port}"}
        for _ in range(ATTEMPTS):
            with suppress(http.client.HTTPException, OSError):
                self._line.request("POST", path, json.dumps(body), head)
                said = json.loads(self._line.getresponse().read())
                return "" if said["ok"] else str(said["text"] or "refused")
            self._line.close()  # the console ends connections that were silent for long
        raise AssertionError(f"the console does not answer {path}")

    def press(self, button: str, pass_ms: Callable[[float], object]) -> None:
        """A finger on a button, and off it again."""
        self._presses += 1
        for down in (True, False):
            assert not self.post(f"/pins/{button}", {"down": down, "finger": f"soak {self._presses}"})
            pass_ms(TAP_MS)

    def close(self) -> None:
        """Let the connection go."""
        self._line.close()


class Players:
    """They play game after game. One thread."""

    def __init__(self, box: Box, camera: DrawnCamera, pool: Pool, rng: Random) -> None:
        self._box, self._camera, self._pool, self._rng = box, camera, pool, rng
        self._page = PlayersPage(box.console.port)
        self._lying: DrawnThrow | None = None
        self._read = self._began = Stamp()
        table = next(each for each in threading.enumerate() if each.name == "table")
        self._table_clock = time.pthread_getcpuclockid(table.ident or 0)
        self._reading = (0, 0)
        self.tally = SoakTally()
        self._leave = box.api.subscribe(self._note)

    def game(self, name: str, goes_on: Callable[[], bool]) -> None:
        """One game to its end, or to `MOST_THROWS`, or until it is no more to go on; then it is replayed."""
        trouble = self._page.post("/games", {"game": name, "players": NAMES})
        assert not trouble, trouble
        self._take_away()
        self._see_empty()
        thrown = 0
        while self._now.stage != "ended" and thrown < MOST_THROWS and goes_on():
            before = self._now
            if not self._decide(before):
                self._throw(before)
                thrown += 1
        self._replay()
        self.tally.games += 1
        if self._now.stage != "ended":
            assert not self._page.post("/games/abandon", {"game_id": self._now.game_id})

    def leave(self) -> None:
        """They go home."""
        self._leave()
        self._page.close()

    @property
    def _now(self) -> Snapshot:
        return self._box.api.snapshot()

    @property
    def _game(self) -> GameShown:
        game = self._now.game
        assert game is not None, self._now
        return game

    def _note(self, shown: Snapshot) -> None:
        """In the table's thread: when a new reading was shown."""
        reading = shown.game_id or 0, shown.table.reading_id
        if reading != self._reading:
            self._reading, self._read = reading, self._moment()

    def _decide(self, now: Snapshot) -> bool:
        """Bet, stop or choose; False where a throw is due."""
        game = self._game
        if bets := [each for each in game.allowed if each.button == "bet"]:
            one = self._rng.choice(bets)
            trouble = self._page.post("/bets", {"player": one.player, "dots": self._rng.choice(one.choices)})
        elif now.lamps.get("stop") and self._rng.random() < STOPS:
            self._press("stop")
            trouble = self._now.message.text if self._game.line == game.line else ""
        elif game.choices:
            trouble = self._page.post("/choices", {"choice": 0, "words": game.choices[0].words})
        else:
            return False
        if trouble:
            self._wrong(trouble)
        return True

    def _throw(self, before: Snapshot) -> None:
        """A throw, its reading, and people's word where the box asks for it."""
        tally = self.tally
        drawn = self._pool.pick(self._rng, self._dice())
        self._take_away()
        tally.throws += 1
        is_read = self._show(drawn, before)
        self._lying = drawn
        now = self._now
        if not is_read:
            self._wrong(f"the dice were not read: {now.message.text}")
            return
        tally.shown_ms.append(1000 * (self._read.wall_s - self._began.wall_s))
        tally.work_ms.append(1000 * (self._read.work_s - self._began.work_s))
        if now.ask:
            self._answer(drawn)
            return
        read = sorted(str(die.value) for die in now.table.dice)
        if read != sorted(str(face) for _, face in drawn.truth.faces):
            self._wrong(f"{drawn.folder} shows {drawn.truth.faces}, and {read} was read")

    def _show(self, drawn: DrawnThrow, before: Snapshot) -> bool:
        """Have the box see the throw, and press ROLL DONE; whether it has read it."""
        early = self._rng.random() < EARLY
        frames = chain(drawn.coming(), repeat(drawn.resting(), MOST_REST_FRAMES))
        press_at = len(drawn.truth.come) + (-EARLY_FRAMES if early else LATE_FRAMES)
        for number, picture in enumerate(frames):
            self._see(picture, STEP_MS)
            if number == press_at and not self._is_read(before):
                self._press("roll_done")
            if self._is_read(before):
                return True
        return False

    def _is_read(self, before: Snapshot) -> bool:
        return self._now.table.reading_id != before.table.reading_id

    def _answer(self, drawn: DrawnThrow) -> None:
        """The box asks what lies there."""
        self.tally.asked += 1
        self.tally.asked_in_vain += drawn.truth.clear
        said: list[Die] = []
        for kind, count in self._dice():
            lie = [die for die in drawn.dice if die.kind == kind]
            more = [Die(kind, self._rng.choice(FACES[kind])) for _ in range(count)]
            said += [*lie, *more][:count]  # one that leans is thrown anew
        dice = [{"kind": die.kind, "value": die.value} for die in said]
        if trouble := self._page.post("/correct", {"dice": dice, "reason": "all have seen it"}):
            self._wrong(f"not corrected: {trouble}")

    def _dice(self) -> Dice:
        """What is to be thrown now."""
        game = self._game
        more = tuple((_kind(kind), count) for kind, count in game.wanted_more)
        return (_kind(game.wanted_kind or "pip"), game.wanted_count or TRAY_DICE), *more

    def _take_away(self) -> None:
        """A hand takes the dice that lie there."""
        if self._lying is not None:
            for picture in self._lying.going():
                self._see(picture, HAND_STEP_MS)
        self._lying = None

    def _see_empty(self) -> None:
        for _ in range(6):
            self._see(self._pool.empty, STEP_MS)

    def _see(self, picture: Picture, step_ms: float) -> None:
        """Have the box look at this frame."""
        self._began = self._moment()
        frame = self._camera.hand_in(picture, step_ms)
        self.tally.frames += 1
        while True:
            self._settle(1)
            seen = self._box.table.frame
            if seen is not None and seen.time_ms >= frame.time_ms:
                return

    def _press(self, button: str) -> None:
        """A short press."""

        def pass_ms(ms: float) -> None:
            self._began = self._moment()
            self._camera.pass_ms(ms)
            self._settle(2)

        self._page.press(button, pass_ms)

    def _moment(self) -> Stamp:
        return Stamp(time.perf_counter(), time.clock_gettime(self._table_clock))

    def _settle(self, times: int) -> None:
        """Until the table has done all that has come to it, and has heard what time it is."""
        for _ in range(times):
            assert self._box.loop.failed is None, repr(self._box.loop.failed)
            self._box.loop.ask(lambda: None, 60.0)

    def _replay(self) -> None:
        """The journal tells the same game as the box."""
        game_id, shown = self._now.game_id, self._game
        assert game_id is not None
        rows = self._box.journal.rows(game_id)
        events = [entry.row.event for entry in rows if isinstance(entry.row, EventRow)]
        start = rulebook(shown.game).start(shown.players, shown.options)
        if History.replay(start, events).position.view().scores != shown.scores:
            self._wrong(f"game {game_id}: the journal tells another score")

    def _wrong(self, what: str) -> None:
        self.tally.wrong.append(f"throw {self.tally.throws} ({self._game.game}): {what}")


def _kind(word: str) -> DieKind:
    """The kind of die that a snapshot names."""
    return next(kind for kind in FACES if kind == word)
