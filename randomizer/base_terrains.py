"""A base and a roll onto it in terms of one terrain set, so that their values can be compared.

A roll can bring a terrain set of its own. Then code 3 may be "Swamp" in the roll and "Hills" in the
base below it::

    base, generated = in_one_terrain_set(base, generated)
    base.terrain_set == generated.terrain_set
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from randomizer.model.edits.terrain_codes import called_as_in, translated_layer, with_missing
from randomizer.roll_base import Base, layer_of

if TYPE_CHECKING:
    from randomizer.model.map.layer import Layer
    from randomizer.model.planes.composite import Composite
    from randomizer.model.rolls.generated import Generated
    from randomizer.model.system.system import System
    from randomizer.model.terrain.terrain import TerrainSet


class BaseAndRoll(NamedTuple):
    """A base, and a roll onto it."""

    base: Base
    generated: Generated


def in_one_terrain_set(base: Base, generated: Generated) -> BaseAndRoll:
    """Return a base and a roll onto it with the values of both as codes of one terrain set.

    That is the terrain set of the roll. Terrains that the base shows and the roll lacks are added
    at its end, as missing; one that is only renamed in it (``called_as_in``) is not.
    """
    rolled_set = generated.terrain_set
    if rolled_set is None or rolled_set == base.terrain_set:
        return BaseAndRoll(base, generated)
    system = base.system
    old_set = called_as_in(base.terrain_set, rolled_set)
    common_set = with_missing(system, _layers_with_codes(base), old_set, rolled_set)
    translated = replace(
        base,
        composite=_translated_composite(system, base.composite, old_set, common_set),
        shown=_translated_composite(system, base.shown, old_set, common_set),
    )
    if base.above is not None:
        above = translated_layer(system, base.above, old_set, common_set)
        translated = replace(translated, above=above)
    if base.paint_above is not None:
        paint_above = translated_layer(system, base.paint_above, old_set, common_set)
        translated = replace(translated, paint_above=paint_above)
    return BaseAndRoll(translated, replace(generated, terrain_set=common_set))


def _layers_with_codes(base: Base) -> list[Layer]:
    """Return layers that have all codes of terrains of a base."""
    layers = [layer_of(base.composite.planes), layer_of(base.shown.planes)]
    if base.above is not None:
        layers.append(base.above)
    if base.paint_above is not None:
        layers.append(base.paint_above)
    return layers


def _translated_composite(
    system: System, composite: Composite, old_set: TerrainSet, new_set: TerrainSet
) -> Composite:
    """Return a composite with codes of ``new_set`` in place of those of ``old_set``."""
    layer = translated_layer(system, layer_of(composite.planes), old_set, new_set)
    return replace(composite, terrain_set=new_set, planes=layer.planes)
