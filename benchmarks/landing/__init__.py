"""The landing benchmark: tables and thrown dice drawn with exact truth, calibrated, measured and called.

`scenes.scene(seed, camera, style)` is a picture with its truth, `kit.kit(camera, seed)` a camera over a laid
table with the
pictures that calibrate it, `bridge.true_calibration(kit)` the calibration a perfect one would have given.
"""
