"""Which thing lies under the pointer: as large as it is drawn, and with what it carries.

Things can carry others: a ship carries a truck, and that a man. Together they are a *load*, drawn
as one pile; a click picks the ship, and further clicks the truck and the man.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from app.render.scene.region_names import region_names
from app.render.scene.things.loads import NO_LOADS
from app.render.scene.things.signs import SignsCache
from app.render.scene.things.thing_labels import NamesCache
from app.render.scene.things.thing_sizes import diameter
from app.tools.pointer import Pointer
from randomizer.model.map.carriers import carried_by, carriers_on
from randomizer.model.map.things_at import topmost_thing_at
from randomizer.model.things.things import Thing

if TYPE_CHECKING:
    from app.document.document import MapDocument
    from randomizer.model.map.battlemap import BattleMap

MIN_REACH = 5.0
"""Things smaller than this (logical pixels from their middle) are hit as if they were so large."""


class ThingHits:
    """Finds the things under the pointer, on the map as it is drawn."""

    def __init__(self) -> None:
        self._carrier_ids: dict[int, int] | None = None
        """The ids of carriers by the ids of what they carry, None until they are needed."""
        self._names = NamesCache()
        """Where the inscriptions of the map are drawn: they are hit where their letters are."""
        self._signs = SignsCache()
        """The signs by which large things are seen from afar: they hide what is below."""

    def map_changed(self) -> None:
        """Forget which things carry which; the other caches see a change by themselves."""
        self._carrier_ids = None

    def thing_at(self, document: MapDocument, pointer: Pointer) -> Thing | None:
        """Return the thing under the pointer, as large as it is drawn; None if there is none.

        Of a load (``load_with``) it is the picked thing, or if none is picked the outermost
        carrier, whatever of the load is hit.
        """
        battlemap = document.battlemap
        hit = self._thing_with_sign_at(battlemap, pointer)
        if hit is None:
            hit = _thing_with_icon_at(battlemap, pointer)
        if hit is None:
            return self._inscription_at(battlemap, pointer)
        load = self.load_with(document, hit)
        picked_ids = {thing.id for thing in document.picked}
        for thing in load:
            if thing.id in picked_ids:
                return thing
        return load[0]

    def _thing_with_sign_at(self, battlemap: BattleMap, pointer: Pointer) -> Thing | None:
        """Return the thing whose sign is under the pointer; signs are drawn over all things."""
        signs = self._signs.of(battlemap, pointer.scale)
        thing_id = signs.thing_at(pointer.x, pointer.y)
        if thing_id is None:
            return None
        return battlemap.thing(thing_id)

    def _inscription_at(self, battlemap: BattleMap, pointer: Pointer) -> Thing | None:
        """Return the inscription under the pointer: it has no shape, and is hit by its letters."""
        names = self._names.of(battlemap, pointer.scale, NO_LOADS)
        inscription_id = names.inscription_at(pointer.x, pointer.y, pointer.scale)
        if inscription_id is None:
            return None
        return battlemap.thing(inscription_id)

    def region_named_at(self, document: MapDocument, pointer: Pointer) -> str:
        """Return the region whose name is drawn under the pointer, "" if none is."""
        battlemap = document.battlemap
        scale = pointer.scale
        names = self._names.of(battlemap, scale, NO_LOADS)
        regions = region_names(battlemap, document.composite)
        return regions.name_at(pointer.x, pointer.y, scale, names)

    def load_with(self, document: MapDocument, thing: Thing) -> list[Thing]:
        """Return the load of a thing: its outermost carrier, then all that this carrier carries.

        For a man in a truck on a ship, and for the truck and the ship: ship, truck, man. A thing
        that neither carries nor is carried is its own load. Things on hidden layers are left out.
        """
        battlemap = document.battlemap
        if self._carrier_ids is None:
            self._carrier_ids = carriers_on(battlemap)
        carrier_id = thing.id
        while carrier_id in self._carrier_ids:
            carrier_id = self._carrier_ids[carrier_id]
        if carrier_id == thing.id and carrier_id not in self._carrier_ids.values():
            return [thing]

        visible_ids: set[int] = set()
        for layer in battlemap.layers:
            if layer.visible:
                visible_ids.update(layer.things)
        ids = (carrier_id, *carried_by(battlemap, [carrier_id]))
        return [battlemap.thing(thing_id) for thing_id in ids if thing_id in visible_ids]


def _thing_with_icon_at(battlemap: BattleMap, pointer: Pointer) -> Thing | None:
    """Return the topmost thing whose icon or footprint is under the pointer."""
    radius_in_pixels = diameter(battlemap, pointer.scale) / 2
    reach = radius_in_pixels / pointer.scale
    min_reach = MIN_REACH / pointer.scale
    return topmost_thing_at(battlemap, pointer.x, pointer.y, reach, min_reach)
