"""`make soak`: game after game on a whole box, by players who bet and stop at random.

    python -m tests.soak [MINUTES]

Every reading is compared with what really lies there, every game's journal with a replay by the rulebook,
and memory at the end with memory after the first game. Ends with 1 when anything is not as it should be.
"""

import sys
import tempfile
import time
from pathlib import Path
from random import Random

from tqdm import tqdm

from device.journal.rows import EventRow
from engine.history import History
from engine.rulebooks import rulebook
from tests.playing import Playing, live, playing

PLAYERS = ("Ann", "Bea", "Zoe")
GROWTH_MB = 40.0
"""More than this after the first game is a leak: pictures and snapshots of one game take less."""


class Soak:
    """The tally of one run."""

    def __init__(self, player: Playing, rng: Random) -> None:
        self.player = player
        self.rng = rng
        self.rolls = self.asked = 0
        self.wrong: list[str] = []

    def game(self) -> None:
        """One Zoinx game to its end."""
        answer = self.player.box.desk.start("zoinx", PLAYERS, {})
        assert answer.ok, answer.text
        while self.player.now.stage != "ended":
            self._step()
        self._replay()

    def _step(self) -> None:
        game = self.player.now.game
        assert game is not None
        if bets := [each for each in game.allowed if each.button == "bet"]:
            chosen = self.rng.choice(bets)
            self.player.bet(chosen.player, self.rng.choice(chosen.choices))
        elif self.player.now.lamps["stop"] and self.rng.random() < 0.7:
            line = game.line
            self.player.press("stop")
            self.player.until(lambda shown: shown.game and shown.game.line != line, "the turn's end")
        else:
            self._roll()

    def _roll(self) -> None:
        act = "throw" if self.rng.random() < 0.9 else self.rng.choice(("throw_one_less", "stack", "cock"))
        shown = self.player.roll(act)
        self.rolls += 1
        if shown.ask:
            self.asked += 1
            return
        lies = sorted(str(die.value) for die in self.player.table.rolled)
        read = sorted(str(die.value) for die in shown.table.dice)
        if read != lies:
            self.wrong.append(f"roll {self.rolls} ({act}): {lies} lay there, {read} was read")

    def _replay(self) -> None:
        """The journal tells the same game as the box."""
        game_id, shown = self.player.now.game_id, self.player.now.game
        assert game_id is not None
        assert shown is not None
        journal = self.player.box.journal
        events = [entry.row.event for entry in journal.rows(game_id) if isinstance(entry.row, EventRow)]
        start = rulebook("zoinx").start(PLAYERS, {})
        if History.replay(start, events).position.view().scores != shown.scores:
            self.wrong.append(f"game {game_id}: the journal tells another score")


def resident_mb() -> float:
    """This process's resident memory."""
    pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
    return pages * 4096 / 1e6


def main(minutes: float) -> int:
    """Play for so long (and the game in hand to its end); 0 when all was well."""
    seed = int(time.time())
    whole = live(seed)  # as in life: memory and time count here
    with tempfile.TemporaryDirectory() as folder, playing(Path(folder), whole, films=True) as player:
        soak = Soak(player, Random(seed))
        end_s = time.monotonic() + 60 * minutes
        soak.game()
        games, first_mb = 1, resident_mb()
        with tqdm(total=round(60 * minutes), unit="s", desc="soak") as bar:
            while time.monotonic() < end_s:
                soak.game()
                games += 1
                bar.n = min(bar.total, round(60 * minutes - (end_s - time.monotonic())))
                bar.refresh()
        grown_mb = resident_mb() - first_mb
    if grown_mb > GROWTH_MB:
        soak.wrong.append(f"memory grew by {grown_mb:.0f} MB after the first game")
    print(
        f"{games} games, {soak.rolls} rolls, {soak.asked} asked about, {len(soak.wrong)} wrong; seed {seed}"
    )
    print(f"memory after the first game {first_mb:.0f} MB, grown by {grown_mb:.0f} MB since")
    print("\n".join(soak.wrong))
    return 1 if soak.wrong else 0


if __name__ == "__main__":
    sys.exit(main(float(sys.argv[1]) if len(sys.argv) > 1 else 30.0))
