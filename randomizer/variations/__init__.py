"""Variations: maps that keep the counts, the likeness and the ways of another one.

Called through the generator protocol (``generator.py``); it sees maps only as ``Base``.
"""
