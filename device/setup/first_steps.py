"""The steps that need no calibration: how the picture is, the panel, the settings, the doctor."""

from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

from calibration.arrays import Picture
from calibration.fit import Brightness, blur_of, burnt_spot, light_of
from device.cameras import Frame
from device.cameras.locking import NONE
from device.config import Config
from device.doctor import CHECK_BROKE_OFF, SOFT_PX, WIDE, Finding
from device.languages import LANGUAGES
from device.setup.step import KEEP, NotNow, SetupStep, StepAction, StepView
from device.wiring import label
from engine.wording import phrase, phrase_later, told_number

# What a picture says of light and lens, in words for whoever moves the lamp and turns the lens.

MOST_BURNT = 0.02
"""The share of burnt pixels that a picture may have."""
DARK_GREY = 40.0
"""A picture whose mean grey is below this is mostly noise."""
DIM_GREY = 60.0
"""Below this it can be read, and more light is better."""
LEAST_GLARE = 0.0004
"""A burnt spot of this share of the picture hides a die's mark: of 1280 x 960 pixels some 22 x 22."""
PLACES = (
    (phrase_later("at the top left"), phrase_later("at the top"), phrase_later("at the top right")),
    (phrase_later("in the middle left"), phrase_later("in the middle"), phrase_later("in the middle right")),
    (phrase_later("at the bottom left"), phrase_later("at the bottom"), phrase_later("at the bottom right")),
)
"""Places of a picture, by rows and columns."""


def hints_of(picture: Picture) -> tuple[Finding, ...]:
    """What is to be said of a picture's light, glare and sharpness, each in a sentence."""
    light = light_of(picture)
    return (_exposure(light), _glare(picture, light), _sharpness(picture, light))


def edge_px(picture: Picture) -> float:
    """How wide the sharpest edges look, pixels; 0 where nothing has an edge that could be sharp."""
    return WIDE * blur_of(picture)


def _exposure(light: Brightness) -> Finding:
    grey = phrase("mean grey {grey} of 255", grey=f"{light.mean_grey:.0f}")
    if light.mean_grey < DARK_GREY:
        text = phrase("Too dark ({grey}): more light, or a longer exposure.", grey=grey)
        return Finding("light", "fail", text)
    if light.burnt_share > MOST_BURNT:
        text = phrase(
            "Too bright: {share} % of the picture is burnt out. Dim the light.",
            share=f"{100 * light.burnt_share:.0f}",
        )
        return Finding("light", "fail", text)
    if light.mean_grey < DIM_GREY:
        text = phrase("A little dark ({grey}): a second lamp would help.", grey=grey)
        return Finding("light", "warn", text)
    return Finding("light", "ok", phrase("Bright enough ({grey}).", grey=grey))


def _glare(picture: Picture, light: Brightness) -> Finding:
    """What the largest burnt spot asks for."""
    spot = burnt_spot(picture)
    if spot is None or spot.area < LEAST_GLARE:
        return Finding("glare", "ok", phrase("No lamp mirrors in it."))
    where = phrase(PLACES[int(3 * spot.down)][int(3 * spot.across)])
    if light.burnt_share > MOST_BURNT:
        return Finding("glare", "warn", phrase("Burnt out, most of all {where}.", where=where))
    text = phrase("A lamp mirrors {where}: move it to the side, or soften it.", where=where)
    return Finding("glare", "warn", text)


def _sharpness(picture: Picture, light: Brightness) -> Finding:
    wide_px = edge_px(picture)
    if wide_px == 0 and light.mean_grey < DARK_GREY:
        text = phrase("Nothing in it has an edge that could be sharp: more light, then lay a die there.")
        return Finding("sharpness", "warn", text)
    if wide_px == 0:
        text = phrase("Nothing in it has an edge that could be sharp: lay a die there.")
        return Finding("sharpness", "warn", text)
    wide = told_number(wide_px, ".1f")
    if wide_px > WIDE * SOFT_PX:
        text = phrase(
            "Blurred: its sharpest edges are {wide} px wide. Turn the lens; below 5 px is well.", wide=wide
        )
        return Finding("sharpness", "fail", text)
    return Finding("sharpness", "ok", phrase("Sharp: its sharpest edges are {wide} px wide.", wide=wide))


NO_PICTURE = phrase_later("No picture has come yet. The doctor below names the cause.")


class PictureStep(SetupStep):
    """Sharpness, light and glare of the picture that is watched."""

    title = phrase_later("Camera")

    def __init__(self) -> None:
        self._frame: Frame | None = None
        self._hints: tuple[Finding, ...] = ()

    def take_frame(self, frame: Frame) -> None:
        """Look at light, glare and edges."""
        self._frame = frame
        remark = (Finding("camera", "warn", frame.remark),) if frame.remark else ()
        self._hints = (*hints_of(frame.picture), *remark)

    def view(self) -> StepView:
        """Hints, and the one press that notes them down."""
        if self._frame is None:
            return StepView(say=phrase(NO_PICTURE))
        poor = any(each.verdict != "ok" for each in self._hints)
        hang = phrase("Hang the camera straight above the table, and lay a few dice down.")
        say = phrase("Something could be better yet.") if poor else phrase("The picture is good.")
        text = phrase("Leave it so all the same") if poor else phrase("It is good: go on")
        return StepView(say=f"{hang} {say}", hints=self._hints, acts=(StepAction(KEEP, text, main=True),))

    def do(self, act: str) -> str:  # noqa: ARG002 - there is but one
        """Note down how the picture is."""
        if self._frame is None:
            raise NotNow(phrase(NO_PICTURE))
        picture = self._frame.picture
        wide_px, grey = edge_px(picture), light_of(picture).mean_grey
        if not wide_px:
            return phrase("nothing with an edge in it, mean grey {grey}", grey=f"{grey:.0f}")
        return phrase(
            "edges {wide} px wide, mean grey {grey}", wide=told_number(wide_px, ".1f"), grey=f"{grey:.0f}"
        )


class PanelStep(SetupStep):
    """Each button is pressed once."""

    title = phrase_later("Buttons")

    def __init__(self, buttons: Sequence[str], *, mock: bool) -> None:
        """`buttons`: those that are fitted. `mock`: pins that only a page presses."""
        self._buttons = tuple(buttons)
        self._mock = mock
        self._pressed: set[str] = set()

    def enter(self) -> None:
        """Each has to be pressed anew: it is now that they have to work."""
        self._pressed.clear()

    def press(self, button: str) -> None:
        """A button went down."""
        self._pressed.add(button)

    def view(self) -> StepView:
        """Each button, and whether it was heard."""
        if not self._buttons:
            say = phrase("No buttons are fitted: the console's are played with.")
            return StepView(say=say, acts=(StepAction(KEEP, phrase("Go on"), main=True),))
        lines = tuple(
            Finding(name, "ok", phrase("{button} was heard.", button=label(name)))
            if name in self._pressed
            else Finding(name, "warn", phrase("Press {button}.", button=label(name)))
            for name in self._buttons
        )
        missing = len([line for line in lines if line.verdict != "ok"])
        say = phrase("All buttons work.")
        if missing:
            say = phrase("Press each button once: {count} to go.", count=missing)
        if self._mock:
            say += " " + phrase("The pins are mock ones here: only the page presses them.")
        text = phrase("Leave the others out") if missing else phrase("Go on")
        return StepView(say=say, lines=lines, acts=(StepAction(KEEP, text, main=not missing),))

    def do(self, act: str) -> str:  # noqa: ARG002 - there is but one
        """Note down how many were heard."""
        heard = len(self._pressed.intersection(self._buttons))
        if not self._buttons:
            return phrase("no buttons")
        return phrase("{heard} of {all} buttons", heard=heard, all=len(self._buttons))


class SettingsStep(SetupStep):
    """What the box is set to, and what to write where it is to be otherwise."""

    title = phrase_later("Settings")

    def __init__(self, config: Config, file: str, folder: Path) -> None:
        """`file` is the owner's own, "" where there is none; `folder` holds the data."""
        self._config, self._file, self._folder = config, file, folder

    def view(self) -> StepView:
        """The settings in force."""
        lines = settings_lines(self._config, self._file, self._folder)
        say = phrase("This is what the box goes by.")
        if any(line.fix for line in lines):
            say += " " + phrase("Set what is marked on the page Settings, then restart the box.")
        return StepView(say=say, lines=lines, acts=(StepAction(KEEP, phrase("Go on"), main=True),))

    def do(self, act: str) -> str:  # noqa: ARG002 - there is but one
        """Note down that they were looked at."""
        open_ones = len([line for line in self.view().lines if line.fix])
        if not open_ones:
            return phrase("as they are to be")
        return phrase("{count} to be written", count=open_ones)


def settings_lines(config: Config, file: str, folder: Path) -> tuple[Finding, ...]:
    """The settings in force. `file` is the owner's own, "" where there is none; `folder` holds the data.

    What the set-up made, and no setting names yet, stands there with the line to write.
    """
    at = config.camera
    size = phrase(
        "{width} x {height}, {fps} pictures a second", width=at.width_px, height=at.height_px, fps=at.fps
    )
    source = phrase("simulated") if at.spec == "table" else at.spec
    own = file or phrase("none: all is as it is shipped. Yours would be /etc/callbox/callbox.toml.")
    pins = phrase("{count} on pins", count=len(config.panel.buttons.fitted()))
    return (
        Finding(phrase("settings file"), "ok", own),
        Finding(phrase("language"), "ok", LANGUAGES[config.language]),
        Finding(phrase("camera"), "ok", f"{source}: {size}"),
        Finding(phrase("table"), "ok", f"{config.people.table}; {_read_words(config)}"),
        Finding(phrase("buttons"), "ok", pins),
        _named(phrase("lock"), "[camera] lock", at.lock, folder / "lock.json"),
        _named("End Zone", "[landing] calibration", config.landing.calibration, folder / "table.json"),
        Finding(phrase("data"), "ok", str(folder)),
    )


def _read_words(config: Config) -> str:
    if config.table.reads == "at_rest":
        return phrase("dice are read as soon as they lie still")
    return phrase("dice are read when ROLL DONE is pressed")


def _named(name: str, key: str, named: str, made: Path) -> Finding:
    """A file that a setting names, or could."""
    table, _, word = key.partition(" ")
    if named != NONE:
        return Finding(name, "ok", named)
    if not made.exists():
        return Finding(name, "not here", f'{key} = "none"')
    return Finding(
        name, "warn", phrase("{file} is there and not used.", file=made), f'{table}\n{word} = "{made}"'
    )


class DoctorStep(SetupStep):
    """What the doctor says, as one list."""

    title = phrase_later("Doctor")

    def __init__(self, examine: Callable[[], Iterable[Finding] | None]) -> None:
        """`examine` asks the doctor, which takes some seconds; None where that did not come to its end."""
        self._examine = examine
        self._findings: tuple[Finding, ...] = ()

    def view(self) -> StepView:
        """The findings: what is to be mended first."""
        again = phrase("Ask the doctor again") if self._findings else phrase("Ask the doctor")
        ask = StepAction("ask", again, main=True)
        if not self._findings:
            say = phrase("The doctor looks at the whole box; that takes some seconds.")
            return StepView(say=say, acts=(ask,))
        order = ("fail", "warn", "ok", "not here")
        lines = tuple(sorted(self._findings, key=lambda each: order.index(each.verdict)))
        acts = (StepAction("ask", ask.text), StepAction(KEEP, phrase("Done"), main=True))
        failed = any(each.verdict == "fail" for each in self._findings)
        cure = " " + phrase("Fix the first that failed, then check again.") if failed else ""
        return StepView(say=f"{self._counted()}.{cure}", lines=lines, acts=acts)

    def do(self, act: str) -> str:
        """Ask, or note down what was found."""
        if act == "ask":
            found = self._examine()
            if found is None:
                raise NotNow(phrase(CHECK_BROKE_OFF))
            self._findings = tuple(found)
            return ""
        return self._counted()

    def _counted(self) -> str:
        verdicts = [each.verdict for each in self._findings]
        return phrase(
            "{failed} failed, {warned} could be better, {well} fine",
            failed=verdicts.count("fail"),
            warned=verdicts.count("warn"),
            well=verdicts.count("ok"),
        )
