"""The subject of ``System`` that tells how maps are rolled, and where their scripts are.

    battlemap.system.has_script_panel            # True: scripts make maps of this system
    battlemap.system.script_noun                 # "period" for one game, "script" for the others

The class of a game sets and overrides what is different there (``System``).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import final

from randomizer.model.system.abilities import Ability
from randomizer.model.system.system_base import AnyEdit, AnyMap, SystemBase


class ScriptRules(SystemBase):
    """How maps are rolled: a generator makes them, of which a script tells what they are like."""

    abilities: frozenset[Ability] = frozenset()
    """The abilities of its maps: panels that have nothing to do on them do not show."""
    begins_rolled = False
    """True if *New map* offers the first generator of the catalogue before the empty map."""
    script_record = ""
    """The name of the record with a map's script; "" if scripts are in files alone.

    A further file NAME of the script is in the record ``further_record(script_record, NAME)``.
    """
    script_noun = "script"
    """The game's word for a script."""
    script_prefix = ""
    """The text that may stand, with a colon, before the names of the scripts of its game."""
    records_of_file: frozenset[str] = frozenset()
    """The records about a map's file, such as how it is saved."""

    def script_file(self, battlemap: AnyMap) -> str:
        """Return the name of the file of a map's script, as the map itself has it; "" for none.

        The file lies beside that of the map, or the script is one of the program's.
        """
        return ""

    def name_script_file(self, battlemap: AnyMap, name: str) -> AnyEdit | None:
        """Return the ``Edit`` that notes in a map the name of the file of its script.

        It is the file from which the script was opened, or in which it was saved; "" if it is in
        no file of the user. None if the map has that name already, or needs none.
        """
        return None

    def roll_settings_of(self, battlemap: AnyMap) -> Mapping[str, object]:
        """Return the settings, by name, with which a roll makes a map like this one.

        They are such as its size and the number of its players; {} where it says nothing of them.
        """
        return {}

    @final
    @property
    def has_script_panel(self) -> bool:
        """True if the panel of scripts is for its maps."""
        return bool(self.abilities & {Ability.SCRIPTS, Ability.SETTINGS})
