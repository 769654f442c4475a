"""The table while it is built: areas, pieces, edges, and the table in words."""
