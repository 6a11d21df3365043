"""The learned reader: small networks find dice, read them and tell how they stand."""

__all__ = [
    "bearings",
    "contract",
    "corner_contract",
    "d4_contract",
    "earlier",
    "faces",
    "known",
    "learning",
    "networks",
    "peaks",
    "reader",
    "stance",
    "strip_contract",
    "upright",
]
