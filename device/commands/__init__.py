"""The commands of `callbox`, those of a kind in one file; `device.cli` loads only the one asked for."""
