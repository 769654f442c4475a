"""The file formats of this program: projects, terrain sets, keys, recipes, lines of cells."""
