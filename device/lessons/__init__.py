"""Lessons: pictures of the owner's dice with the truth about them, and what the box learnt from them."""
