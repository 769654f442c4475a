"""Why a hex has its terrain: both percentiles, the rectangle of its type, what else would fit."""

from __future__ import annotations

from typing import TYPE_CHECKING

from randomizer.generator import DrawKey
from randomizer.model.planes.planes import TOUCHED
from randomizer.model.system.explanation import Explanation
from randomizer.systems.xconq.period.period import Period
from randomizer.systems.xconq.period.reading import read_period
from randomizer.systems.xconq.terrain.terrain_set import terrain_set_of
from randomizer.systems.xconq.terrain.world_terrain import limits_of, relief_settings
from randomizer.systems.xconq.world.relief import Relief, cached_relief, relief_of

if TYPE_CHECKING:
    from randomizer.model.map.battlemap import BattleMap
    from randomizer.model.map.layer import Layer

PLANE = "terrain"


def why_terrain(battlemap: BattleMap, cell: int, at_once: bool) -> Explanation | None:
    """Return why a cell shows its terrain, by the roll of the layer that shows it.

    ``at_once``: only if the relief of the roll is known already; else None.
    """
    layer = battlemap.owner(PLANE, cell)
    if layer is None:
        return Explanation("", "No layer sets the terrain of this hex.")
    codes = layer.planes[PLANE]
    touched = layer.planes.get(TOUCHED + PLANE)
    name = battlemap.terrain_set.terrains[int(codes.flat[cell])].name
    by_hand = touched is not None and bool(touched.flat[cell])
    if layer.roll is None:
        words = (
            f"The {name} here was painted, or read from a file, on the layer {layer.name}. It was "
            "not rolled, so nothing is known of altitude and moisture."
        )
        return Explanation("", words)
    period = read_period(layer.roll.script, None, layer.roll.texts).period
    if period is None:
        relief = None
    else:
        relief = _relief(battlemap, layer, period, at_once)
    if period is None or relief is None:
        return None
    alt = int(relief.alt_percent.flat[cell])
    wet = int(relief.wet_percent.flat[cell])
    short = f"altitude {alt} %, moisture {wet} %"
    rolled, reason = _rolled(period, cell // battlemap.grid.width, battlemap.grid.height, alt, wet)
    lines = [
        f"Altitude {alt} %, moisture {wet} %: of the inner rows of this world {alt} % are at most "
        f"as high, and {wet} % at most as wet."
    ]
    if by_hand:
        lines.insert(0, f"The {name} here was painted by hand.")
        lines.append(f"Rolled it was {rolled}: {reason}")
    elif rolled != name:
        lines.append(
            f"The roll gives {rolled} here, not {name}: the hex was locked, or the map was changed "
            "as a whole since."
        )
    else:
        lines.append(f"That is {name}: {reason}")
    return Explanation(short, "\n\n".join(lines))


def _relief(battlemap: BattleMap, layer: Layer, period: Period, at_once: bool) -> Relief | None:
    """Return the relief of the world of a layer, None if it is not known or the map had another
    size.
    """
    roll = layer.roll
    grid = battlemap.grid
    assert roll is not None, "the layer was rolled"
    try:
        settings = relief_settings(period, roll, grid.width, grid.height)
    except ValueError:  # the map is smaller than any world
        return None
    key = DrawKey(roll.seed, roll.number)
    if at_once:
        return cached_relief(settings, key)
    return relief_of(settings, key)


def _rolled(period: Period, y: int, height: int, alt: int, wet: int) -> tuple[str, str]:
    """Return the terrain that a world has at these percentiles in row ``y``, and why."""
    names = [terrain.name for terrain in terrain_set_of(period).terrains]
    limits = limits_of(period)
    fits = limits.holding(alt, wet)
    edge, default = (period.named_type(f"{word}-terrain") for word in ("edge", "default"))

    def rectangle(terrain: int) -> str:
        bounds = (bound[terrain] for bound in (limits.min_alt, limits.max_alt))
        moist = (bound[terrain] for bound in (limits.min_wet, limits.max_wet))
        return f"altitude {_range(*bounds)} and moisture {_range(*moist)}"

    if fits:
        terrain_code = fits[0]
        reason = f"the first type of the period that takes both, {rectangle(terrain_code)}."
        if len(fits) > 1:
            later = "; ".join(f"{names[fit]}, {rectangle(fit)}" for fit in fits[1:])
            reason += f" Defined later, and so not asked: {later}."
    else:
        terrain_code = default or 0
        if default is None:
            why = "the first type of the period"
        else:
            why = "its default-terrain"
        reason = f"no type takes both, so it is {why}."
    if edge is not None and y in (0, height - 1):
        reason = (
            f"the rows at the poles have the edge-terrain. Elsewhere it would be "
            f"{names[terrain_code]}, {reason}"
        )
        terrain_code = edge
    return names[terrain_code], reason


def _range(low: int, high: int) -> str:
    return f"{low} to {high} %"
