"""The classical reader: finds marks, arranges them in patterns, checks those on the picture. No network."""
