"""Finished maps as random map scripts of the game: each script returns one map, always the same.

Called by the catalogue (formats) and by the zeroad game host.
"""
