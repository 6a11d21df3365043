"""The box as a service: systemd hears how it is, starts it anew, and switches the machine off."""

__all__ = [
    "log",
    "machine",
    "notify",
]
