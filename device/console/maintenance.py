"""The console's part in the maintenance: shows how the box is, and has the doctor look at it.

Both requests are posts, also the one that only looks: findings and log are sealed, for whoever may set up.
"""

import asyncio

from device.console.answers import BadBody
from device.console.authorize import Post
from device.maintenance import Maintenance, MaintenanceShown
from device.requests import CheckBox, MaintenanceRequest, ShowMaintenance
from engine.wording import phrase, phrase_later

NONE = phrase_later("This console shows nothing of how the box is; callbox doctor does.")


class MaintenanceApi:
    """Answers requests about the maintenance."""

    def __init__(self, maintenance: Maintenance | None) -> None:
        self._maintenance = maintenance

    async def do(self, request: MaintenanceRequest, _: Post) -> MaintenanceShown:
        """Show how the box is, or have it checked; raises `BadBody` where nobody can."""
        maintenance = self._maintenance
        if maintenance is None:
            raise BadBody(404, phrase(NONE))
        match request:
            case ShowMaintenance():
                return await asyncio.to_thread(maintenance.show)
            case CheckBox():
                return await asyncio.to_thread(maintenance.check)
