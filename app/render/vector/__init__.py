"""Draws maps as shapes and text, for paper, SVG, PDF and images of any size, on any thread.

``app.paper`` calls it.
"""
