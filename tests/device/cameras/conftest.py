"""The gate of the fake picamera2, for all tests of the Pi's camera."""

from tests.device.cameras.fake_picamera import gate

__all__ = ["gate"]
