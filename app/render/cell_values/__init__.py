"""What is known of each cell before it is drawn: its colour, light, water, heat, opacity.

Arrays in the order of the cells; scenes, renderers and legends call it.
"""
