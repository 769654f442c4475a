"""The user's mods of 0 A.D. as a game that maps are exported into.

Called by the catalogue (``games.GameHost``).
"""
