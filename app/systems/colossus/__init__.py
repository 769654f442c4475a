"""What battlelands add to the desk: scripts that are learned from maps.

Only the list of features names it.
"""
