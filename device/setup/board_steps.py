"""The steps that calibrate: the lens, by a board that is held; the table, by the same board lying on it."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path
from typing import Literal, Protocol, get_args, runtime_checkable

import cv2
import numpy as np

from calibration.arrays import Floats, Picture
from calibration.board import Board
from calibration.description import CLASSIC, DescriptionError, TableDescription, load_description, text_of
from calibration.durable import write_whole
from calibration.files import load_camera, save_camera, save_table
from calibration.fit import (
    FEWEST_PICTURES,
    BoardSeen,
    BoardView,
    LensFound,
    OwnTable,
    SheetUnclear,
    TableFigure,
    TableFound,
    calibrate_table,
    find_board,
    fit_lens,
    is_another,
    is_still,
    lies_elsewhere,
    line_words,
    measure_own_table,
    next_wish,
    renumbered,
    view_of,
)
from calibration.lock import CameraLock
from calibration.trouble import CalibrationError, Doubt, NoBoard
from calibration.view import CameraCalibration
from device.cameras import Frame
from device.doctor import Finding
from device.setup.step import KEEP, NotNow, PictureMark, SetupStep, StepAction, StepView, put_beside
from engine.events import Zone
from engine.wording import phrase, phrase_later, told_number
from engine.words import capital

# What the steps that calibrate work with: the board, the data folder, and how a file there is replaced.

Holding = Literal["nothing", "held", "flat"]


@runtime_checkable
class HoldsBoard(Protocol):
    """A simulated table, which holds the board by itself where people would."""

    def hold(self, what: Holding) -> None:
        """Hold the board before the camera, lay it down here and there, or put it away."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class CalibratingBench:
    """What both steps work with."""

    board: Board
    folder: Path
    """Where the calibrations are kept."""
    now: Callable[[], datetime]
    hold: Callable[[Holding], None]
    """Has the board held, where the table is a simulated one."""
    lock: CameraLock | None = None
    """What the camera is locked to."""

    @property
    def camera_path(self) -> Path:
        """The lens's file."""
        return self.folder / "camera.json"

    @property
    def table_path(self) -> Path:
        """The table's file."""
        return self.folder / "table.json"

    @property
    def description_path(self) -> Path:
        """The table's description, where it is not the classic one."""
        return self.folder / "table.toml"

    def find(self, picture: Picture, name: str) -> BoardView:
        """The board in a picture. Raises `Doubt` with the reason where it cannot be used."""
        grey = np.asarray(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY), np.uint8)
        return view_of(find_board(grey, self.board, name), self.board)


def keep(save: Callable[[Path], None], path: Path, at: datetime) -> None:
    """Keep a calibration, with the one before beside it. Raises `NotNow`."""
    try:
        put_beside(path, at)
        save(path)
    except (OSError, CalibrationError) as error:
        raise NotNow(phrase("{path} could not be written: {error}", path=path, error=error)) from None


# What was found, drawn over the picture: the view says where in it places of the table are.


def found_marks(found: TableFound) -> tuple[PictureMark, ...]:
    """Zones, tapes and edge as they were found, in the picture."""
    laid, view = found.table.laid, found.table.view

    def drawn(kind: Literal["zone", "tape", "edge"], points_mm: object, label: str = "") -> PictureMark:
        flat = np.asarray(points_mm, np.float64)
        places = np.column_stack([flat, np.zeros(len(flat))])
        return outline(kind, view.project(places), closed=kind != "edge", label=label)

    zones = [drawn("zone", zone.polygon_mm, str(zone.value)) for zone in laid.zones]
    tapes = [drawn("tape", (*tape.outer_mm, *tape.inner_mm[::-1])) for tape in laid.tapes]
    return (*zones, *tapes, drawn("edge", laid.table_edge_mm))


def outline(
    kind: Literal["board", "taken", "zone", "tape", "edge"],
    points_px: Floats,
    *,
    closed: bool = True,
    label: str = "",
) -> PictureMark:
    """A line through pixels (n, 2)."""
    points = tuple((round(float(x), 1), round(float(y), 1)) for x, y in points_px)
    return PictureMark(kind, points, closed, label)


# `table.toml` of a box: the classic table, one measured from its sheet, or one that people wrote.

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
        self._red: tuple[PictureMark, ...] = ()

    @property
    def pending(self) -> bool:
        """Whether a table was measured, and is neither taken nor left."""
        return self._pending is not None

    @property
    def marks(self) -> tuple[PictureMark, ...]:
        """What hid the sheet the last time it was measured."""
        return self._red

    def load(self) -> TableDescription:
        """The description in force. Raises `DescriptionError`."""
        path = self._bench.description_path
        return load_description(path if path.exists() else CLASSIC)

    def line(self) -> Finding:
        """Which description is in force."""
        path = self._bench.description_path
        if not path.exists():
            return Finding("table.toml", "ok", phrase("the classic sheet, 5 ft between the End Zones"))
        try:
            first = path.read_text(encoding="utf-8").partition("\n")[0]
        except (OSError, UnicodeDecodeError):
            first = ""
        if first.startswith(MEASURED):
            return Finding("table.toml", "ok", phrase("measured from your sheet: {path}", path=path))
        return Finding("table.toml", "ok", phrase("your own: {path}", path=path))

    def acts(self, *, bare: bool) -> tuple[StepAction, ...]:
        """What may be pressed beside finding the sheet. `bare`: boards were taken, so it can be measured."""
        there = self._bench.description_path.exists()
        acts = [StepAction("measure", phrase("My table is another: measure it"))] if bare else []
        if there:
            acts.append(StepAction("classic", phrase("Take the classic table")))
        else:
            acts.append(StepAction("describe", phrase("I describe it by hand")))
        return tuple(acts)

    def measure(self, bare: BareTable) -> None:
        """Measure the table in the picture. Raises `NotNow`."""
        self._red, self._said = (), None
        try:
            classic = load_description(CLASSIC)
            self._pending = measure_own_table(bare.lens, bare.board, bare.flats, bare.empty, classic)
        except SheetUnclear as unclear:
            if unclear.around_px:
                self._red = (PictureMark("hidden", unclear.around_px, closed=True),)
            raise NotNow(str(unclear)) from None
        except (CalibrationError, DescriptionError) as error:
            raise NotNow(str(error)) from None
        if not self._pending.numbered:
            self._said = ()

    def leave(self) -> None:
        """Forget what was measured; the file stays as it is."""
        self._pending, self._said, self._red = None, None, ()

    def view(self) -> StepView:
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
                StepAction("take", phrase("Take it: this is my table"), main=True),
                StepAction("numbers", phrase("Its zones count otherwise")),
                StepAction("leave", phrase("No: leave table.toml as it is")),
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
    acts = tuple(StepAction(f"counts_{number}", str(number), main=number == zone.value) for number in NUMBERS)
    return StepView(
        say=phrase(
            "What does the zone that is drawn thick count? It is zone {number} of {all}.",
            number=place + 1,
            all=len(drawn),
        ),
        acts=(*acts, StepAction("leave", phrase("No: leave table.toml as it is"))),
        marks=(PictureMark("board", drawn[place].points, closed=True, label="?"),),
        taken=place,
        wanted=len(drawn),
    )


def _line(figure: TableFigure) -> Finding:
    """One length, how sure it is, and where the classic table is another."""
    if figure.side:
        name = line_words(f"{figure.side} of the {figure.zone} zone")
        where = phrase("from the edge") if figure.what == "line_from_edge" else phrase("right of the middle")
        name = phrase("{line}, {where}", line=name, where=where)
    else:
        name = phrase(NAMES[figure.what])
    if figure.sigma_mm is None:
        text = phrase("not seen; {mm:.1f} mm is assumed, measure it by hand", mm=figure.mm)
        return Finding(name, "not here", text)
    length = phrase("{mm:.1f} mm ± {sure:.2f}", mm=figure.mm, sure=max(figure.sigma_mm, 0.01))
    if figure.known_mm is None:
        return Finding(name, "ok", phrase("{length}; the classic table has none", length=length))
    if abs(figure.mm - figure.known_mm) <= max(SAME_MM, SURE * figure.sigma_mm):
        return Finding(name, "ok", phrase("{length}, as on the classic table", length=length))
    return Finding(
        name,
        "ok",
        phrase("{length}; on the classic table {classic:.1f} mm", length=length, classic=figure.known_mm),
    )


def _labels(own: OwnTable) -> Iterator[PictureMark]:
    """Each measured line over the picture, with its figure where there is room."""
    for each in own.figures:
        if each.points_px:
            round_it = each.what == "dot_across"
            yield PictureMark("dot" if round_it else "line", each.points_px, closed=round_it)
        if each.label_px is not None:
            yield PictureMark("line", (each.label_px,), label=told_number(each.mm, ".1f"))


LENS_PICTURES, FLAT_PICTURES = 16, 4
FLAT_APART = 0.15
"""Boards that lie on the table are to lie apart by this share of the picture's width."""
GOOD_PX = 0.3
"""From here on a lens fits less well than it could: a board that bends, or moved."""
NO_BOARD = phrase_later("No board is seen. Print one (callbox print board), and hold it into the picture.")


class TakingStep(SetupStep):
    """Pictures of the board, each taken by itself once it is still and useful."""

    def __init__(self, bench: CalibratingBench, holding: Holding) -> None:
        self._bench = bench
        self._holding: Holding = holding
        self._seen: BoardView | None = None
        self._trouble = phrase(NO_BOARD)

    def enter(self) -> None:
        """The board is taken up."""
        self._bench.hold(self._holding)

    def leave(self) -> None:
        """The board is put down."""
        self._bench.hold("nothing")

    def _still(self, frame: Frame) -> BoardView | None:
        """The board, where it is seen and did not move since the look before."""
        before, self._seen = self._seen, None
        try:
            self._seen = self._bench.find(frame.picture, frame.name)
        except Doubt as doubt:
            self._trouble = phrase(NO_BOARD) if isinstance(doubt, NoBoard) else f"{capital(str(doubt))}."
            return None
        return self._seen if is_still(self._seen, before) else None

    def _marks(self, taken: list[BoardView]) -> tuple[PictureMark, ...]:
        """The boards that were taken, and the one that is seen."""
        marks = [outline("taken", each.outline_px) for each in taken]
        return (*marks, *([outline("board", self._seen.outline_px)] if self._seen else []))


class LensStep(TakingStep):
    """Sixteen pictures of the board, and the lens that they tell."""

    title = phrase_later("Lens")

    def __init__(self, bench: CalibratingBench) -> None:
        super().__init__(bench, "held")
        self._taken: list[BoardView] = []
        self._found: LensFound | None = None
        self._unfit = ""

    def take_frame(self, frame: Frame) -> None:
        """Take the picture if the board is still in it and held otherwise than before."""
        view = self._still(frame)
        size = frame.picture.shape[1::-1]
        if any((each.seen.width_px, each.seen.height_px) != size for each in self._taken):
            self._taken, self._found = [], None  # another camera, or another size of picture
        if view is None or len(self._taken) >= LENS_PICTURES or not is_another(view, self._taken):
            return
        self._taken.append(view)
        if len(self._taken) >= FEWEST_PICTURES:
            self._fit()

    def view(self) -> StepView:
        """How to hold the board next, and how well the pictures fit one lens so far."""
        hints = list(self._hints())
        acts = [StepAction("again", phrase("Start over"))] if self._taken else []
        if self._found is not None:
            full = len(self._taken) >= LENS_PICTURES
            acts.append(StepAction(KEEP, phrase("Keep this lens"), main=full))
        if len(self._taken) >= LENS_PICTURES:
            say = phrase("That is enough: the pictures are taken.")
        else:
            say = next_wish(self._taken)
            hints.append(Finding("board", *self._board_words()))
        return StepView(
            say=say,
            hints=tuple(hints),
            acts=tuple(acts),
            marks=self._marks(self._taken),
            taken=len(self._taken),
            wanted=LENS_PICTURES,
        )

    def do(self, act: str) -> str:
        """Begin anew, or keep the lens."""
        if act == "again":
            self._taken, self._found, self._unfit = [], None, ""
            self._bench.hold("held")
            return ""
        if self._found is None:
            raise NotNow(phrase("There is no lens to be kept yet."))
        camera = replace(self._found.camera, lock=self._bench.lock)
        keep(lambda path: save_camera(camera, path), self._bench.camera_path, self._bench.now())
        self._taken = []
        return phrase(
            "{error} px, {count} pictures",
            error=told_number(camera.rms_px, ".2f"),
            count=camera.pictures_used,
        )

    def _fit(self) -> None:
        try:
            self._found, self._unfit = fit_lens([each.seen for each in self._taken], self._bench.board), ""
        except CalibrationError as error:
            self._found, self._unfit = None, str(error)

    def _board_words(self) -> tuple[Literal["ok", "warn"], str]:
        if self._seen is None:
            return "warn", self._trouble
        return "ok", phrase("The board is seen: hold it still for a second.")

    def _hints(self) -> tuple[Finding, ...]:
        if self._unfit:
            return (Finding("fit", "fail", self._unfit),)
        if self._found is None:
            return ()
        rms_px, left_out = self._found.camera.rms_px, len(self._found.refused)
        text = phrase("Corners fit to {error} px so far.", error=told_number(rms_px, ".2f"))
        if left_out:
            text = phrase(
                "Corners fit to {error} px so far; {count} pictures are left out.",
                error=told_number(rms_px, ".2f"),
                count=left_out,
            )
        fit = Finding("fit", "ok" if rms_px <= GOOD_PX else "warn", text)
        if len(self._taken) < LENS_PICTURES:
            return (fit,)  # what is missing is said by how to hold the board next
        notes = enumerate(self._found.notes)
        return (fit, *(Finding(f"note {number}", "warn", note) for number, note in notes))


class TableStep(TakingStep):
    """The board lying at four places, then the bare table: where camera, sheet and tapes are."""

    title = phrase_later("Sheet and table")

    def __init__(self, bench: CalibratingBench) -> None:
        super().__init__(bench, "flat")
        self._flats: list[tuple[BoardView, Picture]] = []
        self._frame: Frame | None = None
        self._found: TableFound | None = None
        self._own = OwnTableFile(bench)

    def take_frame(self, frame: Frame) -> None:
        """Take the picture if the board lies still in it, away from where it lay before."""
        self._frame = frame
        if self._found is not None or self._own.pending:
            return
        view = self._still(frame)
        taken = [each for each, _ in self._flats]
        if view is None or len(taken) >= FLAT_PICTURES or not lies_elsewhere(view, taken, FLAT_APART):
            return
        self._flats.append((view, frame.picture))
        if len(self._flats) == FLAT_PICTURES:
            self._bench.hold("nothing")

    def view(self) -> StepView:
        """Where to lay the board next; then the sheet as it was found."""
        lens = self._lens()
        lines = (self._own.line(),)
        if isinstance(lens, str):
            return StepView(say=lens, lines=lines)
        if self._own.pending:
            return self._own.view()
        if self._found is not None:
            return _found_face(self._found, lines)
        count = len(self._flats)
        acts = [StepAction("again", phrase("Start over"))] if count else []
        acts.extend(self._own.acts(bare=count > 0))
        if count:
            words = phrase("The table is bare: find the sheet")
            acts.append(StepAction("find", words, main=count == FLAT_PICTURES))
        say = phrase("Take the board away, touch nothing else, and leave the table bare.")
        if count < FLAT_PICTURES:
            say = phrase(
                "Lay the board flat on the table, one after the other near each corner of the picture."
            )
        hints = (Finding("board", "warn", self._trouble),) if self._seen is None and not count else ()
        marks = (*self._marks([each for each, _ in self._flats]), *self._own.marks)
        return StepView(
            say=say,
            hints=hints,
            lines=lines,
            acts=tuple(acts),
            marks=marks,
            taken=count,
            wanted=FLAT_PICTURES,
        )

    def do(self, act: str) -> str:
        """Begin anew, find or measure the sheet, choose the description, or keep the table."""
        if self._own.pending:
            taken = self._own.do(act)
            self._found = taken.found if taken is not None else None
            return ""
        match act:
            case "again":
                self._flats, self._found = [], None
                self._own.leave()
                self._bench.hold("flat")
            case "describe":
                self._own.describe()
            case "classic":
                self._own.take_classic()
            case "measure":
                self._own.measure(self._bare())
            case "find":
                self._found = self._find()
            case _:
                return self._keep_found()
        return ""

    def _keep_found(self) -> str:
        if self._found is None:
            raise NotNow(phrase("That may not be pressed any more. Look again."))
        table = replace(self._found.table, lock=self._bench.lock)
        keep(lambda path: save_table(table, path), self._bench.table_path, self._bench.now())
        self._flats, self._found = [], None
        return phrase(
            "places sure to {places} mm, lines to {lines} mm",
            places=told_number(table.sigma_mm, ".2f"),
            lines=told_number(table.laid.sigma_mm, ".2f"),
        )

    def _lens(self) -> CameraCalibration | str:
        """The lens, or why there is none."""
        try:
            return load_camera(self._bench.camera_path)
        except CalibrationError as error:
            there = self._bench.camera_path.exists()
            return str(error) if there else phrase("The lens comes first: open the step Lens.")

    def _bare(self) -> BareTable:
        """What the bare table is measured by. Raises `NotNow` while something is missing."""
        lens, frame = self._lens(), self._frame
        if isinstance(lens, str) or frame is None:
            raise NotNow(lens if isinstance(lens, str) else phrase("No picture has come yet."))
        if self._seen is not None:
            raise NotNow(phrase("The board is still in the picture: take it away."))
        size = (lens.lens.width_px, lens.lens.height_px)
        if frame.picture.shape[1::-1] != size:
            raise NotNow(
                phrase(
                    "The lens was calibrated at {width} x {height}: calibrate it again.",
                    width=size[0],
                    height=size[1],
                )
            )
        flats = tuple((view.seen, picture) for view, picture in self._flats)
        return BareTable(lens, flats, frame.picture, self._bench.board)

    def _find(self) -> TableFound:
        bare = self._bare()
        try:
            return calibrate_table(bare.lens, self._own.load(), bare.board, bare.flats, bare.empty)
        except (CalibrationError, DescriptionError) as error:
            raise NotNow(str(error)) from None


def _found_face(found: TableFound, lines: tuple[Finding, ...]) -> StepView:
    table = found.table
    sure = phrase(
        "Places are sure to {places} mm, lines to {lines} mm.",
        places=told_number(table.sigma_mm, ".2f"),
        lines=told_number(table.laid.sigma_mm, ".2f"),
    )
    unseen = [line_words(each.name) for each in found.features if not each.measured]
    hints = [Finding("sure", "ok", sure)]
    if unseen:
        hints.append(Finding("unseen", "warn", phrase("Not seen: {names}.", names=", ".join(unseen))))
    hints.extend(Finding(f"note {number}", "warn", note) for number, note in enumerate(found.notes))
    return StepView(
        say=phrase("This is what was found. Do the lines lie on the sheet and the tapes?"),
        hints=tuple(hints),
        lines=lines,
        acts=(
            StepAction("again", phrase("No: start over")),
            StepAction(KEEP, phrase("Yes: keep it"), main=True),
        ),
        marks=found_marks(found),
    )
