"""What lies on wargame tables: hills, waters, features, rivers, roads, railways, crossings.

The scene asks ``style.STYLE``; what is drawn are pieces (``app.render.piece``).
"""
