"""Throws over all games, with mischief in a fifth: does the box take each throw once, and as it truly lies?

A whole box plays game after game at the simulated table, through pixels, while its clock stands still as
long as it works. Players bet, choose and stop at random, and press ROLL DONE when the dice lie. In every
fifth throw a hand does something before they press (it rests over the table, pushes a die, turns one over),
or they press once more when it has counted.

"found" are throws that the box took for one, or asked about; "asked" those about which it asked people for
anything but a touch (who then say what lies there); "invented" are presses without a throw that counted, so
"twice" are their dice. "dice" are those of the throws that counted unasked, "placed" those that were read
where they truly lie (or measured in their zone), and with their face. "touched" are throws of which a hand
moved a die before they counted, "told" those that were asked about for it. In the end the game's events are
played again with what truly lay there: "scores" says whether the box's are the same.

With `--at-rest` nobody presses: the box reads what comes to rest, and after every fifth throw, once it has
counted, a hand does something that is no throw. With `--out FILE` each game is written there as a line of
JSON when it has ended, and is not played again.

    python -m benchmarks throws [--throws 500] [--seed 4000] [--at-rest] [--out FILE]
"""

import argparse
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from math import dist, radians
from pathlib import Path
from random import Random

import cv2
import msgspec
from tqdm import tqdm

from benchmarks.simulation import Clock
from calibration.table import TableCalibration
from device.box import Box
from device.cameras import Frame
from device.config import load
from device.journal.rows import EventRow
from device.requests import ApplyRuling, Choose, Correct, LockBet
from device.shown.snapshot import GameShown, Reads, Snapshot
from device.simulator.table import DieOnTable, SimulatedTable
from device.table.session import Session
from engine.dice import Die
from engine.events import Event, Landed, Refereed, Rolled
from engine.history import History
from engine.refusal import Refused
from engine.rulebooks import RULEBOOKS, rulebook
from engine.wire import event_object
from tests.playing import trial_setup
from vision.landing import MeasuredDie
from vision.landing.call import call_die
from vision.landing.cube import flat_cube, footprint

THROWS, SEED, FPS, MOST = 500, 4000, 20.0, 25
"""`MOST` throws of each game: who has not ended it by then goes home, and so do ZONK's players when dice of
two kinds are due: the tray's hand throws one kind."""
PLAYERS = ("Ann", "Bea")
MISCHIEF_EVERY = 5
MISCHIEF = ("nudge", "turn_over", "hand", "again")
TOUCHES = ("nudge", "turn_over")
LATE_MISCHIEF = ("hand", "nudge", "turn_over")
LANDING_MISCHIEF = ("hand", "again")
"""At the End Zone a die lies as it lies when it counts: it is measured, and not remembered."""
NEAR_PX = 25.0
TAP_MS = 80.0
STOPS = 0.7
"""How often somebody stops who may."""
REST_FRAMES = 120
"""A box that has said nothing so long after the dice came to rest has missed the throw."""
AFTER_FRAMES = 8
"""How many frames people look at what the box says."""
LONGEST_FRAMES = 400
EXACT_MM = 1e-3
SURE = EXACT_MM**2
EXACTLY = ((SURE, 0.0, 0.0, 0.0), (0.0, SURE, 0.0, 0.0), (0.0, 0.0, SURE, 0.0), (0.0, 0.0, 0.0, SURE))


class ThrowTally(msgspec.Struct):
    """What became of one game."""

    game: str
    seed: int
    thrown: int = 0
    found: int = 0
    asked: int = 0
    invented: int = 0
    dice: int = 0
    placed: int = 0
    mischief: int = 0
    touched: int = 0
    told: int = 0
    same_scores: int = 0
    games: int = 1
    remarks: list[str] = []
    """What was asked, and what went otherwise than it should, in words."""

    def line(self) -> str:
        """For the table."""
        return (
            f"{self.game:<14}{self.games:>6}{self.thrown:>7}{self.found:>6}{self.asked:>6}{self.mischief:>9}"
            f"{self.invented:>9}{self.dice:>6}{self.placed:>7}{self.touched:>8}{self.told:>5}"
            f"{self.same_scores:>7}"
        )

    def add(self, other: "ThrowTally") -> None:
        """Take in another game."""
        for name in self.__struct_fields__:
            if isinstance(value := getattr(other, name), int) and name != "seed":
                setattr(self, name, getattr(self, name) + value)


HEAD = (
    f"{'':<14}{'games':>6}{'thrown':>7}{'found':>6}{'asked':>6}{'mischief':>9}{'invented':>9}{'dice':>6}"
    f"{'placed':>7}{'touched':>8}{'told':>5}{'scores':>7}"
)


def play_on(
    now: Snapshot, ask: Callable[[LockBet | Choose], object], rng: Random, stop: Callable[[], object]
) -> bool:
    """Bet, stop or set dice aside as players do at random; False where a throw is due."""
    game = now.game
    assert game is not None
    if bets := [each for each in game.allowed if each.button == "bet"]:
        chosen = rng.choice(bets)
        ask(LockBet(chosen.player, rng.choice(chosen.choices)))
    elif now.lamps["stop"] and rng.random() < STOPS:
        stop()
    elif game.choices:
        ask(Choose(0, game.choices[0].words))  # the best stands first
    else:
        return False
    return True


class ThrownGame:
    """One game, by a box without threads: frames, presses and time come one after the other."""

    def __init__(
        self, box: Box, camera: SimulatedTable, clock: Clock, tally: ThrowTally, *, pressed: bool
    ) -> None:
        self._pressed = pressed
        self._box, self._camera, self._clock, self.tally = box, camera, clock, tally
        self._rng = Random(tally.seed)
        self._frames: Iterator[Frame] = camera.frames()
        self._truths: list[tuple[Die, ...]] = []
        self._landed: list[Landed] = []
        self._landings = rulebook(tally.game).dice.landing

    def play(self, throws: int) -> None:
        """The game to its end, or so many throws of it."""
        tally = self.tally
        said = self._box.table.start(tally.game, PLAYERS, {})
        if said:
            raise SystemExit(said)
        self._see(AFTER_FRAMES)
        with tqdm(total=throws, desc=f"{tally.game} {tally.seed}", leave=False) as bar:
            while self._now.stage != "ended" and tally.thrown < throws and not self._game.wanted_more:
                self._step()
                bar.update(tally.thrown - bar.n)
        tally.same_scores = int(self._same_scores())

    @property
    def _now(self) -> Snapshot:
        return self._box.table.snapshot

    def _asks(self) -> str:
        """What the box waits for."""
        return self._now.ask

    @property
    def _game(self) -> GameShown:
        assert self._now.game is not None
        return self._now.game

    def _step(self) -> None:
        """What somebody at the table does next."""
        if not play_on(
            self._now,
            Session(self._box.table, self._box.storage).request,
            self._rng,
            partial(self._press, "stop"),
        ):
            (self._throw if self._pressed else self._throw_unpressed)()
        self._see(1)

    def _throw(self) -> None:
        """A throw, maybe with mischief, and ROLL DONE."""
        tally = self.tally
        tally.thrown += 1
        every = LANDING_MISCHIEF if self._landings else MISCHIEF
        mischief = every[tally.thrown // MISCHIEF_EVERY % len(every)]
        if tally.thrown % MISCHIEF_EVERY:
            mischief = ""
        tally.mischief += bool(mischief)
        self._act("throw")
        before = {each.number: each for each in self._camera.lying}
        if mischief and mischief != "again":
            self._act(mischief)
        lying = self._camera.lying  # when they have counted, the next player may have them in the hand
        moved = [one for one in lying if before[one.number].center_mm != one.center_mm]
        tally.touched += bool(moved)
        counted = self._counted
        self._press("roll_done")
        if moved and self._now.touched is not None:
            tally.told += 1
            self._press("roll_done")  # they count as they lie
        self._answered(counted, lying)
        if mischief == "again":
            self._press_again()

    def _throw_unpressed(self) -> None:
        """A throw that counts when it has come to rest; then maybe something that is no throw."""
        tally, counted = self.tally, self._counted
        tally.thrown += 1
        self._act("throw")
        for _ in range(REST_FRAMES):
            if self._asks() or self._counted > counted:
                break
            self._see(1)
        # The dice may be gone by now: the next player has other ones in the hand.
        thrown = self._camera.stories[-1].thrown
        truth = tuple(Die(die.body.kind, die.up) for die in thrown if die.up is not None)
        landing = self._true_landing(self._camera.lying) if self._landings else None
        asked = self._settled(counted, truth, landing)
        if asked is False:
            read = Counter(str(die.value) for die in self._now.table.dice)
            tally.dice += len(truth)
            tally.placed += (read & Counter(str(die.value) for die in truth)).total()
        if tally.thrown % MISCHIEF_EVERY == 0 and self._now.stage != "ended" and not self._asks():
            counted = self._counted
            tally.mischief += 1
            self._act(self._rng.choice(LATE_MISCHIEF))
            tally.invented += self._counted > counted

    def _answered(self, counted: int, lying: tuple[DieOnTable, ...]) -> None:
        """Take in what the box made of a throw after which the dice lay so."""
        landing = self._true_landing(lying) if self._landings else None
        if self._settled(counted, tuple(one.die for one in lying), landing) is False:
            self._placed(lying, landing)

    def _settled(self, counted: int, truth: tuple[Die, ...], landing: Landed | None) -> bool | None:
        """Whether the box asked about the throw, and was told; None where it took it for none."""
        tally, asks = self.tally, bool(self._asks())
        if asks:
            tally.asked += 1
            question = self._now.message.text.partition(". ")[0]
            tally.remarks.append(f"throw {tally.thrown} asked about: {question}")
            self._say(truth, landing)
        elif self._counted != counted + 1:
            tally.remarks.append(f"throw {tally.thrown} not counted: {self._now.message.text}")
            return None
        tally.found += 1
        if self._counted == counted + 1:
            self._truths.append(truth)
            self._landed += [landing] if landing else []
        return asks

    def _say(self, truth: tuple[Die, ...], landing: Landed | None) -> None:
        """Tell the box what it asks: all have seen it."""
        asked: Correct | ApplyRuling = Correct(truth, "seen by all")
        if landing is not None:
            asked = ApplyRuling(event_object(Refereed(landed=landing, reason="seen by all")))
        reply = Session(self._box.table, self._box.storage).request(asked)
        if not reply.ok:
            self.tally.remarks.append(f"throw {self.tally.thrown}: {reply.text}")

    def _placed(self, lying: tuple[DieOnTable, ...], truth: Landed | None) -> None:
        """Hold the dice that counted against those that lie there."""
        tally = self.tally
        if truth is not None:
            event = self._events[-1]
            tally.dice += 1
            tally.placed += isinstance(event, Landed) and (event.value, event.zone) == (
                truth.value,
                truth.zone,
            )
            return
        read = self._now.table.dice
        for one in lying:
            tally.dice += 1
            here = [each for each in read if dist(each.center_px, one.center_px) < NEAR_PX]
            tally.placed += any((each.kind, each.value) == (one.die.kind, one.die.value) for each in here)

    def _press_again(self) -> None:
        """ROLL DONE without a throw."""
        if self._now.stage == "ended" or self._asks() or not self._now.lamps["roll_done"]:
            return
        counted = self._counted
        self._press("roll_done")
        if self._counted > counted:
            self.tally.invented += 1
            self.tally.remarks.append(f"throw {self.tally.thrown}: pressed again, and it counted")
        elif self._asks() == "landing":
            self._press("undo")

    def _act(self, name: str) -> None:
        """Have the hand do something, until all lies still."""
        assert self._box.hand is not None
        answer = self._box.hand.act(name)
        if not answer.ok:
            raise SystemExit(answer.text)
        self._see(1)
        for _ in range(LONGEST_FRAMES):
            if not self._camera.busy and self._now.table.state == "still":
                break
            self._see(1)
        self._see(AFTER_FRAMES)

    def _press(self, button: str) -> None:
        table = self._box.table
        for down in (True, False):
            table.edge(button, down, self._clock())
            self._clock.wait(TAP_MS)
            table.tick(self._clock())
        self._see(AFTER_FRAMES)

    def _see(self, frames: int) -> None:
        for _ in range(frames):
            self._box.table.handle_frame(next(self._frames))
            self._box.table.tick(self._clock())
            while callable(call_ := self._box.inbox.next(0)):
                call_()

    def _true_landing(self, lying: tuple[DieOnTable, ...]) -> Landed:
        """What the die that was thrown last truly is worth where it lies."""
        (die,) = next(story.thrown for story in reversed(self._camera.stories) if story.thrown)
        newest = next((one for one in lying if one.number == die.body.number), None)
        if newest is None:
            return Landed(off="missed")
        calibration = self._camera.calibration()
        assert isinstance(calibration, TableCalibration)
        return Landed(value=int(newest.die.value), zone=call_die(_exact(newest), calibration).zone)

    @property
    def _events(self) -> list[Event]:
        """What the journal holds of this game."""
        rows = self._box.journal.rows(self._now.game_id or 0)
        return [entry.row.event for entry in rows if isinstance(entry.row, EventRow)]

    @property
    def _counted(self) -> int:
        """How many throws have counted."""
        return sum(isinstance(event, Rolled | Landed) for event in self._events)

    def _same_scores(self) -> bool:
        """Whether the box's scores are those of the dice that truly lay there."""
        shown, truths, landed = self._game, iter(self._truths), iter(self._landed)
        true: list[Event] = []
        for event in self._events:
            if isinstance(event, Rolled):
                true.append(replace(event, dice=next(truths, event.dice)))
            elif isinstance(event, Landed):
                there = next(landed, event)
                true.append(replace(event, value=there.value, zone=there.zone, off=there.off))
            else:
                true.append(event)
        start = rulebook(shown.game).start(shown.players, shown.options)
        try:
            scores = History.replay(start, true).position.view().scores
        except Refused as refused:
            self.tally.remarks.append(f"as thrown the game is another: {refused}")
            return False
        if scores != shown.scores:
            self.tally.remarks.append(f"scores {shown.scores}; as thrown {scores}")
        return scores == shown.scores


def _exact(die: DieOnTable) -> MeasuredDie:
    """A die as if it had been measured where it truly lies."""
    x_mm, y_mm, _ = die.center_mm
    cube = flat_cube(x_mm, y_mm, radians(die.yaw_deg), die.edge_mm, 1.6)
    return MeasuredDie(
        value=int(die.die.value),
        confidence=1.0,
        color=die.color,
        center_mm=(x_mm, y_mm),
        yaw_deg=die.yaw_deg,
        edge_mm=die.edge_mm,
        footprint_mm=tuple((float(x), float(y)) for x, y in footprint(cube)),
        covariance=EXACTLY,
        sigma_mm=EXACT_MM,
        pose="flat",
        center_px=die.center_px,
        corners_px=die.corners_px,
    )


def play(game: str, seed: int, throws: int, *, pressed: bool = True) -> ThrowTally:
    """One game with that seed, or so many throws of it."""
    clock, tally = Clock(), ThrowTally(game, seed)
    camera = SimulatedTable(seed, fps=FPS, clock=clock, wait=clock.wait)
    config = load(None)
    config = msgspec.structs.replace(config, films=msgspec.structs.replace(config.films, keep=False))
    with tempfile.TemporaryDirectory() as folder:
        trial = trial_setup(camera, Path(folder))
        reads: Reads = "roll_done" if pressed else "at_rest"
        setup = replace(trial, config=config, reads=reads, tell=lambda _: None, clock_ms=clock)
        with Box(setup) as box:
            ThrownGame(box, camera, clock, tally, pressed=pressed).play(throws)
    return tally


def played_before(out: Path | None) -> list[ThrowTally]:
    """The games that were written down."""
    if out is None or not out.exists():
        return []
    return [msgspec.json.decode(line, type=ThrowTally) for line in out.read_bytes().splitlines()]


def main(words: Sequence[str] = ()) -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks throws")
    parser.add_argument("--throws", type=int, default=THROWS, help="of all games together, about")
    parser.add_argument("--seed", type=int, default=SEED)
    parser.add_argument("--at-rest", action="store_true", help="nobody presses ROLL DONE")
    parser.add_argument("--out", type=Path, help="write each game down here, and go on from there")
    options = parser.parse_args(words)
    cv2.setNumThreads(1)
    played = played_before(options.out)
    done, seed = {(each.game, each.seed) for each in played}, options.seed
    while sum(each.thrown for each in played) < options.throws:
        game, seed = tuple(RULEBOOKS)[seed % len(RULEBOOKS)], seed + 1
        if (game, seed) in done:
            continue
        played.append(play(game, seed, min(MOST, options.throws), pressed=not options.at_rest))
        if options.out is not None:
            with options.out.open("ab") as file:
                file.write(msgspec.json.encode(played[-1]) + b"\n")
    print(HEAD)
    total = ThrowTally("all", 0, games=0)
    for game in RULEBOOKS:
        own = ThrowTally(game, 0, games=0)
        for each in played:
            if each.game == game:
                own.add(each)
        total.add(own)
        print(own.line(), flush=True)
    print(total.line(), flush=True)
    for each in played:
        for remark in each.remarks:
            print(f"    {each.game} {each.seed}: {remark}", flush=True)
