"""The menu Randomize: scripts of the catalogue, of the game and of the user, and the rolls."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject
from PySide6.QtGui import QAction

from app.commands.commands import WHY
from app.commands.judging_menu import add_judging_entries

if TYPE_CHECKING:
    from app.commands.menu_entries import MenuEntries
    from app.features.files.file_commands import FileCommands
    from app.features.game.game_commands import GameCommands


class ScriptsMenu(QObject):
    """Fills its part with scripts each time it is opened."""

    def __init__(self, entries: MenuEntries, files: FileCommands, games: GameCommands) -> None:
        super().__init__(entries)
        self._entries, self._window = entries, entries.window
        self._files, self._games = files, games
        menu = self._randomize = entries.menu("&Randomize")
        self.as_menu = menu.addMenu("Randomize &as")
        self.as_menu.aboutToShow.connect(self._fill_randomize_as)
        self._entries.add(
            menu,
            "Randomize from &file...",
            self._files.open_script,
            "Ctrl+Shift+F",
            "script",
            "Open a randomizer script in its panel",
        )
        menu.addSeparator()

    def add_actions(self, actions: list[QAction]) -> None:
        """Put the roll panel's actions below."""
        self._randomize.addActions(actions)
        add_judging_entries(self._entries, self._randomize)

    def _fill_randomize_as(self) -> None:
        from randomizer.catalog import generators

        self.as_menu.clear()
        for generator in generators():
            if not generator.metadata.script:
                continue  # it has a panel of its own
            action = self._entries.add(
                self.as_menu,
                generator.metadata.name,
                partial(self._roll_generator, generator),
                tip=generator.metadata.description,
            )
            action.setProperty(WHY, f"It makes a {generator.system.title}.")
            action.setEnabled(generator.system is self._window.document.battlemap.system)
        scripts = self._games.scripts()
        if scripts:
            game_menu = self.as_menu.addMenu("From the &game directory")
            for path in scripts:
                self._entries.add(game_menu, path.stem, partial(self._files.roll_script, path))
        recent = self.as_menu.addMenu("&Recent scripts")
        self._entries.fill_recent(recent, "scripts", self._files.roll_script)

    def _roll_generator(self, generator: Any) -> None:
        self._window.show_dock("randomize")
        if self._window.scripts.load_generator(generator):
            self._window.rolling.randomize_as()
