"""The facts that vision needs: lens, table plane, where sheet, tapes and dot really lie. Made, checked,
stored."""
