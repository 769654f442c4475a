"""Rolls in maps: which layers are one roll, what a hand touched in them, how a roll is put in.

Generators, the desk and the command line call it; it knows nothing of how a roll is made.
"""
