"""What is drawn of a map, decided once for all painters: batches of pieces at cells.

``app.render.raster`` and ``app.render.vector`` lay them; they know no terrain.
"""
