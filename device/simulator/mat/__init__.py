"""The simulated mat: printed places on a table, with dice and cards that a hand carries there."""
