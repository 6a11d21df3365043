"""The learned reader: small networks find dice, read them and tell how they stand."""
