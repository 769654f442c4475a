"""The parts of the raster renderer: sprites, frames, and the overview raster of small cells.

``app.render.renderer``, the overlays and the palette call it.
"""
