"""Find a note, a name or a cell of the map, and go there."""
