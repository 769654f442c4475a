"""Copies of a map from which a picture is drawn on another thread, while the map is edited."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from app.render.overlay_options import Overlays
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.map.layer import Layer
from randomizer.model.planes.composite import Composite
from randomizer.model.planes.planes import is_blank
from randomizer.model.players_view import players_view


def snapshot(
    battlemap: BattleMap, composite: Composite, overlays: Overlays | None = None
) -> tuple[BattleMap, Composite]:
    """Return copies of a map, of its visible layers only the things, and of its composite.

    They can be drawn on another thread. With ``overlays`` for players nothing secret is in them.
    """
    if overlays is not None and overlays.players:
        map_for_players = players_view(battlemap)
        if map_for_players is not battlemap:
            battlemap = map_for_players
            composite = map_for_players.composite()
    # What cells look like is in the composite; of layers only things are drawn.
    layers = []
    for layer in battlemap.layers:
        if layer.visible:
            layers.append(Layer(layer.id, layer.name, things=layer.things.copy()))
    copied_map = replace(
        battlemap,
        layers=layers,
        locked_cells=_copied(battlemap.locked_cells),
        locked_sides=_copied(battlemap.locked_sides),
        records=dict(battlemap.records),
    )
    return copied_map, composite.copy()


def _copied(plane: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Return a copy of a plane; a blank one is never written to, and is shared."""
    if is_blank(plane):
        return plane
    return plane.copy()
