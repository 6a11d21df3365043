"""Who may do what at this table: viewers, players by their seats, referee and host by PIN."""

__all__ = ["attempts", "letters", "officials", "people", "pins", "rights", "seats", "who"]
