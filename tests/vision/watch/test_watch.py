"""The watch on drawn scenes: stillness, light, noise, hands, lamps, troubles."""

from itertools import pairwise

import numpy as np
import pytest

from tests.tiers import short
from tests.vision.watch.stage import Arm, Cube, Session, Stage, gradient, soft_shadow, states
from vision.watch.watch import Watch, WatchSettings

DICE = (Cube(200, 150, 5), Cube(320, 260, 2, 60), Cube(450, 180, 6, 75))
SLEEVES = {
    "skin": (120, 150, 205),
    "grey glove": (60, 60, 60),
    "shadow-coloured sleeve": (30, 55, 20),
    "light sleeve": (140, 140, 140),
    "black sleeve": (20, 20, 20),
}


def at_rest(stage: Stage, settings: WatchSettings | None = None, fps: float = 20.0) -> Session:
    """A session that has settled in its first scene."""
    session = Session(Watch(settings), fps)
    session.show(stage, 600)
    assert session.last.settled
    assert session.last.scene == 1
    return session


def quiet(session: Session, stage: Stage, span_ms: float) -> bool:
    """Whether nothing at all is noticed for a while."""
    looks = session.show(stage, span_ms)
    return states(looks) == {"still"} and all(look.settled for look in looks) and session.last.scene == 1


@pytest.mark.parametrize("fps", short([15.0, 20.0, 30.0]))
def test_dice_already_on_the_table_settle_after_the_still_span(fps: float) -> None:
    session = Session(Watch(), fps)
    looks = session.show(Stage(DICE), 600)
    first = next(look for look in looks if look.settled)
    assert 95 <= first.time_ms - looks[0].time_ms <= 95 + 1000 / fps
    assert [look.scene for look in looks if not look.settled] == [0] * looks.index(first)
    assert first.still_since_ms == looks[0].time_ms


@pytest.mark.long
@pytest.mark.parametrize("noise", short([12, 0.5, 2, 6]))
def test_noise_is_no_motion_and_hides_no_change(noise: float) -> None:
    session = at_rest(Stage(DICE, noise=noise))
    assert quiet(session, Stage(DICE, noise=noise), 3000)
    turned = (*DICE[:2], Cube(450, 180, 5, 75))
    session.show(Stage(turned, noise=noise), 400)
    assert session.last.scene == 2
    nudged = (Cube(206, 150, 5), *turned[1:])
    session.show(Stage(nudged, noise=noise), 400)
    assert session.last.scene == 3


@pytest.mark.long
def test_noise_that_grows_is_learned() -> None:
    session = at_rest(Stage(DICE, noise=1))
    session.show(Stage(DICE, noise=10), 2000)
    assert quiet(session, Stage(DICE, noise=10), 1000)


@pytest.mark.parametrize(
    "light",
    [1.5, 0.3, 2.2, gradient(0.6, 1.7)],
    ids=["lamp on", "lamp off", "over the top", "lamp from the side"],
)
def test_a_step_of_light_is_no_scene(light: float) -> None:
    session = at_rest(Stage(DICE))
    session.show(Stage(DICE, light=light), 600)
    assert session.last.settled
    assert session.last.scene == 1
    assert not session.last.hand_since_scene
    session.show(Stage((*DICE[:2], Cube(470, 300, 6, 10)), light=light), 400)
    assert session.last.scene == 2


@pytest.mark.long
def test_a_slow_drift_of_light_is_not_noticed() -> None:
    session = at_rest(Stage(DICE))
    looks = session.play(lambda part: Stage(DICE, light=1 - part / 2), 5000)
    assert states(looks) == {"still"}
    assert session.last.scene == 1


@pytest.mark.long
def test_the_soft_shadow_of_somebody_passing_is_not_noticed() -> None:
    session = at_rest(Stage(DICE))
    looks = session.play(lambda part: Stage(DICE, light=soft_shadow(-300 + 1240 * part)), 2000)
    assert states(looks) == {"still"}


def test_a_hard_shadow_is_no_scene() -> None:
    session = at_rest(Stage(DICE))
    session.play(lambda part: Stage(DICE, light=soft_shadow(-300 + 1240 * part, 0.5, 40)), 2000)
    session.show(Stage(DICE), 400)
    assert session.last.settled
    assert session.last.scene == 1


@pytest.mark.long
@pytest.mark.parametrize("color", short(SLEEVES.values()), ids=SLEEVES)
def test_a_hand_is_a_hand_however_still_and_whatever_it_wears(color: tuple[int, int, int]) -> None:
    session = at_rest(Stage(DICE))
    session.play(lambda part: Stage(DICE, arm=Arm(320, 480 - 250 * part, color=color)), 500)
    looks = session.show(Stage(DICE, arm=Arm(320, 230, color=color)), 4000)
    assert states(looks) == {"hand"}
    assert not any(look.settled for look in looks)
    assert session.last.hand_since_scene
    session.play(lambda part: Stage(DICE, arm=Arm(320, 230 + 260 * part, color=color)), 500)
    session.show(Stage(DICE), 400)
    assert session.last.settled
    assert session.last.scene == 1, "a hand that only pointed leaves the arrangement"


def test_a_finger_is_a_hand_too_and_a_die_at_the_border_is_none() -> None:
    session = at_rest(Stage(DICE))
    assert states(session.show(Stage(DICE, arm=Arm(320, 330, width=30)), 1000)) == {"hand"}
    session = at_rest(Stage(DICE))
    looks = session.show(Stage((*DICE, Cube(300, 470, 3))), 1000)
    assert "hand" not in states(looks)


def test_a_hand_that_moves_a_die_makes_a_scene_with_a_hand_before_it() -> None:
    session = at_rest(Stage(DICE))
    session.show(Stage(DICE, arm=Arm(320, 230)), 300)
    moved = (DICE[0], Cube(330, 262, 2, 66), DICE[2])
    session.show(Stage(moved, arm=Arm(320, 230)), 300)
    session.show(Stage(moved), 400)
    assert session.last.scene == 2
    assert session.last.hand_before_scene
    assert not session.last.hand_since_scene


def test_starting_with_a_hand_in_the_picture_waits_for_it_to_leave() -> None:
    session = Session()
    looks = session.show(Stage(DICE, arm=Arm(320, 230)), 3000)
    assert states(looks) == {"hand"}
    session.show(Stage(DICE), 400)
    assert session.last.settled
    assert session.last.scene == 1
    assert session.last.hand_before_scene


def test_what_never_moves_becomes_table_and_may_leave_again() -> None:
    session = Session(Watch(WatchSettings(suspect_ms=1500)))
    book = Arm(320, 230, color=(40, 40, 160))
    session.show(Stage(DICE, arm=book), 2500)
    assert session.last.settled
    assert session.last.scene == 1
    session.show(Stage(DICE), 400)
    assert session.last.settled, "its leaving is no hand's coming"
    assert session.last.scene == 2


@pytest.mark.long
def test_a_book_laid_down_is_waited_for_and_then_accepted() -> None:
    session = at_rest(Stage(DICE), WatchSettings(absorb_ms=2000))
    book = Stage(DICE, arm=Arm(320, 230, color=(40, 40, 160)))
    assert states(session.show(book, 1800)) == {"hand"}
    session.show(book, 1000)
    assert session.last.settled
    assert states(session.show(Stage(DICE, arm=Arm(150, 200)), 500)) != {"still"}


def test_what_is_too_broad_for_a_hand_is_soon_the_table() -> None:
    session = at_rest(Stage(DICE))
    mat = Stage(DICE, arm=Arm(320, -60, width=300, color=(40, 40, 160)))
    assert states(session.show(mat, 1000)) == {"hand"}
    session.show(mat, 1000)
    assert session.last.settled


def test_a_table_that_is_learnt_anew_may_have_changed() -> None:
    session = at_rest(Stage(DICE))
    changed = Stage(DICE, arm=Arm(320, 230, color=(40, 40, 160)))
    session.watch.learn_anew()
    session.show(changed, 2000)
    assert session.last.settled
    assert states(session.show(Stage(DICE, arm=Arm(150, 200)), 500)) == {"hand"}, "a hand is one all the same"
    scene = session.last.scene
    session.watch.learn_anew()
    session.show(Stage(DICE), 400)
    assert session.last.settled
    assert session.last.scene == scene + 1, "it is a scene of its own"


def test_people_may_say_that_it_is_no_hand() -> None:
    session = at_rest(Stage(DICE))
    book = Stage(DICE, arm=Arm(320, 230, color=(40, 40, 160)))
    assert states(session.show(book, 1000)) == {"hand"}
    session.watch.take_for_table()
    session.show(book, 300)
    assert session.last.settled
    assert states(session.show(Stage(DICE, arm=Arm(150, 200)), 500)) != {"still"}


def test_a_throw_is_one_scene_and_none_while_a_die_still_rolls() -> None:
    session = at_rest(Stage())
    rolling = [Stage((Cube(100 + 30 * i, 150 + 12 * i, 1 + i % 6, 37.0 * i),)) for i in range(10)]
    looks = [session.frame(stage) for stage in rolling]
    assert {look.scene for look in looks} == {1}
    session.show(rolling[-1], 600)
    assert session.last.scene == 2
    assert session.last.tumbled_ms >= 400
    assert not session.last.hand_before_scene


def test_a_die_that_rocks_slowly_is_not_read() -> None:
    session = at_rest(Stage(), fps=30.0)
    # A tenth of a pixel a frame: from one look to the next it could pass for a die at rest.
    looks = session.play(lambda part: Stage((Cube(300 + 3 * part, 200, 4, 20 + 1.5 * part),)), 1000)
    assert not any(look.settled for look in looks[1:])


@pytest.mark.long
def test_a_lamp_blinking_on_the_rim_is_nothing_and_one_on_the_felt_is_learned() -> None:
    session = at_rest(Stage(DICE, lamp_on=False))
    looks = session.play(lambda part: Stage(DICE, lamp_on=int(part * 10) % 2 == 0), 5000)
    assert states(looks) == {"still"}
    assert session.last.scene == 1
    inside = [(*DICE, Cube(560, 400, 1, 0, 10, color)) for color in ((60, 60, 255), (20, 20, 60))]
    session.play(lambda part: Stage(inside[int(part * 30) % 2]), 15_000)
    scene = session.last.scene
    looks = session.play(lambda part: Stage(inside[int(part * 10) % 2]), 5000)
    assert states(looks) == {"still"}
    assert session.last.scene == scene


def test_a_pushed_camera_has_no_hand_and_a_shaken_one_no_new_scene() -> None:
    session = at_rest(Stage(DICE))
    session.show(Stage(DICE, shift=(2, 1)), 400)
    assert session.last.scene == 1
    session.show(Stage(DICE, shift=(14, 6)), 600)
    assert session.last.settled
    assert session.last.scene == 1


def test_black_frozen_and_overexposed_pictures_are_named_and_pass() -> None:
    session = at_rest(Stage(DICE))
    session.show(Stage(DICE, light=0.01), 600)
    assert session.last.trouble == "black"
    assert not session.last.settled
    session.show(Stage(DICE), 400)
    assert (session.last.trouble, session.last.settled, session.last.scene) == ("", True, 1)
    frozen = Stage(DICE, seed=5).picture()
    looks = [session.watch.see(frozen, 10_000 + 100 * i) for i in range(30)]
    assert [looks[at].trouble for at in (14, 15)] == ["", "frozen"]
    assert looks[-1].trouble == "frozen"
    assert not looks[-1].settled
    bright = session.watch.see(np.full((480, 640, 3), 254, np.uint8), 20_000)
    assert bright.trouble == "over-exposed"


def test_a_film_may_stand_still_to_the_bit() -> None:
    watch = Watch(WatchSettings(frozen_after_ms=None))
    picture = Stage(DICE).picture()
    looks = [watch.see(picture, 100.0 * i) for i in range(100)]
    assert {look.trouble for look in looks} == {""}
    assert looks[-1].settled


@pytest.mark.parametrize("shape", [(1, 1), (2, 3000), (9, 9), (37, 1100), (960, 1280), (1281, 700)])
@pytest.mark.parametrize("hand_held", [False, True])
def test_pictures_of_any_size_are_watched(shape: tuple[int, int], hand_held: bool) -> None:
    watch = Watch(WatchSettings(hand_held=hand_held, frozen_after_ms=None))
    rng = np.random.default_rng(1)
    for i in range(8):
        look = watch.see(rng.integers(90, 110, (*shape, 3), np.uint8), 100.0 * i)
    assert look.scene in (0, 1)
    other = watch.see(rng.integers(90, 110, (48, 64, 3), np.uint8), 900.0)
    assert not other.settled


def test_what_is_no_picture_is_refused() -> None:
    for wrong in (
        np.zeros((48, 64), np.uint8),
        np.zeros((0, 64, 3), np.uint8),
        np.zeros((4, 4, 3), np.uint16),
    ):
        with pytest.raises(ValueError, match="height x width x 3"):
            Watch().see(wrong, 0.0)  # type: ignore[arg-type]


def test_wrong_settings_die_at_birth() -> None:
    for wrong in ({"still_ms": 10}, {"frozen_after_ms": 1}, {"suspect_ms": 0}, {"absorb_ms": -1}):
        with pytest.raises(ValueError, match="milliseconds"):
            WatchSettings(**wrong)  # type: ignore[arg-type]


def test_the_watch_is_deterministic_and_forgets_when_time_jumps_back() -> None:
    once, again = at_rest(Stage(DICE)), at_rest(Stage(DICE))
    assert once.looks == again.looks
    back = once.watch.see(Stage(DICE).picture(), 0.0)
    assert not back.settled
    assert all(a.time_ms < b.time_ms for a, b in pairwise(once.looks))
