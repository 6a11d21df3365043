"""Watching the table: still or moving, a hand or none, and which dice were thrown since the last rest."""
