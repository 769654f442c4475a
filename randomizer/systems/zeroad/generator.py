"""The generators of the catalogue: islands, in Python, and random map scripts."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from importlib.resources import files

from randomizer.generator import Base, DrawKey, Generating, MapGenerator
from randomizer.model.grid import Grid
from randomizer.model.layouts import SQUARE
from randomizer.model.metadata import Metadata, read_metadata
from randomizer.model.setting import Setting
from randomizer.model.system import System
from randomizer.systems.zeroad.map_settings import drawn_choices, map_settings, settings_of
from randomizer.systems.zeroad.system import SYSTEM

MOD = files("randomizer.systems.zeroad") / "mod"
"""The mod with our own scripts, in the form of the game's mods."""

SCRIPTS = MOD / "maps" / "random"

NAMES = ("river_valley", "hill_country", "lakeside", "hill_country_26", "hill_country_28")
"""The metadata files of our scripts in JavaScript, in the order of the catalogue."""


class IslandsGenerator:
    """Islands, made in Python: needs no JavaScript and no game."""

    system: System = SYSTEM
    text = ""

    def __init__(self, metadata: Metadata) -> None:
        self.metadata, self.name = metadata, metadata.name
        self.settings: tuple[Setting, ...] = settings_of(metadata)

    def grid(self, settings: Mapping[str, object]) -> Grid:
        """The grid of a new map."""
        return _grid(self.settings, settings)

    def generate(self, settings: Mapping[str, object], key: DrawKey, base: Base) -> Generating:
        """One layer, the records, terrain set and grid of the map."""
        from randomizer.systems.zeroad.generated import generated
        from randomizer.systems.zeroad.islands import islands

        given = map_settings(self.metadata, settings, key)
        data = yield from islands(given, key)
        yield 99
        return generated(data, given, key, base, drawn_choices(self.metadata, settings, given))


def _grid(known: tuple[Setting, ...], chosen: Mapping[str, object]) -> Grid:
    """The grid of a new map: the chosen size, else the usual one."""
    usual = next(setting.default for setting in known if setting.name == "Size")
    size = chosen.get("Size", usual)
    assert isinstance(size, int)
    return Grid(SQUARE, size, size)


@cache
def _metadata(name: str) -> Metadata:
    return read_metadata((SCRIPTS / name).read_text("utf-8"), name)


def packaged() -> tuple[MapGenerator, ...]:
    """The generators that come with the package, the one of new maps first.

    The scripts load nothing of an installed game: they make the same maps everywhere.
    """
    from randomizer.systems.zeroad.script_generator import ScriptGenerator
    from randomizer.systems.zeroad.script_place import OWN_MOD, ScriptPlace

    islands = IslandsGenerator(_metadata("islands.json"))
    made: list[MapGenerator] = [islands]
    for name in NAMES:
        metadata = _metadata(f"{name}.json")
        text = (SCRIPTS / metadata.script).read_text("utf-8")
        place = ScriptPlace(f"maps/random/{metadata.script}", (OWN_MOD,))
        texts = {f"{name}.json": (SCRIPTS / f"{name}.json").read_text("utf-8")}
        made.append(ScriptGenerator(metadata, text, place, texts, name=metadata.name))
    return tuple(made)
