"""A table that is spoken to: words in, words out, as the rulebooks' examples are told.

    table = Table("zoinx", "Zoe Bob")
    table.say("Zoe bets 6, Bob bets 0, rolls 3, rolls 4, stops")
    table.scores == "Zoe 13, Bob 0"

Words: `NAME bets N`, `rolls N` (so many dots of four Zoinx dice; `rolls 2 of 3`), `zoinx`, `throws 3 5` (pip
dice), `keeps 6 6 6 + 1` (two combos set aside), `banks`, `stops`, `undo`; to correct, `really rolls N`,
`really throws 3 5`, `really zoinx`. ZONK's players say `casts`, `pockets` and `caches` for the same; 3^ is a
D4; `draws Magic Aura`; `plays Time Warp Tonic on 4 into 1`. End Zone's words: tests/engine/landings.py.
"""

import re

from engine.dice import Die
from engine.events import Bet, Cache, Corrected, Draw, Event, Play, Pocket, Rolled, Stop, Undo
from engine.game import GameView
from engine.history import History
from engine.refusal import Refused
from engine.rulebooks import rulebook
from tests.engine import landings

ACTS: dict[str, Event] = {"undo": Undo(), "stops": Stop(), "banks": Cache(), "caches": Cache()}


def dots(count: int, dice: int = 4) -> tuple[Die, ...]:
    """Zoinx dice with so many dots."""
    return tuple(Die("zoinx", "dot" if place < count else "square") for place in range(dice))


def pips(*values: int) -> tuple[Die, ...]:
    """Pip dice."""
    return tuple(Die("pip", value) for value in values)


def shown(faces: str) -> tuple[Die, ...]:
    """`3 5^`: a pip die and a D4."""
    return tuple(Die("d4" if face.endswith("^") else "pip", int(face[0])) for face in faces.split())


def event_of(words: str) -> Event:
    """The event that the words tell."""
    words = words.strip()
    if words in ACTS:
        return ACTS[words]
    if kept := re.fullmatch(r"(?:keeps|pockets) ([1-6^ +]+)", words):
        return Pocket(combos=tuple(shown(combo) for combo in kept[1].split("+")))
    if words.startswith(("draws ", "plays ")):
        return card_of(words)
    if landed := landings.told(words):
        return landed
    if bet := re.fullmatch(r"(.+) bets (-?\d+)", words):
        return Bet(player=bet[1], dots=int(bet[2]))
    really, _, thrown = words.rpartition("really ")
    found = dice_of(thrown)
    return Corrected(dice=found) if words.startswith("really ") and not really else Rolled(dice=found)


def card_of(words: str) -> Draw | Play:
    """`draws Magic Aura`, `plays Chaos Swap on 3`, `plays Shadow Wizard's Money into 1`."""
    if words.startswith("draws "):
        return Draw(card=words.removeprefix("draws "))
    played = re.fullmatch(r"plays (.+?)(?: on ([1-6]\^?))?(?: into (-?\d+))?", words)
    assert played
    die = shown(played[2])[0] if played[2] else None
    return Play(card=played[1], die=die, pocket=int(played[3] or 0))


def dice_of(words: str) -> tuple[Die, ...]:
    """`rolls 3`, `zoinx`, `throws 3 5` as dice."""
    if words == "zoinx":
        return dots(0)
    if rolled := re.fullmatch(r"rolls (\d)(?: of (\d))?", words):
        return dots(int(rolled[1]), int(rolled[2] or 4))
    if thrown := re.fullmatch(r"(?:throws|casts) ([1-6^ ]+)", words):
        return shown(thrown[1])
    raise ValueError(f"no such words: {words!r}")


class Table:
    """One game, spoken to."""

    def __init__(self, game: str, players: str, **options: str) -> None:
        """Players with spaces between them, options by name (a trailing _ is dropped: pass_)."""
        self.book = rulebook(game)
        given = {key.rstrip("_"): value for key, value in options.items()}
        self.history = History(self.book.start(tuple(players.split()), given))

    def say(self, words: str) -> GameView:
        """Take the events told, with commas between them."""
        for phrase in words.split(","):
            self.history.take(event_of(phrase))
        return self.view

    def refused(self, words: str) -> str:
        """The refusal of one event, which must leave everything as it was."""
        before = self.history.position, self.history.events, self.history.standings()
        try:
            self.history.take(event_of(words))
        except Refused as refusal:
            assert before == (self.history.position, self.history.events, self.history.standings())
            return str(refusal)
        raise AssertionError(f"{words!r} was taken")

    @property
    def view(self) -> GameView:
        """What anybody may see."""
        return self.history.position.view()

    @property
    def scores(self) -> str:
        """Ann 4, Bob 0."""
        return ", ".join(
            f"{name} {score}" for name, score in zip(self.view.players, self.view.scores, strict=True)
        )

    @property
    def line(self) -> str:
        """The position, secrets included."""
        return self.history.position.line()

    @property
    def may(self) -> str:
        """What may be done: `Zoe roll_done, Zoe stop`."""
        return ", ".join(f"{allowed.player} {allowed.button}" for allowed in self.view.allowed)
