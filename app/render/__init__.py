"""From a map to pixels or shapes: viewport, theme, sprites, overlays, thumbnails.

The canvas, thumbnails and paper call it; nothing here reacts to the mouse.
"""
