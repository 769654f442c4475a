"""What is shown of a map, and how: the menu View."""
