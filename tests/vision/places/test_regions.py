"""Which place a die lies in: by tags or by a calibrated camera, its height allowed for, or not sure."""

from dataclasses import replace

import cv2
import numpy as np
import pytest

from calibration.view import Lens, View
from vision.places.layout import Layout, load_packaged
from vision.places.regions import (
    CARD_TAGS,
    MatReading,
    SeenTag,
    Surveyor,
    TagGround,
    ViewGround,
    draw_tag,
    edge_seen_mm,
    find_tags,
    ground_by_tags,
)
from vision.reading import Reading, SeenDie, UnsureDie

LAYOUT = load_packaged("zonk")
LENS = Lens(width_px=1280, height_px=960, focal_px=(2400.0, 2400.0), centre_px=(639.5, 479.5))
EYE_MM = 930.0
EDGE_MM = 16.0


def view(tilt_deg: float = 0.0) -> View:
    """A camera over the mat's middle that looks down, tilted a little."""
    tilt = np.radians(tilt_deg)
    down = np.diag([1.0, -1.0, -1.0])
    turn = np.array([[1, 0, 0], [0, np.cos(tilt), -np.sin(tilt)], [0, np.sin(tilt), np.cos(tilt)]]) @ down
    eye = np.array([200.0, 138.5, EYE_MM])
    rotation, _ = cv2.Rodrigues(turn)
    return View(
        lens=LENS,
        rotation=tuple(float(part) for part in rotation.ravel()),  # type: ignore[arg-type]
        translation_mm=tuple(float(part) for part in -turn @ eye),  # type: ignore[arg-type]
    )


def tags_of(seen_by: View, layout: Layout = LAYOUT, *ids: int) -> tuple[SeenTag, ...]:
    """The mat's tags as that camera sees them; only those of `ids` if any are named."""
    found = []
    for tag in layout.tags.at:
        if not ids or tag.id in ids:
            corners = np.hstack([tag.corners_mm(layout.tags.edge_mm), np.zeros((4, 1))])
            found.append(SeenTag(tag.id, seen_by.project(corners)))
    return tuple(found)


def die_at(seen_by: View, x_mm: float, y_mm: float, value: int = 4, edge_mm: float = EDGE_MM) -> SeenDie:
    """A die whose foot's middle lies there, as the camera sees its top."""
    half = edge_mm / 2
    top = np.array(
        [[x_mm + a * half, y_mm + b * half, edge_mm] for a, b in ((-1, 1), (1, 1), (1, -1), (-1, -1))]
    )
    corners = seen_by.project(top)
    middle = seen_by.project(np.array([[x_mm, y_mm, edge_mm]]))[0]
    points = tuple((float(x), float(y)) for x, y in corners)
    return SeenDie(
        kind="pip",
        value=value,
        confidence=0.999,
        color="ivory",
        center_px=(float(middle[0]), float(middle[1])),
        corners_px=(points[0], points[1], points[2], points[3]),
    )


def reading(*dice: SeenDie, unsure: tuple[UnsureDie, ...] = ()) -> Reading:
    return Reading(width_px=1280, height_px=960, dice=dice, unsure=unsure, elapsed_ms=1.0)


def placed(*dice: SeenDie, tilt_deg: float = 0.0, unsure: tuple[UnsureDie, ...] = ()) -> MatReading:
    return surveyor_of(tilt_deg).assign_places(reading(*dice, unsure=unsure), ())


def surveyor_of(tilt_deg: float) -> Surveyor:
    surveyor = Surveyor(replace_height(EYE_MM))
    surveyor.locate(tags_of(view(tilt_deg)), 1280, 960)
    return surveyor


def replace_height(eye_mm: float) -> Layout:
    mat = type(LAYOUT.mat)(width_mm=400.0, height_mm=277.0, camera_height_mm=eye_mm)
    return type(LAYOUT)(name=LAYOUT.name, title=LAYOUT.title, mat=mat, tags=LAYOUT.tags, region=LAYOUT.region)


@pytest.mark.parametrize("tilt_deg", [0.0, 2.0])
def test_dice_are_where_they_stand_not_where_their_tops_appear(tilt_deg: float) -> None:
    spots = [(56.0, 230.0), (342.0, 261.0), (40.0, 20.0), (200.0, 100.0)]
    found = placed(*(die_at(view(tilt_deg), x, y) for x, y in spots), tilt_deg=tilt_deg)
    ground = surveyor_of(tilt_deg).ground
    assert ground is not None
    for one, spot in zip(found.dice, spots, strict=True):
        assert one.at_mm == pytest.approx(spot, abs=0.9)
        assert edge_seen_mm(one.thing, ground) == pytest.approx(EDGE_MM, abs=0.3)
    assert [one.region.label for one in found.dice if one.region] == ["pocket 1", "pocket 6", "cast", "cast"]


def test_without_the_height_the_outermost_dice_would_be_misplaced() -> None:
    """The top of a die 162 mm off the camera's foot appears 2.8 mm too far out: more than a line is wide."""
    ground, _ = ground_by_tags(replace_height(EYE_MM), tags_of(view()), 1280, 960)
    assert ground is not None
    die = die_at(view(), 38.0, 230.0)
    top = ground.on_mat(np.array([die.center_px]))[0]
    assert float(np.hypot(*(top - np.array([38.0, 230.0])))) > 2.5
    foot = ground.on_mat(np.array([die.center_px]), EDGE_MM)[0]
    assert foot == pytest.approx([38.0, 230.0], abs=0.05)


def test_only_dice_that_are_not_set_aside_make_a_roll() -> None:
    found = placed(die_at(view(), 56, 230, 5), die_at(view(), 100, 100, 2), die_at(view(), 335, 100, 3))
    assert [die.value for die in found.roll.dice] == [2]
    assert [one.thing.value for one in found.lie_in("pocket", 1)] == [5]
    assert [one.thing.value for one in found.lie_in("cards")] == [3]
    assert found.lie_in("pocket", 2) == ()


def test_a_die_on_a_line_is_not_sure() -> None:
    found = placed(die_at(view(), 85.5, 230), die_at(view(), 56, 230))
    assert [one.thing.reason for one in found.unsure] == ["on the line of pocket 1"]
    assert len(found.dice) == 1
    assert found.roll.unsure == ()


def test_a_die_on_the_fields_own_line_still_counts() -> None:
    found = placed(die_at(view(), 30, 100))
    assert [die.value for die in found.roll.dice] == [4]


def test_what_could_not_be_read_lies_somewhere_too() -> None:
    spots = [die_at(view(), 110, 230).center_px, die_at(view(), 110, 100).center_px]
    found = placed(unsure=tuple(UnsureDie(center_px=spot, reason="cocked") for spot in spots))
    assert [one.region.label for one in found.unsure if one.region] == ["pocket 2", "cast"]
    assert [one.reason for one in found.roll.unsure] == ["cocked"]


def test_a_calibrated_camera_needs_no_tags() -> None:
    surveyor = Surveyor(LAYOUT, view(2.0))
    surveyor.locate((), 1280, 960)
    found = surveyor.assign_places(reading(die_at(view(2.0), 342, 261)), ())
    assert found.dice[0].at_mm == pytest.approx((342, 261), abs=0.05)
    assert surveyor.trouble == ""


def test_a_calibrated_camera_follows_the_tags_of_a_mat_that_was_shifted() -> None:
    """The mat lies 10 mm further right and turned a little; the file says nothing of it."""
    turned = ViewGround(view(), (10.0, 0.0), 3.0)
    tags = tuple(
        SeenTag(tag.id, turned.pixels(tag.corners_mm(LAYOUT.tags.edge_mm))) for tag in LAYOUT.tags.at[:2]
    )
    surveyor = Surveyor(LAYOUT, view())
    surveyor.locate(tags, 1280, 960)
    assert surveyor.ground is not None
    there = turned.pixels(np.array([[200.0, 100.0]]))
    assert surveyor.ground.on_mat(there)[0] == pytest.approx([200, 100], abs=0.01)


def test_a_camera_that_is_not_where_it_was_calibrated_goes_by_the_tags() -> None:
    surveyor = Surveyor(LAYOUT, view(8.0))
    surveyor.locate(tags_of(view()), 1280, 960)
    assert isinstance(surveyor.ground, TagGround)
    surveyor = Surveyor(LAYOUT, view())
    surveyor.locate(tags_of(view()), 640, 480)
    assert isinstance(surveyor.ground, TagGround)


def test_a_mat_that_lies_turned_on_a_calibrated_table() -> None:
    """The mat's corner lies at (300, 50) of the table, turned by 90 degrees."""
    ground = ViewGround(view(), (300.0, 50.0), 90.0)
    assert ground.on_mat(view().project(np.array([[300.0, 60.0, 0.0]]))) == pytest.approx(
        np.array([[10.0, 0.0]]), abs=1e-6
    )
    assert ground.pixels(np.array([[10.0, 0.0]])) == pytest.approx(
        view().project(np.array([[300.0, 60.0, 0.0]]))
    )


def test_two_tags_are_enough_and_one_is_not() -> None:
    ground, why = ground_by_tags(LAYOUT, tags_of(view(), LAYOUT, 40, 42), 1280, 960)
    assert isinstance(ground, TagGround)
    assert why == ""
    middle = ground.on_mat(view().project(np.array([[200.0, 138.5, 0.0]])))[0]
    assert middle == pytest.approx([200, 138.5], abs=0.01)
    none, why = ground_by_tags(LAYOUT, tags_of(view(), LAYOUT, 40), 1280, 960)
    assert none is None
    assert why.startswith("I do not see the mat's corner tags 41, 42, 43. Lay the ZONK mat so that")


def test_tags_of_another_size_or_order_are_another_mat() -> None:
    tags = tags_of(view())
    swapped = (SeenTag(40, tags[1].corners_px), SeenTag(41, tags[0].corners_px), *tags[2:])
    none, why = ground_by_tags(LAYOUT, swapped, 1280, 960)
    assert none is None
    assert "do not fit the ZONK mat" in why


def test_a_hand_over_the_tags_leaves_the_mat_where_it_was() -> None:
    surveyor = Surveyor(LAYOUT)
    blank = np.full((960, 1280, 3), 230, np.uint8)
    surveyor.paint_over_tags(blank)
    assert surveyor.ground is None
    assert "do not see the mat's corner tags" in surveyor.trouble
    surveyor.paint_over_tags(with_tags())
    ground = surveyor.ground
    assert ground is not None
    assert surveyor.trouble == ""
    surveyor.paint_over_tags(blank)
    assert surveyor.ground is ground


def with_tags(*cards: tuple[str, float, float]) -> np.ndarray:
    """A picture of bare paper with the mat's tags and some cards', three pixels to a millimetre."""
    picture = np.full((960, 1280, 3), 230, np.uint8)
    marks = [(tag.id, *tag.center_mm) for tag in LAYOUT.tags.at]
    marks += [(CARD_TAGS[word], x, y) for word, x, y in cards]
    for number, x, y in marks:
        left, top = round(40 + (x - 9) * 3), round(900 - (y + 9) * 3)
        picture[top : top + 54, left : left + 54] = draw_tag(number, 54)[..., None]
    return picture


def test_cards_are_read_by_their_tags_and_tags_are_painted_over() -> None:
    picture = with_tags(("fate", 320, 120), ("aura", 60, 230), ("money", 150, 60))
    surveyor = Surveyor(LAYOUT)
    clean, tags = surveyor.paint_over_tags(picture)
    assert float(np.ptp(clean)) < 3
    assert picture.min() == 0
    found = surveyor.assign_places(reading(), tags)
    where = {one.thing: one.region.label for one in found.cards if one.region}
    assert where == {"fate": "cards", "aura": "pocket 1", "money": "cast"}
    assert dict(found.cards_lying) == {"fate": 1, "aura": 1}


def test_tags_are_found_to_a_small_part_of_a_pixel() -> None:
    found = {tag.id: tag for tag in find_tags(with_tags())}
    assert sorted(found) == [40, 41, 42, 43]
    # Pixel coordinates name a pixel's centre: the tag's first dark pixel begins half a pixel before it.
    assert found[40].corners_px[0] == pytest.approx([40 + 15 - 0.5, 900 - 69 - 0.5], abs=0.6)


def test_without_a_mat_everything_counts_to_the_roll() -> None:
    surveyor = Surveyor(LAYOUT)
    found = surveyor.assign_places(reading(die_at(view(), 56, 230)), ())
    assert len(found.roll.dice) == 1
    assert found.dice[0].region is None


def test_reading_is_kept_whole() -> None:
    whole = reading(die_at(view(), 56, 230), die_at(view(), 100, 100))
    surveyor = Surveyor(LAYOUT, view())
    surveyor.locate((), 1280, 960)
    found = surveyor.assign_places(whole, ())
    assert found.reading == whole
    assert found.roll == replace(whole, dice=whole.dice[1:])
