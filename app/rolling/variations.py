"""Variations of a map: the same map with small changes, which the gallery shows to choose from.

A command calls ``Variations.begin``. From then on the gallery rolls the setup of ``current``
instead of that of the script, until another command calls ``end``.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import NamedTuple
from weakref import WeakKeyDictionary

from PySide6.QtCore import QObject, Signal

from app.document.document import MapDocument
from app.document.open_map import OpenMap
from app.rolling.destination import AboveLayer, InPlaceOf, LayerDestination
from app.rolling.roll_setup import RollSetup
from randomizer.generator import MapGenerator
from randomizer.variations.generator import setting_to_keep_things, variations_of
from randomizer.variations.settings import NUMBER


class CurrentVariations(NamedTuple):
    """The variations that the gallery shows of the current map."""

    setup: RollSetup
    """The generator that makes them, with its settings."""

    destination: LayerDestination
    """The place of one that is taken: above the map, or in place of one that was taken before."""


class _ShownVariations(NamedTuple):
    """The variations that were asked for on one map."""

    setup: RollSetup

    top_layer_id: int
    """The id of the layer that was topmost when they were asked for: a variation goes above it."""


class Variations(QObject):
    """The variations of each open map for which they were asked for.

    The first variation that is taken becomes a new layer; the next one replaces it.
    """

    changed = Signal()
    """The current map shows other variations, or none any more."""

    def __init__(self, document: MapDocument, parent: QObject) -> None:
        super().__init__(parent)
        self._document = document
        self._shown_on: WeakKeyDictionary[OpenMap, _ShownVariations] = WeakKeyDictionary()
        """The variations of each open map that shows any."""

    def begin(self, settings: Mapping[str, object]) -> None:
        """Show variations of the current map as it is seen now.

        ``settings`` replace defaults of the generator of variations.
        """
        battlemap = self._document.battlemap
        generator = variations_of(battlemap.system)
        assert generator is not None, "the command is disabled without a generator"
        values = {setting.name: setting.default for setting in generator.settings}
        values |= settings

        def make_generator() -> MapGenerator:
            return generator  # it exists already: there is no script to load

        setup = RollSetup("", make_generator, values, maps=int(str(values[NUMBER])))
        top_layer_id = battlemap.layers[-1].id
        self._shown_on[self._document.current_map] = _ShownVariations(setup, top_layer_id)
        self.changed.emit()

    def end(self) -> None:
        """Show the script's maps again."""
        if self._shown_on.pop(self._document.current_map, None) is not None:
            self.changed.emit()

    def current(self) -> CurrentVariations | None:
        """Return the variations of the current map.

        None if the current map shows no variations, or the layer is deleted above which they go.
        """
        shown = self._shown_on.get(self._document.current_map)
        battlemap = self._document.battlemap
        layer_ids = [layer.id for layer in battlemap.layers]
        if shown is None or shown.top_layer_id not in layer_ids:
            return None
        # Cells with things on them are kept as they are: those of the map as it is now.
        settings = {**shown.setup.settings, **setting_to_keep_things(battlemap)}
        setup = replace(shown.setup, settings=settings)

        # A variation that was taken before is replaced.
        name = setup.generator().name
        position = battlemap.index_of(shown.top_layer_id)
        for layer in battlemap.layers[position + 1 :]:
            if layer.roll is not None and layer.roll.generator == name:
                return CurrentVariations(setup, InPlaceOf(layer.id))
        return CurrentVariations(setup, AboveLayer(shown.top_layer_id))
