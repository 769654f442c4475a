"""What runs along the sides of cells: rims and shadows of steps, hexsides, the edge of the map.

The scene, and what shows single cells and hexsides, call it.
"""
