"""The panel with every undo step of the current map."""
