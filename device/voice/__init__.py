"""The box's own voice: a program that speaks says what is called, beside everything else.

What is called `device.shown.calls` decides. The voice is no part of the way of a score: the table drops the
words and goes on, a thread of its own starts the program, and one that hangs is ended.
"""

from device.voice.voice import PROGRAM, Voice, accent_of, open_voice

__all__ = ["PROGRAM", "Voice", "accent_of", "open_voice"]
