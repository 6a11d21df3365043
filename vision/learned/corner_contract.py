"""What the network of corners is shown and what it tells (`vision.landing.told_shapes` cuts them out)."""

CORNERS = 4
"""The corners of a die that are shown together."""
CORNER_PX = 32
CORNER_FEATURES = 8
"""The numbers that go with each corner."""
USUAL_EDGE_MM = 16.0
"""How wide the dice were meant to be that it learnt from."""
CORNER_OUTPUTS = 2
"""What it tells of each die: its rounding, and one sigma of that, in mm."""
