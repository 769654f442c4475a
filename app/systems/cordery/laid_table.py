"""The table that lies on the current map: its layers, their rolls, and the log of its dice.

A table is laid in parts, such as hills and roads, each a layer with a roll of its own. The log
tells throw by throw how it came about; it is worked out from the rolls in the background.
"""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import QObject, Signal

from app.background.background_value import BackgroundValue
from app.document.document import MapDocument
from app.qt_guard import connect
from app.rolling.rolling import Rolling
from app.systems.cordery.table_choices import NO_REPEATS, Repeats
from randomizer.catalog.generators import generator_without_script
from randomizer.generator import MapGenerator
from randomizer.model.map.layer import Layer, Roll
from randomizer.model.rolls.rolled_layers import parts_from
from randomizer.systems.cordery.choices import TYPED
from randomizer.systems.cordery.dice_log import LogEntry, TableRoll, log_entries, table_rolls
from randomizer.systems.cordery.page_parts import PARTS, part_of_die
from randomizer.systems.cordery.table.previous_areas import (
    PreviousArea,
    read_previous_areas,
    write_previous_areas,
)

LOG_MS = 30
"""The pause after a change of the map before its log is worked out again, in milliseconds.

If it is longer, the log follows a roll late; if shorter, it is worked out several times for one.
"""


class LaidTable(QObject):
    """Reads the table that dice have laid on the current map; it changes nothing."""

    log_changed = Signal()
    """``log`` changed."""

    def __init__(self, document: MapDocument, rolling: Rolling, parent: QObject) -> None:
        super().__init__(parent)
        self._document = document
        self._rolling = rolling
        self.log: tuple[LogEntry, ...] = ()
        """The log of the dice of the current table, from the first throw to the last."""
        self._log_value = BackgroundValue(self._rolls_for_log, _log_of, self, delay_ms=LOG_MS)
        connect(self._log_value.computed, self._set_log)
        connect(document.changed, self._log_value.renew)
        self._log_value.watch()

    # --- its layers -------------------------------------------------------------------------

    @property
    def generator(self) -> MapGenerator | None:
        """The generator that lays tables like the current one; None for other maps."""
        system = self._document.battlemap.system
        if system.name == "cordery":
            return generator_without_script(system)
        return None

    def parts(self) -> dict[str, Layer]:
        """Return the layers of the current table, by the part of the page."""
        lowest_layer = self._rolling.target()
        battlemap = self._document.battlemap
        if lowest_layer is None or self.generator is None:
            return {}
        positions = parts_from(battlemap, lowest_layer.id)
        layers = [battlemap.layers[position] for position in positions]
        return {layer.roll.part: layer for layer in layers if layer.roll is not None}

    def last_roll(self) -> Roll | None:
        """Return the roll of the topmost part of the table, None if no table lies on the map."""
        rolls = [layer.roll for layer in self.parts().values() if layer.roll is not None]
        if rolls:
            return rolls[-1]
        return None

    @property
    def is_laid_by_hand(self) -> bool:
        """True if the table that lies was laid by dice that a person entered."""
        roll = self.last_roll()
        return roll is not None and roll.settings.get("dice") == TYPED

    def repeats(self) -> Repeats:
        """Return how often the parts of the table were thrown again.

        The roll of a part has the counts of itself and of the parts before it, so that those of a
        later layer are the newer ones.
        """
        repeats = NO_REPEATS
        for layer in self.parts().values():
            if layer.roll is not None:
                repeats = repeats.with_settings(layer.roll.settings)
        return repeats

    @property
    def previous_areas(self) -> str:
        """The setting ``previous_areas`` of the table that lies; "" if no part was thrown again."""
        return self.repeats().previous_areas or ""

    # --- its log ----------------------------------------------------------------------------

    def may_have_dice(self, part: str) -> bool:
        """Return whether dice are thrown for a part of the table, as far as the log tells.

        Only a visible part is in the log; of a hidden one nothing is known. An entry without planes
        has no scores either, as the map below has changed since: there may have been dice.
        """
        if not self.parts()[part].visible:
            return True
        entries = [entry for entry in self.log if entry.part == part]
        return any(entry.scores or entry.planes is None for entry in entries)

    def scores_in_log(self) -> dict[str, tuple[int, ...]]:
        """Return the scores of the throws in the log by name: {"hills die": (4,)}."""
        scores_by_name: dict[str, tuple[int, ...]] = {}
        for entry in self.log:
            scores_by_name.update(entry.scores)
        return scores_by_name

    @property
    def has_unknown_dice(self) -> bool:
        """True if the scores of some dice are not in the log.

        Its entries for them have no planes: what lies below them has changed since the roll.
        """
        return any(entry.planes is None for entry in self.log)

    @property
    def has_fresh_log(self) -> bool:
        """True if ``log`` is that of the table that the map has now."""
        return self._log_value.fresh

    def renew_log(self) -> None:
        """Work out the log again. ``Throwing`` calls this when layers or their rolls changed."""
        self._log_value.renew()

    def forget_log(self) -> None:
        """Drop the log, as another map is current; that of its table is worked out."""
        self._log_value.forget()
        self._set_log(())
        self._log_value.renew()

    def _rolls_for_log(self) -> tuple[TableRoll, ...]:
        """Return the rolls from which the log is worked out; () if no table lies on the map."""
        lowest_layer = self._rolling.target()
        if lowest_layer is None or self.generator is None:
            return ()
        return table_rolls(self._document.battlemap, lowest_layer.id)

    def _set_log(self, log: tuple[LogEntry, ...]) -> None:
        self.log = log
        self.log_changed.emit()

    def areas_of_features(self) -> dict[str, PreviousArea]:
        """Return where the dice or a person have put the features of the table, by their names.

        Features of hidden parts are not in the log, and are left out.
        """
        areas = {}
        for entry in self.log:
            for decision in entry.line.decisions:
                if decision.name == position_decision(decision.feature) and entry.line.cells:
                    cell = entry.line.cells[0]
                    areas[decision.feature] = PreviousArea(cell, decision.is_chained)
        return areas

    def previous_areas_for(self, part: str) -> str:
        """Return the setting ``previous_areas`` for a part that is thrown again.

        It names the areas of all features of later parts. What was noted when another part was
        thrown again, of hidden features say, still holds, but not for the part itself.
        """
        battlemap = self._document.battlemap
        name_of = partial(battlemap.system.cell_name, battlemap.grid)
        areas = {}
        for feature, area in read_previous_areas(
            self.previous_areas, battlemap.grid, name_of
        ).items():
            if part_of_die(position_decision(feature)) != part:
                areas[feature] = area
        later_parts = PARTS[PARTS.index(part) + 1 :]
        for feature, area in self.areas_of_features().items():
            if part_of_die(position_decision(feature)) in later_parts:
                areas[feature] = area
        return write_previous_areas(areas, name_of)


def _log_of(
    rolls: tuple[TableRoll, ...], _progress: object, _cancelled: object
) -> tuple[LogEntry, ...]:
    """Return the log of these rolls. The work of a job."""
    return log_entries(rolls)


def position_decision(feature: str) -> str:
    """Return the name of the decision where a feature stands: "hill 2 at" for "hill 2"."""
    return f"{feature} at"
