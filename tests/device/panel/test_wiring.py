"""The wiring page, the drawing and the settings say the same, and the header is a Pi's."""

import importlib.util
import re
import sys
from itertools import combinations, pairwise
from pathlib import Path
from types import ModuleType
from xml.etree import ElementTree as ET

import pytest
from gpiozero.pins.mock import MockFactory
from msgspec.structs import replace

from device.config import parse
from device.panel.displays import Rows, drawn
from device.panel.scoreboard import PAGE_MS, board
from device.shown.snapshot import GameShown
from device.wiring import label

DOCS = Path(__file__).parents[3] / "docs"
PAGE = (DOCS / "wiring.md").read_text(encoding="utf-8")
SVG = "{http://www.w3.org/2000/svg}"
REVISIONS = {"Pi 3B": "a02082", "Pi 4B": "c03115", "Pi 5": "c04170", "Zero 2 W": "902120"}

PICTURES = {"wiring.svg": 40, "wiring-off.svg": 12}
"""And how many of the header's pins they show."""

Point = tuple[float, float]


def header_of(revision: str) -> dict[int, str]:
    """Header pin to name, as gpiozero knows this Pi."""
    return {number: pin.name for number, pin in MockFactory(revision).board_info.headers["J8"].pins.items()}


def table_rows(columns: int) -> list[list[str]]:
    """The page's table rows with so many columns, heads and rules left out."""
    rows = [
        [cell.strip() for cell in line.strip("|").split("|")] for line in PAGE.splitlines() if line[:1] == "|"
    ]
    return [row for row in rows if len(row) == columns and any(cell.isdigit() for cell in row)]


def drawn_wires(picture: str) -> list[ET.Element]:
    drawn = ET.parse(DOCS / picture)  # noqa: S314 - our own file
    return [path for path in drawn.iter(f"{SVG}path") if path.get("data-part")]


def corners(path: ET.Element) -> list[Point]:
    """The points of a wire made of M, H, V and h steps."""
    points: list[Point] = []
    for step, x, y in re.findall(r"([MHVh])\s*(-?[\d.]+)(?:\s+(-?[\d.]+))?", path.get("d", "")):
        last = points[-1] if points else (0.0, 0.0)
        match step:
            case "M":
                points.append((float(x), float(y)))
            case "H":
                points.append((float(x), last[1]))
            case "V":
                points.append((last[0], float(x)))
            case "h":
                points.append((last[0] + float(x), last[1]))
            case _:
                raise AssertionError(step)
    return points


def settings_pins() -> dict[tuple[str, str], int]:
    """(kind, label) to BCM number, from callbox.toml."""
    panel = parse("").panel
    buttons = {("button", label(name)): pin for name, pin in panel.buttons.fitted().items()}
    lamps = {("lamp", label(name)): pin for name, pin in panel.lamps.fitted().items()}
    lamps |= {("lamp", f"STATUS {name}"): pin for name, pin in panel.status.fitted().items()}
    assert isinstance(panel.off.button, int)
    assert isinstance(panel.off.lamp, int)
    return buttons | lamps | {("button", "OFF"): panel.off.button, ("lamp", "OFF"): panel.off.lamp}


def test_the_table_has_the_settings_pins() -> None:
    table = {(kind, part): int(gpio) for part, kind, gpio, _, _ in table_rows(5)}
    assert table == settings_pins()
    assert len(table_rows(5)) == len(table)


@pytest.mark.parametrize("revision", REVISIONS.values(), ids=REVISIONS.keys())
def test_the_tables_header_pins_are_the_pis(revision: str) -> None:
    header = header_of(revision)
    for _, _, gpio, number, _ in table_rows(5):
        assert header[int(number)] == f"GPIO{gpio}"
    for _, wire, gpio, number in table_rows(4):
        wanted = {"5 V": "5V", "ground": "GND"}.get(wire, f"GPIO{gpio}")
        assert header[int(number)] == wanted


def test_the_scoreboards_table_has_the_spi_pins() -> None:
    claimed = [pin for key, pin in parse("").pins_in_use() if key.startswith("scoreboard")]
    table = {part: int(gpio) for part, _, gpio, _ in table_rows(4) if gpio.isdigit()}
    assert table == {"DIN": 10, "CS": 8, "CLK": 11}
    assert set(table.values()) | {7, 9} == set(claimed)


def test_the_page_names_every_ground_pin() -> None:
    (listed,) = re.findall(r"header pins ([\d, and\s]+) are ground", PAGE)
    grounds = [number for number, name in header_of("c03115").items() if name == "GND"]
    assert sorted(map(int, re.findall(r"\d+", listed))) == sorted(grounds)


def test_the_drawings_join_what_the_settings_say() -> None:
    wanted = {key: pin for key, pin in parse("").pins_in_use() if key.startswith("panel.")}
    wanted |= {"scoreboard DIN": 10, "scoreboard CS": 8, "scoreboard CLK": 11}
    wires = [path for picture in PICTURES for path in drawn_wires(picture)]
    joined = [(path.get("data-part", ""), int(path.get("data-gpio", "0"))) for path in wires]
    assert sorted((part, gpio) for part, gpio in joined if gpio) == sorted(wanted.items())


@pytest.mark.parametrize("picture", PICTURES)
def test_every_drawn_wire_starts_at_its_header_pin_and_the_pin_is_the_right_one(picture: str) -> None:
    circles = ET.parse(DOCS / picture).iter(f"{SVG}circle")  # noqa: S314 - our own file
    pins = {
        c.get("data-pin"): (float(c.get("cx", "0")), float(c.get("cy", "0")))
        for c in circles
        if c.get("data-pin")
    }
    header = header_of("c03115")
    assert len(pins) == PICTURES[picture]
    for path in drawn_wires(picture):
        number = path.get("data-header", "")
        if path.get("data-part") != "scoreboard GND":  # hangs on the ground bus
            assert corners(path)[0] == pins[number], path.attrib
        if gpio := path.get("data-gpio"):
            assert header[int(number)] == f"GPIO{gpio}"
        else:
            named = {"ground": "GND", "scoreboard GND": "GND", "scoreboard VCC": "5V", "3.3 V": "3V3"}
            assert header[int(number)] == named[path.get("data-part", "")]


def _cross(one: tuple[Point, Point], other: tuple[Point, Point]) -> bool:
    """Whether an upright and a level stretch meet, or two on one line overlap."""
    (ax, ay), (bx, by) = min(one), max(one)
    (cx, cy), (dx, dy) = min(other), max(other)
    return max(ax, cx) <= min(bx, dx) and max(min(ay, by), min(cy, dy)) <= min(max(ay, by), max(cy, dy))


@pytest.mark.parametrize(("picture", "count"), [("wiring.svg", 19), ("wiring-off.svg", 8)])
def test_no_signal_or_supply_wire_touches_another(picture: str, count: int) -> None:
    drawn = [path for path in drawn_wires(picture) if path.get("data-gpio") or picture != "wiring.svg"]
    wires = {(path.get("data-part", ""), path.get("data-header")): corners(path) for path in drawn}
    assert len(wires) == count
    for (name, one), (other_name, other) in combinations(wires.items(), 2):
        stretches = ((a, b) for a in pairwise(one) for b in pairwise(other))
        assert not any(_cross(a, b) for a, b in stretches), (name, other_name)


def _generator() -> ModuleType:
    spec = importlib.util.spec_from_file_location("wiring_drawing", DOCS / "wiring_drawing.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


def test_the_drawing_is_the_one_that_the_settings_make() -> None:
    generator = _generator()
    made = {"wiring.svg": generator.drawing(parse("")), "wiring-off.svg": generator.off_drawing(parse(""))}
    drawn = {picture: (DOCS / picture).read_text(encoding="utf-8") for picture in PICTURES}
    assert drawn == made, "run: python docs/wiring_drawing.py"


def test_another_pin_changes_the_drawing() -> None:
    generator = _generator()
    assert generator.drawing(parse("[panel.buttons]\nundo = 4\n")) != generator.drawing(parse(""))
    swapped = parse("[panel.status]\nred = 15\nblue = 4\n")
    assert generator.off_drawing(swapped) != generator.off_drawing(parse(""))


ROLLING = GameShown(
    game="zoinx",
    edition="gamewright",
    phase="roll",
    players=("Ann", "Bob", "Cid", "Dee"),
    scores=(17, 23, 4, 9),
    active="Bob",
    running=12,
    bets=(6, 8, 0, 10),
    allowed=(),
    wanted="",
    wanted_kind="",
    wanted_count=None,
    news="",
    banner="",
    winners=(),
    cause="",
    line="",
    last_roll=(),
)


def pictures(rows: Rows) -> str:
    return "\n".join(drawn(row) for row in rows)


def test_the_pages_pictures_are_what_the_scoreboard_shows() -> None:
    betting = replace(ROLLING, running=None, bets=("locked", "thinking", "locked", "thinking"))
    ended = replace(ROLLING, active=None, running=None, bets=(), winners=("Bob",))
    one_by_one = [board(ROLLING, "UNSURE", age_ms=PAGE_MS * page, rows=1)[0] for page in range(6)]
    still = [board(game, age_ms=0, rows=1)[0] for game in (betting, ended)]
    shown = re.findall(r"```text\n(.*?)\n```", PAGE, re.DOTALL)
    assert shown == [
        pictures(board(ROLLING, age_ms=0, rows=4)),
        pictures(tuple(one_by_one)),
        pictures(tuple(still)),
    ]
