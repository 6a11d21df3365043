"""The choice on the keyboard, with the answers given beforehand."""

from collections.abc import Callable

from device.commands.play import ask_players, choose
from engine.rulebooks import RULEBOOKS, rulebook

BOOKS = tuple(RULEBOOKS.values())


def answers(*lines: str) -> tuple[Callable[[str], str | None], list[str]]:
    asked: list[str] = []
    left = list(lines)

    def ask(question: str) -> str | None:
        asked.append(question)
        return left.pop(0) if left else None

    return ask, asked


class Started:
    """Starts what the rulebook itself would start."""

    def __init__(self) -> None:
        self.games: list[tuple[str, tuple[str, ...]]] = []

    def __call__(self, name: str, players: tuple[str, ...], _options: dict[str, str]) -> str:
        if len(players) < rulebook(name).seats.start:
            return "too few players"
        self.games.append((name, players))
        return ""


def test_a_number_and_names_start_a_game() -> None:
    ask, asked = answers("1", " Ann , Bea ")
    start = Started()
    choose(BOOKS, ask, start, lambda _: None)
    assert start.games == [(BOOKS[0].name, ("Ann", "Bea"))]
    assert BOOKS[0].title in asked[0]


def test_wrong_answers_are_asked_again() -> None:
    told: list[str] = []
    ask, _ = answers("9", "Zoinx", "Ann", "zoinx", "Ann,Bea")
    start = Started()
    choose(BOOKS, ask, start, told.append)
    assert start.games == [("zoinx", ("Ann", "Bea"))]
    assert told[1:] == ["too few players"]
    assert told[0].startswith("That is none of 1")


def test_nobody_answers_because_the_console_was_faster() -> None:
    ask, _ = answers()
    start = Started()
    choose(BOOKS, ask, start, lambda _: None)
    assert start.games == []


def test_a_named_game_only_asks_who_plays() -> None:
    ask, asked = answers("Ann, Bea")
    start = Started()
    assert ask_players(rulebook("zoinx"), {}, ask, start, lambda _: None)
    assert start.games == [("zoinx", ("Ann", "Bea"))]
    assert len(asked) == 1
