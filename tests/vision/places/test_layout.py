"""Layout files: what the mats that come with Callbox say, and what is said of files that cannot be."""

from importlib.resources import files
from pathlib import Path

import pytest

from engine.zonk.state import CARDS
from vision.places.layout import TAG_IDS, Layout, LayoutError, list_packaged, load_layout, load_packaged
from vision.places.regions import CARD_TAGS

ZONK = (files("vision.places") / "zonk.toml").read_text(encoding="utf-8")


CAST = "rect_mm = [30, 8, 268, 180]"


def refusal(text: str) -> str:
    with pytest.raises(LayoutError) as caught:
        Layout.parse(text, "mine.toml")
    return str(caught.value)


@pytest.mark.parametrize("name", list_packaged())
def test_every_mat_that_comes_with_callbox_fits_a3_and_has_its_tags(name: str) -> None:
    layout = load_packaged(name)
    assert layout.name == name
    assert layout.mat.width_mm <= 420 - 2 * 8  # what printers leave white
    assert layout.mat.height_mm <= 297 - 2 * 8
    assert {tag.id for tag in layout.tags.at} == set(TAG_IDS)


def test_there_is_a_mat_for_each_game_with_places() -> None:
    assert list_packaged() == ("ten-thousand", "zoinx", "zonk")
    pockets = [place.label for place in load_packaged("zonk").of("pocket")]
    assert pockets == [f"pocket {number}" for number in range(1, 7)]
    assert [place.color for place in load_packaged("zoinx").of("bet")] == ["red", "blue", "green", "yellow"]
    assert load_packaged("ten-thousand").named("set aside") is not None


def test_a_place_holds_what_lies_in_it() -> None:
    layout = load_packaged("zonk")
    pocket = layout.named("pocket 2")
    assert pocket is not None
    assert layout.at(*pocket.center_mm) == pocket
    assert layout.at(5, 100) is None
    assert pocket.inside_mm(90, 230) == pytest.approx(3, abs=0.01)
    assert pocket.inside_mm(84, 230) == pytest.approx(-3, abs=0.01)


def test_a_polygon_is_an_outline_too() -> None:
    octagon = ZONK.replace(
        CAST,
        "polygon_mm = [[60, 8], [238, 8], [268, 38], [268, 150], [238, 180], [60, 180], [30, 150], [30, 38]]",
    )
    layout = Layout.parse(octagon, "mine.toml")
    assert layout.at(32, 10) is None
    assert (found := layout.at(100, 100)) is not None
    assert found.label == "cast"


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("width_mm = 400", "width_mm = 430", "allowed is up to 420 x 297 mm (A3)"),
        ("width_mm = 400", 'width_mm = "wide"', "mine.toml is no layout"),
        ("width_mm = 400", "width_mm 400", "mine.toml is not TOML"),
        ("id = 41", "id = 44", "ids 40, 42, 43, 44; allowed is each of 40, 41, 42, 43 once."),
        ("center_mm = [14, 14]", "center_mm = [9, 14]", "tag 40 and the white round it leave the mat"),
        ('label = "pocket 2"', 'label = "pocket 1"', "'pocket 1' must not be empty and names one place"),
        ("number = 2", "number = 3", "number counts each cast from 1"),
        ('kind = "roll"', 'kind = "end_zone"', "where are the dice thrown?"),
        (CAST, "rect_mm = [30, 8, 268, 200]", "pocket 1 lies on a tag or on another place"),
        (CAST, "rect_mm = [10, 8, 268, 180]", "cast lies on a tag or on another place"),
        (CAST, "rect_mm = [268, 8, 30, 180]", "left is below right"),
        (CAST, "", "cast needs either rect_mm or a polygon_mm"),
        (CAST, "polygon_mm = [[1, 1], [2, 2]]", "three points or more"),
        ("32, 394, 180]", "32, 404, 180]", "cards leaves the mat of 400 x 277 mm"),
        ('kind = "cards"', 'kind = "kards"', "mine.toml is no layout"),
        ('label = "cards"', 'labels = "cards"', "mine.toml is no layout"),
    ],
)
def test_what_cannot_be_is_said_in_a_sentence(old: str, new: str, said: str) -> None:
    assert old in ZONK
    assert said in refusal(ZONK.replace(old, new, 1))


def test_files_that_cannot_be_read_are_said(tmp_path: Path) -> None:
    with pytest.raises(LayoutError, match=r"none\.toml cannot be read: no such file or directory"):
        load_layout(tmp_path / "none.toml")
    mine = tmp_path / "mine.toml"
    mine.write_bytes(b"\xff\xfe")
    with pytest.raises(LayoutError, match="is not UTF-8 text"):
        load_layout(mine)
    mine.write_text(ZONK, encoding="utf-8")
    assert load_layout(mine) == load_packaged("zonk")
    with pytest.raises(LayoutError, match="There is no mat called 'chess'"):
        load_packaged("chess")


def test_every_card_of_the_game_has_a_tag_of_its_own() -> None:
    assert tuple(CARD_TAGS) == CARDS
    assert len(set(CARD_TAGS.values())) == len(CARDS)
    assert not set(CARD_TAGS.values()) & set(TAG_IDS)
