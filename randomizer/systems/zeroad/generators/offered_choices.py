"""The choices that the metadata file of a map script offers: biome, landscape, time of day ...

    for offer in offers(metadata, game):
        offer.setting()                      # for the form
        offer.value_for(chosen, seed)        # for the script

The game itself draws a value that nobody has chosen, before it starts the script. Here the seed
draws it, so that the same seed gives the same map.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Any, NamedTuple
from zlib import crc32

from randomizer.model.basics.dice import word
from randomizer.model.settings.metadata import Metadata
from randomizer.model.settings.setting import Setting
from randomizer.systems.zeroad.installation.game_choices import USUAL, GameData, biome_title

SCRIPT = "script"
"""The value of a choice that is left to the script, which then gets no such setting."""

DRAWN = ""
"""The value of a choice that the seed draws."""

DRAWN_LABEL = "random (drawn by the seed)"
"""The label of values that the seed draws."""

LabelledValue = tuple[str, str]
"""A value that can be chosen, as scripts know it, and its label."""


class ValueGroup(NamedTuple):
    """Several values under one label: if the group is chosen, the seed draws one of them."""

    label: str

    values: tuple[str, ...]


NO_GROUPS: Mapping[str, ValueGroup] = MappingProxyType({})
"""The groups of a choice without any."""


class Offer(NamedTuple):
    """A choice that a metadata file offers."""

    name: str
    """The key under which a script gets the value."""

    title: str

    values: tuple[LabelledValue, ...]

    groups: Mapping[str, ValueGroup] = NO_GROUPS
    """Groups of values that can be chosen as well, by id; the id is the value of the choice."""

    usual: str = ""
    """The value if nobody chooses, "" if the seed draws it then."""

    is_optional: bool = False
    """True if the choice can be left to the script (``SCRIPT``)."""

    def setting(self) -> Setting:
        """Return the choice as a setting. Its value is one of these:

        - a value, or the id of a group, of which the seed draws a value;
        - ``DRAWN``: the seed draws one of all values. It is not offered if there is a usual one;
        - ``SCRIPT``, if the choice is optional.
        """
        choices = list[LabelledValue]()
        help_text = f"{self.title} of the map."
        if not self.usual:
            choices.append((DRAWN, DRAWN_LABEL))
            help_text += " Nothing: the seed draws it, and the log says which."
        if self.is_optional:
            choices.append((SCRIPT, "left to the script"))
        choices += [(name, group.label) for name, group in self.groups.items()]
        choices += self.values
        return Setting(self.name, str, help_text, self.usual, tuple(choices), title=self.title)

    def value_for(self, chosen: object, seed: int) -> str:
        """Return the value that a script gets: the chosen one, or one that the seed draws.

        ``chosen`` is a value of ``setting``. One that the file does not offer counts as ``DRAWN``.
        """
        text = str(chosen or self.usual)
        candidates = [value for value, _label in self.values]
        if text in candidates:
            return text

        # The seed draws: of a chosen group, or of all values.
        if text in self.groups:
            candidates = list(self.groups[text].values)
        # Each choice has a draw of its own, by its name: further ones do not change it.
        draw = word(seed, number=0, site=crc32(self.name.encode()))
        return candidates[draw % len(candidates)]


def offers(metadata: Metadata, game: GameData = USUAL) -> tuple[Offer, ...]:
    """Return the choices that a metadata file offers; those without values are left out."""
    return tuple(offer for offer in _all_offers(metadata.others, game) if offer.values)


def _all_offers(entries: Mapping[str, object], game: GameData) -> Iterator[Offer]:
    """Yield all choices by these entries of a metadata file; most files lack most of them."""
    yield Offer("Biome", "Biome", _biomes(entries.get("SupportedBiomes"), game))
    yield _landscape(_objects(entries.get("Landscapes")))
    yield Offer("Daytime", "Time of day", _labelled_values(entries.get("Daytime")))
    player_placements = _labelled_values(entries.get("PlayerPlacements"))
    yield Offer("PlayerPlacement", "Placement of players", player_placements)
    team_placements = _labelled_values(entries.get("TeamPlacements"))
    yield Offer("TeamPlacement", "Placement of teams", team_placements, is_optional=True)
    yield _water_level(_objects(entries.get("WaterLevels")))


def _landscape(landscapes: Sequence[Mapping[str, Any]]) -> Offer:
    """Return the choice of a landscape; each entry is a group of landscapes with its ``Items``."""
    values = list[LabelledValue]()
    groups = {}
    for entry in landscapes:
        items = _labelled_values(entry.get("Items"))
        values += items
        # An entry without an id cannot be chosen as a group, and one without items draws nothing.
        if entry.get("Id") and items:
            group_id = str(entry["Id"])
            label = str(entry.get("Name", group_id))
            groups[group_id] = ValueGroup(label, tuple(value for value, _label in items))
    return Offer("Landscape", "Landscape", tuple(values), groups)


def _water_level(levels: Sequence[Mapping[str, Any]]) -> Offer:
    """Return the choice of a water level, which scripts know by its name."""
    names = [str(level["Name"]) for level in levels if "Name" in level]
    defaults = [str(level["Name"]) for level in levels if level.get("Default") and "Name" in level]
    usual = ""
    if defaults:
        usual = defaults[0]
    return Offer("waterLevel", "Water level", tuple((name, name) for name in names), usual=usual)


def _biomes(supported: object, game: GameData) -> tuple[LabelledValue, ...]:
    """Return the biomes, with labels, that the entry ``SupportedBiomes`` of a metadata file names.

    It is a list of biomes, or a text: one biome, or a folder such as "generic/" for all in it.
    """
    if isinstance(supported, str) and supported:
        folder = supported.rstrip("/") + "/"
        return tuple(
            (biome, label)
            for biome, label in game.biomes
            if biome == supported or biome.startswith(folder)
        )
    labels = dict(game.biomes)
    biomes = [name for name in list_or_empty(supported) if isinstance(name, str) and name]
    titles = [labels.get(biome) or biome_title(biome) for biome in biomes]
    # Biomes of different folders may have one title: then the path tells them apart.
    labelled_biomes = []
    for biome, title in zip(biomes, titles, strict=True):
        label = title
        if titles.count(title) > 1:
            label = f"{title} ({biome})"
        labelled_biomes.append((biome, label))
    return tuple(labelled_biomes)


def _labelled_values(value: object) -> tuple[LabelledValue, ...]:
    """Return the ids with names of a list of objects, or of a list of texts."""
    items = list[LabelledValue]()
    for entry in list_or_empty(value):
        if isinstance(entry, dict) and entry.get("Id"):
            items.append((str(entry["Id"]), str(entry.get("Name", entry["Id"]))))
        elif isinstance(entry, str) and entry:
            items.append((entry, entry))
    return tuple(items)


def list_or_empty(value: object) -> list[Any]:
    """Return a value that is a list, [] for another value."""
    if isinstance(value, list):
        return value
    return []


def _objects(value: object) -> list[dict[str, Any]]:
    """Return the objects in a list, [] for another value."""
    return [entry for entry in list_or_empty(value) if isinstance(entry, dict)]
