"""New maps for scripts, rolled or empty: ``NewMaps``.

    result = await new_maps.roll(new_map(system), script)   # opened in one of three ways
    new_maps.open_empty(script)

Another map is the current one after that.
"""

from __future__ import annotations

from dataclasses import replace
from enum import Enum, auto

from app.document.document import MapDocument
from app.document.map_files import new_map
from app.rolling.roll_request import RollRequest
from app.rolling.roll_setup import RollSetup
from app.rolling.rolling import Rolling
from app.scripts.script import Script
from app.scripts.shown_script import ShownScript
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.problems import ProblemError
from randomizer.model.records.map_records import MapRecord


class NewMapResult(Enum):
    """How a new map was opened."""

    ROLLED = auto()
    """With a roll on it."""

    BY_HAND = auto()
    """Without a roll: the settings ask for a map on which a person goes on by hand."""

    FAILED = auto()
    """Without a roll, which has failed: the script is shown with it, so that it can be mended."""


class NewMaps:
    """Opens new maps of the systems of scripts."""

    def __init__(self, scripts: ShownScript, document: MapDocument, rolling: Rolling) -> None:
        self._scripts = scripts
        self._document = document
        self._rolling = rolling

    def open_empty(self, script: Script) -> None:
        """Open an empty map of the system of a script. Raises ProblemError if none has its suffix.

        The script itself is not shown by that.
        """
        self._document.open_map(new_map(script.empty_generator().system))

    async def roll(
        self, battlemap: BattleMap, script: Script, *, replaces: bool = False
    ) -> NewMapResult:
        """Roll a script onto an empty map, and open that as a new map.

        With ``replaces`` it takes the place of the current map if that is as it was rolled. The
        result is told in the status bar. Raises Stopped if the roll is dropped. A roll that is
        under way for another map is cancelled.
        """
        generator = script.empty_generator()
        setup = script.setup(script.text, script.settings)
        behaviour = replace(setup.behaviour, seed_count=generator.usual_seeds)
        setup = replace(setup, behaviour=behaviour)

        # With some settings a person goes on by hand (dice typed in, say): nothing is rolled.
        records = generator.records_of_unrolled_map(setup.settings)
        if records:
            self._document.show_map(replace(battlemap, records=dict(records)), replaces=replaces)
            return NewMapResult.BY_HAND
        return await self._roll(battlemap, script, setup, replaces=replaces)

    async def _roll(
        self, battlemap: BattleMap, script: Script, setup: RollSetup, *, replaces: bool
    ) -> NewMapResult:
        """Roll a script with this setup onto an empty map, and open that as a new map."""
        noun = battlemap.system.noun
        self._scripts.message.emit(f"Rolling a new {noun} by {script.name} ...")
        request = self._rolling.request_new_map(battlemap, setup, replaces_map=replaces)
        self._rolling.cancel()  # there is one roll at a time, and this one was asked for last
        try:
            await self._rolling.carry_out(request)
        except ProblemError as reason:
            self._show_unrolled(request, script)
            self._rolling.tell_failure(request, reason)
            return NewMapResult.FAILED
        self._note_origin(script)
        self._scripts.message.emit(f"A new {noun} by {script.name}, seed {request.key.seed}")
        return NewMapResult.ROLLED

    def _show_unrolled(self, request: RollRequest, script: Script) -> None:
        """Show a script that could not be rolled, with an empty map; the current map stays."""
        battlemap = new_map(request.base.system, request.base.grid)
        if battlemap.system.script_record and request.setup.text:
            # As a text of the user's: the roll of a packaged script must not replace it.
            record = MapRecord(request.setup.text, touched=True)
            battlemap.records[battlemap.system.script_record] = record
        self._document.show_map(battlemap)
        if self._scripts.current.in_map:
            self._note_origin(script)
        else:
            self._scripts.show_script(script)

    def _note_origin(self, script: Script) -> None:
        """Note for the map that was just opened from which file its text comes, its *origin*.

        Nothing is noted for a map that holds no text, or another one.
        """
        if self._scripts.current.in_map and self._scripts.text.text() == script.text:
            self._scripts.map_text.note_origin(script)
