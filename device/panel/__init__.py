"""The panel: buttons, lamps and the scoreboard, on real pins or on mock ones."""
