"""What the raster renderer draws over the ground: labels, icons, heat maps, placed things.

``app.render.renderer`` calls it; ``app.render.vector`` takes shapes and sizes from it.
"""
