"""Lessons: pictures of the owner's dice with the truth about them, and what the box learnt from them."""

from device.lessons.lessons import Lessons, LessonsBroken, keep_to_learn, lesson_die

__all__ = [
    "Lessons",
    "LessonsBroken",
    "keep_to_learn",
    "known_dice",
    "known_shapes",
    "lesson_die",
    "lessons",
]
