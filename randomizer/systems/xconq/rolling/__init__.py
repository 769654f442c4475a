"""Rolling a world: the generator of a period, its settings, and the layer that a roll gives.

Called by the catalogue and the script host; it puts together terrain, countries and units.
"""
