"""Placed things: their looks, pictograms and loads, as icons of a scene.

Renderers, tools and overlays that draw, hit or mark things call it.
"""
