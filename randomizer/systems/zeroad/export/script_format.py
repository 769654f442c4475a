"""The formats of scripts that are finished maps: one for each form that the game's releases want.

A random map script of 0 A.D. makes maps. Ours hold one finished map, and return it whatever the
seed. ``fixed_script`` writes and reads them, ``styles`` has their forms, a ``Style`` each; here
they become formats of files, such as "script-0.27".

Every command of the program asks each format whether it knows a file. So the modules that only such
a file needs are imported in the methods.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import PurePath

from randomizer.formats.format import Format, Purpose
from randomizer.formats.held_systems import refuse_other_systems
from randomizer.formats.provenance import Provenance
from randomizer.formats.results import ReadResult
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.problems import Problem
from randomizer.systems.zeroad.export import styles


class FixedScripts(Format):
    """The format of scripts of one form, with the metadata beside them.

    It writes its own form and reads all of them.
    """

    suffixes = (".js",)
    systems = ("zeroad",)
    largest = styles.LARGEST_SCRIPT
    purpose = Purpose.GAME

    def __init__(self, style: styles.Style) -> None:
        self._style = style
        self.version = style.version
        self.name = f"script-{style.version}"
        self.title = f"Map script for 0 A.D. {style.version}"

    def recognises(self, data: bytes) -> bool:
        """Return whether these are the bytes of a finished map's script.

        ``is_fixed_script`` says the same; its module is not imported for this.
        """
        return data.startswith(styles.MARK)

    def read(self, data: bytes, path: str | None = None) -> ReadResult:
        """Return the map that a script holds. The script is not run: other scripts hold no map."""
        from randomizer.systems.zeroad.export.fixed_script import read_script
        from randomizer.systems.zeroad.map_format.map_json import map_of

        mapdata, problems = read_script(data, path)
        if mapdata is None:
            return ReadResult(None, problems)
        return ReadResult(map_of(mapdata), problems)

    def write(self, battlemap: BattleMap, _provenance: Provenance | None = None) -> bytes:
        """Return the script, which holds no provenance. Raises ProblemError for a bad map."""
        from randomizer.systems.zeroad.export.fixed_script import write_script
        from randomizer.systems.zeroad.map_format.map_conversion import map_data_of

        refuse_other_systems(self, battlemap)
        return write_script(map_data_of(battlemap), self._style)

    def write_files(
        self, battlemap: BattleMap, name: str, provenance: Provenance | None = None
    ) -> Mapping[str, bytes]:
        """Return the script and its metadata. Raises ProblemError if the map cannot be written."""
        from randomizer.systems.zeroad.export.pair_metadata import pair_metadata
        from randomizer.systems.zeroad.map.records import settings_of_map

        stem = PurePath(name).stem
        metadata = pair_metadata(stem, settings_of_map(battlemap), preview="")
        return {name: self.write(battlemap, provenance), f"{stem}.json": metadata}

    def check(self, battlemap: BattleMap) -> tuple[Problem, ...]:
        """Return the problems that the game would have with the map."""
        from randomizer.systems.zeroad.map_format.map_json import JSON

        return JSON.check(battlemap)


# The formats for the releases 26, 27 and 28 of the game.
SCRIPT_26 = FixedScripts(styles.TOP_LEVEL)
SCRIPT_27 = FixedScripts(styles.GLOBAL_FUNCTION)
SCRIPT_28 = FixedScripts(styles.MODULE)

FORMAT = SCRIPT_27
"""The format that ``ZeroadHost`` works with; like the others it reads scripts of all forms.

Which form an export has is chosen there by the version of the game.
"""
