"""The generator *Landscape* of free maps: relief, rivers, climate, terrain, towns, roads, names.

The catalogue calls ``generator``; from there arrows point down to ``noise`` and ``drainage``.
"""
