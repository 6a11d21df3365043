"""What the finder is taught is what its answer is taken for."""

import numpy as np

from models.training.targets import WINDOW_PX, Sample, Sampled, Target, lying_of, windows
from vision.face_place import FacePlace
from vision.learned.contract import find_peaks

DICE = tuple(
    Target(FacePlace(np.array((x, y), np.float32), np.asarray(np.eye(2) * half, np.float32)), 4)
    for x, y, half in ((60, 70, 12), (180, 90, 25), (300, 300, 18), (420, 120, 15))
)


def scene(_: np.random.Generator) -> Sampled:
    """Light squares on a dark table."""
    picture = np.full((400, 500, 3), 60, np.uint8)
    for die in DICE:
        (left, top), (right, bottom) = np.rint(die.place.corners()[[0, 2]]).astype(int)
        picture[top : bottom + 1, left : right + 1] = 220
    return Sampled(picture, DICE)


def test_the_truth_of_a_window_taken_for_an_answer_gives_the_squares_that_it_shows() -> None:
    pictures, truths = windows(scene, 30, np.random.default_rng(5))
    shown = 0
    for picture, truth in zip(pictures, truths, strict=True):
        answer = np.concatenate((truth[:1] * 20 - 10, truth[2:9]))
        for peak in find_peaks(answer, 0.9):
            x, y = np.rint(peak.place.center).astype(int)
            if not (5 <= x < WINDOW_PX - 5 and 5 <= y < WINDOW_PX - 5):
                continue
            shown += 1
            reach = peak.place.half_px
            ahead = round(float(x + 1.5 * reach))
            if ahead < WINDOW_PX:
                inside, outside = picture[:, y, x].mean(), picture[:, y, ahead].mean()
                assert inside != outside
    assert shown > 20


def test_windows_are_the_same_for_the_same_chance() -> None:
    one, other = (windows(scene, 3, np.random.default_rng(9)) for _ in range(2))
    assert (one[0] == other[0]).all()
    assert (one[1] == other[1]).all()


def test_of_a_round_die_no_turn_is_asked() -> None:
    angle = np.arange(8) * np.pi / 4
    outline = np.asarray(np.column_stack((np.cos(angle), np.sin(angle))) * 30 + 50, np.float32)
    assert lying_of(outline, 1.0).fold == 0
    assert not lying_of(outline, 0.2).counts


def one_die_at(x: float, y: float) -> Sample:
    """A plain picture as large as a window, with a die there."""
    place = FacePlace(np.array((x, y), np.float32), np.asarray(np.eye(2) * 14, np.float32))
    plain = np.full((WINDOW_PX, WINDOW_PX, 3), 60, np.uint8)
    return lambda _: Sampled(plain, [Target(place, 4)])


def test_a_middle_between_two_places_is_as_hot_as_one_on_a_place() -> None:
    seen = 0
    for shift in np.linspace(0, 4, 9):
        _, (truth,) = windows(one_die_at(90 + shift, 90 + shift / 2), 1, np.random.default_rng(1))
        rows, columns = np.nonzero(truth[0] == 1)
        if len(rows):  # else the window shows another part of the picture
            seen += 1
            away = np.hypot(truth[2][rows, columns], truth[3][rows, columns])
            assert away.min() < 0.75
            assert 1 <= len(rows) <= 4
    assert seen > 4


def test_an_upright_picture_mostly_stays_upright() -> None:
    def kept(upright: bool) -> float:
        """The share of windows of a picture, light above and dark below, whose sides are as light as each
        other."""
        picture = np.full((WINDOW_PX, WINDOW_PX, 3), 200, np.uint8)
        picture[WINDOW_PX // 2 :] = 40
        pictures, _ = windows(lambda _: Sampled(picture, [], upright), 60, np.random.default_rng(2))
        halves = pictures.mean(axis=1).reshape(60, 2, -1, WINDOW_PX).mean(axis=(2, 3))
        sides = pictures.mean(axis=1).reshape(60, WINDOW_PX, 2, -1).mean(axis=(1, 3))
        along = np.abs(halves[:, 0] - halves[:, 1]) > np.abs(sides[:, 0] - sides[:, 1])
        return float(along.mean())

    assert kept(upright=True) > 0.75
    assert kept(upright=False) < 0.65
