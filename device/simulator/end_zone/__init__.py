"""The simulated End Zone: its table, the dice thrown over it, and the cameras over its ends."""

from device.simulator.end_zone.world import EndZoneWorld

__all__ = ["EndZoneWorld", "ground", "pair", "table"]
