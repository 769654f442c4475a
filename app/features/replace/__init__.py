"""Finds terrains, hexsides, elevations, ways and texts on maps, and replaces them by others.

Nobody imports it; ``app/features`` lists it.
"""
