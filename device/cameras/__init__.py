"""Where frames come from: a Pi's camera, a film, a folder of pictures, or the simulated table."""

from device.cameras.frames import Camera, CameraLost, Frame
from device.cameras.grabber import most_like

__all__ = [
    "Camera",
    "CameraLost",
    "Frame",
    "both_ends",
    "film",
    "folder",
    "grabber",
    "most_like",
    "picamera",
    "sensors",
]
