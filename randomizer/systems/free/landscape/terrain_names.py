"""The names of the terrains and ways that a landscape needs."""

DEEP_SEA = "Deep sea"
SEA = "Sea"
SHALLOWS = "Shallows"
BEACH = "Beach"
ICE = "Ice"

SEAS = (DEEP_SEA, SEA, SHALLOWS, ICE)
"""What a sea can be: below these the ground is that of a sea."""

FARMLAND = "Farmland"
VOLCANO = "Volcano"
BUILT_UP = "Built-up area"
DENSELY_BUILT_UP = "Dense built-up area"
ROAD = "Road"
TRACK = "Track"
RIVER = "River"

NAMES = (DEEP_SEA, SEA, SHALLOWS, BEACH, ICE, FARMLAND, VOLCANO, BUILT_UP, DENSELY_BUILT_UP)
"""The terrains that a landscape needs beside those of its chart."""

WAYS = (ROAD, TRACK, RIVER)
