"""`callbox play`: the box itself."""

import importlib
import os
import queue
import secrets
import select
import signal
import sys
import threading
import time
import traceback
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from types import FrameType
from typing import TYPE_CHECKING, Any, TextIO, TypeAlias

import click
import msgspec

from calibration.trouble import CalibrationError
from device.box import Box, Setup
from device.cameras import Camera, CameraLost
from device.cameras.locking import lock_for
from device.commands.common import PATH, config_option, data_option, fail, path_of
from device.commands.opening import Shape, check_cameras, open_both, open_camera
from device.commands.score import options_of
from device.config import Config, ConfigError, is_live, load
from device.console import ConsoleError
from device.journal import GameId, JournalError, StorageBroken, data_folder
from device.mat import chosen as chosen_layout
from device.options import check_options
from device.requests import StartGame
from device.service import notify
from device.service.log import BoxLog
from device.service.machine import SpareMemory, switch_off
from device.service.notify import Watchdog
from device.settings_file import settings_path
from device.settings_shown import OwnSettings
from device.shown.snapshot import Reads, Snapshot
from engine.game import Rulebook
from engine.refusal import Refused
from engine.rulebooks import RULEBOOKS, rulebook
from engine.wording import phrase, phrase_later
from engine.words import together
from models.files import ModelError
from vision.places import LayoutError

if TYPE_CHECKING:
    from device.venue.uplink import UplinkProcess


# What `callbox play` was asked for.


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayArguments:
    """What was asked for on the command line; None where nothing was said."""

    game: str | None
    players: str
    options: tuple[str, ...]
    spec: str | None
    far_spec: str | None
    config_path: Path | None
    data: Path | None
    host: str | None
    port: int | None
    reads: str | None
    layout: str | None
    calibration: Path | None
    far_calibration: Path | None
    new: bool
    resume: int | None
    seed: int | None
    demo: bool = False
    """On a simulated table, which opens ready to throw."""

    @property
    def names(self) -> tuple[str, ...]:
        """The players."""
        return tuple(name.strip() for name in self.players.split(",") if name.strip())


# A short, friendly choice on the keyboard, for who started `callbox play` without naming a game.
#
# The console offers the same choice; whichever is answered first counts.

LOBBY_POLL_S = 0.3
"""How often a waiting question looks whether the console was faster."""

Ask = Callable[[str], str | None]
"""Puts a question and returns the answer; None when it is no longer needed."""


def asker(done: Callable[[], bool], stream: TextIO, tell: Callable[[str], None]) -> Ask:
    """Asks on the terminal, until `done` says that nobody needs the answer any more."""

    def ask(question: str) -> str | None:
        tell(question)
        while not done():
            if select.select([stream], [], [], LOBBY_POLL_S)[0]:
                line = stream.readline()
                return line.strip() if line else None
        return None

    return ask


Start = Callable[[str, tuple[str, ...], dict[str, str]], str]
"""Begins a game: name, players, options; returns what is wrong, or ""."""


def choose(rulebooks: tuple[Rulebook, ...], ask: Ask, start: Start, tell: Callable[[str], None]) -> None:
    """Ask for a game and its players until `start` takes them or nobody answers any more."""
    games = "\n".join(
        f"  {number}  {book.title} ({_seats(book)})" for number, book in enumerate(rulebooks, 1)
    )
    while (answer := ask(f"What do you play? Type a number, or choose on the console.\n{games}")) is not None:
        chosen = _chosen(rulebooks, answer)
        if chosen is None:
            tell(
                phrase(
                    "That is none of {number}.",
                    number=together([str(number + 1) for number in range(len(rulebooks))]),
                )
            )
        elif ask_players(chosen, {}, ask, start, tell):
            return


def ask_players(
    book: Rulebook, options: dict[str, str], ask: Ask, start: Start, tell: Callable[[str], None]
) -> bool:
    """Ask who plays, and start; False when that did not do and another game may be chosen."""
    names = ask(
        phrase("Who plays {title}? Names from the left, with commas between: Ann, Bea", title=book.title)
    )
    if names is None:
        return True
    players = tuple(name.strip() for name in names.split(",") if name.strip())
    trouble = start(book.name, players, options)
    if trouble:
        tell(trouble)
    return not trouble


def on_a_terminal(stream: TextIO = sys.stdin) -> bool:
    """Whether somebody can type an answer."""
    return stream.isatty()


def _chosen(rulebooks: tuple[Rulebook, ...], answer: str) -> Rulebook | None:
    for number, book in enumerate(rulebooks, 1):
        if answer.casefold() in (str(number), book.name.casefold(), book.title.casefold()):
            return book
    return None


def _seats(book: Rulebook) -> str:
    first, last = book.seats.start, book.seats.stop - 1
    return (
        phrase("{first} to {last} players", first=first, last=last)
        if first != last
        else phrase("{first} players", first=first)
    )


DEMO_GAME, DEMO_PLAYERS, DEMO_OPTIONS = "ten-thousand", ("Ann", "Bea"), {"first": "named"}
"""What a demo opens with where no game was named or left."""
DEMO_DECK = {"deck": "box"}
"""What is agreed in a demo where nothing was said: nobody there draws from a deck of cards."""
NONE = "none"
"""Where the settings name no camera or file."""
FOR_THE_BOX_ALONE = 0o077
"""Rights that no file and folder of a box has: names, bets and pictures are nobody else's on the machine."""
POLL_S = 0.2
"""How often the main thread sees whether the box is still well."""
Signals: TypeAlias = "queue.SimpleQueue[int]"
"""Where the end is asked for."""


@click.command()
@click.argument("game", required=False)
@click.option(
    "--players", default="", help=phrase_later("Names in seating order, with commas between: Ann,Bea.")
)
@click.option(
    "--option",
    "options",
    multiple=True,
    metavar="KEY=VALUE",
    help=phrase_later("A rulebook's option; may be repeated."),
)
@click.option(
    "--camera",
    "spec",
    help=phrase_later("picamera2:0, usb, table (simulated), a film, or a folder of pictures."),
)
@click.option(
    "--far-camera", "far_spec", help=phrase_later("End Zone: a second camera, over the far end; or none.")
)
@config_option
@data_option
@click.option("--host", help=phrase_later("Where the console listens; 127.0.0.1 keeps it on this machine."))
@click.option(
    "--port",
    type=click.IntRange(0, 65535),
    help=phrase_later("The console's port; 0 takes any that is free."),
)
@click.option(
    "--reads",
    type=click.Choice(["roll_done", "at_rest"]),
    help=phrase_later("Read dice at ROLL DONE, or by itself."),
)
@click.option(
    "--layout",
    help=phrase_later("The mat: auto (the game's own), none, zonk, ten-thousand, zoinx, or a layout file."),
)
@click.option("--calibration", type=PATH, help=phrase_later("The camera's table.json; End Zone needs it."))
@click.option("--far-calibration", type=PATH, help=phrase_later("The same for the far camera."))
@click.option(
    "--new", is_flag=True, help=phrase_later("Start a new game instead of resuming an unfinished one.")
)
@click.option(
    "--resume", type=int, metavar="ID", help=phrase_later("Resume that game; callbox games lists them.")
)
@click.option("--seed", type=int, help=phrase_later("The simulated table's dice, the same each time."))
def command(**options: Any) -> None:
    """Play GAME. Without one, choose on the keyboard or the console."""
    _play(PlayArguments(**options))


def _demo(**options: Any) -> None:
    spec, reads = options.pop("spec") or "table", options.pop("reads") or "at_rest"
    _play(PlayArguments(**options, spec=spec, reads=reads, demo=True))


demo = click.Command(
    "demo",
    callback=_demo,
    params=command.params,
    help=phrase_later("Play GAME on a simulated table. Without one, Ann and Bea are ready to throw."),
)


def _play(given: PlayArguments) -> None:
    """Run the box until it is told to end; says what is wrong and ends the process where it cannot."""
    os.umask(FOR_THE_BOX_ALONE)
    try:
        chosen = options_of(given.options)
    except Refused as refusal:
        raise click.UsageError(str(refusal)) from None
    if given.game is not None:
        _check_game(given.game, given.names, chosen)
    try:
        setup = _setup(given, load(given.config_path))
        with Box(setup) as box:
            signals = _run(box, given, chosen, _uplink(setup), setup)
        if box.off_asked.is_set():  # only now is the journal closed
            switch_off(partial(_comes, signals), _tell)
    except ConsoleError as error:
        fail(phrase("{error} For this once: --port and a number.", error=error), 2)
    except (
        ConfigError,
        LayoutError,
        CalibrationError,
        CameraLost,
        ModelError,
        StorageBroken,
        JournalError,
        Refused,
    ) as error:
        fail(str(error), 2)


def _setup(given: PlayArguments, config: Config) -> Setup:
    """The box that was asked for; raises what is wrong with it."""
    folder = data_folder(given.data, os.environ)
    log = BoxLog(folder)
    tell = partial(_tell_and_note, log)
    spec = given.spec or config.camera.spec
    camera = _camera(given, config, spec, tell)
    reads = _reads(given.reads, config, live=camera.live)
    in_force = _in_force(config, spec, reads)
    return Setup(
        config=in_force,
        own_settings=OwnSettings(
            settings_path(given.config_path, os.environ, Path(os.path.expanduser("~"))),  # noqa: PTH111 - as in config.load
            config,
            in_force=in_force,
            data=folder,
            restarts=notify.is_service(),
            check=partial(_check_start, given),
        ),
        camera=camera,
        data=folder,
        mock_pins=not is_live(spec),
        reads=reads,
        layout=chosen_layout(given.layout or config.table.layout),
        calibration=_calibration(given, config),
        far_calibration=_far_calibration(given, config),
        host=given.host or config.console.host,
        port=config.console.port if given.port is None else given.port,
        tell=tell,
        log=log,
        uplink_word=secrets.token_hex(32) if config.venue.publish and config.venue.answers else "",
    )


def _check_start(given: PlayArguments, config: Config) -> None:
    """Raise `ConfigError` for settings with which the box would not start, and so show no page to mend them.

    A camera that is not there is none of these: the box waits for it.
    """
    try:
        chosen_layout(given.layout or config.table.layout)
        _far_calibration(given, config)
        check_cameras(config.camera.spec, None)
        check_cameras(given.spec or config.camera.spec, _far_camera(given, config))
    except (LayoutError, CalibrationError, CameraLost) as error:
        raise ConfigError(str(error)) from None


def _in_force(config: Config, spec: str, reads: Reads) -> Config:
    """The settings with what the command line says instead, as the set-up page shows them."""
    camera = msgspec.structs.replace(config.camera, spec=spec)
    table = msgspec.structs.replace(config.table, reads=reads)
    return msgspec.structs.replace(config, camera=camera, table=table)


def _camera(given: PlayArguments, config: Config, spec: str, tell: Callable[[str], None]) -> Camera:
    """The camera, or both; raises `CameraLost`. `tell` hears what cannot be used as it is set."""
    at = config.camera
    near_lock = lock_for(at.lock, _calibration(given, config), tell)
    shape = Shape(
        width_px=at.width_px,
        height_px=at.height_px,
        fps=at.fps,
        sharp=at.sharp,
        lock=near_lock,
        no_picture_ms=config.table.no_picture_ms,
    )
    far = _far_camera(given, config)
    if far is None:
        return open_camera(spec, shape=shape, python=at.python, seed=given.seed, note=tell)
    simulated = "table" in (spec, far)
    far_lock = None if simulated else lock_for(at.lock, _far_calibration(given, config), tell)
    return open_both(spec, far, shape=shape, python=at.python, seed=given.seed, note=tell, far_lock=far_lock)


def _calibration(given: PlayArguments, config: Config) -> Path | None:
    """The near camera's calibration."""
    return given.calibration or path_of(config.landing.calibration)


def _far_camera(given: PlayArguments, config: Config) -> str | None:
    """The far camera; one that the settings name does not go with another near one than theirs."""
    settled = config.landing.far_camera if given.spec in (None, config.camera.spec) else NONE
    named = given.far_spec or settled
    return None if named == NONE else named


def _far_calibration(given: PlayArguments, config: Config) -> Path | None:
    """The far camera's calibration, without which it is of no use; raises `CalibrationError`."""
    named = given.far_calibration or path_of(config.landing.far_calibration)
    far = _far_camera(given, config)
    if far is None and given.far_calibration is not None:
        raise CalibrationError(
            phrase("--far-calibration needs a camera over the far end: --far-camera picamera2:1.")
        )
    if far is not None and far != "table" and named is None:
        raise CalibrationError(
            phrase(
                "The far camera {far} is not calibrated. Name its file: --far-calibration far.json, "
                "or landing.far_calibration in callbox.toml; callbox calibrate table --end far makes "
                "it.",
                far=far,
            )
        )
    return named if far is not None else None


def _uplink(setup: Setup) -> "UplinkProcess | None":
    """Who tells the desk of a hall; None where the settings do not say so."""
    if not setup.config.venue.publish:
        return None
    # Only a box of a hall pays for loading what tells.
    module = importlib.import_module("device.venue.uplink")
    uplink: UplinkProcess = module.UplinkProcess(setup.data, setup.host, setup.uplink_word)
    return uplink


def _run(
    box: Box, given: PlayArguments, options: Mapping[str, str], uplink: "UplinkProcess | None", setup: Setup
) -> Signals:
    """Start the box, begin or go on with a game, wait for the end. Returns where more signals arrive."""
    asked_to_end, over = _signals(), threading.Event()
    box.api.subscribe(Teller(setup.log))
    _begin_or_go_on(box, given, options)
    setup.tell(phrase("Console: {start}", start=box.start()))
    _tell(phrase("Ctrl-C stops the box; the game is saved."))
    if box.table.snapshot.stage == "lobby" and on_a_terminal():
        threading.Thread(target=_choose, args=(box, over, given.game, dict(options)), daemon=True).start()
    watchdog, spare = Watchdog(box.threads(), notify.alive), SpareMemory()
    while not _comes(asked_to_end) and not box.ends:
        now_s = time.monotonic()
        watchdog.look(now_s)
        spare.look(now_s)
        box.feed.check_thread(now_s)
        box.keep_address()
        box.keep_room(now_s)
        if uplink is not None:
            uplink.look(now_s, box.console.port)
        if box.loop.failed is not None:
            traceback.print_exception(box.loop.failed)
            setup.log.note("".join(traceback.format_exception(box.loop.failed)).rstrip())
            setup.tell(
                phrase(
                    "The box hit an error of its own (above) and stops. The game is saved: start the box "
                    "again."
                )
            )
            sys.exit(1)
        if not setup.camera.live and box.film_over.is_set():
            break
    over.set()
    if uplink is not None:
        uplink.close()
    setup.tell(phrase("The box stops. Everything is in the journal."))
    return asked_to_end


def _begin_or_go_on(box: Box, given: PlayArguments, options: Mapping[str, str]) -> None:
    """The game that was asked for, or the one that was left, comes to the table; else the lobby is there.

    Raises `Refused` where what was asked for cannot be played.
    """
    game, players = given.game, given.names
    game_id = None if given.new else unfinished(box, game, players, options)
    if given.demo and game_id is None and given.resume is None:
        game, players, options = demo_game(game, players, options)
    if game is None:
        if game_id is None and given.resume is None:
            box.table.propose_last()
    elif _players_missing(game, players):
        box.table.propose(game, options)
    if box.table.snapshot.aside is not None:
        _tell(box.table.snapshot.message.text)
    elif given.resume is not None:
        if trouble := box.table.change_game("take up", given.resume):
            raise Refused(trouble)
    elif game_id is not None:
        box.table.go_on(game_id)
        if box.table.snapshot.aside is None:
            _tell(phrase("Resuming game {game_id}. To start a new one: --new", game_id=game_id))
    elif game is not None and not _players_missing(game, players):
        _begin(box, game, players, options)


def demo_game(
    game: str | None, players: tuple[str, ...], options: Mapping[str, str]
) -> tuple[str, tuple[str, ...], Mapping[str, str]]:
    """What a demo begins with: what was asked for, completed."""
    if game is None:
        return DEMO_GAME, players or DEMO_PLAYERS, {**DEMO_OPTIONS, **options}
    fits = {key: value for key, value in DEMO_DECK.items() if key in rulebook(game).options}
    return game, players, {**fits, **options}


def _signals() -> Signals:
    """Where Ctrl-C and the service's stop arrive. A second one ends a box at once that something holds up."""
    arrived: Signals = queue.SimpleQueue()

    def end(number: int, _frame: FrameType | None) -> None:
        for each in (signal.SIGINT, signal.SIGTERM):
            signal.signal(each, signal.SIG_DFL)
        # It runs in the midst of whatever the main thread does: an event's lock may be in that very hand.
        arrived.put(number)

    for each in (signal.SIGINT, signal.SIGTERM):
        signal.signal(each, end)
    return arrived


def _comes(signals: Signals, within_s: float = POLL_S) -> bool:
    """Whether one comes within so long."""
    try:
        signals.get(timeout=within_s)
    except queue.Empty:
        return False
    return True


def _begin(box: Box, game: str, players: tuple[str, ...], options: Mapping[str, str]) -> None:
    left = box.journal.unfinished()
    if trouble := box.table.start(game, players, options):
        if box.journal.full:
            _tell(trouble)
            return
        raise Refused(trouble)
    if left is not None and box.journal.game(left).ended is None:
        _tell(
            phrase(
                "Game {left} is saved. To resume it: the lobby, or callbox play --resume {left}",
                left=left,
            )
        )


def unfinished(
    box: Box, game: str | None, players: tuple[str, ...], options: Mapping[str, str]
) -> GameId | None:
    """The game to go on with: unfinished, and not another than was asked for."""
    found = box.journal.unfinished(game, players or None)
    if found is None or any(
        box.journal.game(found).options.get(key) != value for key, value in options.items()
    ):
        return None
    return found


class Teller:
    """Says on the terminal what the box says, each sentence once. Snapshots hold no secret: nor does it."""

    def __init__(self, log: BoxLog) -> None:
        """`log` keeps what is said of camera and panel, and nothing of what is played."""
        self._tell_and_note = partial(_tell_and_note, log)
        self._said = ("", "", "")

    def __call__(self, snapshot: Snapshot) -> None:
        """Print what is new."""
        now = (snapshot.message.text, snapshot.camera.text, snapshot.panel.text)
        says: tuple[Callable[[str], None], ...] = (_tell, self._tell_and_note, self._tell_and_note)
        for say, text, before in zip(says, now, self._said, strict=True):
            if text and text != before:
                say(text)
        self._said = now


def _choose(box: Box, over: threading.Event, game: str | None, options: dict[str, str]) -> None:
    """The keyboard's part of the lobby: the players of the game that was named, or else a game first."""
    ask = asker(lambda: over.is_set() or box.table.snapshot.stage != "lobby", sys.stdin, _tell)

    def start(name: str, players: tuple[str, ...], chosen: dict[str, str]) -> str:
        return box.api.request(StartGame(name, players, chosen)).text

    if game is None or not ask_players(rulebook(game), options, ask, start, _tell):
        choose(tuple(RULEBOOKS.values()), ask, start, _tell)


def _players_missing(game: str, players: tuple[str, ...]) -> bool:
    """Whether nobody was named for a game that needs names: then the lobby asks."""
    book = rulebook(game)
    if players:
        return False
    try:
        book.start((), {})
    except Refused:
        return True
    return False


def _check_game(game: str, players: tuple[str, ...], options: Mapping[str, str]) -> None:
    """Wrong games, players and options end here, before anything is opened."""
    try:
        if _players_missing(game, players):
            check_options(rulebook(game), options)
        else:
            rulebook(game).start(players, options)
    except Refused as refusal:
        raise click.UsageError(str(refusal)) from None


def _reads(asked: str | None, config: Config, *, live: bool) -> Reads:
    """A film has nobody to press ROLL DONE."""
    if asked == "at_rest" or (asked is None and (not live or config.table.reads == "at_rest")):
        return "at_rest"
    return "roll_done"


def _tell(text: str) -> None:
    with suppress(OSError):  # a terminal or pipe that went away is no reason to end a game
        print(text, flush=True)


def _tell_and_note(log: BoxLog, text: str) -> None:
    """Say it where `_tell` does, and keep it for the pages."""
    _tell(text)
    log.note(text)
