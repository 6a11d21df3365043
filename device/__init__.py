"""Everything that touches the world: cameras, pins, displays, console, journal, command line."""
