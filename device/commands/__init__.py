"""The commands of `callbox`, a file each; `device.cli` loads only the one that was asked for."""
