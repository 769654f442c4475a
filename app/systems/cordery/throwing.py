"""The dice of the current table: what was chosen, which part is thrown, how the dice fell."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from PySide6.QtCore import QObject, Signal

from app.background.background_value import BackgroundValue
from app.document.document import MapDocument
from app.document.undo_history import RollState
from app.qt_guard import connect
from app.rolling.roll_setup import RollSetup
from app.rolling.rolling import Rolling
from randomizer.catalog import generator_without_script
from randomizer.generator import DrawKey, MapGenerator
from randomizer.model.edits.layer_edits import show
from randomizer.model.layer import Layer
from randomizer.model.rolls.rolled_layers import parts_from
from randomizer.systems.cordery.choices import PARTS, Choices
from randomizer.systems.cordery.dice_log import LogEntry, TableRoll, log_entries, table_rolls
from randomizer.systems.cordery.throws import read_fixed

LOG_MS = 30
"""How long after a change of the map its log is worked out again."""

ENTERING = "Dice are being entered in the panel Dice: enter them all, or stop entering, first."
"""Why nothing is thrown while dice are asked for."""

OF_ONE_ROLL = ("first", *(f"{kind}_again" for kind in PARTS))
"""Settings that say how a table came to be, and not what was chosen for it."""


class Throwing(QObject):
    """Provides throws of the dice for rolls of Cordery's tables.

    ``choices_changed()``: other choices hold. ``setup_changed()``: the same, for ``Rolling``.
    ``parts_changed()``: other layers are the table's. ``log_changed()``: ``log`` is another.
    ``entry_wanted()``: the table is to be laid, and its dice are entered by hand.
    """

    choices_changed = Signal()
    setup_changed = Signal()
    parts_changed = Signal()
    log_changed = Signal()
    entry_wanted = Signal()

    def __init__(self, document: MapDocument, rolling: Rolling, parent: QObject) -> None:
        super().__init__(parent)
        self._document, self._rolling = document, rolling
        self._choices: dict[str, object] = {}
        self._loaded: object = None
        self.entering = False
        self.log: tuple[LogEntry, ...] = ()
        self._log_value = BackgroundValue(self._table_rolls, _log_of, self, delay_ms=LOG_MS)
        connect(self._log_value.computed, self._set_log)
        connect(rolling.layers_changed, self._on_layers)
        connect(document.changed, self._log_value.renew)
        connect(document.map_replaced, self._on_map)
        connect(self.choices_changed, self.setup_changed)
        rolling.add_provider(self)
        self._on_layers()
        self._log_value.watch(True)

    # --- the current table -------------------------------------------------------------------

    @property
    def generator(self) -> MapGenerator | None:
        """Who lays tables like the current one; None for other maps."""
        system = self._document.battlemap.system
        return generator_without_script(system) if system.name == "cordery" else None

    def parts(self) -> dict[str, Layer]:
        """Return the layers of the current table, by the part of the page."""
        lowest, battlemap = self._rolling.target(), self._document.battlemap
        if lowest is None or self.generator is None:
            return {}
        layers = [battlemap.layers[place] for place in parts_from(battlemap, lowest.id)]
        return {layer.roll.part: layer for layer in layers if layer.roll is not None}

    def _on_map(self) -> None:
        """What was decided for one table is not meant for another, nor how its dice fell."""
        self._log_value.forget()
        self._set_log(())
        self._on_layers()
        if self._loaded is None and self._choices.get("fixed"):
            self.choose(fixed="")

    def _on_layers(self) -> None:
        """Another table, or the same one thrown otherwise: show what was chosen for it."""
        rolls = [layer.roll for layer in self.parts().values() if layer.roll is not None]
        last = rolls[-1] if rolls else None
        if last is not None and last is not self._loaded:
            self._choices = {
                name: value for name, value in last.settings.items() if name not in OF_ONE_ROLL
            }
            self._rolling.set_state(RollState(last.seed, last.number))
            self.choices_changed.emit()
        self._loaded = last
        self._log_value.renew()
        self.parts_changed.emit()

    # --- what is chosen ---------------------------------------------------------------------

    @property
    def choices(self) -> Choices:
        """What is chosen now."""
        return Choices.of(self._choices)

    @property
    def chosen(self) -> Mapping[str, object]:
        """The same by the settings' names, without what is as by default."""
        return self._choices

    def choose(self, **values: object) -> None:
        """Choose otherwise; nothing is thrown."""
        self._choices |= values
        self.choices_changed.emit()

    def take_choices(self, values: Mapping[str, object]) -> None:
        """Choose all of this and nothing else: a saved campaign square."""
        self._choices = dict(values)
        self.choices_changed.emit()

    @property
    def fixed(self) -> dict[str, str]:
        """What was decided by hand, dice included."""
        return read_fixed(self.choices.fixed)

    def fix(self, values: Mapping[str, str]) -> None:
        """Decide these; "" frees what was decided. Nothing is thrown."""
        fixed = {name: value for name, value in {**self.fixed, **values}.items() if value}
        self.choose(fixed=as_text(fixed))

    # --- throwing ---------------------------------------------------------------------------

    def serves_map(self) -> bool:
        """Return whether the current map is a table that dice lay."""
        return self.generator is not None

    def setup(self) -> RollSetup:
        """Return a throw of the whole table. Raises LookupError where dice lay no table."""
        return self._setup()

    def loading(self) -> bool:
        """Return False: tables have no script."""
        return False

    def set_entering(self, entering: bool) -> None:
        """Say whether dice are being asked for, one after the other."""
        if entering != self.entering:
            self.entering = entering
            self.setup_changed.emit()

    def why_not(self) -> str:
        """Return why the program throws nothing now, in words; "" if it does."""
        if self.entering:
            return ENTERING
        typed = self.choices.dice == "typed"
        return "The dice of this table are entered by hand, in the panel Dice." if typed else ""

    def _setup(self, **more: object) -> RollSetup:
        generator = self.generator
        if generator is None:
            raise LookupError("dice lay no such map")
        return RollSetup("", lambda: generator, {**self._choices, **more}, replaces=True)

    def lay_from(self, part: str, *, again: bool = False) -> None:
        """Lay a part of the page and all that follow again, with what is chosen now.

        The same dice, or (``again``) that part's thrown again. Nothing where no table lies.
        """
        if not self.parts():
            return
        if self.why_not():
            self.entry_wanted.emit()
            return
        layer = self.parts().get(part)
        if layer is None or layer.roll is None:
            before = PARTS.index(part)
            kinds = [kind for kind in self.parts() if PARTS.index(kind) < before]
            if not kinds:
                self.take()
                return
            part = kinds[-1]
            layer = self.parts()[part]
        assert layer.roll is not None
        counts: dict[str, Any] = {
            name: value for name, value in layer.roll.settings.items() if name.endswith("_again")
        }
        if again:
            counts[f"{part}_again"] = counts.get(f"{part}_again", 0) + 1
        key = DrawKey(layer.roll.seed, layer.roll.number)
        self._rolling.take_part(layer, key, self._setup(first=part, **counts))

    def take(self) -> None:
        """Lay the whole table with the dice shown, in place of the one that is there."""
        if self.serves_map():
            self._rolling.take(self.key, self.setup())

    @property
    def key(self) -> DrawKey:
        """The dice shown."""
        return self._rolling.key

    def show_part(self, part: str, visible: bool) -> None:
        """Show or hide the layer of a part."""
        layer = self.parts().get(part)
        edit = None if layer is None else show(self._document.battlemap, layer.id, visible)
        if edit is not None and layer is not None:
            self._document.push(edit, f"{'Show' if visible else 'Hide'} {layer.name}")

    # --- the log of the dice ----------------------------------------------------------------

    def _table_rolls(self) -> tuple[TableRoll, ...]:
        lowest = self._rolling.target()
        if lowest is None or self.generator is None:
            return ()
        return table_rolls(self._document.battlemap, lowest.id)

    def _set_log(self, log: tuple[LogEntry, ...]) -> None:
        self.log = log
        self.log_changed.emit()


def _log_of(
    rolls: tuple[TableRoll, ...], _progress: object, _cancelled: object
) -> tuple[LogEntry, ...]:
    return log_entries(rolls)


def as_text(fixed: Mapping[str, str]) -> str:
    """Return decisions as ``read_fixed`` reads them."""
    return "; ".join(f"{name} = {value}" for name, value in fixed.items())
