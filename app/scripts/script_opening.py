"""Opens scripts: reads them, chooses the map that each is shown with, and rolls it where asked to.

``Scripts.opening`` is the one ``ScriptOpening``. A script is opened in these steps:

1. it is read;
2. a person who would lose unsaved edits of the script shown is asked;
3. a map is chosen for it (map_choice.py), and the script is shown with that;
4. it is rolled, if that was asked for and the map was not rolled from it in step 3.

With ``keep_map`` the current map stays as it is where the script, or its roll, would change it: the
script then gets another map.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from app.background.actions import run
from app.document.document import MapDocument
from app.document.map_files import new_map
from app.document.open_map import OpenMap
from app.rolling.rolling import Rolling
from app.scripts.map_choice import MapChoice, choose_map
from app.scripts.map_script_loader import MapScriptLoader
from app.scripts.new_maps import NewMaps
from app.scripts.script import Script, script_of_generator
from app.scripts.shown_script import ShownScript
from randomizer.generator import MapGenerator
from randomizer.model.basics.plurals import with_article
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.settings.metadata import GROUND_SETTINGS


@dataclass(frozen=True)
class _HowToOpen:
    """What a person wants of a script that is opened."""

    is_own: bool
    """True for a script of the user's, False for a packaged one."""

    roll: bool
    """True if it is rolled, too, in place of the roll of the current map."""

    keep_map: bool
    """True if the current map stays as it is where the script, or its roll, would change it."""


class ScriptOpening:
    """Shows scripts that are opened, with the map that each belongs to."""

    def __init__(
        self, scripts: ShownScript, document: MapDocument, rolling: Rolling, new_maps: NewMaps
    ) -> None:
        self._scripts = scripts
        self._document = document
        self._rolling = rolling
        self._new_maps = new_maps
        self._loader = MapScriptLoader(scripts, document)
        """Gives scripts to the current map, where that holds its script."""

    # --- what a person opens -----------------------------------------------------------------

    async def ask_open(self) -> None:
        """Let a person choose a script file, and show it."""
        open_map = self._document.current_map
        title = "Open script"
        if self._scripts.current.in_map:
            title = f"Open {with_article(self._scripts.map_script.noun)} for this map"
        answer = self._scripts.files.ask_open(title)
        path = await self._document.while_open(open_map, answer)
        if path is not None:
            self._document.make_current(open_map)
            await self.open(path)

    async def open(self, path: Path, *, roll: bool = False, keep_map: bool = False) -> bool:
        """Show a script file; False if it cannot be read or unsaved edits are to be kept.

        With ``roll`` it is rolled, too, in place of the roll of the current map; for ``keep_map``
        see the top. Raises ProblemError if the script gets another map and no system has its
        suffix.
        """
        # It is read before the question: a file that cannot be read needs none.
        files = self._scripts.files
        read = files.read(path)
        if read is None:
            return False
        if self._replaces_script(read.script, keep_map=keep_map):
            had_edits = self._scripts.current.unsaved
            document = self._scripts.documents.of_file(path)
            if not await self._scripts.unsaved.ask_before_replacing(document):
                return False
            if had_edits:
                # The answer may have been to save the edits, into this very file.
                newer = files.read(path)
                if newer is not None:
                    read = newer
        files.note_opened(path, read)
        await self._show(read.script, _HowToOpen(is_own=True, roll=roll, keep_map=keep_map))
        return True

    async def open_generator(
        self,
        generator: MapGenerator,
        path: Path | None = None,
        *,
        own: bool = False,
        roll: bool = False,
        keep_map: bool = False,
    ) -> bool:
        """Show, or roll, a script of the catalogue; False if unsaved edits are to be kept.

        ``path`` is the script's file if the user may change it. ``own`` is True for a script of the
        user's. For ``roll`` and ``keep_map`` see ``open``.
        """
        script = script_of_generator(generator, path)
        if self._replaces_script(script, keep_map=keep_map):
            document = self._scripts.documents.of_file(path)
            if not await self._scripts.unsaved.ask_before_replacing(document):
                return False
        self._scripts.files.note_read(script)
        await self._show(script, _HowToOpen(is_own=own, roll=roll, keep_map=keep_map))
        return True

    async def roll_new(
        self,
        battlemap: BattleMap,
        generator: MapGenerator,
        settings: Mapping[str, object] | None = None,
        path: Path | None = None,
    ) -> None:
        """Roll a script of the catalogue onto an empty map, and open that as a new map.

        It takes the place of the current map if that is as it was rolled. With None as ``settings``
        it has the usual ones. ``path`` is the script's file if it is the user's.
        """
        script = script_of_generator(generator, path)
        if settings is not None:
            script = replace(script, settings=settings)
        self._scripts.files.note_read(script)
        self._scripts.files.note_file(script)
        await self._new_maps.roll(battlemap, script, replaces=True)

    def _replaces_script(self, script: Script, *, keep_map: bool) -> bool:
        """Return whether the current map gets an opened script in place of the one it shows."""
        if not keep_map:
            return True
        choice = choose_map(script, self._document.current_map, keep_map=True)
        return not choice.keeps_current_map

    # --- the map of an opened script ---------------------------------------------------------

    async def _show(self, script: Script, how: _HowToOpen) -> None:
        """Show a script with the map that is chosen for it, and roll it if that is wanted.

        Raises ProblemError if no system has the suffix of the script and it needs an empty map, and
        Stopped if the roll of a new map is dropped.
        """
        match choose_map(script, self._document.current_map, keep_map=how.keep_map):
            case MapChoice.INTO_NEW_MAP:
                await self._open_new_map(script, how)
                return  # it is rolled by that
            case MapChoice.INTO_CURRENT_MAP:
                self._give_to_current_map(script, how)
            case MapChoice.WITH_EMPTY_MAP:
                self._show_with_empty_map(script)
            case MapChoice.WITH_CURRENT_MAP:
                self._show_with_current_map(script)
        if how.roll:
            self._roll_shown_script()

    async def _open_new_map(self, script: Script, how: _HowToOpen) -> None:
        """Open a script that maps hold as a map of its own, and roll that."""
        battlemap = new_map(script.empty_generator().system)
        if not how.keep_map:
            run(self._new_maps.roll(battlemap, script))  # nobody waits for the roll
            return
        open_map = self._unsaved_map_with(script)
        if open_map is None:
            await self._new_maps.roll(battlemap, script)
        else:
            self._document.make_current(open_map)
            self._scripts.message.emit(f"{script.name} is open already.")

    def _unsaved_map_with(self, script: Script) -> OpenMap | None:
        """Return the map that holds the script of the same file, None if there is none.

        A map that was saved does not count: a person may want another one.
        """
        if script.path is None:
            return None
        for open_map in self._document.maps:
            document = self._scripts.documents.of_map(open_map)
            if document is None or not document.in_map or open_map.path is not None:
                continue
            if document.script.path == script.path:
                return open_map
        return None

    def _give_to_current_map(self, script: Script, how: _HowToOpen) -> None:
        """Give a script to the current map, which holds its script and is rolled again with it."""
        self._loader.load(script, is_own=how.is_own)
        if self._rolling.loading and self._document.battlemap.is_blank():
            # A blank map has no roll that could be made again, and needs a first one. It waits
            # until the text is there.
            self._rolling.roll()

    def _show_with_empty_map(self, script: Script) -> None:
        """Show a script with an empty map of its own; the current map stays with its script.

        Raises ProblemError if no system has the suffix of the script.
        """
        previous_name = self._document.name_of(self._document.current_map)
        self._new_maps.open_empty(script)
        self._scripts.show_script(script)
        if self._scripts.fits_map:
            settings_of_map = self._scripts.settings_of_map()
            self._scripts.settings.set({**self._scripts.settings.values, **settings_of_map})
        self._scripts.message.emit(
            f"{script.name} has a map of its own; {previous_name} stays in its tab"
        )

    def _show_with_current_map(self, script: Script) -> None:
        """Show a script that no map holds with the current map, which may be of another system.

        It takes over settings from the script shown until now if both can roll the current map.
        """
        former_script_fitted = self._scripts.fits_map
        former_settings = _without_ground(self._scripts.settings.values)
        chosen_settings = _without_ground(self._scripts.settings.chosen_values)
        self._scripts.show_script(script)
        if not self._scripts.fits_map:
            return
        # Size, players and the like are the map's, whichever script is shown beside it, unless the
        # user has just chosen others.
        settings = {**self._scripts.settings.values, **self._scripts.settings_of_map()}
        if former_script_fitted:
            settings = {**former_settings, **settings, **chosen_settings}
        self._scripts.settings.set(settings)

    def _roll_shown_script(self) -> None:
        """Roll the script shown; one that comes into the map is being rolled already.

        Where the current map is of another system it is rolled on a new map.
        """
        if self._rolling.loading:
            return
        if not self._scripts.fits_map:
            self._new_maps.open_empty(self._scripts.script)
        why = self._scripts.why_not()
        if why:
            self._scripts.message.emit(f"Not rolled: {why}")
            return
        self._rolling.cancel()  # it was asked for earlier
        self._rolling.roll()


def _without_ground(settings: Mapping[str, object]) -> dict[str, object]:
    """Return the settings of a script that another script can take over.

    The ground on which a script rolls is its own: a swamp after a beach is not on sand.
    """
    return {name: value for name, value in settings.items() if name not in GROUND_SETTINGS}
