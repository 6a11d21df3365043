"""What painted dice are: the camera that sees them, their bodies, their stuffs, their marks.

Nothing here is left to chance. The training scenes (`models.scenes`) choose among all of it by their
seed, and the simulated table (`device.simulator`) has dice of its own design.
"""

__all__ = [
    "camera",
    "design",
    "materials",
    "solids",
]
