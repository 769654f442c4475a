"""Icons, terrain pictures, colour sets and the sample map, read with importlib.resources."""
