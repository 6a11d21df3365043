"""Films of throws: the last moments of each, kept beside the journal and shown again on the console."""

from device.films.filming import Filming
from device.films.shelf import FilmNotKept, Shelf, is_whole

__all__ = ["FilmNotKept", "Filming", "Shelf", "is_whole"]
