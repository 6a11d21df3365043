"""The simulated mat: D4 and betting dice as they are painted, and hands that carry dice and lay cards."""

from collections.abc import Iterator

import numpy as np
import pytest

from device.cameras import Frame
from device.simulator import d4 as table_d4
from device.simulator.designs import D4_HIGH, NUMERALS, design, marks
from device.simulator.dice import FACES_ON, RestingDie, SimulatedDie, corners_mm, support_mm
from device.simulator.table import SimulatedTable
from device.simulator.throw import flat_pose
from engine.dice import Die
from models.painting.design import look_up, place_text
from tests.clock import Clock
from vision.places import Layout, Surveyor, load_packaged
from vision.reading import Reading

NOTHING = Reading(width_px=960, height_px=720, dice=(), unsure=(), elapsed_ms=1.0)


class Mat:
    """A simulated table with a mat, on a clock that only moves when the camera waits."""

    def __init__(self, name: str, seed: int = 3, scale: int = 80) -> None:
        clock = Clock(0.0)
        self.layout: Layout = load_packaged(name)
        self.table = SimulatedTable(
            seed, fps=4, width=4 * scale, height=3 * scale, clock=clock, wait=clock.wait
        )
        self.table.spread(self.layout)
        self.frames: Iterator[Frame] = self.table.frames()

    def rest(self) -> Frame:
        """The first frame after the hand has done all."""
        frame = next(self.frames)
        while self.table.busy:
            frame = next(self.frames)
        return frame

    def lying(self) -> list[tuple[object, str]]:
        """What each die truly shows, and the label of the place that holds it."""
        half = self.layout.mat.width_mm / 2, self.layout.mat.height_mm / 2
        found: list[tuple[object, str]] = []
        for one in self.table.lying:
            place = self.layout.at(one.center_mm[0] + half[0], one.center_mm[1] + half[1])
            found.append((one.die.value, place.label if place else ""))
        return found


@pytest.mark.parametrize("corner", range(4))
def test_a_d4_stands_on_a_face_and_shows_the_corner_that_is_up(corner: int) -> None:
    body = SimulatedDie(number=1, kind="d4", color="ivory", faces=FACES_ON["d4"], edge_mm=19.0)
    pose = flat_pose(body, 10, 20, 0.7, corner)
    heights = np.sort(corners_mm(body, pose)[:, 2])
    assert heights[:3] == pytest.approx([0, 0, 0], abs=0.01)
    assert heights[3] == pytest.approx(19 * np.sqrt(2 / 3), abs=0.01)
    assert float(support_mm(body, pose.turn)) == pytest.approx(19 / np.sqrt(24), abs=0.01)
    assert RestingDie(body=body, pose=pose, how="flat").up == corner + 1


def test_the_number_that_is_up_stands_on_all_faces_in_sight() -> None:
    """Near the upper corner each of the three faces has that corner's numeral, upright towards it."""
    made = design("d4", "ivory", (4, 2, 3, 1), 19.0, 1.3)
    upright = np.flipud(place_text(NUMERALS, "4", 41, (0.0, 0.0), D4_HIGH / 0.4, 0.0))
    corners, line = table_d4.corners_mm(19.0), np.linspace(-0.2, 0.2, 41) * 19.0
    for face in (1, 2, 3):
        normal = -table_d4.CORNERS[face]
        assert made.body.normals[face] == pytest.approx(normal, abs=1e-5)
        middle = np.delete(corners, face, axis=0).mean(axis=0)
        up = (corners[0] - middle) / np.linalg.norm(corners[0] - middle)
        across, along = np.meshgrid(line, line + 0.27 * 19.0)
        there = middle + across[..., None] * np.cross(up, normal) + along[..., None] * up
        (relief,) = look_up((made.relief,), made, face, there.reshape(-1, 3).T.astype(np.float32))
        ink = relief[2].reshape(41, 41)
        assert np.abs(ink - upright).mean() < 0.03
        for other in (upright[::-1], upright[:, ::-1], upright[::-1, ::-1]):
            assert np.abs(ink - other).mean() > 0.1


def test_every_number_of_a_betting_die_is_another_picture() -> None:
    tiles = [mark.mask for mark in marks("bet", FACES_ON["bet"])]
    assert sorted(FACES_ON["bet"]) == [0, 2, 4, 6, 8, 10]
    for index, one in enumerate(tiles):
        assert 0.02 < float(one.mean()) < 0.3
        assert all(float(np.abs(one - other).mean()) > 0.01 for other in tiles[:index])
    assert float(tiles[FACES_ON["bet"].index(0)][44:52, 44:52].mean()) < 0.05  # an open circle


@pytest.mark.long
def test_dice_are_carried_and_stay_for_the_next_throw_of_the_others() -> None:
    mat = Mat("zonk")
    mat.table.lay("pip", 6)
    mat.table.act("throw")
    mat.rest()
    thrown = mat.lying()
    assert [place for _, place in thrown] == ["cast"] * 6
    taken = [Die("pip", value) for value, _ in thrown[:2]]  # type: ignore[arg-type]
    mat.table.carry(taken, "pocket 1")
    mat.rest()
    assert sorted(str(value) for value, place in mat.lying() if place == "pocket 1") == sorted(
        str(die.value) for die in taken
    )
    mat.table.lay("pip", 4)
    mat.table.act("throw")
    mat.rest()
    assert [place for _, place in mat.lying()].count("pocket 1") == 2
    assert [place for _, place in mat.lying()].count("cast") == 4
    mat.table.lay("pip", 6)
    mat.table.act("throw")
    mat.rest()
    assert [place for _, place in mat.lying()] == ["cast"] * 6, "a new turn takes up everything"


def test_what_does_not_lie_there_cannot_be_carried() -> None:
    mat = Mat("zonk")
    with pytest.raises(ValueError, match=r"^No free die shows 3\.$"):
        mat.table.carry([Die("pip", 3)], "pocket 1")
    with pytest.raises(ValueError, match=r"^The mat has no place 'pocket 9'; it has cast, pocket 1,"):
        mat.table.carry([], "pocket 9")
    mat.table.spread(None)
    with pytest.raises(ValueError, match="No mat lies on the simulated table"):
        mat.table.lay_card("fate", "cards")


def test_cards_lie_where_they_were_laid_and_are_read_by_their_tags() -> None:
    mat = Mat("zonk", scale=240)
    surveyor = Surveyor(mat.layout)
    mat.table.lay_card("fate", "cards")
    mat.table.lay_card("aura", "cards")
    _, tags = surveyor.paint_over_tags(mat.rest().picture)
    lying = surveyor.assign_places(NOTHING, tags).cards_lying
    assert dict(lying) == {"fate": 1, "aura": 1}
    mat.table.lay("pip", 6)
    mat.table.act("throw")
    _, tags = surveyor.paint_over_tags(mat.rest().picture)
    assert not surveyor.assign_places(NOTHING, tags).cards_lying


def test_a_four_sided_die_is_thrown_with_the_others() -> None:
    mat = Mat("zonk", seed=8)
    mat.table.lay("pip", 5)
    mat.table.lay_also("d4", 1)
    mat.table.act("throw")
    mat.rest()
    kinds = [one.die.kind for one in mat.table.lying]
    assert sorted(kinds) == ["d4"] + ["pip"] * 5


def test_betting_dice_lie_in_their_seats_places_in_their_colours() -> None:
    mat = Mat("zoinx")
    mat.table.show_bets({1: 4, 2: 0, 3: 10})
    mat.rest()
    assert sorted(mat.lying(), key=str) == [(0, "bet 2"), (10, "bet 3"), (4, "bet 1")]
    assert {one.color for one in mat.table.lying} == {"red", "blue", "green"}
    mat.table.show_bets({1: 2, 2: 6, 3: 8})
    mat.rest()
    assert sorted(mat.lying(), key=str) == [(2, "bet 1"), (6, "bet 2"), (8, "bet 3")]
