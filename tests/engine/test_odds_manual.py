"""docs/odds.md shows what the odds say."""

import re
from pathlib import Path

from engine.odds import Advice
from engine.odds.advice import percent
from engine.odds.ten_thousand import farkle_chance, turn_table
from engine.odds.turns import Hand, TurnTable
from engine.odds.zoinx import ZoinxTurn, best, reach
from engine.odds.zonk import turn_table as zonk_table
from engine.odds.zonk import zonk_chance
from engine.ten_thousand.agreed import EDITIONS

MANUAL = (Path(__file__).parents[2] / "docs" / "odds.md").read_text(encoding="utf-8")
BETS = (2, 4, 6, 8, 10)


def row(title: str) -> list[str]:
    """The cells of the row with that title."""
    found = re.search(rf"^\| {re.escape(title)} \| (.*) \|$", MANUAL, re.MULTILINE)
    assert found, title
    return found[1].split(" | ")


def test_every_field_of_an_advice_is_told() -> None:
    cells = re.findall(r"^\| (`.*?) \|", MANUAL, re.MULTILINE)
    told = re.findall(r"`(\w+)`", " ".join(cells))
    assert told == ["player", "words", "points", "chance", "risk", "lead", "goal", "hint", "event"]
    assert set(told) == set(Advice.__dataclass_fields__)


def test_the_figures_of_zoinx() -> None:
    turns = {bet: ZoinxTurn((bet, 0), 0, (0, 0)) for bet in BETS}
    assert row("dots or bet") == [str(bet) for bet in BETS]
    assert row("reached") == [percent(reach(bet)) for bet in BETS]
    assert row("points of the bet") == [f"{float(best(turns[bet], 0).points[0]):.2f}" for bet in BETS]
    stops = [next(dots for dots in range(bet, 20) if best(turns[bet], dots).stops) for bet in BETS]
    assert row("stop from") == [str(dots) for dots in stops]


def bank_from(table: TurnTable, hand: Hand) -> str:
    """The points from which on banking is always the best."""
    rolls = [points for points in range(50, table.cap + 50, 50) if table.best(points, hand).points > points]
    return str(rolls[-1] + 50)


def test_the_figures_of_ten_thousand_and_zonk() -> None:
    dice = range(1, 7)
    chances = [percent(farkle_chance(count, EDITIONS["classic"].combos)) for count in dice]
    assert row("nothing scores") == chances == [percent(zonk_chance(count)) for count in dice]
    assert f"without them it is {percent(farkle_chance(6, EDITIONS['plain'].combos))}" in MANUAL
    for name, agreed in EDITIONS.items():
        table = turn_table(agreed.combos, 50)
        assert row(f"bank from, `{name}`") == [bank_from(table, count) for count in dice]
    assert row("cache from, ZONK") == [bank_from(zonk_table((6, 0)), (count, 0, False)) for count in dice]
