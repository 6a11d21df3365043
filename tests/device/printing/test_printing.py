"""What is printed is to scale: the camera's own detector and plain arithmetic look at the drawings."""

import base64
import re
import zlib
from pathlib import Path

import cv2
import numpy as np
import pytest
from click.testing import CliRunner
from cv2 import aruco

from calibration.board import Board
from device.cli import callbox
from device.printing.paper import MARGIN_MM, OVERLAP_MM, PAPERS, Page, PaperError, one_page, pages
from device.printing.shapes import Area, Disc, Drawing, Rule, Words
from device.printing.sheets import (
    COUNT,
    FIRST,
    board_drawing,
    cards_drawings,
    end_zone_drawing,
    markers_drawing,
    mat_drawing,
)
from tests.calibration.classic import CLASSIC
from vision.places import list_packaged, load_packaged
from vision.places.regions import CARDS

CODES = aruco.getPredefinedDictionary(aruco.DICT_4X4_50)
POINT_MM = 25.4 / 72


def shown(drawing: Drawing, px_per_mm: float, margin_mm: float = 5.0) -> np.ndarray:
    """The areas of a drawing as grey pixels, white round it."""
    size = (
        round((drawing.height_mm + 2 * margin_mm) * px_per_mm),
        round((drawing.width_mm + 2 * margin_mm) * px_per_mm),
    )
    picture = np.full((*size, 3), 255, np.uint8)
    for shape in drawing.shapes:
        if isinstance(shape, Area) and shape.fill:
            points = np.array(shape.points_mm) * (1, -1) + (margin_mm, drawing.height_mm + margin_mm)
            color = tuple(int(shape.fill[i : i + 2], 16) for i in (5, 3, 1))
            cv2.fillPoly(
                picture, [np.rint((points * px_per_mm - 0.5) * 256).astype(np.int32)], color, cv2.LINE_AA, 8
            )
    return cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY)


def found_markers(picture: np.ndarray) -> dict[int, np.ndarray]:
    corners, numbers, _ = aruco.ArucoDetector(CODES).detectMarkers(picture)
    return {} if not corners else {int(n): c[0] for n, c in zip(numbers.ravel(), corners, strict=True)}


@pytest.mark.parametrize(
    "spec",
    ["charuco:11x8:25:18:DICT_5X5_100", "charuco:5x7:30:22.5:DICT_4X4_50", "charuco:6x4:20:14:DICT_6X6_250"],
)
def test_the_board_is_opencv_s_own_board_to_scale(spec: str) -> None:
    board = Board.parse(spec)
    drawing = board_drawing(board)
    px = 8.0
    corners, numbers, _, _ = aruco.CharucoDetector(board.drawn).detectBoard(shown(drawing, px))
    assert len(numbers) == (board.columns - 1) * (board.rows - 1)
    seen_mm = (corners.reshape(-1, 2) + 0.5) / px - 5.0
    wanted_mm = board.corners_mm[numbers.ravel(), :2] * (1, -1)
    off_mm = seen_mm - wanted_mm
    assert np.ptp(off_mm, axis=0).max() < 0.01
    assert np.abs(off_mm).max() < 0.5 / px  # OpenCV fills a polygon up to half a pixel further


def test_every_card_s_tag_is_read_where_the_layout_has_it() -> None:
    seen = {number for drawing in cards_drawings(1) for number in found_markers(shown(drawing, 4.0))}
    assert seen == set(CARDS)


@pytest.mark.parametrize("name", list_packaged())
def test_a_mat_s_corner_tags_lie_where_its_layout_says(name: str) -> None:
    layout = load_packaged(name)
    seen = found_markers(shown(mat_drawing(layout), 4.0))
    for tag in layout.tags.at:
        wanted = tag.corners_mm(layout.tags.edge_mm) * (1, -1) + (5.0, layout.mat.height_mm + 5.0)
        assert np.abs((seen[tag.id] + 0.5) / 4.0 - wanted).max() < 0.3
    labels = {shape.text for shape in mat_drawing(layout).shapes if isinstance(shape, Words)}
    assert labels == {region.label for region in layout.region}


def test_the_markers_are_all_there() -> None:
    assert set(found_markers(shown(markers_drawing(), 4.0))) == set(range(FIRST, FIRST + COUNT))


def test_the_sheet_has_its_zones_numbers_and_dot() -> None:
    drawing = end_zone_drawing(CLASSIC)
    assert (drawing.width_mm, drawing.height_mm) == (304.8, 457.2)
    assert [shape.fill for shape in drawing.shapes if isinstance(shape, Area)] == [
        z.color for z in CLASSIC.end_zone.zone
    ]
    (dot,) = (shape for shape in drawing.shapes if isinstance(shape, Disc))
    assert (dot.center_mm, dot.radius_mm) == ((152.4, 260.0), 4.5)
    numbers = {shape.text: shape.at_mm for shape in drawing.shapes if isinstance(shape, Words)}
    assert set(numbers) == {"2", "5", "10", "20"}
    assert 63.5 < numbers["10"][1] < 88.9 - 5
    assert 381.0 < numbers["2"][1] < 457.2
    assert numbers["5"][1] < 260 - 4.5 - 16


def ruler_mm(page: Page) -> tuple[float, bool]:
    """The length between a ruler's first and last tick, and whether it lies along the lower edge."""
    ticks = [mark for mark in page.marks if isinstance(mark, Rule) and mark.width_mm < 0.15]
    assert len(ticks) == 101
    xs, ys = zip(*(tick.from_mm for tick in ticks), strict=True)
    return max(max(xs) - min(xs), max(ys) - min(ys)), max(xs) - min(xs) > 50


@pytest.mark.parametrize("paper", [*PAPERS, "none"])
def test_every_page_has_a_ruler_of_100_mm_beside_the_drawing(paper: str) -> None:
    for page in pages(end_zone_drawing(CLASSIC), paper):
        length, below = ruler_mm(page)
        assert length == pytest.approx(100.0)
        for mark in page.marks:
            if isinstance(mark, Rule):
                for x, y in (mark.from_mm, mark.to_mm):
                    assert 0 < x < page.width_mm
                    assert 0 < y < page.height_mm
                    left, bottom, right, top = page.window_mm
                    assert not (left < x < right and bottom < y < top)
        assert below
        assert any(isinstance(mark, Words) and "100.0 mm" in mark.text for mark in page.marks)


def test_the_board_on_a4_has_its_ruler_up_the_side() -> None:
    (page,) = one_page(board_drawing(Board.parse("charuco:11x8:25:18:DICT_5X5_100")), "A4")
    assert (page.width_mm, page.height_mm) == (297.0, 210.0)
    assert ruler_mm(page) == (pytest.approx(100.0), False)


def test_tiles_overlap_and_leave_nothing_out() -> None:
    drawing = end_zone_drawing(CLASSIC)
    made = pages(drawing, "A4")
    assert len(made) == 4
    covered = np.zeros((int(drawing.height_mm), int(drawing.width_mm)), int)
    for page in made:
        left, bottom, right, top = page.window_mm
        first = page.shapes[0]
        assert isinstance(first, Area)
        x, y = left - min(p[0] for p in first.points_mm), bottom - min(p[1] for p in first.points_mm)
        covered[round(y) : round(y + top - bottom), round(x) : round(x + right - left)] += 1
        assert left >= MARGIN_MM - 1e-9
        assert right <= page.width_mm - MARGIN_MM + 1e-9
    assert covered.min() >= 1
    assert (covered >= 2).sum() > OVERLAP_MM * 0.9 * (drawing.width_mm + drawing.height_mm) * 0.9


def test_a_board_is_never_glued_together() -> None:
    with pytest.raises(PaperError, match=r"not flat enough.* fits on A3 or tabloid"):
        one_page(board_drawing(Board.parse("charuco:11x8:30:22:DICT_5X5_100")), "A4")


def test_paper_that_nobody_knows_is_refused() -> None:
    with pytest.raises(PaperError, match=r"There is no paper called 'A7'\. Known are A4"):
        pages(end_zone_drawing(CLASSIC), "A7")


def test_the_pdf_has_pages_of_the_paper_s_size_and_draws_in_true_millimetres(tmp_path: Path) -> None:
    out = tmp_path / "board.pdf"
    told = CliRunner().invoke(callbox, ["print", "board", "-o", str(out)])
    assert told.exit_code == 0, told.output
    assert "1 page" in told.stderr
    again = tmp_path / "again.pdf"
    CliRunner().invoke(callbox, ["print", "board", "-o", str(again)])
    data = out.read_bytes()
    assert data == again.read_bytes()
    media = re.search(rb"/MediaBox\s*\[\s*0 0 ([\d.]+) ([\d.]+)\s*\]", data)
    assert media is not None
    assert [float(side) * POINT_MM for side in media.groups()] == pytest.approx([297.0, 210.0], abs=0.01)
    squares = _rectangles(data)
    widths = {round(w, 2) for w, h in squares if abs(w - h) < 0.01}
    assert 25.0 in widths


def _rectangles(data: bytes) -> list[tuple[float, float]]:
    """Width and height in mm of each closed path of four points in a PDF's (base 85, deflated) pages."""
    found = []
    for stream in re.findall(rb"stream\r?\n(.*?)endstream", data, re.S):
        text = zlib.decompress(base64.a85decode(stream.strip().removesuffix(b"~>"))).decode("latin-1")
        for path in re.findall(r"n ((?:[-\d.]+ [-\d.]+ [ml] ){4})h", text):
            points = np.array(
                [[float(a), float(b)] for a, b in re.findall(r"([-\d.]+) ([-\d.]+) [ml]", path)]
            )
            size = np.ptp(points, axis=0) * POINT_MM
            found.append((float(size[0]), float(size[1])))
    return found


@pytest.mark.long
@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["board", "--board", "charuco:3x3"], "names no board"),
        (["board", "--board", "charuco:20x20:25:18:DICT_5X5_1000"], "would need"),
        (["sheet", "--table", "nowhere.toml"], "nowhere.toml cannot be read"),
        (["mat", "poker"], "There is no mat called 'poker'"),
    ],
)
def test_what_cannot_be_printed_ends_in_a_sentence(arguments: list[str], says: str, tmp_path: Path) -> None:
    told = CliRunner().invoke(callbox, ["print", *arguments, "-o", str(tmp_path / "x.pdf")])
    assert told.exit_code == 2
    assert says in told.stderr
    assert not (tmp_path / "x.pdf").exists()


def test_a_folder_that_is_not_there_ends_in_a_sentence(tmp_path: Path) -> None:
    told = CliRunner().invoke(callbox, ["print", "cards", "-o", str(tmp_path / "no" / "cards.pdf")])
    assert told.exit_code == 2
    assert "cannot be written" in told.stderr


def test_without_a_name_the_page_comes_into_this_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As README has it: callbox print mat zonk."""
    monkeypatch.chdir(tmp_path)
    told = CliRunner().invoke(callbox, ["print", "mat", "zonk"])
    assert (told.exit_code, told.output.split(":")[0]) == (0, "callbox-mat-zonk.pdf")
    assert (tmp_path / "callbox-mat-zonk.pdf").read_bytes().startswith(b"%PDF")
