"""The canvas: the current map in a widget that zooms and pans, its input and its overlays.

Features mark cells and listen to it; the tools are asked, never named.
"""
