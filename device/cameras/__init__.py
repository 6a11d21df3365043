"""Where frames come from: a Pi's or a USB camera, a film, a folder of pictures, or the simulated table."""

from device.cameras.frames import Camera, CameraLost, Filmed, Frame, Simulated, Turns
from device.cameras.grabber import most_like

__all__ = [
    "Camera",
    "CameraLost",
    "Filmed",
    "Frame",
    "Simulated",
    "Turns",
    "both_ends",
    "film",
    "folder",
    "grabber",
    "hanging",
    "locking",
    "most_like",
    "picamera",
    "usb",
    "v4l2",
]
