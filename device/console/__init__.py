"""The web console: shows what the box shows, and sends the same events as the buttons."""
