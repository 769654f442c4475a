"""From a map to pixels or shapes: ``scene`` says what is drawn, ``raster`` and ``vector`` lay it.

The canvas, thumbnails and paper call it; nothing here reacts to the mouse.
"""
