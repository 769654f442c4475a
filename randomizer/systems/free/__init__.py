"""Free maps: terrains of one's own on any grid, for maps that no game prescribes."""
