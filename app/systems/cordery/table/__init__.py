"""What lies on wargame tables: hills, waters, features, rivers, roads, railways, crossings.

The scene asks ``style.LANDSCAPE`` and ``style.PLAN``; what is drawn are pieces (``app.render.piece``).
"""
