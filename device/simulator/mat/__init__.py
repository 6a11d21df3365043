"""The simulated mat: printed places on a table, with dice and cards that a hand carries there."""

from device.simulator.mat.world import MatWorld, lay_paper

__all__ = ["MatWorld", "ground", "lay_paper"]
