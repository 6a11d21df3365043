"""A whole table from pictures: what was laid is found where it lies; what cannot be trusted is refused."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest

from calibration.arrays import Floats, Picture
from calibration.description import Surface, TableDescription
from calibration.files import load_table, save_table
from calibration.fit import TableFound, calibrate_table
from calibration.table import LaidZone
from calibration.trouble import CalibrationError
from tests.calibration.classic import CLASSIC
from tests.calibration.conftest import BOARD, Scene

pytestmark = pytest.mark.long

MM_PER_PX = 1.1


@pytest.fixture(scope="module")
def found(scene: Scene) -> TableFound:
    """The table as it is calibrated from clean pictures."""
    return calibrate_table(scene.camera, CLASSIC, BOARD, scene.seen, scene.empty)


def on_table(scene: Scene, sheet: Floats) -> Floats:
    """Where points of the sheet's plan really lie."""
    spread = scene.spread
    a = np.radians(spread.sheet_deg)
    turn = np.array([[np.cos(a), -np.sin(a)], [np.sin(a), np.cos(a)]])
    return np.asarray(sheet * spread.sheet_scale @ turn.T + spread.sheet_mm, np.float64)


def test_the_frame_lies_on_the_table_s_edge(scene: Scene, found: TableFound) -> None:
    """Over the whole sheet."""
    grid = np.stack(np.meshgrid(np.linspace(-150, 150, 7), np.linspace(0, 457, 10)), axis=-1).reshape(-1, 2)
    px = scene.view.project(np.column_stack([grid, np.zeros(len(grid))]))
    off = found.table.view.on_plane(px) - grid
    assert np.linalg.norm(off, axis=1).max() < 0.2 * MM_PER_PX


def test_points_are_as_sure_as_they_say(scene: Scene, found: TableFound) -> None:
    grid = np.stack(np.meshgrid(np.linspace(-150, 150, 7), np.linspace(0, 800, 10)), axis=-1).reshape(-1, 2)
    px = scene.view.project(np.column_stack([grid, np.zeros(len(grid))]))
    off = (found.table.view.on_plane(px) - grid) / found.table.sigma_mm
    assert 0.05 < np.sqrt(np.mean(off**2)) < 2.0
    assert found.table.sigma_mm < 0.2 * MM_PER_PX


def test_places_near_the_boards_are_surer_than_those_far_off(found: TableFound) -> None:
    """And the mean over sheet and field lies between the surest place and the far ones."""
    table = found.table
    assert table.by_place
    near, far = table.sigma_at(0.0, 300.0), table.sigma_at(150.0, 1000.0)
    assert table.by_place.least_mm <= near < table.sigma_mm < far < 5 * table.sigma_mm


def middles(zone: LaidZone) -> list[Floats]:
    """The middle of each side of a laid rectangle, whatever points its sides carry."""
    points = np.array(zone.polygon_mm)
    low, high = points.min(axis=0), points.max(axis=0)
    half = (low + high) / 2
    sides = [(0, low[0]), (0, high[0]), (1, high[1])]
    return [
        np.mean(points[np.abs(points[:, axis] - at) < 3.0], axis=0) * (1 - axis % 2, axis % 2)
        + half * (axis % 2, 1 - axis % 2)
        for axis, at in sides
    ]


def test_each_line_of_the_sheet_is_where_it_was_laid(scene: Scene, found: TableFound) -> None:
    """Within a few times what lines and frame are unsure of."""
    table = found.table
    limit = 3 * np.hypot(table.laid.sigma_mm, table.sigma_mm)
    for planned, laid in zip(CLASSIC.end_zone.zone, table.laid.zones, strict=True):
        truth = on_table(scene, np.array(planned.polygon_mm))
        assert planned.value == laid.value
        for corner in truth:
            if corner[1] > 20:  # the back of the sheet lies hidden on the table's edge
                near = np.linalg.norm(np.array(laid.polygon_mm) - corner, axis=1).min()
                assert near < 1.5 * limit, (planned.value, corner)


def test_lines_are_as_sure_as_they_say(scene: Scene, found: TableFound) -> None:
    """Off the truth by about one standard deviation, over all corners."""
    off = []
    for planned, laid in zip(CLASSIC.end_zone.zone, found.table.laid.zones, strict=True):
        for corner in on_table(scene, np.array(planned.polygon_mm)):
            if corner[1] > 20:
                points = np.array(laid.polygon_mm)
                off.append(points[np.linalg.norm(points - corner, axis=1).argmin()] - corner)
    sure = np.hypot(found.table.laid.sigma_mm, found.table.sigma_mm)
    assert 0.2 < np.sqrt(np.mean(np.square(off))) / sure < 1.7


def test_tapes_keep_their_bow(scene: Scene, found: TableFound) -> None:
    left = next(tape for tape in found.table.laid.tapes if tape.name == "left")
    outer = np.array(left.outer_mm)
    front, half = 457.2, 1219.2
    share = (outer[:, 1] - front) / (half - front)
    truth = -152.4 + scene.spread.tape_mm[0] + scene.spread.tape_bow_mm * 4 * share * (1 - share)
    seen = outer[:, 1] < 850
    assert np.abs(outer[seen, 0] - truth[seen]).max() < 0.25
    assert np.ptp(outer[seen, 0]) > 0.3


def test_the_dot_is_found(scene: Scene, found: TableFound) -> None:
    dot = found.table.laid.dot
    assert dot is not None
    truth = on_table(scene, np.array([[0.0, 260.0]]))[0]
    assert np.linalg.norm(np.array(dot.center_mm) - truth) < 4 * np.hypot(dot.sigma_mm, found.table.sigma_mm)
    assert dot.diameter_mm == pytest.approx(9.0, abs=0.35)


def test_what_was_not_seen_is_said(found: TableFound) -> None:
    planned = {feature.name for feature in found.features if not feature.measured}
    assert "far edge of the halfway tape" in planned
    assert any("far edge of the halfway tape" in note for note in found.notes)
    halfway = next(tape for tape in found.table.laid.tapes if tape.name == "halfway")
    assert halfway.inner_mm[0][1] == pytest.approx(1219.2 - 9.525)


def test_landmarks_are_many_and_spread(scene: Scene, found: TableFound) -> None:
    marks = found.table.landmarks
    assert len(marks) >= 8
    at = np.array([mark.at_px for mark in marks])
    assert np.ptp(at[:, 0]) > 300
    assert np.ptp(at[:, 1]) > 200
    assert {mark.on for mark in marks} == {"sheet", "table"}
    for mark in marks:
        patch = np.frombuffer(mark.patch, np.uint8)
        assert len(patch) == mark.patch_side**2
        assert mark.patch_side % 2 == 1


def test_a_calibration_survives_the_disk(found: TableFound, tmp_path: Path) -> None:
    save_table(found.table, tmp_path / "table.json")
    assert load_table(tmp_path / "table.json") == found.table


def test_faded_colours_do_not_matter(scene: Scene) -> None:
    def faded(picture: Picture) -> Picture:
        dull = cv2.cvtColor(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY), cv2.COLOR_GRAY2BGR)
        return np.asarray(cv2.addWeighted(picture, 0.45, dull, 0.5, 20), np.uint8)

    plain = calibrate_table(scene.camera, CLASSIC, BOARD, scene.seen[:2], scene.empty)
    flats = [(seen, faded(picture)) for seen, picture in scene.seen[:2]]
    again = calibrate_table(scene.camera, CLASSIC, BOARD, flats, faded(scene.empty))
    for one, other in zip(plain.table.laid.zones, again.table.laid.zones, strict=True):
        for a, b in zip(middles(one), middles(other), strict=True):
            assert np.abs(a - b).max() < 0.35


def covered(picture: Picture) -> Picture:
    """A hand's breadth of something dark over the sheet's corner."""
    out = picture.copy()
    out[250:420, 300:420] = 25
    return out


def crumbs(picture: Picture) -> Picture:
    """Two small dark things, one on each side of the sheet: at y = 150 and at y = 350 mm."""
    out = picture.copy()
    for x, y in ((217, 496), (385, 219)):
        cv2.circle(out, (x, y), 9, (20, 25, 30), -1)
    return out


def glaring(picture: Picture) -> Picture:
    """A lamp mirrors broadly in the middle of the sheet, and burns nothing out."""
    y, x = np.mgrid[: picture.shape[0], : picture.shape[1]]
    lamp = 110 * np.exp(-0.5 * ((x - 300) ** 2 + (y - 420) ** 2) / 70**2)
    return np.asarray(np.clip(picture + lamp[..., None], 0, 255), np.uint8)


def test_the_sheet_makes_one_board_surer(scene: Scene, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its shape says how the camera hangs where the board did not lie."""
    steadied = calibrate_table(scene.camera, CLASSIC, BOARD, scene.seen[:1], scene.empty)
    monkeypatch.setattr("calibration.fit.table.ENOUGH_BOARDS", 0)
    alone = calibrate_table(scene.camera, CLASSIC, BOARD, scene.seen[:1], scene.empty)
    assert steadied.table.sigma_mm < alone.table.sigma_mm
    assert abs(steadied.sheet_scale - 1.0008) < 0.0008


def test_crumbs_on_lines_are_bridged_and_told(scene: Scene, found: TableFound) -> None:
    again = calibrate_table(scene.camera, CLASSIC, BOARD, scene.seen[:2], crumbs(scene.empty))
    gaps = {feature.name: feature.bridged_mm for feature in again.features if feature.bridged_mm}
    assert set(gaps) == {"right side of the 2 zone", "left side of the 2 zone"}
    ((x, y, long),) = gaps["right side of the 2 zone"]
    assert (x, y) == pytest.approx((152.4, 150.0), abs=5.0)
    assert 14 < long < 34
    (note,) = (note for note in again.table.notes if "taken from the rest of the line" in note)
    assert "right side of the 2 zone for " in note
    for one, other in zip(found.table.laid.zones, again.table.laid.zones, strict=True):
        for a, b in zip(middles(one), middles(other), strict=True):
            assert np.abs(a - b).max() < 0.15


def test_a_lamp_in_the_sheet_hides_neither_the_sheet_nor_its_lines(scene: Scene, found: TableFound) -> None:
    flats = [(seen, glaring(picture)) for seen, picture in scene.seen[:2]]
    again = calibrate_table(scene.camera, CLASSIC, BOARD, flats, glaring(scene.empty))
    for one, other in zip(found.table.laid.zones, again.table.laid.zones, strict=True):
        for a, b in zip(middles(one), middles(other), strict=True):
            assert np.abs(a - b).max() < 0.15


def shifted(picture: Picture, x: float, y: float) -> Picture:
    """As a camera sees it that was bumped."""
    size = picture.shape[1::-1]
    moved = cv2.warpAffine(
        picture, np.array([[1.0, 0.0, x], [0.0, 1.0, y]]), size, borderMode=cv2.BORDER_REPLICATE
    )
    return np.asarray(moved, np.uint8)


@pytest.mark.parametrize(
    ("change", "says"),
    [
        (covered, "The sheet is partly covered"),
        (
            lambda p: shifted(p, 0.7, -0.5),
            r"The camera or the sheet moved by (0\.[7-9]|1\.[01]) mm between flat0",
        ),
        (lambda p: shifted(p, 25, 12), "The camera or the sheet moved far between flat0"),
        (lambda p: np.ascontiguousarray(p[:, ::-1]), "mirror images of each other, or one is upside down"),
        (lambda p: cv2.GaussianBlur(p, (0, 0), 5.0), "The empty picture is blurred"),
        (lambda p: np.full_like(p, 120), "No sheet like that of the table description is seen"),
        (lambda p: p[:, :900], r"The empty picture is 900 x 720, and the lens was calibrated at 960 x\s*720"),
    ],
)
def test_an_empty_picture_that_cannot_be_trusted(
    scene: Scene, change: Callable[[Picture], Picture], says: str
) -> None:
    with pytest.raises(CalibrationError, match=says):
        calibrate_table(scene.camera, CLASSIC, BOARD, scene.seen[:1], change(scene.empty))


def test_a_board_of_another_size_is_noticed_by_the_sheet(scene: Scene) -> None:
    larger = replace(BOARD, square_mm=BOARD.square_mm * 1.012, marker_mm=BOARD.marker_mm * 1.012)
    with pytest.raises(CalibrationError, match=r"By the board the sheet is \+1\.\d % larger than described"):
        calibrate_table(scene.camera, CLASSIC, larger, scene.seen[:1], scene.empty)


def test_without_flat_pictures_there_is_no_plane(scene: Scene) -> None:
    with pytest.raises(CalibrationError, match="No picture shows the board lying on the table"):
        calibrate_table(scene.camera, CLASSIC, BOARD, [], scene.empty)


def test_a_table_without_a_clear_edge_takes_the_sheet_s(scene: Scene) -> None:
    """The description says a table so narrow that no edge can be seen beside the sheet."""
    narrow = replace_table(Surface(halfway_y_mm=1219.2, surface_width_mm=310.0))
    found = calibrate_table(scene.camera, narrow, BOARD, scene.seen[:1], scene.empty)
    assert any("the sheet's back edge is y = 0" in note for note in found.notes)


def replace_table(table: Surface) -> TableDescription:
    """The classic sheet on another table."""
    return TableDescription(table=table, end_zone=CLASSIC.end_zone, tape=CLASSIC.tape, dice=CLASSIC.dice)


@pytest.mark.parametrize("boards", [1, 2, 4])
def test_a_board_stretched_otherwise_than_named_is_refused(scene: Scene, boards: int) -> None:
    """The lens is known here, so even one board shows that its rows are not as high as was said."""
    named = replace(BOARD, height_share=0.98)
    with pytest.raises(CalibrationError, match=r"is stretched.*charuco:8x6:34x3[34]\.\d+:26x"):
        calibrate_table(scene.camera, CLASSIC, named, scene.seen[:boards], scene.empty)
