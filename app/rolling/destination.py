"""Destinations of rolls: a rolled layer that is replaced, a new layer, or a new map.

A ``Destination`` is chosen before a roll begins: it says what the roll starts from (``base``), why
it cannot go there (``why_not``), and what ``MapChange`` comes with it in one undo step.
``FinishedRoll`` puts the result there.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace

from app.document.undo_history import MergeKey
from app.rolling.roll_setup import RollSetup
from randomizer.model.edits.edit import Edit
from randomizer.model.edits.layer_edits import LayerStep
from randomizer.model.edits.record_edits import change_record, set_record
from randomizer.model.edits.value_edits import compound
from randomizer.model.grid.cell_words import cell_text
from randomizer.model.grid.grid import Grid
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.map.layer import Layer
from randomizer.model.records.map_records import MapRecord
from randomizer.model.rolls.generated import Generated
from randomizer.model.rolls.put_roll import fits_grid, is_changed_by_hand, put_roll
from randomizer.model.rolls.rolled_layers import parts_from
from randomizer.roll_base import Base

GONE = "The layer is gone that this roll was meant for: nothing was changed"
OTHER_TERRAIN = "The map has another terrain set than when this roll began: nothing was changed"
HAND_WORK_LOST = "Work by hand and locks fit this size only."
TURNED = "The map has another shape than when this roll began: nothing was changed"


SetupOf = Callable[[str, Mapping[str, str]], RollSetup]
"""Returns the setup of a script from its text and its further files, by name."""


@dataclass(frozen=True)
class MapChange:
    """A change of the map that comes with a roll, in the same undo step."""

    records: Mapping[str, MapRecord | None] = field(default_factory=dict)
    """The records that change, by name; None for one that is removed."""

    merge: MergeKey | None = None
    """The undo step that it becomes part of, if that is the last one; None: a step of its own."""

    title: str = ""
    """The text of the undo step; "" for that of the roll ("Roll Swamp, seed 17 no. 3")."""

    setup_of: SetupOf | None = None
    """Returns the setup of another script that the map gets; None if it keeps its script."""

    follow: Callable[[BattleMap], Edit | None] | None = None
    """Returns the edit that follows from the changed records; None if nothing else changes."""

    @property
    def loads(self) -> bool:
        """True if the map gets another script."""
        return self.setup_of is not None

    def edit(self, battlemap: BattleMap) -> Edit | None:
        """Return the edit of the map, None if it changes nothing.

        Raises ValueError for a text that a record cannot have.
        """
        edits: list[Edit | None] = []
        for name, record in self.records.items():
            is_new = name not in battlemap.records
            if is_new or record is None or not record.touched:
                edits.append(set_record(battlemap, name, record))
            else:
                # The edit of a text that a person changes stores only the difference.
                edits.append(change_record(battlemap, name, record.text))
        if self.follow is not None:
            edits.append(self.follow(battlemap))
        return compound(edits)

    def over(self, base: Base) -> Base:
        """Return ``base`` as it will be after the change, which is made before the roll."""
        records = dict(base.records)
        for name, record in self.records.items():
            records.pop(name, None)
            if record is not None and record.touched:
                records[name] = record
        return replace(base, records=records)


NO_CHANGE = MapChange()
"""Stands for a roll alone."""


@dataclass(frozen=True)
class Destination:
    """The layer or map into which a roll goes.

    ``in_place_of``, ``above`` and ``as_new_map`` make one: just one of ``replaced``, ``below`` and
    ``empty`` is not None. A roll whose grid does not fit the map is opened as a map of its own.
    """

    replaced: int | None = None
    """The id of the rolled layer that is replaced, with the parts above it that came with it."""

    below: int | None = None
    """The id of the layer above which the roll is a new layer."""

    empty: BattleMap | None = None
    """A new map without layers, which is opened with the roll on it."""

    replaces_map: bool = False
    """True if the new map replaces the current one, unless that was changed since it was rolled."""

    change: MapChange = NO_CHANGE
    """The change of the map that is made before the roll goes into it."""

    is_typed: bool = False
    """True if the roll follows a text that a person is typing.

    No messages are shown then: its problems are listed beside the text.
    """

    @classmethod
    def in_place_of(cls, layer_id: int) -> Destination:
        """Return the destination of a roll that replaces the rolled layer with this id."""
        return cls(replaced=layer_id)

    @classmethod
    def above(cls, layer_id: int) -> Destination:
        """Return the destination of a roll that is a new layer above the layer with this id."""
        return cls(below=layer_id)

    @classmethod
    def as_new_map(cls, empty: BattleMap, *, replaces_map: bool = False) -> Destination:
        """Return the destination of a roll onto the new map ``empty``, which is opened with it."""
        return cls(empty=empty, replaces_map=replaces_map)

    @property
    def opens_map(self) -> bool:
        """True if a new map is opened with the roll."""
        return self.empty is not None

    @property
    def only_shows_text(self) -> bool:
        """True if the roll only shows the text that is typed, and changes nothing else."""
        return self.is_typed and not self.change.records

    @property
    def layer_id(self) -> int:
        """The id of the layer that is replaced, or above which the roll goes; not for a new map."""
        layer_id = self.replaced
        if layer_id is None:
            layer_id = self.below
        assert layer_id is not None, "a new map has no layer to begin with"
        return layer_id

    # --- before it is rolled ----------------------------------------------------------------

    def base(self, battlemap: BattleMap) -> Base:
        """Return what a roll starts from: the map below it, as it will be after the change."""
        if self.empty is not None:
            return Base.under(self.empty, len(self.empty.layers))
        if self.replaced is None:
            position = battlemap.index_of(self.layer_id) + 1
            return self.change.over(Base.under(battlemap, position))
        replaced_positions = parts_from(battlemap, self.replaced)
        base = Base.under(battlemap, replaced_positions[0], *replaced_positions)
        return self.change.over(base)

    def why_not(self, battlemap: BattleMap, base: Base | None = None) -> str:
        """Return the reason why no roll can go here now, as text; "" if one can.

        ``base`` is the one from which the roll was started, None if it is yet to be started.
        """
        if self.empty is not None:
            return ""
        layers = [layer for layer in battlemap.layers if layer.id == self.layer_id]
        if not layers:
            return GONE
        layer = layers[0]
        if self.replaced is not None and layer.roll is None:
            return GONE  # it is no rolled layer any more
        if base is not None and battlemap.grid is not base.grid:
            return TURNED
        if base is not None and battlemap.terrain_set != base.terrain_set:
            return OTHER_TERRAIN
        if self.locked_layer(battlemap) is not None:
            return locked_message(layer)
        return ""

    def locked_layer(self, battlemap: BattleMap) -> Layer | None:
        """Return the layer that the roll would replace if it is locked, else None.

        Of several parts of one roll locked ones can be replaced: the generator keeps what they set.
        """
        layer_ids = [layer.id for layer in battlemap.layers]
        if self.replaced is None or self.replaced not in layer_ids:
            return None
        layer = battlemap.layer(self.replaced)
        is_one_layer = len(parts_from(battlemap, self.replaced)) == 1
        if layer.locked and is_one_layer:
            return layer
        return None

    # --- when it is rolled ------------------------------------------------------------------

    def fits(self, battlemap: BattleMap, generated: Generated) -> bool:
        """Return whether the grid of a roll fits the map, or it is opened as a new map."""
        replaces = self.replaced is not None
        return self.opens_map or fits_grid(battlemap, self.layer_id, generated, replaces=replaces)

    def other_size(self, battlemap: BattleMap, generated: Generated) -> str:
        """Return how the size or shape of a roll differs from that of the map, as text.

        "" if it does not, or if that takes nothing away: the map is blank, or another one.
        """
        grid = generated.grid
        if grid is None or grid.same_as(battlemap.grid):
            return ""
        if self.opens_map or battlemap.is_blank():
            return ""
        old_size = _size_of(battlemap.grid)
        new_size = _size_of(grid)
        text = f"The roll makes a map of {new_size}. This map has {old_size}."
        if new_size == old_size:
            text = _other_shape(battlemap.grid, grid)
        if self._loses_hand_work(battlemap, generated):
            text = f"{text} {HAND_WORK_LOST}"
        return text

    def _loses_hand_work(self, battlemap: BattleMap, generated: Generated) -> bool:
        """Return whether a roll of another size cannot keep what a hand has done on the map."""
        if not self.fits(battlemap, generated):
            return True
        return self.replaced is not None and is_changed_by_hand(battlemap, self.replaced)

    def step(self, battlemap: BattleMap, generated: Generated) -> LayerStep:
        """Return the edit that puts a fitting roll into the map; it does not make the change."""
        replaces = self.replaced is not None
        return put_roll(battlemap, self.layer_id, generated, replaces=replaces)


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
