"""The classical reader: finds marks, arranges them in patterns, checks those on the picture. No network."""

from vision.classic.marks import middle
from vision.classic.reader import UNREADABLE, ClassicReader

__all__ = ["UNREADABLE", "ClassicReader", "middle"]
