"""From a map to pixels: the view's transform, themes, sprites, the renderer."""
