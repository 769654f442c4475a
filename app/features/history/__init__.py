"""The panel with every undo step of the map in front."""
