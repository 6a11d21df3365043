"""The steps that calibrate: the lens, by a board that is held; the table, by the same board lying on it."""

from dataclasses import replace
from typing import Literal

from calibration.arrays import Picture
from calibration.description import DescriptionError
from calibration.files import load_camera, save_camera, save_table
from calibration.fit import (
    FEWEST_PICTURES,
    BoardView,
    LensFound,
    TableFound,
    calibrate_table,
    fit_lens,
    is_another,
    is_still,
    lies_elsewhere,
    line_words,
    next_wish,
)
from calibration.trouble import CalibrationError, Doubt, NoBoard
from calibration.view import CameraCalibration
from device.cameras import Frame
from device.setup.bench import CalibratingBench, Holding, keep
from device.setup.drawn import found_marks, outline
from device.setup.first_steps import KEEP, QuietStep
from device.setup.own_table import BareTable, OwnTableFile
from device.setup.shown import HintShown, LineShown, MarkShown, PressShown
from device.setup.step import NotNow, StepView
from engine.wording import phrase, phrase_later, told_number
from engine.words import capital

LENS_PICTURES, FLAT_PICTURES = 16, 4
FLAT_APART = 0.15
"""Boards that lie on the table are to lie apart by this share of the picture's width."""
GOOD_PX = 0.3
"""From here on a lens fits less well than it could: a board that bends, or moved."""
NO_BOARD = phrase_later("No board is seen. Print one (callbox print board), and hold it into the picture.")


class TakingStep(QuietStep):
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

    def _marks(self, taken: list[BoardView]) -> tuple[MarkShown, ...]:
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

    def see(self, frame: Frame) -> None:
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

    def face(self) -> StepView:
        """How to hold the board next, and how well the pictures fit one lens so far."""
        hints = list(self._hints())
        acts = [PressShown("again", phrase("Begin anew"))] if self._taken else []
        if self._found is not None:
            full = len(self._taken) >= LENS_PICTURES
            acts.append(PressShown(KEEP, phrase("Keep this lens"), main=full))
        if len(self._taken) >= LENS_PICTURES:
            say = phrase("That is enough: the pictures are taken.")
        else:
            say = next_wish(self._taken)
            hints.append(HintShown("board", *self._board_words()))
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

    def _hints(self) -> tuple[HintShown, ...]:
        if self._unfit:
            return (HintShown("fit", "fail", self._unfit),)
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
        fit = HintShown("fit", "ok" if rms_px <= GOOD_PX else "warn", text)
        if len(self._taken) < LENS_PICTURES:
            return (fit,)  # what is missing is said by how to hold the board next
        notes = enumerate(self._found.notes)
        return (fit, *(HintShown(f"note {number}", "warn", note) for number, note in notes))


class TableStep(TakingStep):
    """The board lying at four places, then the bare table: where camera, sheet and tapes are."""

    title = phrase_later("Sheet and table")

    def __init__(self, bench: CalibratingBench) -> None:
        super().__init__(bench, "flat")
        self._flats: list[tuple[BoardView, Picture]] = []
        self._frame: Frame | None = None
        self._found: TableFound | None = None
        self._own = OwnTableFile(bench)

    def see(self, frame: Frame) -> None:
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

    def face(self) -> StepView:
        """Where to lay the board next; then the sheet as it was found."""
        lens = self._lens()
        lines = (self._own.line(),)
        if isinstance(lens, str):
            return StepView(say=lens, lines=lines)
        if self._own.pending:
            return self._own.face()
        if self._found is not None:
            return _found_face(self._found, lines)
        count = len(self._flats)
        acts = [PressShown("again", phrase("Begin anew"))] if count else []
        acts.extend(self._own.acts(bare=count > 0))
        if count:
            words = phrase("The table is bare: find the sheet")
            acts.append(PressShown("find", words, main=count == FLAT_PICTURES))
        say = phrase("Take the board away, touch nothing else, and leave the table bare.")
        if count < FLAT_PICTURES:
            say = phrase(
                "Lay the board flat on the table, one after the other near each corner of the picture."
            )
        hints = (HintShown("board", "warn", self._trouble),) if self._seen is None and not count else ()
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


def _found_face(found: TableFound, lines: tuple[LineShown, ...]) -> StepView:
    table = found.table
    sure = phrase(
        "Places are sure to {places} mm, lines to {lines} mm.",
        places=told_number(table.sigma_mm, ".2f"),
        lines=told_number(table.laid.sigma_mm, ".2f"),
    )
    unseen = [line_words(each.name) for each in found.features if not each.measured]
    hints = [HintShown("sure", "ok", sure)]
    if unseen:
        hints.append(HintShown("unseen", "warn", phrase("Not seen: {names}.", names=", ".join(unseen))))
    hints.extend(HintShown(f"note {number}", "warn", note) for number, note in enumerate(found.notes))
    return StepView(
        say=phrase("This is what was found. Do the lines lie on the sheet and the tapes?"),
        hints=tuple(hints),
        lines=lines,
        acts=(
            PressShown("again", phrase("No: begin anew")),
            PressShown(KEEP, phrase("Yes: keep it"), main=True),
        ),
        marks=found_marks(found),
    )
