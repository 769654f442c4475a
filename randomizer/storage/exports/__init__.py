"""Exports into a game: what they replace, how they are written and taken back."""
