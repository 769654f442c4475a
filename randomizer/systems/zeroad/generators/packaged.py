"""Lists the generators of 0 A.D. maps that come with the package: two in Python, and our scripts.

    for generator in packaged():        # open country, islands, then the scripts by name
        generator.metadata.name

Each has a metadata file, in the form of the game's, with its title and settings. The script host of
0 A.D. calls ``packaged``. The modules that make maps are imported when the first map is rolled, so
that listing the generators is quick.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator, Mapping
from functools import cache
from importlib.resources import files
from typing import Any

from randomizer.generator import Generating
from randomizer.languages.language import SourceText
from randomizer.model.basics.caches import KB, registered
from randomizer.model.grid.grid import Grid
from randomizer.model.rolls.draw_key import DrawKey
from randomizer.model.settings.metadata import Metadata, read_metadata
from randomizer.model.settings.setting import Setting
from randomizer.model.system.system import System
from randomizer.roll_base import Base
from randomizer.systems.zeroad.generators.map_settings import (
    drawn_choices,
    grid_of,
    map_settings,
    settings_of,
)
from randomizer.systems.zeroad.generators.player_data import settings_without_names
from randomizer.systems.zeroad.generators.resources import MeasuresResources
from randomizer.systems.zeroad.generators.script_generator import ScriptGenerator
from randomizer.systems.zeroad.installation.preview_picture import preview_of
from randomizer.systems.zeroad.map.map_data import MapData
from randomizer.systems.zeroad.map.owners import recorded_players
from randomizer.systems.zeroad.script.script_location import OWN_MOD, ScriptLocation
from randomizer.systems.zeroad.system import SYSTEM

MOD = files("randomizer.systems.zeroad") / "mod"
"""The mod with our own scripts, in the form of the game's mods."""

SCRIPTS = MOD / "maps" / "random"
"""The folder of the scripts and of all metadata files."""

MakeMap = Callable[[Mapping[str, Any], DrawKey], Generator[int, None, MapData]]
"""Makes the map of a key; it gets the settings as scripts do and yields progress (1 to 99)."""


class PythonGenerator(MeasuresResources):
    """Maps made in Python: they need no JavaScript and no game."""

    system: System = SYSTEM
    text = ""  # it is no script

    def __init__(self, metadata: Metadata, import_maker: Callable[[], MakeMap]) -> None:
        """Make the generator of these metadata.

        ``import_maker`` imports the function that makes the maps; it is called with each roll.
        """
        self.metadata = metadata
        self._import_maker = import_maker
        self.name = metadata.name
        self.settings: tuple[Setting, ...] = settings_of(metadata)

    def grid(self, settings: Mapping[str, object]) -> Grid:
        """Return the grid of a new map."""
        return grid_of(self.settings, settings)

    def settings_needing_roll(self, settings: Mapping[str, object]) -> Mapping[str, object]:
        """Return the settings without the names of players, which are read by no maker of maps."""
        return settings_without_names(super().settings_needing_roll(settings))

    def preview(self) -> bytes | None:
        """Return a picture of one of its maps, None if there is none."""
        return preview_of(OWN_MOD.read, self.metadata.preview or "")

    def generate(self, settings: Mapping[str, object], key: DrawKey, base: Base) -> Generating:
        """Yield the progress; return one layer, the records, terrain set and grid of the map."""
        from randomizer.systems.zeroad.map_format.map_conversion import roll_result

        by_hand = recorded_players(base.records)
        script_settings = map_settings(self.metadata, settings, key, by_hand=by_hand)
        make_map = self._import_maker()
        data = yield from make_map(script_settings, key)
        yield 99
        drawn = drawn_choices(self.metadata, settings, script_settings, by_hand=by_hand)
        return roll_result(data, key, base, drawn)


@registered(count=4, bytes_each=20 * KB)
@cache
def _metadata(name: str) -> Metadata:
    """Return the metadata of one of our own generators by the name of its file."""
    return read_metadata((SCRIPTS / name).read_text("utf-8"), name)


def packaged() -> tuple[PythonGenerator | ScriptGenerator, ...]:
    """Return the generators that come with the package.

    The first one is that of new maps: it makes what a player of the game expects, and needs no
    further package.
    """
    return (
        PythonGenerator(_metadata("open_country.json"), _import_open_country),
        PythonGenerator(_metadata("islands.json"), _import_islands),
        *_scripts(),
    )


def _import_open_country() -> MakeMap:
    """Import the maker of open country."""
    from randomizer.systems.zeroad.generators.open_country import open_country

    return open_country


def _import_islands() -> MakeMap:
    """Import the maker of islands."""
    from randomizer.systems.zeroad.generators.islands import islands

    return islands


def _scripts() -> Iterator[ScriptGenerator]:
    """Yield the generators of our own scripts, in the order of their metadata files' names."""
    for file in sorted(SCRIPTS.iterdir(), key=lambda path: path.name):
        if not file.name.endswith(".json"):
            continue
        metadata = _metadata(file.name)
        # The metadata of the generators in Python name no script in JavaScript.
        if metadata.script.endswith(".js"):
            text = (SCRIPTS / metadata.script).read_text("utf-8")
            location = ScriptLocation(f"maps/random/{metadata.script}", (OWN_MOD,))
            texts = {file.name: file.read_text("utf-8")}
            source = SourceText(text, metadata.script, texts)
            yield ScriptGenerator(metadata, source, location, name=metadata.name)
