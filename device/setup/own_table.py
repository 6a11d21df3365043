"""`table.toml` of a box: the classic table, one measured from its sheet, or one that people wrote."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import get_args

from calibration.arrays import Picture
from calibration.board import Board
from calibration.description import CLASSIC, DescriptionError, TableDescription, load_description, text_of
from calibration.durable import write_whole
from calibration.fit import (
    BoardSeen,
    OwnTable,
    SheetUnclear,
    TableFigure,
    line_words,
    measure_own_table,
    renumbered,
)
from calibration.trouble import CalibrationError
from calibration.view import CameraCalibration
from device.setup.bench import CalibratingBench, keep
from device.setup.drawn import found_marks
from device.setup.shown import LineShown, MarkShown, PressShown
from device.setup.step import NotNow, StepView
from engine.events import Zone
from engine.wording import phrase, phrase_later, told_number

NUMBERS = tuple(each for each in get_args(Zone) if each > 1)
"""What a zone of the sheet may count; 1 is the field before it."""
SAME_MM, SURE = 0.5, 3.0
"""A length that is off the classic one by no more than this, or so many standard deviations, is the same."""
MEASURED = "# callbox:measured"
"""How the first line of a file begins that was measured."""
NAMES: Mapping[str, str] = {
    "sheet_width": phrase_later("sheet, width"),
    "sheet_depth": phrase_later("sheet, depth"),
    "dot_across": phrase_later("dot, across"),
    "dot_from_edge": phrase_later("dot, from the table’s edge"),
    "dot_from_middle": phrase_later("dot, right of the middle"),
    "tape_width": phrase_later("tapes, width"),
    "left_line": phrase_later("left side line, right of the middle"),
    "right_line": phrase_later("right side line, right of the middle"),
    "halfway_line": phrase_later("halfway line, from the table’s edge"),
    "table_width": phrase_later("table, width"),
}


@dataclass(frozen=True, slots=True)
class BareTable:
    """What is needed to measure: the lens, the boards that lay flat, and the picture of the bare table."""

    lens: CameraCalibration
    flats: Sequence[tuple[BoardSeen, Picture]]
    empty: Picture
    board: Board


class OwnTableFile:
    """The box's description of its table: which one is in force, and how it comes to another."""

    def __init__(self, bench: CalibratingBench) -> None:
        self._bench = bench
        self._pending: OwnTable | None = None
        self._said: tuple[int, ...] | None = None
        """The numbers that were said so far, zone by zone; None where none is asked for."""
        self._red: tuple[MarkShown, ...] = ()

    @property
    def pending(self) -> bool:
        """Whether a table was measured, and is neither taken nor left."""
        return self._pending is not None

    @property
    def marks(self) -> tuple[MarkShown, ...]:
        """What hid the sheet the last time it was measured."""
        return self._red

    def load(self) -> TableDescription:
        """The description in force. Raises `DescriptionError`."""
        path = self._bench.description_path
        return load_description(path if path.exists() else CLASSIC)

    def line(self) -> LineShown:
        """Which description is in force."""
        path = self._bench.description_path
        if not path.exists():
            return LineShown("table.toml", "ok", phrase("the classic sheet, 5 ft between the End Zones"))
        try:
            first = path.read_text(encoding="utf-8").partition("\n")[0]
        except (OSError, UnicodeDecodeError):
            first = ""
        if first.startswith(MEASURED):
            return LineShown("table.toml", "ok", phrase("measured from your sheet: {path}", path=path))
        return LineShown("table.toml", "ok", phrase("your own: {path}", path=path))

    def acts(self, *, bare: bool) -> tuple[PressShown, ...]:
        """What may be pressed beside finding the sheet. `bare`: boards were taken, so it can be measured."""
        there = self._bench.description_path.exists()
        acts = [PressShown("measure", phrase("My table is another: measure it"))] if bare else []
        if there:
            acts.append(PressShown("classic", phrase("Take the classic table")))
        else:
            acts.append(PressShown("describe", phrase("I describe it by hand")))
        return tuple(acts)

    def measure(self, bare: BareTable) -> None:
        """Measure the table in the picture. Raises `NotNow`."""
        self._red, self._said = (), None
        try:
            classic = load_description(CLASSIC)
            self._pending = measure_own_table(bare.lens, bare.board, bare.flats, bare.empty, classic)
        except SheetUnclear as unclear:
            if unclear.around_px:
                self._red = (MarkShown("hidden", unclear.around_px, closed=True),)
            raise NotNow(str(unclear)) from None
        except (CalibrationError, DescriptionError) as error:
            raise NotNow(str(error)) from None
        if not self._pending.numbered:
            self._said = ()

    def leave(self) -> None:
        """Forget what was measured; the file stays as it is."""
        self._pending, self._said, self._red = None, None, ()

    def face(self) -> StepView:
        """What was measured, figure by figure, or which number of a zone is to be said."""
        own = self._pending
        if own is None:
            raise NotNow(phrase("Nothing was measured yet."))
        if self._said is not None:
            return _asking(own, len(self._said))
        figures = [each for each in own.figures if each.sigma_mm is not None]
        from_edge = sorted(each.mm for each in figures if each.what == "line_from_edge")
        dot = next((each for each in figures if each.what == "dot_across"), None)
        say = phrase(
            "Measured: zone lines at {lines} mm from the edge. ± is one standard deviation.",
            lines=", ".join(told_number(mm, ".1f") for mm in from_edge),
        )
        if dot is not None:
            say += " " + phrase("The dot is {mm:.1f} mm across.", mm=dot.mm)
        return StepView(
            say=say,
            lines=tuple(_line(each) for each in own.figures),
            acts=(
                PressShown("take", phrase("Take it: this is my table"), main=True),
                PressShown("numbers", phrase("Its zones count otherwise")),
                PressShown("leave", phrase("No: leave table.toml as it is")),
            ),
            marks=(*found_marks(own.found), *_labels(own)),
        )

    def do(self, act: str) -> OwnTable | None:
        """Take, leave, or say what zones count; the table where it was taken. Raises `NotNow`."""
        own = self._pending
        if own is None:
            raise NotNow(phrase("Nothing was measured yet."))
        if act == "leave":
            self.leave()
        elif act == "numbers":
            self._said = ()
        elif act == "take":
            return self._take(own)
        elif self._said is not None:
            self._said = (*self._said, int(act.removeprefix("counts_")))
            if len(self._said) == len(own.description.end_zone.zone):
                self._pending, self._said = renumbered(own, self._said), None
        return None

    def take_classic(self) -> None:
        """Go by the classic table again, with the file that was there beside it. Raises `NotNow`."""
        path = self._bench.description_path
        keep(lambda where: where.unlink(), path, self._bench.now())

    def describe(self) -> None:
        """Write the classic description, to be changed by hand. Raises `NotNow`."""
        keep(
            lambda path: write_whole(path, CLASSIC.read_bytes()),
            self._bench.description_path,
            self._bench.now(),
        )

    def _take(self, own: OwnTable) -> OwnTable:
        text = text_of(own.description, self._remarks(own))
        keep(lambda path: write_whole(path, text.encode()), self._bench.description_path, self._bench.now())
        self.leave()
        return own

    def _remarks(self, own: OwnTable) -> list[str]:
        """What the file came from, figure by figure."""
        at = self._bench.now().isoformat(timespec="minutes")
        lens = self._bench.camera_path
        return [
            MEASURED.removeprefix("# "),
            phrase("Measured from the sheet on {at}, with the lens of {lens}.", at=at, lens=lens),
            phrase("One line a length, ± one standard deviation, and where the classic table is another:"),
            *(f"{line.name}: {line.text}" for line in map(_line, own.figures)),
        ]


def _asking(own: OwnTable, place: int) -> StepView:
    """What does this zone count?"""
    zone = own.found.table.laid.zones[place]
    drawn = [mark for mark in found_marks(own.found) if mark.kind == "zone"]
    acts = tuple(PressShown(f"counts_{number}", str(number), main=number == zone.value) for number in NUMBERS)
    return StepView(
        say=phrase(
            "What does the zone that is drawn thick count? It is zone {number} of {all}.",
            number=place + 1,
            all=len(drawn),
        ),
        acts=(*acts, PressShown("leave", phrase("No: leave table.toml as it is"))),
        marks=(MarkShown("board", drawn[place].points, closed=True, label="?"),),
        taken=place,
        wanted=len(drawn),
    )


def _line(figure: TableFigure) -> LineShown:
    """One length, how sure it is, and where the classic table is another."""
    if figure.side:
        name = line_words(f"{figure.side} of the {figure.zone} zone")
        where = phrase("from the edge") if figure.what == "line_from_edge" else phrase("right of the middle")
        name = phrase("{line}, {where}", line=name, where=where)
    else:
        name = phrase(NAMES[figure.what])
    if figure.sigma_mm is None:
        text = phrase("not seen; {mm:.1f} mm is assumed, measure it by hand", mm=figure.mm)
        return LineShown(name, "not here", text)
    length = phrase("{mm:.1f} mm ± {sure:.2f}", mm=figure.mm, sure=max(figure.sigma_mm, 0.01))
    if figure.known_mm is None:
        return LineShown(name, "ok", phrase("{length}; the classic table has none", length=length))
    if abs(figure.mm - figure.known_mm) <= max(SAME_MM, SURE * figure.sigma_mm):
        return LineShown(name, "ok", phrase("{length}, as on the classic table", length=length))
    return LineShown(
        name,
        "ok",
        phrase("{length}; on the classic table {classic:.1f} mm", length=length, classic=figure.known_mm),
    )


def _labels(own: OwnTable) -> Iterator[MarkShown]:
    """Each measured line over the picture, with its figure where there is room."""
    for each in own.figures:
        if each.points_px:
            round_it = each.what == "dot_across"
            yield MarkShown("dot" if round_it else "line", each.points_px, closed=round_it)
        if each.label_px is not None:
            yield MarkShown("line", (each.label_px,), label=told_number(each.mm, ".1f"))
