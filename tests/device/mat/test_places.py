"""The mat under the camera: when it is looked for, what of a reading is a roll, and what the match hears."""

from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import numpy as np
import pytest

from calibration.arrays import Picture
from device.cameras import Frame
from device.journal import Journal, Moment
from device.mat.detector import Places, chosen, layout_for
from device.match import Match
from engine.dice import Die
from engine.events import Cache, Event, Pocket, Rolled
from engine.rulebooks import rulebook
from vision.places import Layout, LayoutError, draw_tag, load_packaged
from vision.reading import DiceChoice, Reading, SeenDie, UnsureDie
from vision.watch import FrameState

NOW = Moment(datetime(2026, 11, 21, 18, 0, tzinfo=UTC), 1000.0)
LAYOUT = load_packaged("ten-thousand")
PX, LEFT, LOW = 3, 40, 900
"""Pixels to a millimetre, and where the mat's corner lies in the picture."""
NO_MAT: Picture = np.full((960, 1280, 3), 230, np.uint8)


def with_tags(layout: Layout = LAYOUT) -> Picture:
    picture = NO_MAT.copy()
    for tag in layout.tags.at:
        x, y = round(LEFT + (tag.center_mm[0] - 9) * PX), round(LOW - (tag.center_mm[1] + 9) * PX)
        picture[y : y + 54, x : x + 54] = draw_tag(tag.id, 54)[..., None]
    return picture


def look(scene: int, time_ms: float) -> FrameState:
    """A still table."""
    return FrameState(
        time_ms=time_ms,
        state="still",
        still_since_ms=time_ms - 200,
        settled=True,
        scene=scene,
        hand_before_scene=True,
        tumbled_ms=0.0,
        hand_since_scene=False,
        trouble="",
    )


class Told:
    """A reader that says what it was told, and counts how often it was asked."""

    def __init__(self) -> None:
        self.dice: list[tuple[int, str]] = []
        self.unsure: tuple[UnsureDie, ...] = ()
        self.asked = 0

    def read(self, picture: Picture, _dice: DiceChoice = "auto", _sharp: Picture | None = None) -> Reading:
        self.asked += 1
        dice = tuple(self._die(index, value, place) for index, (value, place) in enumerate(self.dice))
        height, width = picture.shape[:2]
        return Reading(width_px=width, height_px=height, dice=dice, unsure=self.unsure, elapsed_ms=1.0)

    def _die(self, index: int, value: int, place: str) -> SeenDie:
        """Dice lie in rows from the lower left corner of their place."""
        region = LAYOUT.named(place)
        assert region is not None
        low = region.outline_mm.min(axis=0)
        x, y = LEFT + (low[0] + 15 + 20 * (index % 4)) * PX, LOW - (low[1] + 20 + 25 * (index // 4)) * PX
        corners = ((x - 24, y - 24), (x + 24, y - 24), (x + 24, y + 24), (x - 24, y + 24))
        return SeenDie(
            kind="pip",
            value=value,
            confidence=0.999,
            color="ivory",
            center_px=(float(x), float(y)),
            corners_px=corners,
        )


class Stage:
    """A match, its mat and a reader that says what it was told."""

    def __init__(self, match: Match, choice: str = "auto") -> None:
        self.match = match
        self.reader = Told()
        layout = layout_for(chosen(choice), match.rulebook)
        assert layout is not None
        self.places = Places(self.reader, match, layout, needed=choice != "auto")
        self._scene = 0

    def see(self, picture: Picture, *dice: tuple[int, str], frames: int = 3) -> None:
        """A new arrangement, looked at for some frames."""
        self._scene += 1
        self.reader.dice = list(dice)
        for frame in range(frames):
            time_ms = 1000.0 * self._scene + 50 * frame
            seen = Frame(picture=picture.copy(), time_ms=time_ms, name="")
            self.places.detect(seen, look(self._scene, time_ms), "pip", NOW)

    def take(self, *events: Event) -> None:
        assert self.match.move(events, "test", NOW)


@pytest.fixture
def match(tmp_path: Path) -> Iterator[Match]:
    with Journal.open(tmp_path / "journal.db") as journal:
        options = {"first": "named", "opening": "0"}
        yield Match.begin(journal, rulebook("ten-thousand"), ("Ann", "Bob"), options, NOW)


def lying(*values: int, place: str = "roll") -> list[tuple[int, str]]:
    return [(value, place) for value in values]


ROLLED = Rolled(dice=tuple(Die("pip", face) for face in (1, 5, 2, 3, 4, 4)))


def test_where_no_mat_lies_nothing_is_read_for_it(match: Match) -> None:
    stage = Stage(match)
    stage.see(NO_MAT, *lying(1, 5), frames=10)
    stage.see(NO_MAT, *lying(1, 5, 2), frames=10)
    assert stage.reader.asked == 0
    assert stage.places.show() is None
    assert len(stage.places.read(NO_MAT, "pip").dice) == 3


def test_a_mat_that_was_asked_for_and_is_not_seen_is_said(match: Match) -> None:
    stage = Stage(match, "ten-thousand")
    stage.see(NO_MAT)
    shown = stage.places.show()
    assert shown is not None
    assert shown.trouble.startswith(
        "I do not see the mat's corner tags 40, 41, 42, 43. Lay the Ten Thousand mat"
    )


def test_a_game_has_the_mat_that_was_asked_for_or_its_own_or_none() -> None:
    assert layout_for(chosen("none"), rulebook("ten-thousand")) is None
    assert layout_for(chosen("auto"), rulebook("ten-thousand")) == LAYOUT
    assert layout_for(chosen("auto"), rulebook("zoinx")) is None
    assert layout_for(chosen("zoinx"), rulebook("zoinx")) == load_packaged("zoinx")


def test_a_rest_is_read_once_and_told_once(match: Match) -> None:
    stage = Stage(match)
    stage.take(ROLLED)
    stage.see(with_tags(), *lying(5, 2, 3, 4, 4), (1, "set aside"), frames=10)
    assert stage.reader.asked == 1
    assert [type(event) for event, _ in match.played] == [Rolled, Pocket]
    assert match.view.running == 100


def test_a_roll_is_what_lies_elsewhere_and_each_picture_is_read_once(match: Match) -> None:
    stage = Stage(match)
    picture = with_tags()
    stage.reader.dice = [*lying(5, 2), (1, "set aside")]
    assert [die.value for die in stage.places.read(picture, "pip").dice] == [5, 2]
    assert [die.value for die in stage.places.read(picture, "pip").dice] == [5, 2]
    assert stage.reader.asked == 1


def test_what_is_refused_blinks_once_a_second_until_it_is_put_right(match: Match) -> None:
    stage = Stage(match)
    stage.take(ROLLED)
    stage.see(with_tags(), *lying(1, 5, 3, 4, 4), (2, "set aside"))
    assert match.message.text == "Not all of 2 score: leave the others in the hand. (rule 5)"
    assert match.message.tone == "refused"
    lit = [name for name, on in match.lamps().items() if on]
    assert stage.places.blink(5000.0) == lit
    assert stage.places.blink(5500.0) == ()
    assert stage.places.blink(6000.0) == lit
    assert (
        stage.places.in_the_way() == "Set aside: dice lie there that do not count. Take them out, then roll."
    )
    stage.see(with_tags(), *lying(1, 5, 2, 3, 4, 4))
    assert stage.places.blink(9000.0) == ()
    assert stage.places.in_the_way() == ""
    assert match.message.text == match.view.news
    assert [type(event) for event, _ in match.played] == [Rolled]


def test_a_die_on_the_line_or_unread_is_asked_about_and_nothing_is_taken(match: Match) -> None:
    stage = Stage(match)
    stage.take(ROLLED)
    place = LAYOUT.named("set aside")
    assert place is not None
    x, y = place.center_mm
    stage.reader.unsure = (UnsureDie(center_px=(LEFT + x * PX, LOW - y * PX), reason="cocked"),)
    stage.see(with_tags(), *lying(5, 3, 4, 4), (1, "set aside"), frames=6)
    assert match.message.text == "Set aside: I cannot read a die (cocked). Straighten it."
    assert match.message.tone == "unsure"
    assert len(match.played) == 1


def test_places_are_shown_with_what_lies_in_them(match: Match) -> None:
    stage = Stage(match)
    stage.take(ROLLED)
    stage.see(with_tags(), *lying(1, 5, 3, 4, 4), (2, "set aside"))
    shown = stage.places.show()
    assert shown is not None
    assert (shown.title, shown.width, shown.height) == ("Ten Thousand mat", 1280, 960)
    aside = next(place for place in shown.places if place.label == "set aside")
    assert (aside.lies, aside.wrong) == (("2",), True)
    left, low = LEFT + 294 * PX, LOW - 32 * PX
    assert aside.corners[0] == pytest.approx((left, low), abs=2)


def due(stage: Stage) -> list[str]:
    """The places for dice of this cast."""
    shown = stage.places.show()
    assert shown is not None
    return [place.label for place in shown.places if place.due]


def test_the_place_for_dice_of_this_cast_is_shown(match: Match) -> None:
    stage = Stage(match)
    stage.see(with_tags())
    assert due(stage) == []
    stage.take(ROLLED)
    assert due(stage) == ["set aside"]


def test_after_a_hot_cast_the_pockets_of_the_mat_are_counted_anew(tmp_path: Path) -> None:
    with Journal.open(tmp_path / "journal.db") as journal:
        stage = Stage(Match.begin(journal, rulebook("zonk"), ("Ann",), {}, NOW))
        stage.see(with_tags(load_packaged("zonk")))

        def pockets() -> list[int]:
            shown = stage.places.show()
            assert shown is not None
            return [place.pocket for place in shown.places if place.kind == "pocket"][:2]

        def cast(*faces: int) -> None:
            stage.take(Rolled(dice=tuple(Die("pip", face) for face in faces)))

        def pocket(*faces: int) -> None:
            stage.take(Pocket(combos=(tuple(Die("pip", face) for face in faces),)))

        assert pockets() == [0, 0]
        cast(1, 1, 1, 2, 3, 4)
        assert (due(stage), pockets()) == (["pocket 1"], [1, 2])
        pocket(1, 1, 1)
        cast(2, 2, 2)
        assert (due(stage), pockets()) == (["pocket 2"], [1, 2])
        pocket(2, 2, 2)
        cast(1, 2, 3, 4, 6, 6)
        assert (due(stage), pockets()) == (["pocket 1"], [3, 4])


def test_the_mat_is_drawn_anew_only_when_something_lies_otherwise_or_the_game_goes_on(match: Match) -> None:
    stage = Stage(match)
    stage.take(ROLLED)
    stage.see(with_tags(), *lying(1, 5, 3, 4, 4), (2, "set aside"))
    drawn = stage.places.show()
    assert drawn is not None
    assert stage.places.show() is drawn
    stage.see(with_tags(), *lying(5, 2, 3, 4, 4), (1, "set aside"))
    moved = stage.places.show()
    assert moved is not None
    aside = next(place for place in moved.places if place.label == "set aside")
    assert (aside.lies, aside.wrong) == (("1",), False)
    assert any(place.due for place in moved.places)
    stage.take(Cache())
    banked = stage.places.show()
    assert banked is not None
    assert not any(place.due for place in banked.places)


def test_while_the_box_asks_about_a_reading_the_mat_waits(match: Match) -> None:
    stage = Stage(match)
    stage.take(ROLLED)
    match.pending = "I see five dice."
    stage.see(with_tags(), *lying(5, 2, 3, 4, 4), (1, "set aside"))
    assert len(match.played) == 1


def test_what_may_be_said_of_a_layout(tmp_path: Path) -> None:
    assert (chosen("auto"), chosen("none")) == ("auto", "none")
    assert chosen("zonk") == load_packaged("zonk")
    with pytest.raises(LayoutError, match=r"^There is no layout 'chess'\. Say auto, none, ten-thousand, "):
        chosen("chess")
    with pytest.raises(LayoutError, match=r"mine\.toml cannot be read"):
        chosen(str(tmp_path / "mine.toml"))
