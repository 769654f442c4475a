"""The generators of the catalogue: islands, in Python, and random map scripts."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from importlib.resources import files

from randomizer.generator import Base, DrawKey, Generating
from randomizer.model.basics.caches import KB, registered
from randomizer.model.grid.grid import Grid
from randomizer.model.settings.metadata import Metadata, read_metadata
from randomizer.model.settings.setting import Setting
from randomizer.model.system.system import System
from randomizer.systems.zeroad.generators.map_settings import (
    drawn_choices,
    grid_of,
    map_settings,
    settings_of,
)
from randomizer.systems.zeroad.generators.resources import MeasuresResources
from randomizer.systems.zeroad.generators.script_generator import ScriptGenerator
from randomizer.systems.zeroad.installation.preview_picture import preview_of
from randomizer.systems.zeroad.map.records import players_by_hand
from randomizer.systems.zeroad.script.script_place import OWN_MOD, ScriptPlace
from randomizer.systems.zeroad.system import SYSTEM

MOD = files("randomizer.systems.zeroad") / "mod"
"""The mod with our own scripts, in the form of the game's mods."""

SCRIPTS = MOD / "maps" / "random"


class IslandsGenerator(MeasuresResources):
    """Islands, made in Python: needs no JavaScript and no game."""

    system: System = SYSTEM
    text = ""

    def __init__(self, metadata: Metadata) -> None:
        self.metadata = metadata
        self.name = metadata.name
        self.settings: tuple[Setting, ...] = settings_of(metadata)

    def grid(self, settings: Mapping[str, object]) -> Grid:
        """Return the grid of a new map."""
        return grid_of(self.settings, settings)

    def preview(self) -> bytes | None:
        """Return a picture of one of its maps, None if there is none."""
        return preview_of(OWN_MOD.read, self.metadata.preview or "")

    def generate(self, settings: Mapping[str, object], key: DrawKey, base: Base) -> Generating:
        """Yield one layer, the records, terrain set and grid of the map."""
        from randomizer.systems.zeroad.generators.islands import islands
        from randomizer.systems.zeroad.map_format.map_conversion import roll_result

        by_hand = players_by_hand(base.records)
        given = map_settings(self.metadata, settings, key, by_hand=by_hand)
        data = yield from islands(given, key)
        yield 99
        drawn = drawn_choices(self.metadata, settings, given, by_hand=by_hand)
        return roll_result(data, key, base, drawn)


@registered(count=4, bytes_each=20 * KB)
@cache
def _metadata(name: str) -> Metadata:
    return read_metadata((SCRIPTS / name).read_text("utf-8"), name)


def packaged() -> tuple[IslandsGenerator | ScriptGenerator, ...]:
    """Return the generators that come with the package, the one of new maps first."""
    return (IslandsGenerator(_metadata("islands.json")), *_scripts())


def _scripts() -> Iterator[ScriptGenerator]:
    """Our own scripts in JavaScript, by the names of their metadata files."""
    for file in sorted(SCRIPTS.iterdir(), key=lambda each: each.name):
        if not file.name.endswith(".json"):
            continue
        metadata = _metadata(file.name)
        if metadata.script.endswith(".js"):
            text = (SCRIPTS / metadata.script).read_text("utf-8")
            place = ScriptPlace(f"maps/random/{metadata.script}", (OWN_MOD,))
            texts = {file.name: file.read_text("utf-8")}
            yield ScriptGenerator(metadata, text, place, texts, name=metadata.name)
