"""The types of the arrays that pass between the rooms: one name for each type of element.

Shapes are stated where an array is used.
"""

import numpy as np
from numpy.typing import NDArray

Picture = NDArray[np.uint8]
"""Pixels, 0 to 255: rows x columns x (blue, green, red), or rows x columns of grey."""
Floats = NDArray[np.float64]
"""Double precision, for calculations: places, lengths, angles."""
Singles = NDArray[np.float32]
"""Single precision, half the memory: pictures of real numbers, and what networks take and give."""
Reals = NDArray[np.floating]
"""Single or double precision, where either will do."""
Ints = NDArray[np.intp]
"""Indices into other arrays."""
Bools = NDArray[np.bool_]
"""Yes or no for each element."""
Mask = NDArray[np.uint8]
"""A mask as OpenCV has it, rows x columns: 255 where something is, 0 elsewhere."""
