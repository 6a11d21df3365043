"""The simulated End Zone: its table, the dice thrown over it, and the cameras over its ends."""
