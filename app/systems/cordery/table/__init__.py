"""What lies on wargame tables: hills, waters, features, rivers, roads, railways, crossings.

The scene asks ``style.LANDSCAPE`` or ``style.PLAN``; what is drawn are pieces
(``app.render.piece``).
"""
