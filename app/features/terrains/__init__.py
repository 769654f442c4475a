"""The terrain set of a free map: its panel, its files, pictures of one's own.

Other features reach it as ``Desk.terrain_sets``.
"""
