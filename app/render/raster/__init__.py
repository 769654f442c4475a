"""The parts of the raster renderer: sprites, frames, and the overview raster of small cells.

``app.render.renderer`` and the palette call it.
"""
