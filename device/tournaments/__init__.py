"""Tournaments of an evening: drawn once, kept step by step, fed by the results of their games."""

__all__ = [
    "book",
    "call_slip",
    "view",
]
