"""Learned readers: ONNX files, their cards, and the code that remakes them."""

__all__ = ["files", "painting", "scenes"]
