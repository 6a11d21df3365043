"""`callbox setup`: the same steps in the terminal."""

from pathlib import Path

import pytest

from device.commands.setup import HELP, Dialogue
from device.panel import digits, drawn
from tests.device.setup.test_walk import Workshop

MOCK = " The pins are mock ones here: only the page presses them."


@pytest.fixture
def talk(tmp_path: Path) -> tuple[Workshop, Dialogue, list[str]]:
    shop, said = Workshop(tmp_path), list[str]()
    shop.show()
    return shop, Dialogue(shop.setting_up, said.append), said


def test_enter_keeps_a_step_and_the_next_one_is_told(talk: tuple[Workshop, Dialogue, list[str]]) -> None:
    _, dialogue, said = talk
    dialogue.refresh()
    assert "  [1] It is good: go on" in said
    said.clear()
    assert dialogue.take("\n")
    assert said[1].startswith("  camera    Camera: edges ")
    assert any(line.startswith("  could be better: No board is seen.") for line in said)


def test_what_was_told_is_not_told_again(talk: tuple[Workshop, Dialogue, list[str]]) -> None:
    shop, dialogue, said = talk
    dialogue.take("panel")
    said.clear()
    shop.setting_up.press("stop")
    dialogue.refresh()
    dialogue.refresh()
    assert said == [f"Press each button once: 7 to go.{MOCK}", "  well stop: STOP was heard."]


def test_what_may_be_done_is_told_again_where_its_number_is_another(
    talk: tuple[Workshop, Dialogue, list[str]],
) -> None:
    _, dialogue, said = talk
    dialogue.take("lights")
    assert "  [4] Leave the others out" in said
    said.clear()
    dialogue.take("")
    assert "  [4] Start over" in said
    assert "  [5] Leave the others out" in said


def test_the_scoreboard_is_drawn_as_it_is_to_be_lit(talk: tuple[Workshop, Dialogue, list[str]]) -> None:
    _, dialogue, said = talk
    dialogue.take("lights")
    for _ in range(12):
        dialogue.take("")
    assert drawn(digits("1-345678")) in said


def test_a_word_that_means_nothing_is_answered_and_q_ends(
    talk: tuple[Workshop, Dialogue, list[str]],
) -> None:
    _, dialogue, said = talk
    for word in ("7", "0", "what", "99999999999999999999", "²"):
        assert dialogue.take(word)
        assert said[-1] == HELP
    assert not dialogue.take("q")
