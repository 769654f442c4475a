"""Boards of MegaMek: the codec is in ``megamek``, what a line of a board says in ``notation``."""
