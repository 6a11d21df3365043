"""The arrays that pass between the rooms, one name a type of element. Shapes stand where they are used."""

import numpy as np
from numpy.typing import NDArray

Picture = NDArray[np.uint8]
"""Pixels, 0 to 255: rows x columns x (blue, green, red), or rows x columns of grey."""
Floats = NDArray[np.float64]
"""Numbers to reckon with: places, lengths, angles."""
Singles = NDArray[np.float32]
"""Numbers in half the memory: large pictures of them, and what networks take and give."""
Ints = NDArray[np.intp]
"""Numbers of places in other arrays."""
Bools = NDArray[np.bool_]
"""Yes or no for each."""
Mask = NDArray[np.uint8]
"""As OpenCV has it: 255 where something is, 0 elsewhere."""
