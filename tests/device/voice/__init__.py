"""The box's own voice, with programs of the tests' making."""
