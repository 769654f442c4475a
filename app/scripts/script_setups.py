"""Setups of rolls from scripts of the current map: ``ScriptSetups``.

    setups.of_shown(text, texts)          # another text of the script that is shown
    setups.of_script(script, text, texts) # a script that is about to come into the map
    setups.of_roll(roll, text, texts)     # what a layer was rolled from, with the settings of then

``texts`` are the further files of the script, by name. The first two have the settings that are
shown.
"""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import replace
from functools import partial

from app.rolling.roll_setup import RollBehaviour, RollSetup
from app.scripts.script import Script, has_same_text, script_of_roll
from app.scripts.script_settings import ScriptSettings
from app.scripts.shown_documents import ShownDocuments
from app.scripts.text_follower import TextFollower
from randomizer.batches.batch_generator import rolls_many
from randomizer.generator import MapGenerator
from randomizer.model.basics.dice import SEED_LIMIT
from randomizer.model.map.layer import Roll
from randomizer.model.problems import ProblemError


class ScriptSetups:
    """Makes the setups of rolls of the current map."""

    def __init__(
        self,
        documents: ShownDocuments,
        settings: ScriptSettings,
        follower: TextFollower,
    ) -> None:
        self._documents = documents
        self._settings = settings
        self._follower = follower

    def of_shown(self, text: str, texts: Mapping[str, str]) -> RollSetup:
        """Return the setup of another text of the script shown."""
        return self.of_script(self._documents.current.script, text, texts)

    def of_script(self, script: Script, text: str, texts: Mapping[str, str]) -> RollSetup:
        """Return the setup of another text of a script of the current map.

        Seeds and searches are those of the generator of the script shown: a script that comes into
        the map is one for the same generator.
        """
        if texts != script.texts:
            script = replace(script, texts=texts)
        generator = self._documents.current.generator
        return self._setup(script, text, dict(self._settings.values), generator)

    def of_roll(self, roll: Roll, text: str, texts: Mapping[str, str]) -> RollSetup:
        """Return the setup that made a roll of the current map, whatever was chosen since.

        ``text`` and ``texts`` are those of the script shown. Where the map holds them, the setup
        has them in place of the roll's.
        """
        document = self._documents.current
        rolled_script = script_of_roll(roll)
        # Generators without a text are told apart by their names.
        has_text_of_shown = has_same_text(roll, document.script.name, text, texts)
        if not text and rolled_script.name != document.script.name:
            has_text_of_shown = False
        if document.in_map or has_text_of_shown:
            script = document.script
            if texts != script.texts:
                script = replace(script, texts=texts)
            return self._setup(script, text, rolled_script.settings, document.generator)
        generator: MapGenerator | None = None
        with suppress(ProblemError):
            generator = rolled_script.empty_generator()
        return self._setup(rolled_script, rolled_script.text, rolled_script.settings, generator)

    def _setup(
        self,
        script: Script,
        text: str,
        settings: Mapping[str, object],
        generator: MapGenerator | None,
    ) -> RollSetup:
        """Return the setup of a text; ``generator`` is None if no system has the suffix."""
        searches = generator is not None and rolls_many(generator)
        seeds = SEED_LIMIT
        is_followed = False
        if generator is not None:
            seeds = generator.usual_seeds
            is_followed = self._follower.enabled and not generator.rolls_outside
        behaviour = RollBehaviour(
            only_replaces_layer=self._documents.current.in_map,
            searches_for_locks=searches,
            seed_count=seeds,
            check_script=partial(script.check, text),
            is_followed=is_followed,
        )
        return replace(script.setup(text, settings), behaviour=behaviour)
