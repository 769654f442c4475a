"""A whole variant at once: a map for each of its terrains, rolled and exported together."""
