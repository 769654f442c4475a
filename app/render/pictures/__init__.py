"""The pictures of terrains: SVG files of ours, plain colours or the user's game, kept as images.

Scenes and renderers draw with them; dialogs choose which are shown.
"""
