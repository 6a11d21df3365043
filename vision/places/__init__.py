"""Places on the table: a printed mat's regions, found by its corner tags or by the camera's calibration, and
what lies in them."""
