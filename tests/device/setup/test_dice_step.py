"""Dice of each kind are thrown in the set-up: read, called right or wrong, or left out."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import pytest

from calibration.arrays import Picture
from device.cameras import Frame
from device.journal import lessons_path
from device.lessons import Lessons
from device.lessons.known_dice import known_dice
from device.setup import dice_step
from device.setup.dice_step import ADVICE, GLARE_SHARE, SIGNS, DiceStep, ThrowingBench, advice_for
from device.setup.step import NotNow
from device.simulator.table import SimulatedTable
from engine.dice import DieKind
from models.files import ModelError
from tests.device.setup.test_light import table
from vision.learned.custom_dice import LessonDie
from vision.reading import DiceChoice, Reading, SeenDie, UnsureDie
from vision.watch import Watch, WatchSettings

EDGE_PX = 48.0
VISION = Path(__file__).parents[3] / "vision"


def die(kind: DieKind, value: object, x: float = 300, edge_px: float = EDGE_PX) -> SeenDie:
    half = edge_px / 2
    corners = ((x - half, 200.0), (x + half, 200.0), (x + half, 200 + edge_px), (x - half, 200 + edge_px))
    return SeenDie(
        kind=kind,
        value=value,  # type: ignore[arg-type] # the kinds' faces differ in type
        confidence=0.98,
        color="ivory",
        center_px=(x, 200 + half),
        corners_px=corners,
    )


def reading(*found: SeenDie | UnsureDie) -> Reading:
    return Reading(
        width_px=1280,
        height_px=960,
        dice=tuple(each for each in found if isinstance(each, SeenDie)),
        unsure=tuple(each for each in found if isinstance(each, UnsureDie)),
        elapsed_ms=1,
    )


@dataclass
class Thrower:
    """A table whose readings are told beforehand; it stands for camera, reader, hand and lessons."""

    seen: Reading = field(default_factory=reading)
    asked: list[DiceChoice] = field(default_factory=list)
    thrown: list[tuple[DieKind, int]] = field(default_factory=list)
    sharp: list[bool] = field(default_factory=list)
    taught: list[Sequence[LessonDie]] = field(default_factory=list)
    broken: str = ""
    kinds: Sequence[DieKind] = ("pip", "zoinx")
    _time_ms: float = 0.0
    _picture: Picture = field(default_factory=table)

    def __post_init__(self) -> None:
        self.step = DiceStep(
            ThrowingBench(
                open_reader=self.open_reader,
                open_watch=lambda: Watch(WatchSettings(frozen_after_ms=None)),
                kinds={kind: (kind.upper(),) for kind in self.kinds},
                sharpen=self.sharp.append,
                throw=lambda kind, count: self.thrown.append((kind, count)),
                learn=self.learn,
            )
        )
        self.step.enter()

    def open_reader(self) -> "Thrower":
        if self.broken:
            raise ModelError(self.broken)
        return self

    def read(self, picture: Picture, dice: DiceChoice = "auto", sharp: Picture | None = None) -> Reading:
        assert picture.ndim == 3
        assert sharp is None
        self.asked.append(dice)
        return self.seen

    def learn(self, picture: Picture, dice: Sequence[LessonDie]) -> str:
        assert picture.ndim == 3
        self.taught.append(dice)
        return "Learnt."

    def lie(self, *found: SeenDie | UnsureDie) -> None:
        """Dice come to rest elsewhere than others did."""
        self.seen = reading(*found)
        self._picture = np.ascontiguousarray(self._picture[:, ::-1])
        self.look(times=3)

    def look(self, times: int = 1) -> None:
        for _ in range(times):
            self._time_ms += 500
            self.step.take_frame(Frame(picture=self._picture, time_ms=self._time_ms, name="a"))

    @property
    def acts(self) -> list[str]:
        return [each.name for each in self.step.view().acts]

    def said(self) -> list[str]:
        return [each.text for each in self.step.view().hints]


def test_dice_are_read_as_the_kind_that_was_asked_for_and_drawn_with_how_sure_it_is() -> None:
    box = Thrower()
    assert box.thrown == [("pip", 5)]
    assert "yes" not in box.acts
    box.lie(die("pip", 3), die("pip", 5, 500))
    face = box.step.view()
    assert set(box.asked) == {"pip"}
    assert (
        face.say == "Throw five or six dice with pips where the camera sees them. For PIP. Is all read right?"
    )
    assert box.said() == ["Read: 3 and 5. The least sure of them is right 98 times of 100."]
    assert [(mark.kind, mark.label) for mark in face.marks] == [("die", "3: 98 %"), ("die", "5: 98 %")]
    assert face.acts[0].name == "yes"
    assert face.acts[0].main


def test_every_kind_read_right_or_left_out_ends_the_step_with_its_figure() -> None:
    box = Thrower(kinds=("pip", "zoinx", "d4"))
    with pytest.raises(NotNow, match="Not every kind"):
        box.step.do("keep")
    box.lie(die("pip", 3), die("pip", 5, 500))
    assert box.step.do("yes") == ""
    assert box.thrown[-1] == ("zoinx", 4)
    box.lie(die("zoinx", "dot"))
    box.step.do("yes")
    box.step.do("skip")
    assert box.acts == ["again", "keep"]
    verdicts = [(line.verdict, line.text) for line in box.step.view().lines]
    assert verdicts == [("ok", "2 of 2 read right"), ("ok", "1 of 1 read right"), ("not here", "left out")]
    assert box.step.do("keep") == "dice with pips 2 of 2, Zoinx dice 1 of 1, one kind left out"


def test_while_something_is_unsure_nobody_is_asked_to_say_yes() -> None:
    box = Thrower()
    box.lie(die("pip", 3), UnsureDie(center_px=(700, 200), reason="cocked"))
    face = box.step.view()
    assert "yes" not in box.acts
    assert "wrong" in box.acts
    assert face.hints[-1].verdict == "fail"
    assert face.hints[-1].text == "Die 1 leans: it has to lie flat. Throw it again."
    assert [mark.label for mark in face.marks] == ["3: 98 %", "1?"]


def test_nothing_at_all_is_told_with_what_to_do() -> None:
    box = Thrower()
    box.lie()
    assert box.said()[0].startswith("No dice are seen.")
    assert box.acts == ["throw", "skip"]


def test_dice_that_are_small_in_the_picture_are_told_with_the_size_they_need() -> None:
    box = Thrower()
    box.lie(die("pip", 3, edge_px=27))
    assert box.said()[1].startswith("They are 27 px wide in the picture; with 32 px they are read better.")


def test_a_lamp_that_mirrors_on_a_die_is_told_before_any_other_reason() -> None:
    picture = table().copy()
    unsure = UnsureDie(center_px=(300, 200), reason="its face does not show clearly")
    side = int(np.ceil(EDGE_PX * np.sqrt(2 * GLARE_SHARE)))
    plain = advice_for(picture, unsure, EDGE_PX, 2)
    picture[200 : 200 + side // 2, 300 : 300 + side] = 255
    assert plain == "Die 2 does not show its face clearly: more light, or a sharper picture."
    assert advice_for(picture, unsure, EDGE_PX, 2).startswith("A lamp mirrors on die 2")


def test_every_reason_that_has_an_advice_is_one_that_vision_gives() -> None:
    written = "".join(path.read_text(encoding="utf-8") for path in VISION.rglob("*.py"))
    assert [reason for reason in ADVICE if f'phrase_later("{reason}")' not in written] == []


def test_what_is_wrong_is_said_die_by_die_and_may_be_learnt() -> None:
    box = Thrower()
    box.lie(die("pip", 3), die("pip", 5, 500), UnsureDie(center_px=(700, 224), reason="half hidden"))
    box.step.do("wrong")
    assert box.step.view().say.startswith("What does die 1 of 3 show")
    assert [mark.kind for mark in box.step.view().marks] == ["board", "taken", "taken"]
    box.step.do("face 3")
    box.step.do("face 6")
    box.look()  # the dice still lie there: what was said is not lost
    box.step.do("face -")
    assert box.step.view().say.startswith("1 of 2 were read right.")
    assert box.acts == ["learn", "leave", "throw", "skip"]
    box.step.do("learn")
    ((first, second),) = box.taught
    assert (first.value, second.value) == (3, 6)
    assert second.corners_px == die("pip", 5, 500).corners_px
    assert box.step.view().say == "Learnt. Throw them again to see it."
    box.step.do("leave")
    assert box.step.view().lines[0].text == "1 of 2 read right"


def test_dice_that_are_moved_while_they_are_corrected_are_read_anew() -> None:
    box = Thrower()
    box.lie(die("pip", 3))
    box.step.do("wrong")
    box.lie(die("pip", 4))
    assert box.step.view().hints[0].text.startswith("Read: 4.")


def test_the_camera_is_asked_for_sharper_pictures_while_something_is_unsure_and_not_for_ever() -> None:
    box = Thrower()
    box.lie(UnsureDie(center_px=(700, 224), reason="half hidden"))
    assert box.sharp[-1]
    box.look(times=6)
    assert not box.sharp[-1]
    box.step.leave()
    assert not box.sharp[-1]


def test_a_network_that_is_missing_is_a_sentence() -> None:
    box = Thrower(broken="faces.onnx is missing")
    box.lie(die("pip", 3))
    assert box.said()[-1] == "faces.onnx is missing"


def test_dice_that_were_called_right_are_not_read_again_for_the_next_kind() -> None:
    box = Thrower()
    box.lie(die("pip", 3))
    box.step.do("yes")
    asked = list(box.asked)
    box.look(times=2)
    assert box.asked == asked
    assert box.said() == ["I read them as soon as they lie still."]
    box.lie(die("zoinx", "dot"))
    assert box.asked[-1] == "zoinx"


def test_beginning_anew_forgets_what_was_said() -> None:
    box = Thrower()
    box.step.do("skip")
    box.step.do("again")
    assert [line.text for line in box.step.view().lines] == ["not thrown yet", "not thrown yet"]
    assert box.thrown[-1] == ("pip", 5)


class Clock:
    """The simulated table's own time: a wait passes it."""

    now_ms = 0.0

    def wait(self, ms: float) -> None:
        self.now_ms += ms


@pytest.fixture
def simulated() -> tuple[SimulatedTable, Clock]:
    clock = Clock()
    return SimulatedTable(seed=3, fps=2, clock=lambda: clock.now_ms, wait=clock.wait), clock


@pytest.mark.long
def test_the_simulated_table_throws_each_kind_and_the_boxs_reader_reads_it(
    simulated: tuple[SimulatedTable, Clock], tmp_path: Path
) -> None:
    camera, _ = simulated
    said: list[str] = []
    step = DiceStep(dice_step.open_bench(tmp_path, camera, None, said.append))
    step.enter()
    for frame in camera.frames():
        step.take_frame(frame)
        if "yes" in {act.name for act in step.view().acts}:
            truth = sorted(SIGNS.get(str(each.die.value), str(each.die.value)) for each in camera.lying)
            assert sorted(mark.label.split(":")[0] for mark in step.view().marks) == truth
            step.do("yes")
        if "keep" in {act.name for act in step.view().acts}:
            break
    figure = step.do("keep")
    assert figure == "dice with pips 5 of 5, Zoinx dice 4 of 4, bet dice 4 of 4, four-sided dice 1 of 1"
    assert said == []


@pytest.mark.long
def test_what_is_learnt_is_kept_for_the_next_start(
    simulated: tuple[SimulatedTable, Clock], tmp_path: Path
) -> None:
    camera, _ = simulated
    step = DiceStep(dice_step.open_bench(tmp_path, camera, None, lambda _text: None))
    step.enter()
    for frame in camera.frames():
        step.take_frame(frame)
        if "wrong" in {act.name for act in step.view().acts}:
            break
    step.do("wrong")
    for each in camera.lying:
        step.do(f"face {each.die.value}")
    step.do("learn")
    assert "Learnt: of the 5 dice that you showed, 5 are read right now" in step.view().say
    assert len(Lessons(lessons_path(tmp_path)).all()) == 1
    assert known_dice(tmp_path, print) is not None
