"""Who somebody is, as the table's settings, the console and the journal say it."""

from typing import Literal

from msgspec import Struct

from engine.wording import phrase

TableKind = Literal["family", "club", "tournament"]
"""What kind of table it is: everybody may do everything; a host leads; a referee rules."""
Role = Literal["viewer", "table", "player", "referee", "host", "desk"]
"""Looks on; sits at a family's table; sits in a seat of this game; referee; host; referee at a hall's
desk."""
Office = Literal["referee", "host"]
"""The roles that have a PIN."""


class Actor(Struct, frozen=True):
    """Somebody who asks for something."""

    role: Role
    name: str = ""
    """A player's name in this game, or what a referee or host gave as theirs; "" where none was said."""

    @property
    def words(self) -> str:
        """For people: "Ann", "the referee Cleo", "someone on a page"."""
        match self.role:
            case "player":
                return self.name
            case "table":
                return phrase("someone on a page")
            case "viewer":
                return phrase("a viewer")
            case "referee":
                return phrase("the referee {name}", name=self.name).rstrip()
            case "host":
                return phrase("the host {name}", name=self.name).rstrip()
            case "desk":
                return phrase("desk: {name}", name=self.name)


VIEWER = Actor("viewer")
FAMILY = Actor("table")
