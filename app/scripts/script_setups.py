"""Setups of rolls from scripts of the current map: ``ScriptSetups``.

    setups.of_shown(text, texts)          # another text of the script that is shown
    setups.of_script(script, text, texts) # a script that is about to come into the map

``texts`` are the further files of the script, by name. All have the settings that are shown.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import partial

from app.rolling.roll_setup import RollBehaviour, RollSetup
from app.scripts.script import Script
from app.scripts.script_settings import ScriptSettings
from app.scripts.shown_documents import ShownDocuments
from app.scripts.text_follower import TextFollower
from randomizer.batches.batch_generator import rolls_many
from randomizer.model.basics.dice import SEED_LIMIT


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
        document = self._documents.current
        generator = document.generator
        searches = generator is not None and rolls_many(generator)
        seeds = SEED_LIMIT
        is_followed = False
        if generator is not None:
            seeds = generator.usual_seeds
            is_followed = self._follower.enabled and not generator.rolls_outside
        if texts != script.texts:
            script = replace(script, texts=texts)
        setup = script.setup(text, dict(self._settings.values))
        behaviour = RollBehaviour(
            only_replaces_layer=document.in_map,
            searches_for_locks=searches,
            seed_count=seeds,
            check_script=partial(script.check, text),
            is_followed=is_followed,
        )
        return replace(setup, behaviour=behaviour)
