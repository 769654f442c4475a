"""Maps of Tiled, in XML and JSON."""
