"""What judges the box by the drawn scenes: it runs calibrating, measuring and calling, and prints the
figures.
"""
