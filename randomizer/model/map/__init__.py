"""The map itself: layers, their composition, regions, and which things lie where."""
