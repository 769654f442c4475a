"""Grids: how cells, sides and corners lie, what they are called, and arrays of their indices.

All other rooms can import it; it knows nothing of maps and their values.
"""
