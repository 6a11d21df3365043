"""Pictures in, measurements out. Knows no game, no button, no lamp."""
