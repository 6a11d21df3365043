"""Facts that vision needs: lens, table plane, where the lines really lie."""
