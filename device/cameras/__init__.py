"""Where frames come from: a Pi's or a USB camera, a film, a folder of pictures, or the simulated table."""

from device.cameras.frames import Camera, CameraLost, Frame, Turns
from device.cameras.grabber import most_like
from device.cameras.unreal import Filmed, Simulated

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
    "locks",
    "most_like",
    "picamera",
    "sensors",
    "usb",
    "usb_locking",
    "v4l2",
]
