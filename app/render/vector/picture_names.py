"""The names that a picture of a map shows, and those for which it has no room."""

from __future__ import annotations

from app.render.overlay_options import Overlays
from app.render.scene.region_names import region_names
from app.render.scene.things.loads import Loads, loads_of
from app.render.scene.things.names import NO_NAMES, Names
from app.render.scene.things.thing_labels import names_of
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.planes.composite import Composite


def shown_names(battlemap: BattleMap, overlays: Overlays, scale: float, loads: Loads) -> Names:
    """Return the names of things that a picture of a map shows at a scale, by its overlays."""
    if overlays.things and overlays.thing_names and overlays.map_names:
        return names_of(battlemap, scale, loads)
    return NO_NAMES


def names_without_room(
    battlemap: BattleMap, composite: Composite, overlays: Overlays, scale: float
) -> tuple[str, ...]:
    """Return the names that a picture of a map leaves out, as others have their room.

    Names of things come first, then those of regions.
    """
    names = shown_names(battlemap, overlays, scale, loads_of(battlemap))
    if not (overlays.regions and overlays.map_names):
        return names.left_out
    regions = region_names(battlemap, composite)
    return names.left_out + regions.left_out(scale, names)
