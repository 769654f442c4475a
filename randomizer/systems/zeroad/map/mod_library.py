"""The data of our mod's library that Python reads, too: biomes, and units of civilisations."""

from __future__ import annotations

import json
from functools import cache
from importlib.resources import files
from typing import Any

from randomizer.model.basics.caches import KB, registered

LIBRARY = files("randomizer.systems.zeroad") / "mod" / "maps" / "random" / "battlelands"
"""The folder whose files our map scripts of 0 A.D. load by ``Engine.LoadLibrary``."""


@registered(count=6, bytes_each=100 * KB)
@cache
def library_data(name: str) -> dict[str, Any]:
    """Return a JSON file of the library. Raises FileNotFoundError."""
    data: dict[str, Any] = json.loads((LIBRARY / name).read_text("utf-8"))
    return data
