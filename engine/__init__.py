"""The rulebooks. Pure: events in, positions out; never rolls, waits, draws or saves."""
