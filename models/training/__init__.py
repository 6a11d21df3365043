"""Makes the networks: cuts, targets, courses and export. Needs torch; not installed with the product."""
