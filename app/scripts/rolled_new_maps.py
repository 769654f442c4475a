"""New maps that are rolled from a script: ``RolledNewMaps``, which ``ScriptOpening`` uses.

    is_rolled = await new_maps.open(new_map(system), script)     # the map is current now

If the roll fails, an empty map with the script becomes the current one, so that it can be mended.
"""

from __future__ import annotations

from dataclasses import replace

from app.document.document import MapDocument
from app.document.map_files import new_map
from app.rolling.roll_request import RollRequest
from app.rolling.rolling import Rolling
from app.scripts.script import Script
from app.scripts.shown_script import ShownScript
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.problems import ProblemError
from randomizer.model.records.map_records import MapRecord


class RolledNewMaps:
    """Rolls scripts onto empty maps, and opens these as new maps."""

    def __init__(self, scripts: ShownScript, document: MapDocument, rolling: Rolling) -> None:
        self._scripts = scripts
        self._document = document
        self._rolling = rolling

    async def open(self, battlemap: BattleMap, script: Script, *, replaces: bool = False) -> bool:
        """Roll a script onto an empty map, and open that as a new map.

        With ``replaces`` it takes the place of the current map if that is as it was rolled. Return
        False if the roll has failed, which is told. Raises Stopped if the roll is dropped.
        """
        generator = script.empty_generator()
        setup = script.setup(script.text, script.settings)
        behaviour = replace(setup.behaviour, seed_count=generator.usual_seeds)
        setup = replace(setup, behaviour=behaviour)

        # With some settings a person goes on by hand (dice typed in, say): nothing is rolled.
        records = generator.records_of_unrolled_map(setup.settings)
        if records:
            self._document.show_map(replace(battlemap, records=dict(records)), replaces=replaces)
            return True

        noun = battlemap.system.noun
        self._scripts.message.emit(f"Rolling a new {noun} by {script.name} ...")
        request = self._rolling.request_new_map(battlemap, setup, replaces_map=replaces)
        self._rolling.cancel()
        try:
            await self._rolling.carry_out(request)
        except ProblemError as reason:
            self._show_unrolled(request, script)
            self._rolling.tell_failure(request, reason)
            return False
        self._note_origin(script)
        seed = self._rolling.key_choice.key.seed
        self._scripts.message.emit(f"A new {noun} by {script.name}, seed {seed}")
        return True

    def _show_unrolled(self, request: RollRequest, script: Script) -> None:
        """Show a script from which a new map could not be rolled, with an empty map."""
        battlemap = new_map(request.base.system, request.base.grid)
        if battlemap.system.script_record and request.setup.text:
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
            self._scripts.current.note_origin(self._document.history, script)
            self._scripts.follow_origin()
