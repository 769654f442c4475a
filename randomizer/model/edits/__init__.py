"""Edits: changes of a map with their inverses, functions that make them, and the gate they pass.

Tools, rolls, storage and the desk call it; applying an edit is the only way to change a map.
"""
