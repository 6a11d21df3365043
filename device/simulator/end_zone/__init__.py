"""The simulated End Zone: its table, and the dice thrown over it."""

from device.simulator.end_zone.world import EndZoneWorld

__all__ = ["EndZoneWorld", "ground", "table"]
