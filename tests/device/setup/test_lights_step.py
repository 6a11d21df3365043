"""Lamps, status lamp and scoreboard are lit one after the other, and people say what they see."""

from pathlib import Path

import pytest

from device.config import parse
from device.panel import Trial, digits
from device.setup import SetupWizard, StepView, open_steps
from device.setup.lights_step import LightsStep


class Panel:
    """A panel that writes down what was tried on it."""

    def __init__(self, settings: str = "", *, mock: bool = False) -> None:
        config = parse(settings)
        self.tried: list[Trial | None] = []
        self.step = LightsStep(config.panel, config.scoreboard, self.tried.append, mock=mock)

    @property
    def lit(self) -> Trial | None:
        self.step.view()
        return self.tried[-1]

    @property
    def acts(self) -> list[str]:
        return [each.name for each in self.step.view().acts]

    def say_yes_until(self, question: str) -> None:
        """Say yes to all that is lit before a question."""
        while question not in self.step.view().say:
            assert "yes" in self.acts
            self.step.do("yes")


def test_each_lamp_is_lit_alone_and_named_with_its_pin() -> None:
    panel, lamps = Panel(), list[str]()
    while "status lamp" not in panel.step.view().say:
        assert panel.lit is not None
        lamps += panel.lit.lamps
        panel.step.do("yes")
    assert tuple(lamps) == tuple(parse("").panel.lamps.fitted())
    panel.step.do("again")
    assert panel.step.view().say == "Is the lamp of BET 1 (pin 18) lit now, and no other?"
    assert [lamp.name for lamp in panel.step.view().lamps if lamp.lit] == ["bet1"]


def test_the_status_lamp_shows_one_colour_after_the_other() -> None:
    panel = Panel()
    panel.say_yes_until("status lamp")
    shown = []
    for colour in ("red", "green", "blue"):
        assert panel.lit is not None
        assert panel.lit.lamps == ()
        shown.append(panel.lit.status)
        assert [lamp.colour for lamp in panel.step.view().lamps if lamp.lit] == [colour]
        panel.step.do("yes")
    assert shown == ["trouble", "ready", "starting"]


def test_the_board_is_tried_whole_and_then_by_rows_that_tell_themselves_apart() -> None:
    panel = Panel("[scoreboard]\nmodules = 2")
    panel.say_yes_until("every segment")
    assert panel.step.view().rows == ((255,) * 8,) * 2
    panel.step.do("yes")
    assert panel.step.view().rows == (digits("1-345678"), digits("2-345678"))
    assert "wrong" in panel.acts, "rows may be mixed up where there are two"


def test_brightness_and_side_are_tried_at_once_and_told_as_the_settings_want_them() -> None:
    panel = Panel("[scoreboard]\nbrightness = 14")
    panel.say_yes_until("1-345678")
    assert panel.lit is not None
    assert (panel.lit.brightness, panel.lit.mirrored) == (14, True)
    panel.step.do("brighter")
    panel.step.do("mirror")
    assert (panel.lit.brightness, panel.lit.mirrored) == (15, False)
    assert "brighter" not in panel.acts
    panel.step.do("yes")
    (line,) = (line for line in panel.step.view().lines if line.fix)
    assert line.fix == '[scoreboard]\nbrightness = 15\ndigit_0 = "left"'


def test_what_stays_dark_is_told_with_the_setting_and_the_others_go_on() -> None:
    panel = Panel()
    panel.step.do("dark")
    panel.step.do("other")
    dark, other = panel.step.view().lines
    assert (dark.name, dark.verdict) == ("BET 1", "fail")
    assert "panel.lamps.bet1 = 18" in dark.text
    assert "wires are swapped" in other.text
    panel.say_yes_until("All that is fitted")
    assert panel.step.do("keep") == "11 of 13 lights well"


def test_bare_digits_have_no_brightness_and_only_the_digits_there_are() -> None:
    panel = Panel(
        '[panel.buttons]\ncache = "none"\n[panel.lamps]\ncache = "none"\n[scoreboard]\nkind = "digits"\n'
    )
    panel.say_yes_until("1-345678")
    assert panel.step.view().rows == ((*digits("1-34"), 0, 0, 0, 0),)
    assert {"brighter", "dimmer", "mirror"}.isdisjoint(panel.acts)


def test_a_box_without_lamps_and_board_goes_on_at_once() -> None:
    off = "\n".join(f'{name} = "none"' for name in parse("").panel.lamps.fitted())
    status = 'red = "none"\ngreen = "none"\nblue = "none"'
    panel = Panel(f'[panel.lamps]\n{off}\n[panel.status]\n{status}\n[scoreboard]\nkind = "none"')
    assert panel.acts == ["keep"]
    assert panel.step.do("keep") == "no lamps, no board"


def test_leaving_the_step_gives_the_lights_back() -> None:
    panel = Panel()
    assert panel.lit is not None
    panel.step.leave()
    assert panel.tried[-1] is None
    panel.say_yes_until("All that is fitted")
    assert panel.tried[-1] is None


@pytest.mark.parametrize("mock", [True, False])
def test_on_mock_pins_it_is_said_that_what_would_be_lit_is_shown(mock: bool) -> None:
    assert ["The pins are mock ones here" in hint.text for hint in Panel(mock=mock).step.view().hints] == (
        [True] if mock else []
    )


def test_the_set_up_lights_what_its_step_shows(tmp_path: Path) -> None:
    tried: list[Trial | None] = []
    setting_up = SetupWizard(
        lambda: open_steps(parse(""), tmp_path, mock=True, light=tried.append),
        tmp_path,
        newest=lambda: None,
        playing=lambda: False,
        mock_pins=True,
    )
    shown: StepView = setting_up.open("lights")
    assert tried[-1] == Trial(lamps=("bet1",))
    assert [lamp.name for lamp in shown.lamps if lamp.lit] == ["bet1"]
    setting_up.open("settings")
    assert tried[-1] is None
