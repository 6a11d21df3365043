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


class SetupApi:
    """Answers requests to the set-up."""

    def __init__(self, wizard: SetupWizard | None) -> None:
        self._wizard = wizard

    async def do(self, request: SetupRequest, _: Post) -> StepView:
        """Look, open a step or do an act of one; raises `BadBody` where nothing is set up here."""
        wizard = self._wizard
        if wizard is None:
            raise BadBody(404, phrase(NONE))
        match request:
            case ShowSetup():
                return await asyncio.to_thread(wizard.refresh)
            case DoSetup(act=""):
                return await asyncio.to_thread(wizard.open, request.step)
            case DoSetup():
                return await asyncio.to_thread(wizard.do, request.step, request.act)
