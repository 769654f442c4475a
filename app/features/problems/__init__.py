"""What is wrong with the map in front, as a list."""
