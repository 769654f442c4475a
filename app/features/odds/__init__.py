"""The panel of odds: how likely every cell is to become what, on the map and as numbers."""
