"""No sentence bypasses the catalogue: what reads like one is told by `phrase`, or has its reason here."""

import ast
import re
from collections.abc import Iterable, Iterator
from pathlib import Path

import pytest

from device.languages.gather import TRANSLATED, forms_of, translations_of
from tests.device.languages.untold import EXCEPT

ROOT = Path(__file__).parents[3]
DONE = (
    "calibration",
    "device/backup",
    "device/box.py",
    "device/cameras",
    "device/cli.py",
    "device/commands",
    "device/config.py",
    "device/console",
    "device/desk.py",
    "device/doctor",
    "device/films",
    "device/games",
    "device/hall",
    "device/journal",
    "device/landings",
    "device/lessons",
    "device/mat",
    "device/match",
    "device/odds.py",
    "device/options.py",
    "device/panel",
    "device/people",
    "device/printing",
    "device/reports",
    "device/rolls",
    "device/service",
    "device/settings_words.py",
    "device/setup",
    "device/shown",
    "device/simulator",
    "device/table",
    "device/throws",
    "device/tournaments",
    "device/venue",
    "device/voice",
    "device/wiring.py",
    "engine",
    "vision",
)
"""Files and folders whose sentences are all in the catalogue. Whoever wraps another adds it."""
ALONE = {"device/cameras/grabber.py", "device/cameras/usb_grabber.py", "device/films/maker.py"}
"""Programs that other Pythons run without the rooms: what they say in detail stays in English."""
CODES = {
    "go on", "lay there", "no PIC", "no picture", "not here", "on the table", "put away", "take up",
    "taken back", "taken up", "went on",
}  # fmt: skip
"""What rooms call states among themselves, in the journal and on the wire; `phrase` tells them to people."""
SQL = re.compile(
    r"\b(SELECT|INSERT|UPDATE|DELETE|CREATE|BEGIN|VACUUM|PRAGMA|CAST|FROM|ORDER BY|WHERE|NULL|DROP)\b"
)
MARKUP = re.compile(r'[a-z-]+="[^"]*"|</?[^<>]*>')
"""Attributes and tags of HTML and SVG: what people read in them is handed in."""
EXCEPT = {
    ("calibration/description_text.py", "name = {}"): "stands in a file that others read",
    ("calibration/description_text.py", 'dot = { {}, color = "{}" }'): "stands in a file that others read",
    ("calibration/description_text.py", 'color = "{}"'): "stands in a file that others read",
    ("calibration/description_text.py", "side_lines_x_mm = [{}, {}]"): "stands in a file that others read",
    ("calibration/description_text.py", "of_one_set = {}"): "stands in a file that others read",
    ("calibration/description_text.py", "value = {}"): "stands in a file that others read",
    ("calibration/description_text.py", "polygon_mm = [{}]"): "stands in a file that others read",
    ("calibration/fit/own/measured.py", "the table's edge"): "the name of a line, in files",
    ("calibration/fit/own/measured.py", "{} of the {} zone"): "the name of a line, in files",
    ("calibration/fit/own/measured.py", "left side"): "the name of a line, in files",
    ("calibration/fit/own/measured.py", "right side"): "the name of a line, in files",
    ("calibration/fit/own/measured.py", "front of the {} zone"): "the name of a line, in files",
    ("calibration/fit/own/measured.py", " of the "): "the name of a line, in files",
    ("calibration/fit/own/measured.py", "outer edge of the {} tape"): "the name of a line, in files",
    ("calibration/fit/own/measured.py", "inner edge of the left tape"): "the name of a line, in files",
    ("calibration/fit/own/measured.py", "near edge of the halfway tape"): "the name of a line, in files",
    ("calibration/fit/own/measured.py", "the table's {} edge"): "the name of a line, in files",
    ("calibration/fit/own/settled.py", "outer edge of the left tape"): "the name of a line, in files",
    ("calibration/fit/own/settled.py", "outer edge of the right tape"): "the name of a line, in files",
    ("calibration/fit/own/settled.py", "{} edge of the {} tape"): "the name of a line, in files",
    ("calibration/fit/own/settled.py", "near edge of the halfway tape"): "the name of a line, in files",
    ("calibration/fit/own/settled.py", "the table's {} edge"): "the name of a line, in files",
    (
        "calibration/fit/own/trial.py",
        "End Zone, measured from the sheet",
    ): "stands in a file that others read",
    ("device/setup/own_table.py", "# callbox:measured"): "the name of a line, in files",
    ("device/setup/own_table.py", "{} of the {} zone"): "the name of a line, in files",
    ("device/box.py", "pushed by"): "the name of a variable",
    ("device/box.py", "SimulatedHand | None"): "a type",
    ("device/cameras/both_ends.py", "far camera"): "the name of a thread",
    ("device/cameras/film.py", "{} frame {}"): "the name of a frame",
    (
        "device/cameras/folder.py",
        "a picture is shown for more than 0 ms, at more than 0 frames/s; got {}, {}",
    ): "for builders",
    ("device/cameras/grabbed.py", "{} does not start ({})"): "a detail, as the grabbers' own",
    ("device/cameras/link.py", "by itself"): "the word of a grabber",
    ("device/cameras/picamera.py", "{} lists no cameras"): "a detail, as the grabbers' own",
    ("device/cameras/sensors.py", "HQ camera"): "the name of a product",
    ("device/cameras/sensors.py", "Camera Module 3"): "the name of a product",
    ("device/cameras/sensors.py", "Camera Module 3 Wide"): "the name of a product",
    ("device/cameras/sensors.py", "Global Shutter camera"): "the name of a product",
    ("device/console/app.py", 'attachment; filename="callbox-set-aside.jsonl"'): "a header",
    ("device/console/history.py", 'attachment; filename="{}"'): "a header",
    ("device/console/tournament.py", 'attachment; filename="callbox-tournament.{}"'): "a header",
    ("device/console/guard.py", POLICY): "a header",
    ("device/films/filming.py", "film pictures"): "the name of a thread",
    ("device/hall/embedded_broker.py", "/CN=callbox desk"): "the name in a certificate",
    ("device/hall/page.py", 'attachment; filename="results.csv"'): "a header",
    (
        "device/journal/export.py",
        "bets are secret until all of the turn are locked",
    ): "stands in a file that others read",
    (
        "device/journal/journal.py",
        "a game ends for a cause; to take an ending back, append with ended=''",
    ): "for builders",
    ("device/journal/reader.py", " AND seq > ? ORDER"): "SQL",
    ("device/journal/reader.py", "{} ORDER BY id"): "SQL",
    ("device/journal/records.py", "a moment's wall clock carries a time zone; got {}"): "for builders",
    ("device/journal/records.py", "a moment's steady clock is a finite number of ms; got {}"): "for builders",
    (
        "device/journal/schema.py",
        "this Python's apsw brings SQLite {}, which can damage the journal; {} or newer is needed. "
        "Run: make setup",
    ): "for builders",
    ("device/journal/verify.py", "at, steady_ms, kind, body"): "SQL",
    ("device/landings/fouls.py", "{} ± {} mm"): "a length",
    ("device/landings/fouls.py", "{} mm"): "a length",
    ("device/landings/questions.py", "End Zone has the zones {}; the sheet says {}"): "for builders",
    ("device/mat/game.py", "the mat"): "a note of the journal",
    ("device/mat/game.py", "a card on {}"): "a note of the journal",
    ("device/mat/game.py", "betting dice shown"): "a note of the journal",
    ("device/mat/game.py", "moved to {}"): "a note of the journal",
    ("device/panel/dials.py", "a dial's choices rise and are not empty; got {}"): "for builders",
    ("device/panel/displays.py", "expected {} rows of {} digits, got {}"): "for builders",
    (
        "device/panel/presses.py",
        "debounce ({} ms) must be above 0 and below a long press ({} ms)",
    ): "for builders",
    (
        "device/panel/scoreboard.py",
        "a board has 1 to 4 rows and 2 to {} digits; got {} rows, {} digits",
    ): "for builders",
    ("device/panel/scoreboard.py", "Port {}"): "stands on the scoreboard",
    (
        "device/panel/scoreboard.py",
        "a bet that is shown is a number, locked or thinking; got {}",
    ): "for builders",
    (
        "device/panel/segments.py",
        "a drawing needs one character above it, and its own; got {}",
    ): "for builders",
    (
        "device/panel/segments.py",
        "the drawing of {} has {} in line {}, column {}; expected {}",
    ): "for builders",
    ("device/panel/segments.py", "{} cannot be shown on seven segments (in {})"): "for builders",
    ("device/setup/board_steps.py", "note {}"): "the name of a hint",
    ("device/setup/settings.py", "End Zone"): "the game's name, the same in each language",
    ("device/setup/settings.py", "[camera] lock"): "a key of the settings",
    ("device/setup/settings.py", "[landing] calibration"): "a key of the settings",
    ("device/setup/settings.py", '{} = "none"'): "a line of the settings",
    ("device/venue/looking.py", "looking on"): "the name of a thread",
    ("engine/recording.py", "game {}"): "a recording's own words, which are read back",
    ("engine/recording.py", "players {}"): "a recording's own words, which are read back",
    ("engine/recording.py", "option {}={}"): "a recording's own words, which are read back",
    ("engine/refusal.py", "against the rules"): "a code on the wire (`kind`)",
    ("engine/end_zone/agreed.py", "End Zone"): "the game's name, the same in each language",
    ("engine/end_zone/showing.py", "on the table"): "the name of a fact, by which others look it up",
    ("engine/end_zone/showing.py", "wins as King"): "the name of a fact, by which others look it up",
    ("engine/game.py", "tuple[Wanted, ...]"): "a type",
    ("engine/tray.py", "tray turn={} active={} running={} last={}"): "a position line",
    ("engine/zoinx.py", "LATIN SMALL LETTER ([A-Z]{1,2})(?: WITH |$)"): "Unicode's own words",
    ("engine/zonk/telling.py", "pocket {}"): "the name of a fact, by which others look it up",
    ("device/simulator/end_zone/across.py", "no die moves like that at the End Zone: {}"): "for builders",
    ("device/simulator/end_zone/reach.py", "no hand moves a die like that: {}"): "for builders",
    ("device/simulator/end_zone/world.py", "nobody can {} here"): "for builders",
    ("device/simulator/mat/world.py", "The simulated table has {} dice; got {}."): "for builders",
    ("device/simulator/mat/world.py", "The simulated hand holds 1 to {} dice; got {}."): "for builders",
    ("device/simulator/mat/world.py", "Dice come in {}; got {}."): "for builders",
    ("device/simulator/mat/world.py", "no colour"): "for builders",
    ("device/simulator/world.py", "The simulated table has {} dice; got {}."): "for builders",
    ("device/simulator/world.py", "The simulated hand holds 1 to {} dice; got {}."): "for builders",
    ("device/simulator/world.py", "Dice come in {}; got {}."): "for builders",
    ("device/simulator/world.py", "no colour"): "for builders",
    ("device/simulator/mat/world.py", "card {}"): "the name of an order",
    ("device/simulator/render.py", "Renderer | None"): "a type",
    (
        "device/simulator/table.py",
        "the simulated camera gives up to 120 frames/s of 64x48 to 4096x4096 pixels; "
        "got {} frames/s of {}x{}",
    ): "for builders",
    ("device/simulator/table.py", "table {}"): "the name of a frame",
    ("device/simulator/table.py", "a camera's trouble is one of {}; got {}"): "for builders",
    ("device/simulator/table.py", "There is no camera over a far end."): "for builders",
    ("device/simulator/table.py", "a lie about {} dice must name as many; it names {}"): "for builders",
    (
        "device/simulator/table.py",
        "a lie changes the face, not the die: {} cannot be drawn as {}",
    ): "for builders",
    ("device/reports/asking.py", "text/html; charset=utf-8"): "a header",
    ("device/reports/worker.py", "text/csv; charset=utf-8"): "a header",
    ("device/reports/results.py", "left out"): "a word of the results' files, which others read",
    ("device/printing/paper.py", "{} x {} mm"): "a length",
    ("device/printing/plate.py", "the hole of {} is too near to the plate's edge"): "for builders",
    ("device/printing/plate.py", "{} mm are left between the holes of {} and {}"): "for builders",
    ("device/printing/plate.py", "{} x {} mm"): "a length",
    ("vision/places/layout.py", "{} x {} mm (A3)"): "a length",
    ("vision/landing/drafting.py", "{} mm"): "a length",
    ("vision/landing/words.py", "{} ± {} mm"): "a length",
    ("vision/landing/drift.py", "the picture is {} x {}, the calibration is for {} x {}"): "for builders",
    ("vision/landing/kept_shapes.py", "callbox shapes"): "the name of a kind of file",
    ("vision/landing/measure.py", "a measurer needs one thread or more; got {}"): "for builders",
    ("vision/landing/sight.py", "CalledDie | None"): "a type",
    ("vision/classic/reader.py", "a reader needs one thread or more; got {}"): "for builders",
    ("vision/learned/known.py", "callbox dice"): "the name of a kind of file",
    ("vision/learned/known.py", "at most {} faces can be learnt; got {}"): "for builders",
    ("vision/learned/upright.py", "Upright | None"): "a type",
    ("vision/watch/assign.py", "{} rows cannot have a column each of {}"): "for builders",
    ("vision/watch/glance.py", "a picture is height x width x 3 bytes; got {} of {}"): "for builders",
    ("vision/watch/throws.py", "votes is 1 to 50 readings; got {}"): "for builders",
    ("vision/watch/throws.py", "sure is above 0 and at most 1; got {}"): "for builders",
    ("vision/watch/vote.py", "nothing was read: a vote needs one reading or more"): "for builders",
    ("vision/watch/watch.py", "still_ms is 60 to 2000 milliseconds; got {}"): "for builders",
    ("vision/watch/watch.py", "frozen_after_ms is 200 milliseconds or more, or None; got {}"): "for builders",
    ("vision/watch/watch.py", "{} is 1000 milliseconds or more; got {}"): "for builders",
    ("vision/join.py", "leaning or half hidden"): "a reason of the readers', which is told where it is shown",
    ("vision/legible.py", "often unsure"): "a code, which is told where it is shown",
    ("vision/place.py", "an up-face has three or four corners; got {}"): "for builders",
    ("calibration/description.py", "End Zone table"): "the name of a file's kind",
    ("calibration/files.py", "callbox camera"): "the name of a kind of file",
    ("calibration/files.py", "callbox table"): "the name of a kind of file",
    ("calibration/files.py", "callbox lock"): "the name of a kind of file",
    ("calibration/files.py", "callbox {}"): "the name of a kind of file",
    ("calibration/fit/board_views.py", "top left"): "the name of a wish",
    ("calibration/fit/board_views.py", "top right"): "the name of a wish",
    ("calibration/fit/board_views.py", "bottom left"): "the name of a wish",
    ("calibration/fit/board_views.py", "bottom right"): "the name of a wish",
    ("calibration/fit/landmarks.py", "table's corner {}"): "the name of a landmark in files",
    ("calibration/fit/landmarks.py", "corner {} of the {} zone"): "the name of a landmark in files",
    ("calibration/fit/landmarks.py", "{} end of the {} tape's {} edge"): "the name of a landmark in files",
    ("calibration/fit/landmarks.py", "corner {} of marker {}"): "the name of a landmark in files",
    ("calibration/fit/landmarks.py", "mark {} in the table"): "the name of a landmark in files",
    (
        "calibration/fit/layout.py",
        "near edge of the halfway tape",
    ): "the name of a line; `line_words` tells it",
    ("calibration/fit/layout.py", "{} edge of the {} tape"): "the name of a line; `line_words` tells it",
    ("calibration/fit/layout.py", "{} edge of the halfway tape"): "the name of a line; `line_words` tells it",
    ("calibration/fit/lens.py", "upper left"): "the name of a corner",
    ("calibration/fit/lens.py", "upper right"): "the name of a corner",
    ("calibration/fit/lens.py", "lower left"): "the name of a corner",
    ("calibration/fit/lens.py", "lower right"): "the name of a corner",
    ("calibration/fit/plan_lines.py", "left side"): "the name of a side; `line_words` tells it",
    ("calibration/fit/plan_lines.py", "right side"): "the name of a side; `line_words` tells it",
    ("calibration/fit/plan_lines.py", "{} of the {} zone"): "the name of a line; `line_words` tells it",
    ("calibration/fit/plan_lines.py", " of the "): "part of the name of a line",
    **{("engine/zonk/cards.py", name): "printed on the card" for name in NAMES.values()},
}
"""Texts that stay as they are, by file, values as {}, and why."""
TELLING = {"phrase": 1, "phrase_later": 1, "phrase_count": 2}
"""What tells a sentence, and how many of its arguments are the sentence."""
UNSEEN = {"TypeError", "AssertionError", "NotImplementedError", "cast"}
"""Calls whose texts nobody at a table sees."""
LOGGED = {"debug", "info", "warning", "error", "exception"}
"""What a logger is told, for those who build."""


def test_no_sentence_bypasses_the_catalogue() -> None:
    found = [(path, text) for path, text in _texts() if _is_sentence(text) and (path, text) not in EXCEPT]
    assert found == []


def test_each_exception_is_still_there() -> None:
    assert EXCEPT.keys() - {(path, text) for path, text in _texts()} == set()


@pytest.mark.parametrize(
    "wrong", ["Ann has won.", "{} scores {} points", "no dice", "A tie: roll on!", "<p>Ann has won.</p>"]
)
def test_what_reads_like_a_sentence_is_found(wrong: str) -> None:
    assert _is_sentence(wrong)


@pytest.mark.parametrize("code", ["roll_done", "{} {}", "{}:{}@{}", ", ", "utf-8", "{}-{}"])
def test_codes_and_separators_are_no_sentences(code: str) -> None:
    assert not _is_sentence(code)


def test_what_is_told_is_gathered() -> None:
    """The gatherer reads over a sentence that is told inside the braces of another text."""
    gathered = {forms_of(message.id)[0] for message in translations_of(TRANSLATED[0])}
    told = {(path, text) for path, tree in _trees() for text in _told(tree)}
    assert {(path, text) for path, text in told if text not in gathered} == set()


def _trees() -> Iterator[tuple[str, ast.Module]]:
    for name in DONE:
        path = ROOT / name
        assert path.exists(), name
        for file in sorted(path.rglob("*.py")) if path.is_dir() else [path]:
            if (inside := file.relative_to(ROOT).as_posix()) not in ALONE:
                yield inside, ast.parse(file.read_text(encoding="utf-8"))


def _texts() -> Iterator[tuple[str, str]]:
    """Each text that is not handed to what tells sentences, with its file; {} stands for its values."""
    for path, tree in _trees():
        for text in _bare(tree):
            yield path, text


def _bare(node: ast.AST) -> Iterator[str]:
    parts: Iterable[ast.AST] = ast.iter_child_nodes(node)
    match node:
        case ast.Call() if _called(node) in UNSEEN | LOGGED:
            return
        case ast.Assert() | ast.Expr(value=ast.Constant()):
            return
        case ast.Call() if _called(node) in TELLING:
            parts = (*node.args[TELLING[_called(node)] :], *node.keywords)
        case ast.Constant(value=str(text)):
            yield text
        case ast.JoinedStr():
            yield "".join(str(part.value) if isinstance(part, ast.Constant) else "{}" for part in node.values)
            parts = [part for part in node.values if isinstance(part, ast.FormattedValue)]
        case _:
            pass
    for part in parts:
        yield from _bare(part)


def _told(tree: ast.AST) -> Iterator[str]:
    """The sentences that are handed to what tells them."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and _called(node) in TELLING and node.args:
            text = node.args[0]
            if isinstance(text, ast.Constant) and isinstance(text.value, str):
                yield text.value


def _called(call: ast.Call) -> str:
    if isinstance(call.func, ast.Attribute):
        return call.func.attr
    return call.func.id if isinstance(call.func, ast.Name) else ""


def _is_sentence(text: str) -> bool:
    """Whether there is a space in it and a word beside another or beside a value."""
    if text in CODES or SQL.search(text) or "\n" in text.strip():  # lines of a file
        return False
    text = MARKUP.sub(" ", text)
    words = re.findall(r"[^\W\d_]{2,}", text.replace("{}", " "))
    return " " in text.strip() and bool(words) and (len(words) + text.count("{}") > 1)
