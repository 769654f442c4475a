"""The digest of the ground of a roll: all that the roll depends on, but for its generator.

A layer is rolled onto a *base* (``Base``): the layers below it, the grid, and the locked values.
The rolled layer keeps the digest of that (``Roll.ground``), to tell later whether it has changed,
and the texts by which a roll is copied to another computer (recipes) have it, too::

    base = Base.under(battlemap, position)
    if ground_digest(base) != layer.roll.ground:
        ...  # rolled again, it would be another map
"""

from __future__ import annotations

import numpy as np

from randomizer.model.planes.planes import is_blank
from randomizer.model.records.map_records import further_record
from randomizer.model.rolls.generated import Generated
from randomizer.model.terrain.terrain import TerrainSet
from randomizer.roll_base import Base

_DIGITS = 32
"""The hex digits of a digest, 128 bits: two bases do not share them by chance."""


def ground_digest(base: Base, rolled: Generated | None = None) -> str:
    """Return the digest of a base, of 32 hex digits.

    If nothing lies below and nothing is locked, the grid and the terrain set that the roll
    ``rolled`` brings are digested instead of those of the base.
    """
    from hashlib import sha256  # not needed before the first paint

    grid = base.grid
    terrain_set: TerrainSet | None = base.terrain_set
    is_empty = base.is_blank_below and not base.locked
    if is_empty and rolled is not None:
        grid = rolled.grid or grid
        terrain_set = rolled.terrain_set or terrain_set
    if is_empty and base.system.game_has_more_terrains:
        # No value refers to a terrain, and each map brings its own ones.
        terrain_set = None

    # What is no plane, as text.
    facts: list[object] = [
        (base.system.name, grid.layout.name, grid.width, grid.height, grid.wrap),
        _texts_of_records(base),
        sorted(base.composite.properties.items()),
        terrain_set,
    ]
    if base.kept_names:  # only then, so that digests from before there were any stay the same
        facts.append(base.kept_names)
    # Digests are stored: the ``repr`` of these classes must not change.
    digest = sha256(repr(facts).encode())
    if grid.mask is not None:
        digest.update(np.packbits(grid.mask).tobytes())

    # The planes: the values below the roll, then the locked values that it must keep.
    for spec in base.system.shown_planes:
        below = base.composite.planes[spec.name]
        # One number stands for a uniform plane, so that most planes cost no pass over bytes.
        if is_blank(below) or bool((below == below.flat[0]).all()):
            digest.update(b"%d" % below.flat[0])
        else:
            digest.update(below.tobytes())
        mask = base.locked_mask(spec)
        if mask.any():
            values = base.shown.planes[spec.name][mask]
            digest.update(np.packbits(mask).tobytes() + values.tobytes())
    return digest.hexdigest()[:_DIGITS]


def _texts_of_records(base: Base) -> list[tuple[str, str]]:
    """Return name and text of each record that is not of the map's script, by name.

    A script in the map is part of the generator, which the digest leaves out.
    """
    script = base.system.script_record
    texts = []
    for name, record in sorted(base.records.items()):
        is_of_script = bool(script) and (
            name == script or name.startswith(further_record(script, ""))
        )
        if not is_of_script:
            texts.append((name, record.text))
    return texts
