"""Training scenes: dice on a table, drawn with exact truth. How they are made stands in README.md."""

from models.painting.design import Kind
from models.scenes.draw import dice_edge_px, draw
from models.scenes.layout import KINDS, VALUES, Pose, Scene, SceneDie, SceneThing, View

__all__ = [
    "KINDS",
    "VALUES",
    "Kind",
    "Pose",
    "Scene",
    "SceneDie",
    "SceneThing",
    "View",
    "chance",
    "dice_edge_px",
    "draw",
    "layout",
    "makers",
    "sensor",
]
