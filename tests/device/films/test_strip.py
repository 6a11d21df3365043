"""The strip: a fixed amount of the newest motion, and how a film is made of it."""

import pytest

from device.films.filming import LEAST_REST, MOST_BYTES, MOST_RATE, MOST_SHOTS, FilmPicture, Strip, cut_of


def shots_at(*times_ms: float, size: int = 10) -> tuple[FilmPicture, ...]:
    return tuple(FilmPicture(time_ms=time_ms, jpeg=bytes(size)) for time_ms in times_ms)


def test_the_newest_shots_are_kept_and_no_more_than_there_is_room_for() -> None:
    strip = Strip()
    for shot in shots_at(*(50.0 * number for number in range(3 * MOST_SHOTS))):
        strip.add(shot)
    assert strip.size == 10 * MOST_SHOTS
    kept = strip.cut()
    assert [kept[0].time_ms, kept[-1].time_ms] == [50.0 * 2 * MOST_SHOTS, 50.0 * (3 * MOST_SHOTS - 1)]
    assert len(kept) == MOST_SHOTS


def test_large_pictures_take_no_more_memory_than_small_ones() -> None:
    """A camera may have many pixels, and a table a pattern: then there are fewer of them."""
    strip = Strip()
    for shot in shots_at(*range(20), size=MOST_BYTES // 4):
        strip.add(shot)
        assert strip.size <= MOST_BYTES
    assert [shot.time_ms for shot in strip.cut()] == [16, 17, 18, 19]


def test_what_was_cut_out_is_not_there_a_second_time() -> None:
    strip = Strip()
    strip.add(shots_at(0.0)[0])
    assert len(strip.cut()) == 1
    assert (strip.cut(), strip.size) == ((), 0)


@pytest.mark.parametrize(("step_ms", "rate"), [(50.0, 20), (66.7, 15), (200.0, 5), (1000.0, 1), (10.0, 20)])
def test_a_film_is_as_fast_as_its_camera_was(step_ms: float, rate: int) -> None:
    cut = cut_of(shots_at(*(step_ms * number for number in range(9))))
    assert (cut.rate, set(cut.counts)) == (rate, {1})
    assert cut.rest >= LEAST_REST


def test_a_picture_that_is_missing_is_filled_and_a_pause_is_left_out() -> None:
    cut = cut_of(shots_at(0, 50, 100, 200, 250, 5000, 5050))
    assert (cut.rate, cut.counts) == (20, (1, 1, 2, 1, 1, 1, 1))


@pytest.mark.parametrize("times_ms", [(0.0,), (7.0, 7.0), (300.0, 200.0, 100.0)])
def test_times_that_say_nothing_make_a_film_all_the_same(times_ms: tuple[float, ...]) -> None:
    cut = cut_of(shots_at(*times_ms))
    assert 1 <= cut.rate <= MOST_RATE
    assert cut.counts == (1,) * len(times_ms)


def test_a_throw_lets_go_what_moved_before_it_and_keeps_what_came_after() -> None:
    """A hand that took dice up is in no film of the next throw; one that nudged a die after it is."""
    strip = Strip()

    def moves(*times_ms: float) -> None:
        for shot in shots_at(*times_ms):
            strip.add(shot)

    moves(0, 50)
    strip.rest(thrown=False)
    moves(1000, 1050, 1100)
    strip.rest(thrown=True)
    moves(2000)
    strip.rest(thrown=False)
    assert [shot.time_ms for shot in strip.cut()] == [1000, 1050, 1100, 2000]
    assert strip.size == 0


def test_what_was_pushed_out_of_the_strip_is_not_let_go_twice() -> None:
    strip = Strip()
    for shot in shots_at(*range(MOST_SHOTS)):
        strip.add(shot)
    strip.rest(thrown=False)
    for shot in shots_at(*range(1000, 1000 + MOST_SHOTS - 1)):
        strip.add(shot)
    strip.rest(thrown=True)
    assert [shot.time_ms for shot in strip.cut()] == list(range(1000, 1000 + MOST_SHOTS - 1))
