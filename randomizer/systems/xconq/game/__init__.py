"""Xconq's library as a game: its mapfiles, its menu, and exports into it.

Called by the catalogue (``games.GameHost``).
"""
