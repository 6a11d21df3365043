"""What the network of corners is shown and what it tells (`vision.landing.corners` cuts them out)."""

CORNERS = 4
"""The corners of a die that are shown together."""
CUT_PX = 32
KNOWN = 8
"""The numbers that go with each corner."""
USUAL_EDGE_MM = 16.0
"""How wide the dice were meant to be that it learnt from."""
TOLD = 2
"""What it tells of each die: its rounding, and one sigma of that, in mm."""
