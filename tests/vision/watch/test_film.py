"""The watch, the reader and the throws on a real film: a camera in the hand, two dice, six throws."""

import json
from collections.abc import Iterator
from pathlib import Path

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from vision.reader import Reader
from vision.reading import Reading
from vision.watch.throws import Rest, Throws
from vision.watch.watch import FrameState, Watch, WatchSettings

FOLDER = Path(__file__).parents[3].parent / "shared" / "photos" / "wetzler_video"
FILM = FOLDER / "dice_video_1.mp4"
FPS = 30
THROWS = [(1, 4), (3, 5), (1, 5), (1, 2), (2, 4), (1, 1)]

pytestmark = pytest.mark.skipif(
    not FILM.exists(),
    reason=f"the film {FILM.name} is not beside this checkout, in ../shared/photos/wetzler_video",
)


def pictures() -> Iterator[NDArray[np.uint8]]:
    """The film's frames."""
    film = cv2.VideoCapture(str(FILM))
    while True:
        good, picture = film.read()
        if not good:
            return
        yield np.asarray(picture, np.uint8)


def watched(throws: Throws | None = None) -> tuple[list[FrameState], list[Rest], int]:
    """All looks, all rests told, and how many pictures were read."""
    watch = Watch(WatchSettings(hand_held=True, frozen_after_ms=None))
    reader, looks, rests, reads = Reader(), [], [], 0

    for number, picture in enumerate(pictures()):
        looks.append(watch.see(picture, number * 1000 / FPS))

        def read(picture: NDArray[np.uint8] = picture) -> Reading:
            nonlocal reads
            reads += 1
            return reader.read(picture)

        rest = throws.see(looks[-1], read) if throws else None
        if rest is not None:
            rests.append(rest)
    return looks, rests, reads


@pytest.mark.long
def test_six_rests_are_six_scenes_each_settled_while_the_dice_lie() -> None:
    looks, _, _ = watched()
    assert len(looks) == 197
    spans = json.loads((FOLDER / "videos.json").read_text())[0]["rest"]
    settled = [(number, look.scene) for number, look in enumerate(looks) if look.settled]
    for scene, span in enumerate(spans, start=1):
        own = [number for number, its_scene in settled if its_scene == scene]
        assert own
        assert span["from"] <= min(own)
        assert max(own) <= span["to"]
    assert looks[-1].scene == len(spans)
    assert {look.trouble for look in looks} == {""}


@pytest.mark.long
def test_the_film_holds_six_throws_each_once_and_nothing_else() -> None:
    _, rests, reads = watched(Throws())
    assert [tuple(sorted(int(die.value) for die in rest.reading.dice)) for rest in rests] == THROWS
    assert [rest.change for rest in rests] == ["found"] + ["thrown"] * 5
    assert all(rest.sure for rest in rests)
    assert reads <= 5 * len(THROWS), "a still table is not read again"
