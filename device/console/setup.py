"""The console's part in the set-up: it asks the same steps as the terminal.

Both requests are posts, also the one that only looks: what the doctor says is for whoever may set up, and
sealed.
"""

import asyncio

from device.console.answers import BadBody
from device.console.authorize import Post
from device.requests import DoSetup, SetupRequest, ShowSetup
from device.setup import SetupWizard, StepView
from engine.wording import phrase, phrase_later

NONE = phrase_later("This console sets nothing up; callbox setup does.")


class SetupDesk:
    """What is asked of the set-up."""

    def __init__(self, sets_up: SetupWizard | None) -> None:
        self._sets_up = sets_up

    async def do(self, asked: SetupRequest, _: Post) -> StepView:
        """Do what somebody asks who may; raises `BadBody` where nothing is set up here."""
        sets_up = self._sets_up
        if sets_up is None:
            raise BadBody(404, phrase(NONE))
        match asked:
            case ShowSetup():
                return await asyncio.to_thread(sets_up.refresh)
            case DoSetup(act=""):
                return await asyncio.to_thread(sets_up.open, asked.step)
            case DoSetup():
                return await asyncio.to_thread(sets_up.do, asked.step, asked.act)
