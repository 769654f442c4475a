"""Lists, tables and grids of pictures."""
