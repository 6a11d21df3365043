"""A printed mat at the table: dice and cards in its places, held against what the rulebook expects."""
