"""Makes the networks: cuts, targets, courses and export. Needs torch; not installed with the product."""

__all__ = ["d4_cuts", "photos", "store", "targets", "train"]
