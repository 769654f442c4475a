"""The terrain and the hexside that every map of Text Mapper has, whatever its file says."""

from __future__ import annotations

from randomizer.model.terrain.terrain import Hexside, Terrain

BLANK = Terrain("blank", "#efe9dc", description="A cell of which the file says nothing")
"""The first terrain of such a map."""

CLIFF = Hexside("cliff", "c", "#5b5048")
"""The first hexside of such a map: types such as "cliff0" in a file."""
