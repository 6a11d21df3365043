"""For whom the desk of a hall calls to this table, as pages show it."""

from msgspec import Struct


class VenueCallShown(Struct, frozen=True):
    """Players are called to this table."""

    id: str
    """By which the call is begun or refused."""
    match: str
    """ "Match 3 of Autumn Cup"."""
    game: str
    players: tuple[str, ...]
