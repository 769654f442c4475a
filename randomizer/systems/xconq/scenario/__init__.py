"""Editing scenarios: rules for units, sides, conditions, terrain and what is saved, as edits.

The desk's panels of Xconq call it; it reads the records of a map, its units and its period.
"""
