"""The owner's dice: what is shown pulls faces that look like it, nothing else; what is worse is not kept."""

import json
from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest

from calibration.arrays import Singles
from models.files import FACES, FINDER
from vision.face_place import FacePlace
from vision.learned.contract import CLASSES, FOREIGN, POSES
from vision.learned.custom_dice import (
    TRUST,
    TRUSTS,
    CustomDice,
    CustomDiceError,
    LessonDie,
    LessonPicture,
    Outcome,
    Score,
    fingerprint,
    learn_faces,
    learn_lessons,
    score,
)
from vision.learned.faces import Face
from vision.learned.networks import Networks
from vision.reading import Reading, SeenDie

FIVE, SIX = CLASSES.index(("pip", 5)), CLASSES.index(("pip", 6))


def numbers(seed: int) -> np.ndarray:
    return np.abs(np.random.default_rng(seed).normal(size=64)).astype(np.float32)


def face(embedding: np.ndarray, best: int = FOREIGN) -> Face:
    chances = np.full(len(CLASSES), 0.2 / (len(CLASSES) - 1), np.float32)
    chances[best] = 0.8
    return Face(
        place=FacePlace(np.zeros(2, np.float32), np.eye(2, dtype=np.float32) * 20),
        heat=0.9,
        off=0.0,
        chances=chances,
        poses=np.eye(len(POSES), dtype=np.float32)[0],
        embedding=embedding,
    )


def taught() -> CustomDice:
    return learn_faces(
        [("one", numbers(1), FIVE), ("one", numbers(2), SIX), ("two", numbers(1) * np.float32(1.02), FIVE)],
        FACES,
    )


def test_a_face_like_one_that_was_shown_is_read_as_that() -> None:
    adapted = taught().adapt(face(numbers(1) * 3))
    assert adapted.best == FIVE
    assert adapted.chances[FIVE] > 0.8
    assert adapted.chances.sum() == pytest.approx(1.0, abs=1e-5)


def test_a_face_like_none_of_them_is_read_as_before() -> None:
    far = np.zeros(64, np.float32)
    far[:2] = 1, 5
    before = face(far)
    assert np.abs(taught().adapt(before).chances - before.chances).max() < 0.01
    assert taught().adapt(before).best == FOREIGN


def test_what_examples_and_network_both_say_is_surer() -> None:
    before = face(numbers(1) + np.float32(0.15) * numbers(7), best=FIVE)
    assert before.chances[FIVE] < 0.95 < taught().adapt(before).chances[FIVE]


def test_many_that_are_half_alike_do_not_outvote_one_that_is_the_very_face() -> None:
    def half_alike(seed: int) -> Singles:
        return np.asarray(numbers(1) + numbers(seed), np.float32)

    many = [("two", half_alike(seed), SIX) for seed in range(10, 40)]
    known = learn_faces([("one", numbers(1), FIVE), *many], FACES)
    assert known.adapt(face(numbers(1))).best == FIVE
    assert known.adapt(face(half_alike(10))).best == SIX


def test_a_face_without_numbers_is_left_alone() -> None:
    before = face(np.zeros(64, np.float32))
    assert taught().adapt(before) is before
    nothing = learn_faces([], FACES)
    assert nothing.adapt(before) is before


def test_a_lesson_can_be_left_out() -> None:
    less = taught().without("one")
    assert len(less) == 1
    assert less.adapt(face(numbers(2))).best == FOREIGN


def test_what_was_learnt_is_the_same_after_writing_it_down() -> None:
    again = CustomDice.from_bytes(taught().to_bytes(), FACES)
    assert np.array_equal(again.embeddings, taught().embeddings)
    assert np.array_equal(again.classes, taught().classes)
    assert again.pictures == ("one", "one", "two")


def test_numbers_of_another_network_are_not_used() -> None:
    content = replace(taught(), network=fingerprint(FINDER)).to_bytes()
    with pytest.raises(CustomDiceError, match="Run `callbox learn` once"):
        CustomDice.from_bytes(content, FACES)


@pytest.mark.parametrize(
    "spoil",
    [
        lambda data: data[:-40],
        lambda data: b"\x80" + data,
        lambda data: data.replace(b'"pip"', b'"pop"'),
        lambda data: data.replace(b'"embeddings": "', b'"embeddings": "!!'),
        lambda data: data.replace(b'"one"', b'"one", "one"', 1),
    ],
)
def test_what_is_spoilt_ends_in_a_sentence(spoil: Callable[[bytes], bytes]) -> None:
    with pytest.raises(CustomDiceError, match="is damaged"):
        CustomDice.from_bytes(spoil(taught().to_bytes()), FACES)


def test_too_much_is_refused() -> None:
    with pytest.raises(ValueError, match="at most 4000"):
        learn_faces([("x", numbers(1), FIVE)] * 4001, FACES)


def reading(*values: int) -> Reading:
    dice = tuple(
        SeenDie(
            kind="pip",
            value=value,
            confidence=0.99,
            color="red",
            center_px=(float(n), 0.0),
            corners_px=((0.0, 0.0),) * 4,
        )
        for n, value in enumerate(values)
    )
    return Reading(width_px=64, height_px=48, dice=dice, unsure=(), elapsed_ms=1.0)


def lesson(name: str, *values: int) -> LessonPicture:
    dice = tuple(LessonDie(kind="pip", value=value) for value in values)
    return LessonPicture(name, np.full((48, 64, 3), 90, np.uint8), dice)


def test_a_score_counts_right_and_wrong() -> None:
    assert score(reading(1, 5, 5), lesson("a", 1, 5, 6)) == Score(dice=3, right=2, wrong=1)


def test_a_die_seen_in_part_may_be_read_as_what_it_shows_and_need_not_be() -> None:
    truth = replace(lesson("a", 1, 5), in_part=(LessonDie(kind="pip", value=3),))
    assert score(reading(1, 5, 3), truth) == score(reading(1, 5), truth) == Score(dice=2, right=2, wrong=0)
    assert score(reading(1, 3, 3), truth) == score(reading(1, 4), truth) == Score(dice=2, right=1, wrong=1)


@pytest.mark.parametrize(
    ("now", "kept"),
    [(Score(10, 9, 0), True), (Score(10, 8, 0), True), (Score(10, 7, 0), False), (Score(10, 10, 1), False)],
)
def test_what_reads_worse_is_not_kept(now: Score, kept: bool) -> None:
    same, before = Score(5, 5, 0), Score(10, 8, 0)
    for lessons, drawn in (((before, now), (same, same)), ((same, same), (before, now))):
        outcome = Outcome(
            known=taught(),
            faces=3,
            lessons_before=lessons[0],
            lessons_after=lessons[1],
            drawn_before=drawn[0],
            drawn_after=drawn[1],
        )
        assert outcome.is_no_worse is kept


def test_each_lesson_is_tried_as_if_it_had_not_been_given() -> None:
    asked: list[tuple[str, ...] | None] = []

    def reads(using: CustomDice | None, picture: np.ndarray) -> Reading:
        asked.append(None if using is None else using.pictures)
        return reading(5)

    steps: list[None] = []
    outcome = learn_lessons(
        [lesson("one", 5)], [lesson("drawn", 6)], taught(), reads, Networks(), lambda: steps.append(None)
    )
    assert asked[0] == ("two",)
    assert asked[1 + len(TRUSTS)] == ("one", "one", "two")
    assert len(asked) == 2 * (1 + len(TRUSTS))
    assert (outcome.lessons_after, outcome.drawn_after) == (Score(1, 1, 0), Score(1, 0, 1))
    assert len(steps) == 2


def test_lessons_that_make_something_worse_are_trusted_less() -> None:
    def reads(using: CustomDice | None, _picture: np.ndarray) -> Reading:
        return reading(6 if using is not None and using.trust > 0.5 else 5)

    outcome = learn_lessons([lesson("one", 5)], [lesson("drawn", 5)], None, reads, Networks())
    assert outcome.is_no_worse
    assert outcome.known.trust == TRUSTS[-1]
    again = CustomDice.from_bytes(outcome.known.to_bytes(), FACES)
    assert again.trust == outcome.known.trust


def test_what_is_trusted_less_changes_less() -> None:
    much, little = taught(), replace(taught(), trust=0.3)
    before = face(numbers(1) * 3)
    assert before.chances[FIVE] < little.adapt(before).chances[FIVE] < much.adapt(before).chances[FIVE]


def test_what_was_kept_before_trust_was_told_is_trusted_as_it_was() -> None:
    told = json.loads(taught().to_bytes())
    del told["trust"]
    assert CustomDice.from_bytes(json.dumps(told).encode(), FACES).trust == TRUST
