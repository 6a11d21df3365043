"""The step in which lamps and scoreboard are lit one after the other, and people say whether they are."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

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
    "another one glows: two wires are swapped, or {key} = {pin} in the settings is another one's pin"
)


@dataclass(frozen=True, slots=True)
class TriedLight:
    """One thing that is lit alone."""

    kind: Literal["lamp", "status", "segments", "digits"]
    name: str = ""
    """Which lamp, or which colour."""
    pin: int = 0


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
        self._board, self._light, self._mock = board, light, mock
        self._all = tuple(_lights(panel, board))
        self._status = bool(panel.status.fitted())
        self._lamps = tuple(panel.lamps.fitted())
        self._said: dict[TriedLight, Finding] = {}
        self._brightness = board.brightness
        self._mirrored = board.digit_0 == "right"

    def leave(self) -> None:
        """What is lit is the game's again."""
        self._light(None)

    def view(self) -> StepView:
        """What is lit now, for as long as somebody looks, and what was said of the others."""
        tried = self._tried
        if tried is None:
            self._light(None)
            return self._through((*self._said.values(), *self._to_write()))
        trial = self._trial(tried)
        self._light(trial)
        return StepView(
            say=self._question(tried),
            hints=_mock_hint() if self._mock else (),
            lines=(*(line for line in self._said.values() if line.verdict != "ok"), *self._to_write()),
            acts=tuple(self._acts(tried)),
            taken=len(self._said),
            wanted=len(self._all),
            lamps=tuple(self._show_lamps(tried)),
            rows=trial.rows,
        )

    def do(self, act: str) -> str:
        """What people say of what is lit; another brightness; "keep" ends the step."""
        tried = self._tried
        if act == KEEP:
            return self._figure()
        if act == "again":
            self._said.clear()
        elif act in ("brighter", "dimmer"):
            step = 1 if act == "brighter" else -1
            self._brightness = min(BRIGHTEST, max(0, self._brightness + step))
        elif act == "mirror":
            self._mirrored = not self._mirrored
        elif tried is not None:
            self._said[tried] = self._describe_light(tried, act)
        return ""

    @property
    def _tried(self) -> TriedLight | None:
        """What is lit now; None when everything was."""
        return next((each for each in self._all if each not in self._said), None)

    @property
    def _adjusts(self) -> bool:
        """Whether the scoreboard can be made brighter, and turned."""
        return self._board.kind == "max7219"

    def _through(self, lines: tuple[Finding, ...]) -> StepView:
        say = phrase("All that is fitted was lit.")
        if not self._all:
            say = phrase("No lamps and no board are fitted: the console shows all they would.")
        again = (StepAction("again", phrase("Begin anew")),) if self._all else ()
        return StepView(say=say, lines=lines, acts=(*again, StepAction(KEEP, phrase("Go on"), main=True)))

    def _trial(self, tried: TriedLight) -> Trial:
        match tried.kind:
            case "lamp":
                return Trial(lamps=(tried.name,))
            case "status":
                return Trial(status=next(status for colour, status in STATUS_TRIED if colour == tried.name))
            case "segments" | "digits":
                make = every_segment if tried.kind == "segments" else counted
                return Trial(
                    rows=self._cut(make(self._rows)), brightness=self._brightness, mirrored=self._mirrored
                )

    @property
    def _rows(self) -> int:
        return self._board.modules if self._board.kind == "max7219" else 1

    def _cut(self, rows: Rows) -> Rows:
        """Bare digits may be fewer than a row has: the others stay dark."""
        if self._board.kind != "digits":
            return rows
        there = len(self._board.digit_pins)
        return tuple((*row[:there], *(0,) * (len(row) - there)) for row in rows)

    def _question(self, tried: TriedLight) -> str:
        match tried.kind:
            case "lamp":
                return phrase(
                    "Does the lamp of {button} (pin {pin}) glow now, and no other?",
                    button=label(tried.name),
                    pin=tried.pin,
                )
            case "status":
                return phrase(
                    "Does the status lamp glow {colour} now (pin {pin})?",
                    colour=phrase(COLOURS[_colour(tried)]),
                    pin=tried.pin,
                )
            case "segments":
                return phrase("Does every segment of the board glow now, and every point?")
            case "digits":
                return phrase(
                    "Does the board read 1-345678 from left to right (and below it, where it has two rows, "
                    "2-345678)?"
                )

    def _acts(self, tried: TriedLight) -> Sequence[StepAction]:
        acts = [StepAction("yes", phrase("Yes"), main=True)]
        match tried.kind:
            case "lamp" | "status":
                acts.append(StepAction("dark", phrase("No: it stays dark")))
                acts.append(StepAction("other", phrase("No: another one glows")))
            case "segments":
                acts.append(StepAction("some", phrase("No: some stay dark")))
                acts.append(StepAction("dark", phrase("No: it stays dark")))
            case "digits":
                acts.append(StepAction("head", phrase("It stands on its head")))
                acts += self._board_acts()
        if self._said:
            acts.append(StepAction("again", phrase("Begin anew")))
        acts.append(StepAction(KEEP, phrase("Leave the others out")))
        return acts

    def _board_acts(self) -> Sequence[StepAction]:
        if not self._adjusts:
            return [StepAction("wrong", phrase("No: the digits are mixed up"))]
        acts = [StepAction("mirror", phrase("It runs from right to left: turn it"))]
        if self._rows > 1:
            acts.append(StepAction("wrong", phrase("The rows are mixed up")))
        if self._brightness < BRIGHTEST:
            acts.append(StepAction("brighter", phrase("Brighter")))
        if self._brightness > 0:
            acts.append(StepAction("dimmer", phrase("Dimmer")))
        return acts

    def _show_lamps(self, tried: TriedLight) -> Sequence[PanelLamp]:
        """All lamps, and which of them is lit."""
        lamps = [PanelLamp(name, label(name), tried.name == name) for name in self._lamps]
        if self._status:
            colour = tried.name if tried.kind == "status" else ""
            lamps.append(PanelLamp("status", phrase("status lamp"), bool(colour), colour))
        return lamps

    def _describe_light(self, tried: TriedLight, act: str) -> Finding:
        """What was said of a light, and what is to be mended."""
        name = self._name(tried)
        if act == "yes":
            return Finding(name, "ok", phrase("as it should"))
        key = f"panel.{'lamps' if tried.kind == 'lamp' else 'status'}.{tried.name}"
        if tried.kind in ("lamp", "status"):
            wrong = OTHER_GLOWS if act == "other" else STAYS_DARK
            text = phrase(wrong, key=key, pin=tried.pin)
        elif act == "dark":
            text = phrase("stays dark: look at its plug; callbox doctor says whether SPI is there")
        elif act == "some":
            text = phrase("some stay dark: where a whole row does, look at the wires to that module")
        elif act == "head":
            text = phrase("stands on its head: turn the modules round, the settings have no turn for that")
        else:
            text = phrase("mixed up: the top row is the module nearest to the Pi; digits go by their pins")
        return Finding(name, "fail", text)

    def _name(self, tried: TriedLight) -> str:
        match tried.kind:
            case "lamp":
                return label(tried.name)
            case "status":
                return phrase("status lamp, {colour}", colour=phrase(COLOURS[_colour(tried)]))
            case "segments":
                return phrase("board, segments")
            case "digits":
                return phrase("board, digits")

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

    def _figure(self) -> str:
        if not self._all:
            return phrase("no lamps, no board")
        well = [tried for tried, line in self._said.items() if line.verdict == "ok"]
        return phrase("{well} of {all} lights well", well=len(well), all=len(self._all))


def _mock_hint() -> tuple[Finding, ...]:
    text = phrase("The pins are mock ones here: what is shown is what would be lit.")
    return (Finding("pins", "not here", text),)


def _lights(panel: PanelConfig, board: ScoreboardConfig) -> Sequence[TriedLight]:
    """All that is fitted, in the order in which it is lit."""
    status = panel.status.fitted()
    lights = [TriedLight("lamp", name, pin) for name, pin in panel.lamps.fitted().items()]
    lights += [TriedLight("status", colour, status[colour]) for colour, _ in STATUS_TRIED if status]
    if board.kind != "none":
        lights += [TriedLight("segments"), TriedLight("digits")]
    return lights


def _colour(tried: TriedLight) -> PrimaryColour:
    return next(colour for colour, _ in STATUS_TRIED if colour == tried.name)
