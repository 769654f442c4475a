"""Edits of the stack of layers: a layer comes, goes, moves, or has a field set.

A map is a stack of layers, of which number 0 is the bottom. Each edit names a position in it, or
the id of a layer, and holds whole layers where they come or go (``Edit`` in edit.py tells what all
edits have in common)::

    LayerMove(0, 2).apply(battlemap)                          # [a, b, c] becomes [b, c, a]
    LayerField(3, "name", "Roads", "Streets").apply(battlemap)

Functions that make such edits for a user, such as "Merge down", are in layer_edits.py.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from randomizer.model.edits.edit import Region
from randomizer.model.map.layer import Layer

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable

    from randomizer.model.map.battlemap import BattleMap
    from randomizer.model.planes.composite import Composite


class _StackEdit:
    """An edit of which layers there are, and in which order: any value may be seen or covered."""

    __slots__ = ()

    def region(self, battlemap: BattleMap) -> Region:
        """Return the region of the whole map."""
        return Region(everything=True, structure=True)

    def refresh(self, battlemap: BattleMap, composite: Composite) -> bool:
        """Return False: the stack has to be composed again."""
        return False


@dataclass(frozen=True, eq=False)
class LayerInsert(_StackEdit):
    """A new layer enters the stack."""

    index: int
    """Its position afterwards; 0 is the bottom."""
    layer: Layer
    """The layer itself, not a copy: the map owns it from then on."""

    def apply(self, battlemap: BattleMap) -> None:
        """Insert the layer. It must not be in another map.

        Raises ValueError for an id of the layer or of a thing that the map has already, IndexError
        for a position outside the stack.
        """
        if any(layer.id == self.layer.id for layer in battlemap.layers):
            raise ValueError(f"the map has a layer {self.layer.id} already")
        if not 0 <= self.index <= len(battlemap.layers):
            raise IndexError(f"the stack has no position {self.index}")
        _check_ids_are_free(battlemap.layers, self.layer.things)
        battlemap.note_ids(self.layer.things)
        battlemap.layers.insert(self.index, self.layer)

    def inverse(self) -> LayerRemove:
        """Return the edit that removes it."""
        return LayerRemove(self.index, self.layer)


@dataclass(frozen=True, eq=False)
class LayerRemove(_StackEdit):
    """A layer leaves the stack."""

    index: int
    """Its position; 0 is the bottom."""
    layer: Layer

    def apply(self, battlemap: BattleMap) -> None:
        """Remove the layer. Raises KeyError if it is not at its position."""
        _check_position(battlemap, self.index, self.layer)
        del battlemap.layers[self.index]

    def inverse(self) -> LayerInsert:
        """Return the edit that inserts it again."""
        return LayerInsert(self.index, self.layer)


@dataclass(frozen=True, eq=False)
class LayerReplace(_StackEdit):
    """A layer is replaced by another, which may have the same id (a re-roll keeps it)."""

    index: int
    """Its position; 0 is the bottom."""
    old_layer: Layer
    """The layer at that position now."""
    new_layer: Layer
    """The layer that takes its position: itself, not a copy."""

    def apply(self, battlemap: BattleMap) -> None:
        """Replace the layer.

        Raises KeyError if it is not at its position, ValueError for the id of another layer and for
        things with ids of other layers' things.
        """
        _check_position(battlemap, self.index, self.old_layer)
        other_layers = [layer for layer in battlemap.layers if layer.id != self.old_layer.id]
        if any(layer.id == self.new_layer.id for layer in other_layers):
            raise ValueError(f"the map has a layer {self.new_layer.id} already")
        _check_ids_are_free(other_layers, self.new_layer.things)
        battlemap.note_ids(self.new_layer.things)
        battlemap.layers[self.index] = self.new_layer

    def inverse(self) -> LayerReplace:
        """Return the edit that replaces it back."""
        return LayerReplace(self.index, self.new_layer, self.old_layer)


@dataclass(frozen=True, slots=True)
class LayerMove(_StackEdit):
    """A layer moves to another position of the stack."""

    start: int
    """Its position now; 0 is the bottom."""
    end: int
    """Its position afterwards."""

    def apply(self, battlemap: BattleMap) -> None:
        """Move the layer. Raises IndexError for a position outside the stack."""
        for position in (self.start, self.end):
            if not 0 <= position < len(battlemap.layers):
                raise IndexError(f"the stack has no position {position}")
        battlemap.layers.insert(self.end, battlemap.layers.pop(self.start))

    def inverse(self) -> LayerMove:
        """Return the edit that moves it back."""
        return LayerMove(self.end, self.start)


def _check_position(battlemap: BattleMap, index: int, layer: Layer) -> None:
    """Raise KeyError unless the layer with the id of ``layer`` is at position ``index``.

    It may be an equal copy: edits that were read from the journal have copies.
    """
    if battlemap.index_of(layer.id) != index:
        raise KeyError(f"layer {layer.id} is not at position {index}")


def _check_ids_are_free(layers: Iterable[Layer], thing_ids: Collection[int]) -> None:
    """Raise ValueError if a thing of ``layers`` has one of these ids."""
    if not thing_ids:  # the usual case, in which no layer has to be looked at
        return
    for layer in layers:
        if not layer.things:
            continue
        for thing_id in thing_ids:
            if thing_id in layer.things:
                raise ValueError(f"the map has a thing {thing_id} already")


_SHOWN_FIELDS = ("visible", "opacity")
"""The fields of a layer that change how the map looks."""

_NOT_COMPOSED = (
    "name",
    "opacity",
    "locked",
    "secret",
    "from_file",
    "touched_properties",
    "removed_keys",
)
"""The fields of a layer on which a composite does not depend.

Opacity is among them: a composite holds the values that are seen, not how strongly they are drawn.
"""


@dataclass(frozen=True, slots=True)
class LayerField:
    """A new value of a field of a layer itself: name, visible, opacity, locked ..."""

    layer_id: int
    name: str
    """The name of the field in ``Layer``."""
    old_value: Any
    """The value of the field now."""
    new_value: Any
    """The value to be set."""

    def apply(self, battlemap: BattleMap) -> None:
        """Set the field. Raises AttributeError if layers have no such field."""
        layer = battlemap.layer(self.layer_id)
        getattr(layer, self.name)  # raises for a name that ``setattr`` would add
        setattr(layer, self.name, self.new_value)

    def inverse(self) -> LayerField:
        """Return the edit that sets it back."""
        return LayerField(self.layer_id, self.name, self.new_value, self.old_value)

    def region(self, battlemap: BattleMap) -> Region:
        """Return the whole map if the field changes the look; else only the list of layers."""
        return Region(everything=self.name in _SHOWN_FIELDS, structure=True)

    def refresh(self, battlemap: BattleMap, composite: Composite) -> bool:
        """Return True if the composite does not depend on the field, else False."""
        return self.name in _NOT_COMPOSED
