"""What lies on a wargame table: hills, waters, features, rivers, roads, railways, crossings.

Raster and vector renderer call it; what it draws are pieces (``app.render.piece``).
"""
