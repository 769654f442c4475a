"""The regions of a map: their names, colours and sizes."""
