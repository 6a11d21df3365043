"""The console's part in the settings: shows them, has them written, and has the box start again."""

import asyncio

from device.config import ConfigError
from device.console.answers import BadBody
from device.console.authorize import Post
from device.requests import ChangeSettings, Declined, Reply, Restart, SettingsRequest, ShowSettings, reply_of
from device.settings_shown import OwnSettings, SettingsShown
from engine.wording import phrase, phrase_later

NONE = phrase_later("This console changes no settings; they stand in callbox.toml.")


class SettingsApi:
    """Answers requests about the settings."""

    def __init__(self, settings: OwnSettings | None) -> None:
        self._settings = settings

    async def do(self, request: SettingsRequest, _: Post) -> SettingsShown | Reply:
        """Show, change or restart; raises `BadBody` where there is nothing to change."""
        settings = self._settings
        if settings is None:
            raise BadBody(404, phrase(NONE))
        try:
            match request:
                case ShowSettings():
                    return await asyncio.to_thread(settings.show)
                case ChangeSettings():
                    return await asyncio.to_thread(settings.change, request.values)
                case Restart():
                    return reply_of(settings.restart())
        except ConfigError as error:
            return Declined(str(error))
