"""What the network of edges is shown and what it tells (`vision.landing.told_shapes` cuts strips out)."""

SIDES = 4
"""The sides of a die that are shown together."""
ACROSS, ALONG = 64, 6
"""How many colours a strip has across the side, and how many along it."""
SIDE_FEATURES = 5
"""The numbers that go with each side."""
SIDE_OUTPUTS = 6
"""What it tells of each die, mm: how much longer its edge is than it was taken for, how far its middle lies
aside along the normals of its first and its second side, and one sigma of each of the three."""
