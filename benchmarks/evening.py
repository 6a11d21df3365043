"""A whole evening at the simulated table, at real speed and through pixels: nobody presses ROLL DONE.

A whole box plays game after game, with its own threads and clock, and reads by itself what comes to rest.
The players bet and stop at random; the box hears of their dice from the pictures alone. After every
fourth throw a hand does something that is no throw: it rests over the table, pushes a die, or turns one over.

"found" are throws that the box took for one, "asked" those of them about which it asked people (who then said
what lies there), "misread" those that it read wrong and did not ask about; "invented" are rolls that it saw
where nobody threw. In the end the game's events are played again by the rulebook, with what truly lay there
in each roll: "scores" says whether the box's are the same. A game takes some minutes.

    python -m benchmarks evening [--games zoinx,ten-thousand] [--seed 20] [--throws 120]
"""

import argparse
import tempfile
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from random import Random
from typing import Protocol

from tqdm import tqdm

from device.box import Box
from device.config import load
from device.journal.rows import EventRow
from device.shown.snapshot import GameShown, Snapshot
from device.simulator.table import SimulatedTable
from engine.dice import Die
from engine.events import Event, Rolled
from engine.history import History
from engine.rulebooks import rulebook
from tests.playing import trial_setup

GAMES = ("zoinx", "ten-thousand", "zoinx", "zoinx")
SEED = 20
THROWS = 120
"""The throws of each game: who has not ended it by then goes home."""
PLAYERS = ("Ann", "Bea")
MISCHIEF = ("hand", "nudge", "turn_over")
MISCHIEF_EVERY = 4
STOPS = 0.7
"""How often somebody stops who may."""
REST_S = 6.0
"""A box that has not said anything so long after the dice came to rest has missed the throw."""
LOOKS_ON_S = 1.2
"""How long people watch after a mischief."""
TAP_S = 0.08
LOOK_S = 0.05
LONGEST_S = 30.0


class Asked(Protocol):
    """A table, or its desk: what players ask it for beside pressing buttons."""

    def bet(self, player: str, dots: int, /) -> object:
        """Bet so many dots."""

    def choose(self, choice: int, words: str, /) -> object:
        """Take the choice at that place, which those words name."""


def play_on(now: Snapshot, table: Asked, rng: Random, stop: Callable[[], object]) -> bool:
    """Bet, stop or set dice aside as players do at random; False where a throw is due."""
    game = now.game
    assert game is not None
    if bets := [each for each in game.allowed if each.button == "bet"]:
        chosen = rng.choice(bets)
        table.bet(chosen.player, rng.choice(chosen.choices))
    elif now.lamps["stop"] and rng.random() < STOPS:
        stop()
    elif game.choices:
        table.choose(0, game.choices[0].words)  # the best stands first
    else:
        return False
    return True


@dataclass(slots=True)
class Tally:
    """What became of one game."""

    game: str
    truths: list[tuple[Die, ...]] = field(default_factory=list)
    """What lay there, throw by throw, of those that the box took."""
    missed: list[str] = field(default_factory=list)
    """What the box had to say when a throw had not counted."""
    thrown: int = 0
    asked: int = 0
    misread: int = 0
    mischief: int = 0
    invented: int = 0
    scores: str = ""
    took_s: float = 0.0

    def line(self) -> str:
        """For the table."""
        return (
            f"{self.game:<14}{self.thrown:>7}{len(self.truths):>7}{self.asked:>7}{self.misread:>9}"
            f"{self.mischief:>10}{self.invented:>10}{self.took_s / 60:>7.1f}  {self.scores}"
        )


HEAD = (
    f"{'':<14}{'thrown':>7}{'found':>7}{'asked':>7}{'misread':>9}{'mischief':>10}{'invented':>10}"
    f"{'min':>7}  scores"
)


class Evening:
    """One game at one table."""

    def __init__(self, box: Box, camera: SimulatedTable, rng: Random, game: str) -> None:
        self._box, self._camera, self._rng = box, camera, rng
        self.tally = Tally(game)

    def play(self, throws: int) -> None:
        """The game to its end, or so many throws of it; then its scores are held against the truth."""
        begun, desk = time.monotonic(), self._box.desk
        answer = desk.start(self.tally.game, PLAYERS, {})
        if not answer.ok:
            raise SystemExit(answer.text)
        with tqdm(total=throws, desc=self.tally.game, leave=False) as bar:
            while self._now.stage != "ended" and self.tally.thrown < throws:
                self._step()
                bar.update(self.tally.thrown - bar.n)
        self.tally.took_s = time.monotonic() - begun
        self.tally.scores = self._compared()

    @property
    def _now(self) -> Snapshot:
        return self._box.desk.snapshot()

    @property
    def _game(self) -> GameShown:
        game = self._now.game
        assert game is not None
        return game

    def _step(self) -> None:
        """What somebody at the table does next."""
        shown = self._now.number
        if play_on(self._now, self._box.desk, self._rng, partial(self._tap, "stop")):
            self._until(lambda: self._now.number > shown, LONGEST_S)
        else:
            self._throw()

    def _throw(self) -> None:
        """A throw; who sees that it did not count throws again."""
        tally, rolls = self.tally, len(self._rolls())
        self._act("throw")
        tally.thrown += 1
        if not self._until(lambda: len(self._rolls()) > rolls or bool(self._now.ask), REST_S):
            tally.missed.append(self._now.message.text)
            return
        # The dice may be gone by now: the next player has other ones in the hand.
        lay = [die.lying for die in self._camera.stories[-1].thrown]
        truth = tuple(Die(die.body.kind, die.up) for die in lay if die)
        tally.truths.append(truth)
        if self._now.ask:
            tally.asked += 1
            self._box.desk.correct(truth, "all have seen it")
        else:
            read = sorted(str(die.value) for die in self._rolls()[-1].dice)
            tally.misread += read != sorted(str(die.value) for die in truth)
        if tally.thrown % MISCHIEF_EVERY == 0 and self._now.stage != "ended":
            self._mischief()

    def _mischief(self) -> None:
        """Something that is no throw, once the dice have counted."""
        before = len(self._rolls())
        self.tally.mischief += 1
        self._act(self._rng.choice(MISCHIEF))
        threading.Event().wait(LOOKS_ON_S)
        self.tally.invented += len(self._rolls()) > before

    def _act(self, name: str) -> None:
        """Have the hand do something, to its end."""
        assert self._box.hand is not None
        answer = self._box.hand.act(name)
        if not answer.ok:
            raise SystemExit(answer.text)
        self._until(lambda: not self._camera.busy, LONGEST_S)

    def _tap(self, button: str) -> None:
        for down in (True, False):
            self._box.desk.press(button, down)
            threading.Event().wait(TAP_S)

    def _until(self, holds: Callable[[], bool], patience_s: float) -> bool:
        """Let time pass until that is so; whether it ever was."""
        end_s = time.monotonic() + patience_s
        while not holds():
            if time.monotonic() > end_s:
                return False
            time.sleep(LOOK_S)
        return True

    def _events(self) -> list[Event]:
        """What the journal holds of this game."""
        rows = self._box.journal.rows(self._now.game_id or 0)
        return [entry.row.event for entry in rows if isinstance(entry.row, EventRow)]

    def _rolls(self) -> list[Rolled]:
        return [event for event in self._events() if isinstance(event, Rolled)]

    def _compared(self) -> str:
        """Whether the box's scores are those of the dice that truly lay there."""
        shown, events = self._game, self._events()
        if (rolls := len(self._rolls())) != len(self.tally.truths):
            return f"{rolls} rolls counted, {len(self.tally.truths)} were thrown"
        truths = iter(self.tally.truths)
        true = [replace(event, dice=next(truths)) if isinstance(event, Rolled) else event for event in events]
        start = rulebook(shown.game).start(shown.players, shown.options)
        scores = History.replay(start, true).position.view().scores
        told = "-".join(map(str, shown.scores))
        return f"{told}, as thrown" if scores == shown.scores else f"{told}; as thrown {scores}"


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks evening")
    parser.add_argument("--games", default=",".join(GAMES), help="their names, with commas between")
    parser.add_argument("--seed", type=int, default=SEED)
    parser.add_argument("--throws", type=int, default=THROWS, help="of each game, at most")
    asked = parser.parse_known_args()[0]
    print(HEAD)
    for number, game in enumerate(asked.games.split(",")):
        config = load(None)
        camera = SimulatedTable(asked.seed + number, fps=config.camera.fps)
        with tempfile.TemporaryDirectory() as folder:
            trial = trial_setup(camera, Path(folder))
            with Box(replace(trial, config=config, reads="at_rest", tell=lambda _: None)) as box:
                box.start()
                evening = Evening(box, camera, Random(asked.seed + number), game)
                evening.play(asked.throws)
        print(evening.tally.line(), flush=True)
        for words in evening.tally.missed:
            print(f"    not counted; the box: {words}", flush=True)


if __name__ == "__main__":
    main()
