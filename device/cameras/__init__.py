"""Where frames come from: a Pi's camera, a film, a folder of pictures, or the simulated table."""
