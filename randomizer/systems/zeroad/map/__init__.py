"""What a map of 0 A.D. holds: planes, textures, entities, records, and what the game minds of them.

The system, the formats and the generators call it; no file of a map is read or written here.
"""
