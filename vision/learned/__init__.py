"""The learned reader: small networks find dice, read them and tell how they stand."""

__all__ = [
    "bearings",
    "contract",
    "d4_contract",
    "faces",
    "known",
    "networks",
    "reader",
    "stance",
]
