"""Destinations of rolls: a rolled layer that is replaced, a new layer, or a new map.

    destination = InPlaceOf(layer.id)        # or AboveLayer(layer.id), or NewMap(battlemap)
    why = destination.why_not(battlemap)     # "The layer Swamp is locked: ..."; "" if it can be
    base = destination.base(battlemap)       # what the roll starts from

A destination is chosen before a roll begins, and asked again when the roll is made: the map may
have changed meanwhile. ``RollPlacement`` puts the result there.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass

from app.rolling.map_change import NO_CHANGE, MapChange
from randomizer.model.edits.layer_edits import LayerStep
from randomizer.model.grid.cell_words import cell_text
from randomizer.model.grid.grid import Grid
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.map.layer import Layer
from randomizer.model.rolls.generated import Generated
from randomizer.model.rolls.put_roll import fits_grid, put_roll
from randomizer.model.rolls.rolled_layers import parts_from
from randomizer.model.rolls.touched_values import is_changed_by_hand
from randomizer.roll_base import Base

# The reasons why a roll, when it is made, cannot go where it was meant to go.
GONE = "The layer is gone that this roll was meant for: nothing was changed"
OTHER_TERRAIN = "The map has another terrain set than when this roll began: nothing was changed"
OTHER_SHAPE = "The map has another shape than when this roll began: nothing was changed"

HAND_WORK_LOST = "Work by hand and locks fit this size only."


class Destination(ABC):
    """The layer or map into which a roll goes.

    A roll whose grid does not fit the current map can be opened as a map of its own instead.
    """

    is_typed: bool = False
    """True if the roll follows a text that a person is typing.

    No messages are shown then: its problems are listed beside the text.
    """

    change: MapChange = NO_CHANGE
    """The change of the map that is made before the roll goes into it."""

    @property
    def only_shows_text(self) -> bool:
        """True if the roll only shows the text that is typed, and changes nothing else."""
        return self.is_typed and not self.change.records

    # --- before it is rolled ----------------------------------------------------------------

    @abstractmethod
    def base(self, battlemap: BattleMap) -> Base:
        """Return what a roll onto the current map, ``battlemap``, starts from.

        Only if ``why_not`` gives no reason: a layer that is gone has nothing below it.
        """

    @abstractmethod
    def why_not(self, battlemap: BattleMap, base: Base | None = None) -> str:
        """Return the reason why no roll can go here now, as text; "" if one can.

        ``base`` is the one from which the roll was started, None if it is yet to be started.
        """

    def locked_layer(self, _battlemap: BattleMap) -> Layer | None:
        """Return the layer that the roll would replace if it is locked, else None."""
        return None

    # --- when it is rolled ------------------------------------------------------------------

    @abstractmethod
    def fits(self, battlemap: BattleMap, generated: Generated) -> bool:
        """Return whether a roll can go here with the grid that it has."""

    @abstractmethod
    def size_difference(self, battlemap: BattleMap, generated: Generated) -> str:
        """Return how the size or shape of a roll differs from that of the map, as text.

        "" if it does not, or if that takes nothing away.
        """


@dataclass(frozen=True)
class NewMap(Destination):
    """A new map, which is opened with the roll on it."""

    empty: BattleMap
    """The map without layers."""

    replaces_map: bool = False
    """True if the new map replaces the current one, unless that was changed since it was rolled."""

    def base(self, _battlemap: BattleMap) -> Base:
        """Return the empty map; the current one does not matter."""
        return Base.under(self.empty, len(self.empty.layers))

    def why_not(self, _battlemap: BattleMap, _base: Base | None = None) -> str:
        """Return "": a new map can always be opened."""
        return ""

    def fits(self, _battlemap: BattleMap, _generated: Generated) -> bool:
        """Return True: the map gets the grid of the roll."""
        return True

    def size_difference(self, _battlemap: BattleMap, _generated: Generated) -> str:
        """Return "": the current map stays as it is."""
        return ""


class LayerDestination(Destination):
    """A destination in the current map: the roll becomes one or several of its layers."""

    layer_id: int
    """The id of the layer that is replaced, or above which the roll goes."""

    def why_not(self, battlemap: BattleMap, base: Base | None = None) -> str:
        """Return the reason why no roll can go here now; see ``Destination``."""
        layer = self.layer_of(battlemap)
        if layer is None:
            return GONE
        if base is not None and battlemap.grid is not base.grid:
            return OTHER_SHAPE
        if base is not None and battlemap.terrain_set != base.terrain_set:
            return OTHER_TERRAIN
        if self.locked_layer(battlemap) is not None:
            return locked_message(layer)
        return ""

    def layer_of(self, battlemap: BattleMap) -> Layer | None:
        """Return the layer with ``layer_id``, None if it is gone."""
        for layer in battlemap.layers:
            if layer.id == self.layer_id:
                return layer
        return None

    def size_difference(self, battlemap: BattleMap, generated: Generated) -> str:
        """Return how the size of a roll differs; see ``Destination``."""
        grid = generated.grid
        if grid is None or grid.same_as(battlemap.grid) or battlemap.is_blank():
            return ""
        old_size = _size_of(battlemap.grid)
        new_size = _size_of(grid)
        text = f"The roll makes a map of {new_size}. This map has {old_size}."
        if new_size == old_size:
            text = _other_shape(battlemap.grid, grid)
        if self.loses_hand_work(battlemap, generated):
            text = f"{text} {HAND_WORK_LOST}"
        return text

    def loses_hand_work(self, battlemap: BattleMap, generated: Generated) -> bool:
        """Return whether a roll of another size cannot keep what a hand has done on the map."""
        return not self.fits(battlemap, generated)

    @abstractmethod
    def step(self, battlemap: BattleMap, generated: Generated) -> LayerStep:
        """Return the edit that puts a fitting roll into the map; it does not make ``change``."""


@dataclass(frozen=True)
class AboveLayer(LayerDestination):
    """A new layer above another one; several layers, if the roll has several parts."""

    layer_id: int

    change: MapChange = NO_CHANGE

    copies_paint: bool = True
    """False for a roll that covers what was painted below it (``Generated.rearranges_map``)."""

    def base(self, battlemap: BattleMap) -> Base:
        """Return the map up to the layer below, as it will be after the change."""
        position = battlemap.index_of(self.layer_id) + 1
        base = Base.under(battlemap, position, copies_paint=self.copies_paint)
        return self.change.applied_to(base)

    def fits(self, battlemap: BattleMap, generated: Generated) -> bool:
        """Return whether the grid of a roll fits the map."""
        return fits_grid(battlemap, self.layer_id, generated, replaces=False)

    def step(self, battlemap: BattleMap, generated: Generated) -> LayerStep:
        """Return the edit that inserts the layers of the roll."""
        return put_roll(battlemap, self.layer_id, generated, replaces=False)


@dataclass(frozen=True)
class InPlaceOf(LayerDestination):
    """A rolled layer that is replaced, with the parts above it that came with it."""

    layer_id: int

    change: MapChange = NO_CHANGE

    is_typed: bool = False

    def base(self, battlemap: BattleMap) -> Base:
        """Return the map below the replaced layers, as it will be after the change."""
        positions = parts_from(battlemap, self.layer_id)
        return self.change.applied_to(Base.under(battlemap, positions[0], *positions))

    def layer_of(self, battlemap: BattleMap) -> Layer | None:
        """Return the layer that is replaced; None if it is gone, or is no rolled one any more."""
        layer = super().layer_of(battlemap)
        if layer is None or layer.roll is None:
            return None
        return layer

    def locked_layer(self, battlemap: BattleMap) -> Layer | None:
        """Return the layer that the roll would replace if it is locked, else None.

        Of several parts of one roll locked ones can be replaced: the generator keeps what they set.
        """
        layer = self.layer_of(battlemap)
        if layer is None or not layer.locked:
            return None
        is_one_layer = len(parts_from(battlemap, self.layer_id)) == 1
        if is_one_layer:
            return layer
        return None

    def fits(self, battlemap: BattleMap, generated: Generated) -> bool:
        """Return whether the grid of a roll fits the map."""
        return fits_grid(battlemap, self.layer_id, generated, replaces=True)

    def loses_hand_work(self, battlemap: BattleMap, generated: Generated) -> bool:
        """Return whether a roll of another size cannot keep what a hand has done on the map."""
        is_lost = super().loses_hand_work(battlemap, generated)
        return is_lost or is_changed_by_hand(battlemap, parts_from(battlemap, self.layer_id))

    def step(self, battlemap: BattleMap, generated: Generated) -> LayerStep:
        """Return the edit that replaces the layers."""
        return put_roll(battlemap, self.layer_id, generated, replaces=True)


def locked_message(layer: Layer) -> str:
    """Return the message that a locked layer is not rolled, with what can be done about it."""
    return f"The layer {layer.name} is locked: unlock it, or roll onto a new layer."


def _other_shape(old_grid: Grid, new_grid: Grid) -> str:
    """Return how two grids of the same size differ, as text."""
    if old_grid.layout is not new_grid.layout:
        return "The roll makes a map with another layout."
    if old_grid.wrap and not new_grid.wrap:
        return "The roll makes a map with a left and a right edge. This map goes round."
    if new_grid.wrap and not old_grid.wrap:
        return "The roll makes a map that goes round. This map has a left and a right edge."
    return f"The roll gives the map of {_size_of(old_grid)} another shape."


def _size_of(grid: Grid) -> str:
    """Return the size as text, such as "20 x 14 hexes"."""
    return cell_text(f"{grid.width} x {grid.height} {{cells}}", grid.layout)
