"""Measures the facts: lens, plane and lines, fitted to pictures; refuses what it cannot trust."""
