"""Free maps: the hazards of Colossus on any grid, for maps that no game prescribes."""
