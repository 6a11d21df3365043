"""The steps that need no calibration: how the picture is, the panel, the settings, the doctor."""

from collections.abc import Callable, Iterable, Sequence

from calibration.fit import light_of
from device.cameras import Frame
from device.doctor import Finding
from device.setup.light import edge_px, hints_of
from device.setup.shown import HintShown, LineShown, PressShown
from device.setup.step import NotNow, StepView
from device.wiring import label

NO_PICTURE = "No picture has come yet. The doctor below names the cause."
KEEP = "keep"


class QuietStep:
    """What most steps do when they are opened, left, shown a picture or a press: nothing."""

    def enter(self) -> None:
        """Nothing has to be made ready."""

    def leave(self) -> None:
        """Nothing is held."""

    def see(self, frame: Frame) -> None:
        """Pictures say nothing here."""

    def press(self, button: str) -> None:
        """Buttons say nothing here."""


class PictureStep(QuietStep):
    """Sharpness, light and glare of the picture that is watched."""

    title = "Camera"

    def __init__(self) -> None:
        self._frame: Frame | None = None
        self._hints: tuple[HintShown, ...] = ()

    def see(self, frame: Frame) -> None:
        """Look at light, glare and edges."""
        self._frame = frame
        remark = (HintShown("camera", "warn", frame.remark),) if frame.remark else ()
        self._hints = (*hints_of(frame.picture), *remark)

    def face(self) -> StepView:
        """Hints, and the one press that notes them down."""
        if self._frame is None:
            return StepView(say=NO_PICTURE)
        poor = any(each.verdict != "ok" for each in self._hints)
        say = "Hang the camera straight above the table, and lay a few dice down. "
        say += "Something could be better yet." if poor else "The picture is good."
        text = "Leave it so all the same" if poor else "It is good: go on"
        return StepView(say=say, hints=self._hints, acts=(PressShown(KEEP, text, main=True),))

    def do(self, act: str) -> str:
        """Note down how the picture is."""
        if self._frame is None:
            raise NotNow(NO_PICTURE)
        _only(act, KEEP)
        picture = self._frame.picture
        wide_px, grey = edge_px(picture), light_of(picture).mean_grey
        edges = f"edges {wide_px:.1f} px wide" if wide_px else "nothing with an edge in it"
        return f"{edges}, mean grey {grey:.0f}"


class PanelStep(QuietStep):
    """Each button is pressed once."""

    title = "Buttons"

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

    def face(self) -> StepView:
        """Each button, and whether it was heard."""
        if not self._buttons:
            say = "No buttons are fitted: the console's are played with."
            return StepView(say=say, acts=(PressShown(KEEP, "Go on", main=True),))
        lines = tuple(
            LineShown(name, "ok", f"{label(name)} was heard.")
            if name in self._pressed
            else LineShown(name, "warn", f"Press {label(name)}.")
            for name in self._buttons
        )
        missing = len([line for line in lines if line.verdict != "ok"])
        say = f"Press each button once: {missing} to go." if missing else "All buttons work."
        if self._mock:
            say += " The pins are mock ones here: only the page presses them."
        text = "Leave the others out" if missing else "Go on"
        return StepView(say=say, lines=lines, acts=(PressShown(KEEP, text, main=not missing),))

    def do(self, act: str) -> str:
        """Note down how many were heard."""
        _only(act, KEEP)
        heard = len(self._pressed.intersection(self._buttons))
        return f"{heard} of {len(self._buttons)} buttons" if self._buttons else "no buttons"


class SettingsStep(QuietStep):
    """What the box is set to, and what to write where it is to be otherwise."""

    title = "Settings"

    def __init__(self, told: Callable[[], tuple[LineShown, ...]]) -> None:
        """`told` gives one line a setting."""
        self._told = told

    def face(self) -> StepView:
        """The settings in force."""
        lines = self._told()
        copied = [line for line in lines if line.fix]
        say = "This is what the box goes by."
        if copied:
            say += " What is marked has to be written into the settings file; then start the box anew."
        return StepView(say=say, lines=lines, acts=(PressShown(KEEP, "Go on", main=True),))

    def do(self, act: str) -> str:
        """Note down that they were looked at."""
        _only(act, KEEP)
        open_ones = len([line for line in self._told() if line.fix])
        return f"{open_ones} to be written" if open_ones else "as they are to be"


class DoctorStep(QuietStep):
    """What the doctor says, as one list."""

    title = "Doctor"

    def __init__(self, examine: Callable[[], Iterable[Finding]]) -> None:
        """`examine` asks the doctor, which takes some seconds."""
        self._examine = examine
        self._findings: tuple[Finding, ...] = ()

    def face(self) -> StepView:
        """The findings: what is to be mended first."""
        ask = PressShown("ask", "Ask the doctor again" if self._findings else "Ask the doctor", main=True)
        if not self._findings:
            return StepView(say="The doctor looks at the whole box; that takes some seconds.", acts=(ask,))
        order = ("fail", "warn", "ok", "not here")
        lines = tuple(
            LineShown(each.name, each.verdict, each.text, each.fix)
            for each in sorted(self._findings, key=lambda each: order.index(each.verdict))
        )
        acts = (PressShown("ask", ask.text), PressShown(KEEP, "Done", main=True))
        failed = any(each.verdict == "fail" for each in self._findings)
        cure = " Mend the first that failed, then ask again." if failed else ""
        return StepView(say=f"{self._counted()}.{cure}", lines=lines, acts=acts)

    def do(self, act: str) -> str:
        """Ask, or note down what was found."""
        if act == "ask":
            self._findings = tuple(self._examine())
            return ""
        _only(act, KEEP)
        if not self._findings:
            raise NotNow("Ask the doctor first.")
        return self._counted()

    def _counted(self) -> str:
        verdicts = [each.verdict for each in self._findings]
        failed, warned = verdicts.count("fail"), verdicts.count("warn")
        return f"{failed} failed, {warned} to be better, {verdicts.count('ok')} well"


def _only(act: str, allowed: str) -> None:
    if act != allowed:
        raise NotNow("That may not be pressed any more. Look again.")
