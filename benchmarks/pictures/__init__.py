"""The pictures of README and docs, remade by the program that they show: `make docs [ONLY=console]`.

`makers.MAKERS` names each maker with the files that it makes, below `docs/`. A maker is one function. It
gets a `studio.Studio`: a folder for its files, another for what it needs on the way, and a Chromium. All
chance has a seed. None of these pictures is a photograph or drawn by hand.
"""
