"""The step in which lamps and scoreboard are lit one after the other, and people say whether they are."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from device.doctor import Finding
from device.panel import STATUS_TRIED, PrimaryColour, Rows, Trial, counted, every_segment
from device.setup.step import KEEP, PanelLamp, SetupStep, StepAction, StepView
from device.wiring import PanelConfig, ScoreboardConfig, label
from engine.wording import phrase, phrase_later

COLOURS: Mapping[PrimaryColour, str] = {
    "red": phrase_later("red"),
    "green": phrase_later("green"),
    "blue": phrase_later("blue"),
}
BRIGHTEST = 15
STAYS_DARK = phrase_later(
    "stays dark: look at its wires and its resistor, and at {key} = {pin} in the settings"
)
OTHER_GLOWS = phrase_later(
    "another one is lit: two wires are swapped, or {key} = {pin} in the settings is another one's pin"
)


@dataclass(frozen=True, slots=True)
class Fault:
    """What people may answer when a light is not as it should be."""

    act: str
    text: str
    remedy: str
    """What to mend."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LightTest:
    """One thing that is lit alone, what people are asked of it, and what may be wrong with it."""

    name: str
    question: str
    trial: Trial
    faults: tuple[Fault, ...]
    adjusts: tuple[StepAction, ...] = ()
    """Acts that change how the board shows it."""
    colour: PrimaryColour | None = None
    """The status lamp's."""


class LightsStep(SetupStep):
    """Each lamp, each colour of the status lamp, then the scoreboard."""

    title = phrase_later("Lamps and board")

    def __init__(
        self,
        panel: PanelConfig,
        board: ScoreboardConfig,
        light: Callable[[Trial | None], None],
        *,
        mock: bool,
    ) -> None:
        """`light` lights what is tried for some seconds, or no more; `mock`: there are no real pins."""
        self._panel, self._board, self._light, self._mock = panel, board, light, mock
        self._answers: dict[str, Finding] = {}
        """What people said, by the name of the light."""
        self._brightness = board.brightness
        self._mirrored = board.digit_0 == "right"

    def leave(self) -> None:
        """What is lit is the game's again."""
        self._light(None)

    def view(self) -> StepView:
        """What is lit now, for as long as somebody looks, and what was said of the others."""
        tests = self._tests()
        test = next((each for each in tests if each.name not in self._answers), None)
        self._light(test.trial if test is not None else None)
        if test is None:
            return self._last_view(tests)
        hint = phrase("The pins are mock ones here: what is shown is what would be lit.")
        return StepView(
            say=test.question,
            hints=(Finding("pins", "not here", hint),) if self._mock else (),
            lines=(*(line for line in self._answers.values() if line.verdict != "ok"), *self._to_write()),
            acts=tuple(self._acts(test)),
            taken=len(self._answers),
            wanted=len(tests),
            lamps=tuple(self._lamps(test)),
            rows=test.trial.rows,
        )

    def do(self, act: str) -> str:
        """What people say of what is lit; another brightness; "keep" ends the step."""
        tests = self._tests()
        test = next((each for each in tests if each.name not in self._answers), None)
        if act == KEEP:
            return self._figure(len(tests))
        if act == "again":
            self._answers.clear()
        elif act in ("brighter", "dimmer"):
            step = 1 if act == "brighter" else -1
            self._brightness = min(BRIGHTEST, max(0, self._brightness + step))
        elif act == "mirror":
            self._mirrored = not self._mirrored
        elif test is not None:
            wrong = next((each.remedy for each in test.faults if each.act == act), None)
            text = phrase("as it should") if wrong is None else wrong
            self._answers[test.name] = Finding(test.name, "ok" if wrong is None else "fail", text)
        return ""

    def _last_view(self, tests: Sequence[LightTest]) -> StepView:
        say = phrase("All that is fitted was lit.")
        if not tests:
            say = phrase("No lamps and no board are fitted: the console shows all they would.")
        again = (StepAction("again", phrase("Start over")),) if tests else ()
        return StepView(
            say=say,
            lines=(*self._answers.values(), *self._to_write()),
            acts=(*again, StepAction(KEEP, phrase("Go on"), main=True)),
        )

    def _tests(self) -> Sequence[LightTest]:
        """All that is fitted, in the order in which it is lit."""
        status = self._panel.status.fitted()
        tests = [self._lamp_test(name, pin) for name, pin in self._panel.lamps.fitted().items()]
        tests += [self._status_test(colour, status[colour]) for colour, _ in STATUS_TRIED if status]
        return tests if self._board.kind == "none" else [*tests, self._segments_test(), self._digits_test()]

    def _lamp_test(self, name: str, pin: int) -> LightTest:
        return LightTest(
            name=label(name),
            question=phrase(
                "Is the lamp of {button} (pin {pin}) lit now, and no other?", button=label(name), pin=pin
            ),
            trial=Trial(lamps=(name,)),
            faults=_lamp_faults(f"panel.lamps.{name}", pin),
        )

    def _status_test(self, colour: PrimaryColour, pin: int) -> LightTest:
        words = phrase(COLOURS[colour])
        return LightTest(
            name=phrase("status lamp, {colour}", colour=words),
            question=phrase("Does the status lamp show {colour} now (pin {pin})?", colour=words, pin=pin),
            trial=Trial(status=dict(STATUS_TRIED)[colour]),
            faults=_lamp_faults(f"panel.status.{colour}", pin),
            colour=colour,
        )

    def _segments_test(self) -> LightTest:
        some = phrase("some stay dark: where a whole row does, look at the wires to that module")
        dark = phrase("stays dark: look at its plug; callbox doctor says whether SPI is there")
        return LightTest(
            name=phrase("board, segments"),
            question=phrase("Is every segment of the board lit now, and every point?"),
            trial=self._board_trial(every_segment(self._rows)),
            faults=(
                Fault("some", phrase("No: some stay dark"), some),
                Fault("dark", phrase("No: it stays dark"), dark),
            ),
        )

    def _digits_test(self) -> LightTest:
        head = phrase("stands on its head: turn the modules round, the settings have no turn for that")
        faults, adjusts = [Fault("head", phrase("It stands on its head"), head)], list[StepAction]()
        mixed = phrase("mixed up: the top row is the module nearest to the Pi; digits go by their pins")
        if self._board.kind != "max7219":
            faults.append(Fault("wrong", phrase("No: the digits are mixed up"), mixed))
        else:
            if self._rows > 1:
                faults.append(Fault("wrong", phrase("The rows are mixed up"), mixed))
            adjusts.append(StepAction("mirror", phrase("It runs from right to left: turn it")))
            if self._brightness < BRIGHTEST:
                adjusts.append(StepAction("brighter", phrase("Brighter")))
            if self._brightness > 0:
                adjusts.append(StepAction("dimmer", phrase("Dimmer")))
        return LightTest(
            name=phrase("board, digits"),
            question=phrase(
                "Does the board read 1-345678 from left to right (and below it, where it has two rows, "
                "2-345678)?"
            ),
            trial=self._board_trial(counted(self._rows)),
            faults=tuple(faults),
            adjusts=tuple(adjusts),
        )

    @property
    def _rows(self) -> int:
        return self._board.modules if self._board.kind == "max7219" else 1

    def _board_trial(self, rows: Rows) -> Trial:
        """Bare digits may be fewer than a row has: the others stay dark."""
        if self._board.kind == "digits":
            there = len(self._board.digit_pins)
            rows = tuple((*row[:there], *(0,) * (len(row) - there)) for row in rows)
        return Trial(rows=rows, brightness=self._brightness, mirrored=self._mirrored)

    def _acts(self, test: LightTest) -> Iterator[StepAction]:
        yield StepAction("yes", phrase("Yes"), main=True)
        yield from (StepAction(each.act, each.text) for each in test.faults)
        yield from test.adjusts
        if self._answers:
            yield StepAction("again", phrase("Start over"))
        yield StepAction(KEEP, phrase("Leave the others out"))

    def _lamps(self, test: LightTest) -> Iterator[PanelLamp]:
        """All lamps, and which of them is lit."""
        for name in self._panel.lamps.fitted():
            yield PanelLamp(name, label(name), name in test.trial.lamps)
        if self._panel.status.fitted():
            lit = test.colour is not None
            yield PanelLamp("status", phrase("status lamp"), lit, test.colour or "")

    def _to_write(self) -> tuple[Finding, ...]:
        """What was adjusted here, as the settings want it."""
        wanted = {
            "brightness": (self._board.brightness, self._brightness),
            "digit_0": (f'"{self._board.digit_0}"', '"right"' if self._mirrored else '"left"'),
        }
        changed = [f"{key} = {new}" for key, (old, new) in wanted.items() if new != old]
        if not changed:
            return ()
        text = phrase("is so until this step is left; to keep it, write this into the settings file")
        fix = "\n".join(("[scoreboard]", *changed))
        return (Finding(phrase("board"), "warn", text, fix),)

    def _figure(self, count: int) -> str:
        if not count:
            return phrase("no lamps, no board")
        well = sum(line.verdict == "ok" for line in self._answers.values())
        return phrase("{well} of {all} lights well", well=well, all=count)


def _lamp_faults(key: str, pin: int) -> tuple[Fault, ...]:
    """`key` is the setting that names the lamp's pin."""
    return (
        Fault("dark", phrase("No: it stays dark"), phrase(STAYS_DARK, key=key, pin=pin)),
        Fault("other", phrase("No: another one is lit"), phrase(OTHER_GLOWS, key=key, pin=pin)),
    )
