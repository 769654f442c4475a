"""Colossus: the board of 27 hexes, the ``.rnd`` language, battleland XML, the game directory."""
