"""Variations of a map: the same map with small changes, which the gallery shows to choose from.

    variations.begin({"share": 10})         # the current map, with 10 % of its cells changed
    offer = variations.offer()              # the gallery rolls maps by offer.setup
    rolling.roll_chosen(key, offer.setup, offer.destination)       # the user has chosen one
    variations.end()                        # the gallery rolls the script again

The first variation that the user chooses becomes a layer above the map. The next one replaces that
layer, so that a person can try one after the other.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple
from weakref import WeakKeyDictionary

from PySide6.QtCore import QObject, Signal

from app.document.document import MapDocument
from app.document.open_map import OpenMap
from app.rolling.destination import AboveLayer, InPlaceOf, LayerDestination
from app.rolling.roll_setup import RollBehaviour, RollSetup
from randomizer.generator import MapGenerator
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.map.layer import Layer, Roll
from randomizer.model.system.system import System
from randomizer.variations.generator import setting_to_keep_things, variations_of
from randomizer.variations.settings import NUMBER


class OfferedVariations(NamedTuple):
    """The variations that the gallery offers of the current map."""

    setup: RollSetup
    """The generator that makes them, with its settings."""

    destination: LayerDestination
    """The layer into which the one goes that the user chooses."""


class _VariationRequest(NamedTuple):
    """The request of a user for variations of one map."""

    generator: MapGenerator
    """It makes the variations."""

    settings: Mapping[str, object]
    """The values of its settings, by name."""

    top_layer_id: int
    """The id of the layer that was topmost then: the variations are of what it shows."""

    def destination_of_chosen(self, battlemap: BattleMap) -> LayerDestination:
        """Return the layer into which a variation goes: above the map, or that of an earlier one.

        That is the first layer above ``top_layer_id`` that is rolled by the same generator; the
        layer with that id must be on the map.
        """
        position = battlemap.index_of(self.top_layer_id)
        for layer in battlemap.layers[position + 1 :]:
            if layer.roll is not None and layer.roll.generator == self.generator.name:
                return InPlaceOf(layer.id)
        return AboveLayer(self.top_layer_id, copies_paint=False)


class VariationRequests(QObject):
    """The variations for which the user asked, one request for each open map at most."""

    changed = Signal()
    """The user has asked for other variations of the current map, or for none any more.

    ``offer`` also depends on the map: it has nothing to offer once the layer is deleted that was
    topmost at the request. ``MapDocument.changed`` tells of that.
    """

    def __init__(self, document: MapDocument, parent: QObject) -> None:
        super().__init__(parent)
        self._document = document
        self._requests: WeakKeyDictionary[OpenMap, _VariationRequest] = WeakKeyDictionary()
        """The request for each open map, until ``end`` is called for it."""

    def begin(self, settings: Mapping[str, object]) -> None:
        """Offer variations of the current map as it is seen now.

        ``settings`` replace defaults of the generator of variations.
        """
        battlemap = self._document.battlemap
        generator = variations_of(battlemap.system)
        assert generator is not None, "the command is disabled without a generator"
        defaults = {setting.name: setting.default for setting in generator.settings}
        self._requests[self._document.current_map] = _VariationRequest(
            generator, {**defaults, **settings}, top_layer_id=battlemap.layers[-1].id
        )
        self.changed.emit()

    def end(self) -> None:
        """Offer variations of the current map no longer."""
        request = self._requests.pop(self._document.current_map, None)
        if request is not None:
            self.changed.emit()

    @property
    def is_offering(self) -> bool:
        """True if ``offer`` has something to offer."""
        return self._valid_request() is not None

    def offer(self) -> OfferedVariations | None:
        """Return the variations of the current map as it is now; None if it has none to offer."""
        request = self._valid_request()
        if request is None:
            return None
        battlemap = self._document.battlemap
        # The cells below things are not changed; the things may be others than at the request.
        settings = {**request.settings, **setting_to_keep_things(battlemap)}
        setup = _setup(request.generator, settings)
        return OfferedVariations(setup, request.destination_of_chosen(battlemap))

    def _valid_request(self) -> _VariationRequest | None:
        """Return the request for the current map.

        None without one, and after the layer was deleted that was topmost at the request.
        """
        request = self._requests.get(self._document.current_map)
        if request is None:
            return None
        layer_ids = {layer.id for layer in self._document.battlemap.layers}
        if request.top_layer_id not in layer_ids:
            return None
        return request


def is_variation(system: System, roll: Roll) -> bool:
    """Return whether a roll on a map of a system is that of a variation."""
    generator = variations_of(system)
    return generator is not None and roll.generator == generator.name


def original_of(battlemap: BattleMap, variation: Layer) -> Layer | None:
    """Return the rolled layer of which a layer is a variation: the next visible one below.

    None if the variation is of a map without a roll.
    """
    layers_below = battlemap.layers[: battlemap.index_of(variation.id)]
    for layer in reversed(layers_below):
        if not layer.visible or layer.roll is None:
            continue
        if not is_variation(battlemap.system, layer.roll):
            return layer
    return None


def setup_of_variation(system: System, roll: Roll) -> RollSetup:
    """Return the setup that makes the roll of a variation again, with its seed and number."""
    generator = variations_of(system)
    assert generator is not None, "a map of the system has a variation"
    return _setup(generator, roll.settings)


def _setup(generator: MapGenerator, settings: Mapping[str, object]) -> RollSetup:
    """Return the setup of variations with these settings."""
    map_count = settings[NUMBER]
    assert isinstance(map_count, int)

    def make_generator() -> MapGenerator:
        return generator  # it is made already

    return RollSetup(
        text="",
        make_generator=make_generator,
        settings=settings,
        generator_name=generator.name,
        behaviour=RollBehaviour(map_count=map_count, keeps_all_locks=True),
    )
