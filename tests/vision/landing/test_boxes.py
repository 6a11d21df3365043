"""Boxes in a picture."""

from vision.landing.find import Box, grouped


def test_boxes_that_nearly_touch_share_a_group_and_chains_are_followed() -> None:
    row: list[Box] = [(0, 0, 10, 10), (40, 0, 50, 10), (13, 0, 37, 10), (0, 90, 10, 99)]
    found = sorted((box, sorted(members)) for box, members in grouped(row, 4, 100))
    assert found == [((0, 0, 50, 10), [0, 1, 2]), ((0, 90, 10, 99), [3])]


def test_no_group_grows_longer_than_it_may() -> None:
    row: list[Box] = [(at, 0, at + 10, 10) for at in range(0, 100, 12)]
    assert all(box[2] - box[0] < 40 for box, _ in grouped(row, 4, 40))
    assert sorted(at for _, members in grouped(row, 4, 40) for at in members) == list(range(len(row)))
