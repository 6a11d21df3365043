"""Where thrown dice lie: measured in millimetres, called against the lines, shown as evidence."""
