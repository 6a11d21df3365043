"""The journal: every event of every game on the disk before it is shown, and the data folder it lies in."""
