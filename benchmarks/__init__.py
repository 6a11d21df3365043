"""Figures that players, builders and developers decide by: `python -m benchmarks --help` lists them."""
