"""Who may do what at this table: viewers, players by their seats, referee and host by PIN."""

__all__ = ["attempts", "letters", "officials", "people", "persons", "pins", "rights", "seats", "who"]
