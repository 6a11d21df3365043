"""Training scenes: dice on a table, drawn with exact truth. How they are made stands in README.md."""

from models.scenes.draw import draw
from models.scenes.truth import KINDS, VALUES, Kind, Pose, Scene, SceneDie

__all__ = [
    "KINDS",
    "VALUES",
    "Kind",
    "Pose",
    "Scene",
    "SceneDie",
    "camera",
    "chance",
    "design",
    "draw",
    "layout",
    "legible",
    "makers",
    "sensor",
]
