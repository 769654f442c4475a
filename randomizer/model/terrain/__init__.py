"""Terrains and hexsides: the sets of a game, their check, and what blocks sight."""
