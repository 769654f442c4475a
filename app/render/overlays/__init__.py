"""Heat maps, and the round edge of a map: what is drawn without batches of a scene.

``app.render.renderer`` and ``app.render.vector`` call it.
"""
