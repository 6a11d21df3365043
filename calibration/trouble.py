"""The errors that `callbox calibrate` raises when it cannot go on."""


class CalibrationError(ValueError):
    """Something cannot be calibrated, or a calibration cannot be used; the message names cause and cure."""


class Doubt(CalibrationError):
    """One picture is refused; the others may do. The message is the reason, worded as part of a sentence."""


class NoBoard(Doubt):
    """No board is seen in a picture at all."""
