"""The catalogue: the systems, generators, formats, games and scripts that this program knows."""
