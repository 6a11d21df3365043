"""The learned reader: small networks find dice, read them and tell how they stand."""

__all__ = [
    "camera_prior",
    "contract",
    "custom_dice",
    "d4_contract",
    "faces",
    "finder",
    "networks",
    "reader",
    "stance",
]
