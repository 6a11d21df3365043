"""Who may do what at this table: viewers, players by their seats, referee and host by PIN."""

__all__ = [
    "actor",
    "login_throttle",
    "people",
    "permissions",
    "pin_sessions",
    "pins",
    "player_profiles",
    "sealed_requests",
    "seats",
]
