"""Systems: what the maps of one game are made of."""
