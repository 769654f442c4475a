"""Explains why a hex has its terrain: its percentiles, the rectangle of its type, what else fits.

``explain_terrain`` makes a text such as::

    Altitude 71 %, moisture 20 %: of the hexes in the inner rows 71 % are at most as high, and 20 %
    at most as wet.

    That is plains: the first type of the period that takes both, altitude 60 to 100 % and moisture
    0 to 50 %.

The percentiles come from the relief that the roll of the layer has made (``world.relief``).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from randomizer.model.planes.planes import TOUCHED
from randomizer.model.rolls.draw_key import DrawKey
from randomizer.model.system.explanation import Explanation
from randomizer.systems.xconq.period.period import Period
from randomizer.systems.xconq.period.reading import read_period
from randomizer.systems.xconq.terrain.terrain_set import terrain_set_of
from randomizer.systems.xconq.terrain.world_terrain import limits_of, relief_settings
from randomizer.systems.xconq.world.classification import Limits
from randomizer.systems.xconq.world.relief import Relief, cached_relief, relief_of

if TYPE_CHECKING:
    from randomizer.model.map.battlemap import BattleMap
    from randomizer.model.map.layer import Layer

PLANE = "terrain"
"""The name of the plane with the terrain."""

_NO_SHORT_TEXT = ""
"""The short text of a hex of which altitude and moisture are not known."""


def explain_terrain(battlemap: BattleMap, cell: int, *, at_once: bool) -> Explanation | None:
    """Return why a cell shows its terrain, by the roll of the layer that shows it.

    With ``at_once`` no relief is made, which takes long; only one in the cache is used. None if
    there is no relief: it is not in the cache, the period of the roll has errors, or the map is
    smaller than any world.
    """
    layer = battlemap.owner(PLANE, cell)
    if layer is None:
        return Explanation(_NO_SHORT_TEXT, "No layer sets the terrain of this hex.")
    code = int(layer.planes[PLANE].flat[cell])
    name = battlemap.terrain_set.terrains[code].name
    if layer.roll is None:
        text = (
            f"The {name} here was painted, or read from a file, on the layer {layer.name}. It was "
            "not rolled, so nothing is known of altitude and moisture."
        )
        return Explanation(_NO_SHORT_TEXT, text)
    period = read_period(layer.roll.script, None, layer.roll.texts).period
    if period is None:
        return None
    relief = _relief(battlemap, layer, period, at_once=at_once)
    if relief is None:
        return None

    alt = int(relief.alt_percent.flat[cell])
    wet = int(relief.wet_percent.flat[cell])
    short_text = f"altitude {alt} %, moisture {wet} %"
    y = cell // battlemap.grid.width
    rolled = _explain_roll(period, y, battlemap.grid.height, alt, wet)
    paragraphs = [
        f"Altitude {alt} %, moisture {wet} %: of the hexes in the inner rows {alt} % are at most "
        f"as high, and {wet} % at most as wet."
    ]
    touched = layer.planes.get(TOUCHED + PLANE)
    if touched is not None and touched.flat[cell]:
        paragraphs.insert(0, f"The {name} here was painted by hand.")
        paragraphs.append(f"Rolled it was {rolled.name}: {rolled.reason}")
    elif rolled.name != name:
        paragraphs.append(
            f"The roll gives {rolled.name} here, not {name}: the hex was locked, or the map was "
            "changed as a whole since."
        )
    else:
        paragraphs.append(f"That is {name}: {rolled.reason}")
    return Explanation(short_text, "\n\n".join(paragraphs))


def _relief(battlemap: BattleMap, layer: Layer, period: Period, *, at_once: bool) -> Relief | None:
    """Return the relief of the world of a rolled layer; None as in ``explain_terrain``."""
    roll = layer.roll
    grid = battlemap.grid
    assert roll is not None, "the layer was rolled"
    try:
        settings = relief_settings(period, roll, grid.width, grid.height)
    except ValueError:
        # The only case: the map is smaller than any world, as it has been cut since the roll.
        return None
    key = DrawKey(roll.seed, roll.number)
    if at_once:
        return cached_relief(settings, key)
    return relief_of(settings, key)


class _RolledTerrain(NamedTuple):
    """The terrain that a roll gives a hex."""

    name: str

    reason: str
    """Why it has that terrain, for the end of a sentence."""


def _explain_roll(period: Period, y: int, height: int, alt: int, wet: int) -> _RolledTerrain:
    """Return the terrain that a world has at these percentiles in row ``y``, and why."""
    names = [terrain.name for terrain in terrain_set_of(period).terrains]
    limits = limits_of(period)
    fitting_types = limits.types_holding(alt, wet)
    if fitting_types:
        terrain, *later_types = fitting_types
        rectangle = _describe_rectangle(limits, terrain)
        reason = f"the first type of the period that takes both, {rectangle}."
        if later_types:
            later = "; ".join(
                f"{names[later_type]}, {_describe_rectangle(limits, later_type)}"
                for later_type in later_types
            )
            reason += f" Later types that would fit too: {later}."
    else:
        default = period.type_number_of("default-terrain")
        if default is None:
            terrain = 0
            reason = "no type takes both, so it is the first type of the period."
        else:
            terrain = default
            reason = "no type takes both, so it is its default-terrain."
    edge = period.type_number_of("edge-terrain")
    if edge is not None and y in (0, height - 1):
        reason = (
            f"the rows at the poles have the edge-terrain. Elsewhere it would be "
            f"{names[terrain]}, {reason}"
        )
        terrain = edge
    return _RolledTerrain(names[terrain], reason)


def _describe_rectangle(limits: Limits, terrain: int) -> str:
    """Return the limits of a terrain type for a sentence."""
    altitude = f"{limits.min_alt[terrain]} to {limits.max_alt[terrain]} %"
    moisture = f"{limits.min_wet[terrain]} to {limits.max_wet[terrain]} %"
    return f"altitude {altitude} and moisture {moisture}"
