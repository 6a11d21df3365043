"""The learned reader: two small networks, run by onnxruntime."""
