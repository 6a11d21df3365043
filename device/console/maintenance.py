"""The console's part in the maintenance: shows how the box is, has the doctor look at it, takes a release in.

All requests are posts, also the one that only looks: findings and log are sealed, for whoever may set up. The
file of a release is no secret, and too large to be sealed: it comes as it is, with the ticket that was the
answer to such a post, and the installer looks who signed it.
"""

import asyncio

from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from device.console.answers import BadBody, answer
from device.console.authorize import Post
from device.maintenance import Maintenance, MaintenanceShown
from device.requests import (
    CheckBox,
    MaintenanceRequest,
    ReceiveRelease,
    ReleaseAwaited,
    Reply,
    RollBack,
    ShowMaintenance,
)
from device.updates import ReleaseRefused
from engine.wording import phrase, phrase_later

NONE = phrase_later("This console shows nothing of how the box is; callbox doctor does.")


class MaintenanceApi:
    """Answers requests about the maintenance."""

    def __init__(self, maintenance: Maintenance | None) -> None:
        self._maintenance = maintenance

    async def do(self, request: MaintenanceRequest, _: Post) -> MaintenanceShown | ReleaseAwaited | Reply:
        """Show how the box is, have it checked, or change its release; raises `BadBody` where nobody can."""
        maintenance = self._maintenance
        if maintenance is None:
            raise BadBody(404, phrase(NONE))
        match request:
            case ShowMaintenance():
                return await asyncio.to_thread(maintenance.show)
            case CheckBox():
                return await asyncio.to_thread(maintenance.check)
            case ReceiveRelease():
                return await asyncio.to_thread(maintenance.updates.expect, request)
            case RollBack():
                return await asyncio.to_thread(maintenance.updates.roll_back)

    def routes(self) -> list[BaseRoute]:
        """Where the file comes in."""
        return [Route("/maintenance/release", self._take, methods=["PUT"])]

    async def _take(self, request: Request) -> Response:
        """Write the file to the card as it comes, and hand it to the installer."""
        if self._maintenance is None:
            return answer(False, phrase(NONE), status=404)
        ticket = request.headers.get("callbox-ticket", "")
        try:
            incoming = await asyncio.to_thread(self._maintenance.updates.receive, ticket)
        except ReleaseRefused as error:
            return answer(False, str(error), status=409)
        try:
            async for chunk in request.stream():
                await asyncio.to_thread(incoming.write, chunk)
            await asyncio.to_thread(incoming.finish)
        except ReleaseRefused as error:
            return answer(False, str(error), status=409)
        except ClientDisconnect:
            return answer(False, phrase("The rest never came."), status=400)  # nobody is left to hear it
        finally:
            incoming.close()
        return answer(True)
