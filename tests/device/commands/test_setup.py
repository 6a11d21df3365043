"""`callbox setup`: the same steps in the terminal."""

from pathlib import Path

import pytest

from device.commands.setup import HELP, Dialogue
from tests.device.setup.test_walk import Workshop

MOCK = " The pins are mock ones here: only the page presses them."


@pytest.fixture
def talk(tmp_path: Path) -> tuple[Workshop, Dialogue, list[str]]:
    shop, said = Workshop(tmp_path), list[str]()
    shop.show()
    return shop, Dialogue(shop.setting_up, said.append), said


def test_enter_keeps_a_step_and_the_next_one_is_told(talk: tuple[Workshop, Dialogue, list[str]]) -> None:
    _, dialogue, said = talk
    dialogue.look()
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
    dialogue.look()
    dialogue.look()
    assert said == [f"Press each button once: 7 to go.{MOCK}", "  well stop: STOP was heard."]


def test_a_word_that_means_nothing_is_answered_and_q_ends(
    talk: tuple[Workshop, Dialogue, list[str]],
) -> None:
    _, dialogue, said = talk
    for word in ("7", "0", "what", "99999999999999999999", "²"):
        assert dialogue.take(word)
        assert said[-1] == HELP
    assert not dialogue.take("q")
