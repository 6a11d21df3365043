"""Sheets to print to scale: calibration boards, End Zone sheets, play mats, cards and markers."""
