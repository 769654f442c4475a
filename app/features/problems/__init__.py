"""What is wrong with the current map, as a list."""
