"""The surface of maps whose heights lie on corners, worked out pixel by pixel.

``app.render.scene.scene`` calls it; painters get it as ``SurfaceBatch``.
"""
