"""Gives ``Rolling`` the script that is shown, as a ``RollProvider``: ``ScriptProvider``."""

from __future__ import annotations

from PySide6.QtCore import QObject, Signal

from app.qt_guard import connect
from app.rolling.roll_setup import RollSetup
from app.scripts.shown_script import ShownScript
from randomizer.model.map.layer import Roll
from randomizer.model.rolls.draw_key import DrawKey


class ScriptProvider(QObject):
    """Provides the setup of the current document's text as it is now."""

    setup_changed = Signal()
    """The script, its text or its settings have changed."""

    def __init__(self, shown: ShownScript) -> None:
        super().__init__(shown)
        self._shown = shown
        connect(shown.text_edited, self.setup_changed)
        connect(shown.settings.changed, self.setup_changed)
        connect(shown.script_changed, self.setup_changed)

    def serves_map(self) -> bool:
        """Return True: what nobody else rolls a script rolls, or ``why_not()`` says why."""
        return True

    def setup(self, _key: DrawKey | None = None) -> RollSetup:
        """Return the script with its text and settings as shown."""
        shown = self._shown
        return shown.setups.of_shown(shown.text.text(), shown.further_texts)

    def setup_of_step(self, _key: DrawKey, roll: Roll | None) -> RollSetup:
        """Return the script as for any other map; with ``roll`` the setup that made that.

        A text that the map itself holds stays that of now.
        """
        if roll is None:
            return self.setup()
        shown = self._shown
        return shown.setups.of_roll(roll, shown.text.text(), shown.further_texts)

    def asker(self) -> None:
        """Return None: scripts roll without questions."""

    def loading(self) -> bool:
        """Return whether another script is on its way into the map."""
        return self._shown.map_script.loading

    def why_not(self) -> str:
        """Return why the script shown cannot roll the current map; "" if it can."""
        return self._shown.why_not()
