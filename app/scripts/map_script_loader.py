"""Brings scripts into the current map, where maps hold their script: ``MapScriptLoader``.

    loader.load(script, is_own=True)     # the script is on its way: ``Rolling.loading``

The map is rolled from the script by that, and text and roll are one undo step. The step says from
which file the text comes, its *origin*: Undo and Redo then change the file that is saved to, too.
"""

from __future__ import annotations

from dataclasses import replace

from PySide6.QtCore import QObject

from app.background.actions import run
from app.document.document import MapDocument
from app.qt_guard import connect
from app.scripts.map_choice import MapChoice, choose_map
from app.scripts.script import Script
from app.scripts.shown_script import ShownScript


class MapScriptLoader(QObject):
    """Loads scripts that are opened, and those whose file another program has changed."""

    def __init__(self, scripts: ShownScript, document: MapDocument) -> None:
        super().__init__(scripts)
        self._scripts = scripts
        self._document = document
        self._coming_script: Script | None = None
        """The script that is on its way into the current map, None if none is."""
        connect(scripts.file_changes.map_text_read, self._load_file_read_again)

    def load(self, script: Script, *, is_own: bool) -> None:
        """Give a script to the current map, which holds its script, and roll that map from it.

        ``is_own`` is True for a script of the user's, False for a packaged one.
        """
        # This runs until the script is on its way, and returns; the rest is done later.
        run(self._load(script, is_own=is_own))

    async def _load(self, script: Script, *, is_own: bool) -> None:
        """Give a script to the current map, and note the file of it when it is there."""
        document = self._scripts.current
        history = self._document.history
        self._coming_script = script
        try:
            await self._scripts.map_script.load_script(script, touched=is_own)
        finally:
            if self._coming_script is script:
                self._coming_script = None
        # Those of then: another map may be the current one by now.
        document.note_origin(history, script)
        self._scripts.map_text.follow_origin()

    def _load_file_read_again(self, script: Script) -> None:
        """Give the current map the text that its script's file has now.

        Does nothing if a script of another file is on its way into the map, which takes its place.
        """
        coming_script = self._coming_script
        if coming_script is not None and coming_script.path != script.path:
            return
        script = replace(script, settings=self._scripts.script.settings)
        choice = choose_map(script, self._document.current_map, keep_map=False)
        if choice is MapChoice.INTO_CURRENT_MAP:
            self.load(script, is_own=True)
