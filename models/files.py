"""Where the networks' files lie, and where training keeps what it makes on the way."""

from pathlib import Path

FOLDER = Path(__file__).parent
FINDER = FOLDER / "finder.onnx"
FACES = FOLDER / "faces.onnx"
STANCE = FOLDER / "stance.onnx"
D4 = FOLDER / "d4.onnx"
CACHE = Path.home() / ".cache" / "callbox" / "models"
"""Drawn scenes and checkpoints; not part of the project."""
COURSES = CACHE / "courses"
"""Checkpoints, and the networks that serve for measuring only."""
