"""The way in to the set-up for page and terminal: from any thread, one after the other.

Nothing of it runs unless somebody looks. Each look looks at the newest picture, so a page that goes away
leaves nothing behind that works; what a step holds is put down when it is left, or when a game begins.
"""

import threading
from collections.abc import Callable
from typing import Protocol

import msgspec

from device.cameras import Frame
from device.setup.shown import SetupShown
from device.setup.step import NotNow
from device.setup.walk import SetupParts, SetupWalk, UnknownStep
from engine.wording import phrase, phrase_later

PLAYING = phrase_later(
    "A game is going on, and has the camera. Set up the box when it is over, put away or abandoned."
)


class SetsUp(Protocol):
    """What a console may ask of the set-up."""

    def look(self) -> SetupShown:
        """Look at the newest picture, and say where the set-up stands."""
        ...

    def open(self, step: str) -> SetupShown:
        """Open a step."""
        ...

    def do(self, step: str, act: str) -> SetupShown:
        """Do an act of that step; `ok` is false with the reason where it cannot be done."""
        ...

    def press(self, button: str) -> None:
        """A button of the panel went down."""
        ...


class SettingUp:
    """The set-up of one box. Its methods may be called from any thread."""

    def __init__(
        self,
        make: Callable[[], SetupParts],
        newest: Callable[[], Frame | None],
        playing: Callable[[], bool],
    ) -> None:
        """`make` is called when somebody looks for the first time."""
        self._make = make
        self._newest = newest
        self._playing = playing
        self._walk: SetupWalk | None = None
        self._lock = threading.Lock()

    def look(self) -> SetupShown:
        """Look at the newest picture, and say where the set-up stands."""
        return self._ask(lambda walk: None)  # noqa: ARG005 - a look alone

    def open(self, step: str) -> SetupShown:
        """Open a step."""
        return self._ask(lambda walk: walk.open(step))

    def do(self, step: str, act: str) -> SetupShown:
        """Do an act of that step; a page that shows another step is behind, and is told so."""

        def act_there(walk: SetupWalk) -> None:
            if walk.shown().step != step:
                raise NotNow(phrase("Another page has opened another step. Look again."))
            walk.do(act)

        return self._ask(act_there)

    def press(self, button: str) -> None:
        """A button of the panel went down; told at once, whatever is being looked at."""
        walk = self._walk
        if walk is not None:
            walk.press(button)

    def _ask(self, request: Callable[[SetupWalk], None]) -> SetupShown:
        with self._lock:
            if self._playing():
                if self._walk is not None:
                    self._walk.close()
                return SetupShown(ok=False, text=phrase(PLAYING))
            if self._walk is None:
                self._walk = SetupWalk(self._make())
            walk, why = self._walk, ""
            walk.see(self._newest())
            try:
                request(walk)
            except (NotNow, UnknownStep) as error:
                why = str(error)
            shown = walk.shown()
        return msgspec.structs.replace(shown, ok=not why, text=why)
