"""The composition: builds a box's parts, hands them to one another, and contains no rule."""

import importlib
import socket
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextvars import ContextVar
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Self

import msgspec

from calibration.files import load_table
from calibration.table import TableCalibration
from calibration.trouble import CalibrationError
from device.call_slip import CallSlip
from device.cameras import Camera, Filmed, Simulated
from device.config import Config
from device.console import ConsoleServer, ConsoleSettings, Doors, make_app
from device.doctor import CheckedBox, own_name
from device.films import Filming, Shelf
from device.games.detectors import DetectorOpener
from device.games.games import Games
from device.games.results import Results
from device.journal import Moment, Storage, open_or_put_aside
from device.journal.export import json_lines
from device.journal.replay import Replay, replay
from device.landings import SeesLandings, Watching, draw_later, open_eye
from device.lessons import Lessons
from device.maintenance import Maintenance
from device.mat import Choice, layout_for
from device.odds import OddsProcess, are_shown
from device.panel import Fitted, Hearing, Lights, Presses, Stuck
from device.people.actor import Actor
from device.people.people import People
from device.reports.asking import HistoryProcess
from device.service import notify
from device.service.log import BoxLog
from device.service.notify import Turning
from device.settings_shown import OwnSettings
from device.setup import SetupWizard, open_steps
from device.shown.snapshot import AsideShown, Reads, Snapshot
from device.table import Table, never, no_acts
from device.table.feed import Feed, Inbox, Lost
from device.table.loop import HUNG_S, PATIENCE_S, START_PATIENCE_S, Listeners, Loop, TableApi
from device.table.reading import VISION_THREADS, Doubting, Sharpening, open_reader
from device.table.session import Session
from device.throws import KeptThrows
from device.tournaments import TournamentBook, TournamentFiles
from device.updates import places_of
from device.voice import open_voice
from engine.rulebooks import rulebook
from engine.wording import phrase
from vision.incremental_reader import TableReader
from vision.watch import Throws, Watch, WatchSettings

if TYPE_CHECKING:
    from device.simulator.player import SimulatedHand

ROOM_EVERY_S = 10.0
"""How often the box looks how much of its card is free."""
CAMERA_HUNG_S = 30.0
"""For a camera that cannot tell waiting from hanging: a simulated table on a slow machine."""

_PUSHED_BY: ContextVar[Actor | None] = ContextVar("pushed by", default=None)
"""Whose finger on a page pushes a button in this thread; None: one at the box."""


def steady_ms() -> float:
    """Milliseconds on the machine's steady clock, on which cameras date their frames."""
    return time.monotonic_ns() / 1e6


@dataclass(frozen=True, slots=True, kw_only=True)
class Setup:
    """What a box is to be made of."""

    config: Config
    camera: Camera
    data: Path
    mock_pins: bool
    reads: Reads
    layout: Choice = "none"
    """The mat whose places are read: a layout, each game's own, or none."""
    calibration: Path | None = None
    """The End Zone's `table.json`; a simulated table brings its own."""
    far_calibration: Path | None = None
    """The far End Zone's, where a second camera hangs over it."""
    host: str
    port: int
    tell: Callable[[str], None]
    """Where the box says what the console cannot: the terminal, or the system's journal."""
    clock_ms: Callable[[], float] = steady_ms
    """The steady clock; the camera dates its frames on the same one."""
    uplink_word: str = ""
    """By which the console knows the box's own uplink; "" where it may not answer for a hall's desk."""
    own_settings: OwnSettings | None = None
    """The owner's settings, for pages to change; None where they do not."""
    log: BoxLog = field(default_factory=BoxLog)
    """What the box said lately, for a page to show."""
    patience_s: float = PATIENCE_S
    """How long a request of the console waits for its turn."""


class Box:
    """A running box. `start`, then `table` and `api` are there; `stop` lets everything go."""

    def __init__(self, setup: Setup) -> None:
        """Opens what must be there (raises `StorageBroken`, `JournalError`); the rest may come later."""
        self._setup, config = setup, setup.config
        self._room_s = float("-inf")
        self.storage = Storage.open(setup.data)
        self._make_room()
        opened = open_or_put_aside(self.storage.journal_path, self.storage.last_game)
        self.journal = opened.journal
        for remark in opened.remarks:
            setup.tell(phrase("The journal: {remark}.", remark=remark))
        self.inbox = Inbox()
        listeners = Listeners()
        self.film_over = threading.Event()
        self.off_asked = threading.Event()
        """Set once the off button was held long enough."""
        self.setting_up = self._setting_up()
        self.maintenance = Maintenance(self._checked_box, setup.log, places_of(setup.data))
        self.fitted = self._fitted()
        self.panel, self.display = self.fitted.panel, self.fitted.display
        self.lights = Lights(self.panel, self.display, setup.tell, self.fitted.status)
        self.hand = self._hand(setup.camera)
        self.drawing = ThreadPoolExecutor(max_workers=1, thread_name_prefix="close-ups")
        self.searching = ThreadPoolExecutor(max_workers=1, thread_name_prefix="landing-search")
        self.films = self._filming()
        self.table = self._open_table(listeners.tell)
        if opened.put_aside:
            self.table.set_aside(self._aside(opened.put_aside))
        self.voice = open_voice(config.voice, setup.tell, listeners.add)
        if self.hand is not None:
            listeners.add(self.hand.follow)
        self.loop = Loop(self.table, self.inbox, setup.clock_ms)
        self.api = self._open_api(listeners)
        self.feed = Feed(setup.camera, self.inbox, Lost(lost=self.table.lost, over=self._over))
        self.odds = OddsProcess() if are_shown(config.table.odds, config.people.table) else None
        self.history = HistoryProcess(self.storage.journal_path, setup.calibration)
        self.console = ConsoleServer(
            make_app(self.api, self._console_settings(), self.hand), setup.host, setup.port
        )

    def _console_settings(self) -> ConsoleSettings:
        """What the console goes by, and whom it asks beside the box."""
        setup = self._setup
        people = People(setup.config.people.table, setup.data, setup.tell)
        if people.trouble:
            setup.tell(people.trouble)
        return ConsoleSettings(
            doors=self._doors(),
            people=people,
            odds=self.odds,
            history=self.history,
            sets_up=self.setting_up,
            own_settings=setup.own_settings,
            maintenance=self.maintenance,
            uplink_word=setup.uplink_word,
        )

    def _checked_box(self) -> CheckedBox:
        """What the doctor looks at: the settings in force, and the port at which the console answers."""
        setup, own = self._setup, self._setup.own_settings
        console = msgspec.structs.replace(setup.config.console, host=setup.host, port=self.console.port)
        trouble = own.file_trouble() if own else ""
        return CheckedBox(
            config=None if trouble else msgspec.structs.replace(setup.config, console=console),
            trouble=trouble,
            config_file=own.file if own else "",
            data=setup.data,
            user=own_name(),
        )

    def _setting_up(self) -> SetupWizard:
        """The set-up in the browser; nothing of it runs unless somebody looks."""
        setup = self._setup
        return SetupWizard(
            lambda: open_steps(
                setup.config,
                setup.data,
                mock=setup.mock_pins,
                camera=setup.camera,
                open_reader=lambda: self._reader(self._calibration()),
                light=lambda trial: self.lights.try_out(trial, setup.clock_ms()),
                tell=setup.tell,
            ),
            setup.data,
            newest=lambda: self.table.frame,
            playing=lambda: self.table.snapshot.stage == "playing",
            mock_pins=setup.mock_pins,
        )

    def _aside(self, why: str) -> AsideShown:
        left = self.journal.unfinished()
        return AsideShown(
            why, way=phrase("Resume game {left} with what is intact", left=left) if left else ""
        )

    def _open_api(self, listeners: Listeners) -> TableApi:
        """What the console asks of the box."""
        lessons = Lessons(self.storage.lessons) if self._setup.config.learning.keep_corrections else None
        return TableApi(
            self.table,
            Session(self.table, self.storage, lessons),
            self.loop,
            self.storage,
            listeners,
            KeptThrows(self.journal.game, self.journal.rows),
            push=self._push,
            export=lambda game_id: "".join(f"{line}\n" for line in json_lines(self._replayed(game_id))),
            frames=lambda: None if self.feed.ended else self.feed.frames,
            films=self.films,
            patience_s=self._setup.patience_s,
        )

    def _open_table(self, tell: Callable[[Snapshot], None]) -> Table:
        """The table of this box; `tell` gets its snapshots."""
        setup, config = self._setup, self._setup.config
        sharpen = setup.camera.sharpen if setup.camera.live else None
        sharpening = Sharpening(sharpen, at_once=setup.reads == "roll_done")
        detectors = self._open_detectors(sharpening)
        signs = self._asks_sign_off
        games = Games(self.journal, self.storage, self._now, detectors, self._alarm, asks_sign_off=signs)
        return Table(
            self.journal,
            games,
            self._open_results(games),
            Watching(self._watch(), self._watch()),
            sharpening,
            self.lights,
            Presses(config.panel.debounce_ms, config.panel.long_press_ms),
            now=self._now,
            tell=tell,
            reads=setup.reads,
            stuck=Stuck(self.fitted.down),
            acts=self.hand.acts if self.hand else no_acts,
            hand_busy=self.hand.busy_at if self.hand else never,
            films=self.films,
        )

    @property
    def _asks_sign_off(self) -> bool:
        """Whether results count only once a referee has signed them off: at a tournament."""
        return self._setup.config.people.table == "tournament"

    def _open_results(self, games: Games) -> Results:
        """What the games of this box come to."""
        setup = self._setup
        return Results(
            self.journal,
            games,
            self._now,
            book=TournamentBook(
                TournamentFiles(setup.data),
                setup.tell,
                by=lambda: self.journal.heard.words if self.journal.heard else "",
            ),
            slip=CallSlip(setup.data) if setup.config.venue.publish else None,
            asks_sign_off=self._asks_sign_off,
            desk_signs=setup.config.venue.answers,
        )

    def _open_detectors(self, sharpening: Sharpening) -> DetectorOpener:
        """What detects throws in the games of this box."""
        setup, calibration = self._setup, self._calibration()
        return DetectorOpener(
            Doubting(self._reader(calibration), sharpening),
            Throws(),
            self._eye,
            draw_later(self.drawing, self._post),
            by_itself=setup.reads == "at_rest",
            sharper_comes=lambda: sharpening.comes,
            first_counts=not setup.camera.live,
            layout=setup.layout,
            view=calibration.view if calibration and setup.layout != "none" else None,
            executor=self.searching,
        )

    def _reader(self, calibration: TableCalibration | None) -> TableReader:
        """A reader as the games' own."""
        # A simulated table has another eye in each game, which no file describes.
        hanging = calibration if self.hand is None else None
        return open_reader(hanging, self._setup.data, self._setup.tell, mounted=self._mounted)

    def start(self) -> str:
        """Start everything and return the console's address; raises `ConsoleError`.

        Where this machine has not got that address yet, the box plays without its console until it has.
        """
        self.console.start_when_there(self._setup.tell)
        self.loop.start()
        self._address = self.console.address
        self.loop.ask(lambda: self.table.address(self._address), START_PATIENCE_S)
        self.feed.start()
        notify.ready()
        return self._address

    @property
    def ends(self) -> bool:
        """Whether somebody at the box or on a page has asked it to end."""
        own = self._setup.own_settings
        return self.off_asked.is_set() or (own is not None and own.restart_asked.is_set())

    def _make_room(self) -> None:
        """Where the card is nearly full, old films and pictures go before the journal lacks room."""
        if gone := self.storage.make_room():
            self._setup.tell(
                phrase("The card is nearly full: {count} old films and pictures were deleted.", count=gone)
            )

    def keep_room(self, now_s: float) -> None:
        """Now and then see whether the card has room, and have the journal go on; to be called often."""
        if now_s - self._room_s < ROOM_EVERY_S:
            return
        self._room_s = now_s
        self._make_room()
        if self.journal.full:
            self.loop.post(self.table.look_for_room)

    def keep_address(self) -> None:
        """Tell the console's address anew if it has changed: a box may start before its network is there."""
        now = self.console.address
        if now != self._address:
            self._address = now
            self.loop.post(lambda: self.table.address(now))

    def threads(self) -> tuple[Turning, Turning, Turning]:
        """What moves on in a box that is well: table, console, and camera until its film is over."""
        feed = self.feed
        return (
            Turning(turns=lambda: self.loop.turns, patience_s=HUNG_S),
            Turning(turns=lambda: self.console.turns, patience_s=HUNG_S),
            Turning(
                turns=lambda: None if feed.ended else feed.turns,
                patience_s=HUNG_S if feed.tells else CAMERA_HUNG_S,
            ),
        )

    def stop(self) -> None:
        """Stop everything in the order in which it hangs together. What the journal took is safe."""
        notify.stopping()
        self.feed.stop()
        self.history.close()
        self.maintenance.close()
        self.console.stop()
        if self.odds is not None:
            self.odds.close()
        self.drawing.shutdown()
        self.loop.stop()
        self.voice.close()
        self.lights.ending()
        self.searching.shutdown(cancel_futures=True)
        if self.films is not None:
            self.films.close()
        self.fitted.close_panel()
        self.journal.close()
        self.storage.close()
        self.fitted.close_signs()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.stop()

    def _doors(self) -> Doors:
        """To whom the console answers."""
        told = self._setup.config.console
        return Doors(visitors=told.visitors, names=told.names, own_name=socket.gethostname())

    def _now(self) -> Moment:
        return Moment(datetime.now(UTC), self._setup.clock_ms())

    def _replayed(self, game_id: int) -> Replay:
        return replay(self.journal.game(game_id), self.journal.rows(game_id))

    def _filming(self) -> Filming | None:
        """Who films the throws: what is a film already is not filmed again."""
        setup, films = self._setup, self._setup.config.films
        if not films.keep or not setup.camera.live:
            return None
        return Filming(Shelf(self.storage.films, films.disk_mb), self.storage.picture, self._post, setup.tell)

    def _watch(self) -> Watch:
        table, camera = self._setup.config.table, self._setup.camera
        frozen_after_ms = table.no_picture_ms if camera.live else None
        return Watch(
            WatchSettings(
                still_ms=table.still_ms, hand_held=not self._mounted, frozen_after_ms=frozen_after_ms
            )
        )

    @property
    def _mounted(self) -> bool:
        """Whether the camera hangs still; a film that does not say so may be made by hand."""
        camera = self._setup.camera
        return camera.live or (isinstance(camera, Filmed) and camera.mounted)

    def _eye(self) -> SeesLandings:
        """The calibrated eye over the End Zone, or over both; raises `CalibrationError`, in a sentence."""
        made = self.hand.set_up_end_zone() if self.hand else None
        # Only who plays End Zone pays for loading what was learnt of its dice.
        shapes, setup = importlib.import_module("device.lessons.known_shapes"), self._setup
        return open_eye(
            made,
            setup.calibration,
            setup.far_calibration,
            VISION_THREADS,
            lambda dice: shapes.shapes_of(dice, setup.data, setup.tell),
        )

    def _hand(self, camera: Camera) -> "SimulatedHand | None":
        """The hand of a simulated table's players; None at a real table."""
        if not isinstance(camera, Simulated):
            return None
        # Who opened such a camera has loaded the simulator; nobody else pays for it.
        player = importlib.import_module("device.simulator.player")
        layout = self._setup.layout
        hand: SimulatedHand = player.SimulatedHand(
            camera, lambda game: layout_for(layout, rulebook(game)), lambda: self.table.snapshot
        )
        return hand

    def _calibration(self) -> TableCalibration | None:
        """The calibrated camera, for the reader and the mat's places; both do without one, too."""
        if self._setup.calibration is None:
            return None
        try:
            return load_table(self._setup.calibration)
        except CalibrationError as error:
            self._setup.tell(
                phrase(
                    "Dice are read without a calibration, and a mat goes by its tags alone: {error}",
                    error=error,
                )
            )
            return None

    def _fitted(self) -> Fitted:
        """What hangs on the pins."""
        setup = self._setup
        hearing = Hearing(
            edge=self._edge,
            off_moved=self._off_moved,
            off_held=self.off_asked.set,
            tell=setup.tell,
            clock_ms=setup.clock_ms,
        )
        return Fitted(setup.config.panel, setup.config.scoreboard, hearing, mock=setup.mock_pins)

    def _off_moved(self, down: bool) -> None:
        now_ms = self._setup.clock_ms()
        self.inbox.put(lambda: self.table.off_moved(down, now_ms))

    def _edge(self, button: str, down: bool, time_ms: float) -> None:
        """A contact of the panel, pressed at the box or, within a push, by somebody on a page."""
        who = _PUSHED_BY.get()
        if down:
            self.setting_up.press(button)

        def tell() -> None:
            if down:
                self.table.finger_of(button, who)
            self.table.edge(button, down, time_ms)

        self.inbox.put(tell)

    def _push(self, button: str, down: bool, who: Actor | None) -> None:
        """A push on the console: the panel's own button, or the same edge where no such button is fitted."""
        pushed = _PUSHED_BY.set(who)
        try:
            if self.panel is None or not self.panel.push(button, down):
                self._edge(button, down, self._setup.clock_ms())
        finally:
            _PUSHED_BY.reset(pushed)

    def _alarm(self, text: str) -> None:
        self.table.alarm(text)

    def _post(self, request: Callable[[], None]) -> None:
        self.loop.post(request)

    def _over(self) -> None:
        self.table.over()
        self.film_over.set()
