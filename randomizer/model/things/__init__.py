"""Things that stand on a map: units, trees, buildings; their kinds, their state and their index.

All that stands above grids can import it; it knows nothing of maps, layers and edits.
"""
