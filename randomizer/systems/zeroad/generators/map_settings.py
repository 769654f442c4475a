"""The map settings of 0 A.D.: what a person can choose, and the object that a script gets.

A generator asks three functions in turn: ``settings_of`` the metadata file (the form for a person),
``map_settings`` (the choices made into the script's object), and after the roll ``drawn_choices``
(the lines of its log). Names are 0 A.D.'s. Where a metadata file offers a choice (biome, landscape
...) and nobody makes it, the seed does: the game draws it before it starts the script, so the log
says what was drawn.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import chain
from typing import Any, NamedTuple
from zlib import crc32

from randomizer.generator import DrawKey
from randomizer.model.basics.dice import SEED_LIMIT, word
from randomizer.model.basics.log_line import LOG, LogLine
from randomizer.model.grid.grid import Grid
from randomizer.model.grid.layouts import SQUARE
from randomizer.model.problems import ProblemError, error
from randomizer.model.settings.metadata import Metadata
from randomizer.model.settings.metadata_kinds import is_player_value
from randomizer.model.settings.setting import COLOUR, Setting, table_rows
from randomizer.systems.zeroad.installation.game_data import (
    GAIA,
    USUAL,
    GameData,
    civ_choices,
    colour_of,
    title_of_biome,
)
from randomizer.systems.zeroad.map.map_data import MOST_PLAYERS, TEAMS
from randomizer.systems.zeroad.map.planes import MOST_ALONG, STEP, is_edge
from randomizer.systems.zeroad.map.records import BY_HAND, PLAYERS

SCRIPT = "script"
"""The value of a choice that is left to the script: it is not among the settings."""

FEWEST_PLAYERS = 2
"""The number of players by default, where the metadata file names fewer."""

RANDOM = "random"
"""The value of a choice, and of a player's civilisation, that the game draws."""


LabelledValue = tuple[str, str]
"""A value that can be chosen, as scripts know it, and its label."""


class ValueGroup(NamedTuple):
    """Several values under one label: if the group is chosen, the seed draws one of them."""

    label: str
    values: tuple[str, ...]


class Offer(NamedTuple):
    """A choice that a metadata file offers."""

    name: str
    """The key under which a script gets the value."""
    title: str
    values: tuple[LabelledValue, ...]
    groups: Mapping[str, ValueGroup] = {}
    """Further choices, by their value: groups of values."""
    usual: str = ""
    """The value if nobody chooses, "" if the seed draws it then."""
    is_optional: bool = False
    """True if the choice can be left to the script."""

    def setting(self) -> Setting:
        """Return the choice as a setting; its value "" is for a draw."""
        choices = list[LabelledValue]()
        if not self.usual:
            choices.append(("", "random (drawn by the seed)"))
        if self.is_optional:
            choices.append((SCRIPT, "left to the script"))
        choices += [(name, group.label) for name, group in self.groups.items()]
        choices += self.values
        help_text = f"{self.title} of the map. Nothing: the seed draws it, and the log says which."
        return Setting(self.name, str, help_text, self.usual, tuple(choices), title=self.title)

    def value_for(self, chosen: object, seed: int) -> str:
        """Return the value that a script gets: the chosen one, or one that the seed draws."""
        text = str(chosen or self.usual)
        candidates = [value for value, _label in self.values]
        if text in candidates:
            return text
        if text in self.groups:
            candidates = list(self.groups[text].values)
        # Each choice has a draw of its own, by its name: further ones do not change it.
        draw = word(seed, 0, crc32(self.name.encode()))
        return candidates[draw % len(candidates)]


def offers(metadata: Metadata, game: GameData = USUAL) -> tuple[Offer, ...]:
    """Return the choices that a metadata file offers; those without values are left out."""
    return tuple(offer for offer in _offers(metadata.others, game) if offer.values)


def _offers(entries: Mapping[str, object], game: GameData) -> Iterator[Offer]:
    """Yield all choices by these entries of a metadata file; most files lack most of them."""
    yield Offer("Biome", "Biome", _biomes(entries.get("SupportedBiomes"), game))
    yield _landscape(_objects(entries.get("Landscapes")))
    yield Offer("Daytime", "Time of day", _items(entries.get("Daytime")))
    player_placements = _items(entries.get("PlayerPlacements"))
    yield Offer("PlayerPlacement", "Placement of players", player_placements)
    team_placements = _items(entries.get("TeamPlacements"))
    yield Offer("TeamPlacement", "Placement of players", team_placements, is_optional=True)
    yield _water_level(_objects(entries.get("WaterLevels")))


def _landscape(landscapes: Sequence[Mapping[str, Any]]) -> Offer:
    """Return the choice of a landscape; each entry is a group of landscapes with its ``Items``."""
    items_by_id = {str(entry.get("Id")): _items(entry.get("Items")) for entry in landscapes}
    values = tuple(chain.from_iterable(items_by_id.values()))
    groups = {}
    for entry in landscapes:
        group_id = str(entry.get("Id"))
        if entry.get("Id") and items_by_id[group_id]:
            label = str(entry.get("Name", group_id))
            values_of_group = tuple(value for value, _label in items_by_id[group_id])
            groups[group_id] = ValueGroup(label, values_of_group)
    return Offer("Landscape", "Landscape", values, groups)


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
    biomes = [name for name in _list(supported) if isinstance(name, str) and name]
    titles = [labels.get(biome) or title_of_biome(biome) for biome in biomes]
    labelled_biomes = []
    for biome, title in zip(biomes, titles, strict=True):
        if titles.count(title) > 1:
            title = f"{title} ({biome})"
        labelled_biomes.append((biome, title))
    return tuple(labelled_biomes)


def _items(value: object) -> tuple[LabelledValue, ...]:
    """Return the ids with names of a list of objects, or of a list of texts."""
    items = list[LabelledValue]()
    for entry in _list(value):
        if isinstance(entry, dict) and entry.get("Id"):
            items.append((str(entry["Id"]), str(entry.get("Name", entry["Id"]))))
        elif isinstance(entry, str) and entry:
            items.append((entry, entry))
    return tuple(items)


def _list(value: object) -> list[Any]:
    """Return a value that is a list, [] for another value."""
    if isinstance(value, list):
        return value
    return []


def _objects(value: object) -> list[dict[str, Any]]:
    """Return the objects in a list, [] for another value."""
    return [entry for entry in _list(value) if isinstance(entry, dict)]


def settings_of(metadata: Metadata, game: GameData = USUAL) -> tuple[Setting, ...]:
    """Return the settings that a person can choose before a map is made."""
    players = min(MOST_PLAYERS, max(FEWEST_PLAYERS, len(_players_of_file(metadata))))
    return (
        _size_setting(metadata, game),
        Setting(
            "Players", int, "Players on the map.", players, (), 1, MOST_PLAYERS, title="Players"
        ),
        *(offer.setting() for offer in offers(metadata, game)),
        Setting(
            "CircularMap",
            bool,
            "A round map: scripts place nothing in its corners.",
            bool(metadata.circular_map),
            title="Circular map",
        ),
        Setting(
            "Nomad",
            bool,
            "Players start with units and without a town, where the script can do that.",
            metadata.others.get("Nomad") is True,
            title="Nomad",
        ),
        Setting(
            "PlayerData",
            str,
            "The players from the first on; what is not set is the game's usual.",
            "",
            title="Players' data",
            columns=_columns(game),
            rows_of="Players",
        ),
    )


def _size_setting(metadata: Metadata, game: GameData) -> Setting:
    """Return the choice of a size: one of the game's, the file's own, or any other number."""
    size = _usual_size(metadata, game)
    sizes = dict(game.sizes)
    if size not in sizes:
        sizes[size] = "the script's own"
    return Setting(
        "Size",
        int,
        f"Tiles along the map: one of the game's sizes, or any multiple of {STEP}.",
        size,
        choices=tuple((tiles, f"{name} ({tiles})") for tiles, name in sorted(sizes.items())),
        minimum=STEP,
        maximum=MOST_ALONG,
        title="Size",
        step=STEP,
    )


def _columns(game: GameData) -> tuple[Setting, ...]:
    """Return the values of a player that can be chosen."""
    civs = ((RANDOM, "random (drawn by the seed)"), *civ_choices(game.civs))
    usual = Setting("", str, "", unset="usual")
    return (
        replace(usual, name="Name", help="The player's name.", title="Name"),
        replace(usual, name="Civ", help="The civilisation.", choices=civs, title="Civilisation"),
        replace(
            usual,
            name="Color",
            help='The colour, as "#1560d0".',
            title="Colour",
            pattern=COLOUR,
            example="#1560d0",
        ),
        replace(
            usual,
            name="Team",
            kind=int,
            help="Players of one team are allies, all others enemies.",
            choices=TEAMS,
            title="Team",
        ),
        replace(usual, name="AI", help="The computer player's name; false: a human.", title="AI"),
        replace(
            usual,
            name="Diplomacy",  # without a title: in forms the teams say it
            help="Relations to all players: a JSON list.",
            pattern=r"\[ *-?[0-9]{1,3}( *, *-?[0-9]{1,3})* *\]",
            example="[1, 2, 2]",
        ),
    )


def map_settings(
    metadata: Metadata,
    chosen: Mapping[str, object],
    key: DrawKey,
    game: GameData = USUAL,
    by_hand: Sequence[Mapping[str, Any]] = (),
) -> dict[str, Any]:
    """Return the object that a script gets, as plain JSON values.

    ``chosen`` are values of ``settings_of``. PlayerData begins with Gaia; Seed is that of the key
    plus its number. ``by_hand`` are the players of a map of which some were changed by hand
    (``players_by_hand``): there are as many, and they keep the changed values. Keys of the metadata
    that the game does not know stay. Raises ProblemError for damaged player data.
    """
    seed = (key.seed + key.number) % SEED_LIMIT
    values = _values_of_game(metadata, chosen, game, seed)
    for offer in offers(metadata, game):
        is_left_to_script = offer.is_optional and chosen.get(offer.name) == SCRIPT
        if not is_left_to_script:
            values[offer.name] = offer.value_for(chosen.get(offer.name, ""), seed)
    player_count = _player_count(metadata, chosen, game, by_hand)
    players = _undrawn_players(metadata, chosen, player_count, game, by_hand)
    values[PLAYERS] = _with_civs(players, seed, game)
    return values


def _values_of_game(
    metadata: Metadata, chosen: Mapping[str, object], game: GameData, seed: int
) -> dict[str, Any]:
    """Return the values of a script's settings but the offered choices and the players.

    These are the keys that the game's own setup gives a script.
    """
    values: dict[str, Any] = {
        "Name": metadata.name,
        "mapName": metadata.name,
        "Script": metadata.script,
        "Description": metadata.description,
        "Keywords": list(metadata.keywords),
        "VictoryConditions": [],
        "RevealMap": False,
        "LockTeams": False,
        "StartingResources": game.resources,
        **metadata.others,
        "CircularMap": bool(chosen.get("CircularMap", metadata.circular_map)),
        "Nomad": bool(chosen.get("Nomad", metadata.others.get("Nomad") is True)),
        "Size": chosen.get("Size", _usual_size(metadata, game)),
        "Seed": seed,
    }
    if metadata.base_terrain:
        values["BaseTerrain"] = list(metadata.base_terrain)
    if metadata.base_height is not None:
        values["BaseHeight"] = metadata.base_height
    if metadata.preview:
        values["Preview"] = metadata.preview
    rise = metadata.others.get("SeaLevelRise")
    if isinstance(rise, dict) and "Default" in rise:
        values["SeaLevelRiseTime"] = rise["Default"]
    values.pop("Daytime", None)  # the list of choices; the script gets one of them by this name
    return values


def _player_count(
    metadata: Metadata,
    chosen: Mapping[str, object],
    game: GameData,
    by_hand: Sequence[Mapping[str, Any]],
) -> int:
    """Return the number of players without Gaia."""
    if by_hand:
        return len(by_hand) - 1
    players = _setting_named("Players", metadata, game)
    count = chosen.get("Players", players.default)
    assert isinstance(count, int)
    return count


def _setting_named(name: str, metadata: Metadata, game: GameData) -> Setting:
    """Return one of ``settings_of``."""
    return next(setting for setting in settings_of(metadata, game) if setting.name == name)


def drawn_choices(
    metadata: Metadata,
    chosen: Mapping[str, object],
    settings: Mapping[str, Any],
    game: GameData = USUAL,
    by_hand: Sequence[Mapping[str, Any]] = (),
) -> tuple[LogLine, ...]:
    """Return lines of a log for the values in ``settings`` that the seed drew."""
    lines = list[str]()
    for offer in offers(metadata, game):
        value = settings.get(offer.name)
        if value is not None and value != (chosen.get(offer.name) or offer.usual):
            label = dict(offer.values).get(value, value)
            lines.append(f"{offer.title}: {_with_id(label, value)}, drawn by the seed")

    civ_titles = dict(civ_choices(game.civs))
    players = settings[PLAYERS]
    undrawn_players = _undrawn_players(metadata, chosen, len(players) - 1, game, by_hand)
    for number, undrawn_player in enumerate(undrawn_players):
        if number and undrawn_player.get("Civ") == RANDOM:  # 0 is Gaia
            civ = players[number]["Civ"]
            title = civ_titles.get(civ, civ)
            lines.append(f"Civilisation of player {number}: {title}, drawn by the seed")
    return tuple(LogLine(LOG, line) for line in lines)


def _with_id(label: str, value: str) -> str:
    """Return the label of a value with the value itself, as scripts and ``--set`` know it."""
    if value in label:
        return label
    return f"{label} ({value})"


def grid_of(settings: Iterable[Setting], chosen: Mapping[str, object]) -> Grid:
    """Return the grid of a new map: a square of the chosen size, or of the default of ``Size``."""
    usual = next(setting.default for setting in settings if setting.name == "Size")
    size = chosen.get("Size", usual)
    assert isinstance(size, int)
    return Grid(SQUARE, size, size)


def _usual_size(metadata: Metadata, game: GameData) -> int:
    """Return the size in tiles that a metadata file names, that of the game for none."""
    size = metadata.others.get("Size")
    if isinstance(size, int) and is_edge(size):
        return size
    return game.size


# --- players --------------------------------------------------------------------------------------


def _players_of_file(metadata: Metadata) -> list[Mapping[str, Any]]:
    """Return the players of a metadata file from the first on; it may or may not begin with Gaia.

    Values of the wrong kind, which the check of the file names, are left out.
    """
    rows = _list(metadata.others.get("PlayerData"))
    if rows:
        begins_with_null = rows[0] is None
        begins_with_gaia = isinstance(rows[0], dict) and rows[0].get("Civ") == GAIA
        if begins_with_null or begins_with_gaia:
            rows = rows[1:]
    players: list[Mapping[str, Any]] = []
    for row in rows:
        values = {}
        if isinstance(row, dict):
            values = {name: value for name, value in row.items() if _is_usable(name, value)}
        players.append(values)
    return players


def _is_usable(name: str, value: object) -> bool:
    """Return whether a roll can use a value of a player in a metadata file."""
    if is_player_value(name, value):
        return True
    try:
        return isinstance(value, str) and bool(_as_in_game({name: value})[_GAME_NAMES[name]])
    except (KeyError, ProblemError):
        return False


_GAME_NAMES = {"Color": "Color", "Colour": "Color", "Diplomacy": "Diplomacy"}
"""The values of a player that can be written as a text, and the game's names of them."""


def _undrawn_players(
    metadata: Metadata,
    chosen: Mapping[str, object],
    count: int,
    game: GameData,
    by_hand: Sequence[Mapping[str, Any]],
) -> list[dict[str, Any]]:
    """Return Gaia and ``count`` players, with civilisations that are still to be drawn.

    Values changed by hand replace chosen ones, these replace those of the metadata, and these the
    game's defaults. Raises ProblemError for damaged values.
    """
    table = _setting_named(PLAYERS, metadata, game)
    chosen_rows = table_rows(table, str(chosen.get(PLAYERS, "")))
    changed_rows = [_changed_values(row) for row in by_hand[1:]]
    sources: tuple[Sequence[Mapping[str, Any]], ...] = (
        _players_of_file(metadata),
        chosen_rows,
        changed_rows,
    )
    gaia = dict(game.players[0])
    players = [gaia]
    for number in range(1, count + 1):
        defaults = game.players
        if number >= len(defaults):
            defaults = USUAL.players  # an old release may have fewer than a map can have
        player: dict[str, Any] = {"Team": -1, **defaults[number]}
        for rows in sources:
            if number <= len(rows):
                player.update(_as_in_game(rows[number - 1]))
        players.append(player)
    return players


def _changed_values(player: Mapping[str, Any]) -> dict[str, Any]:
    """Return the values of a player that a hand changed, and the list of their names."""
    names = _list(player.get(BY_HAND))
    return {name: player[name] for name in (*names, BY_HAND) if name in player}


def _with_civs(players: list[dict[str, Any]], seed: int, game: GameData) -> list[dict[str, Any]]:
    """Return the same players, Gaia first, with the civilisations that the seed draws."""
    for number, player in enumerate(players):
        if number and player.get("Civ") == RANDOM:  # 0 is Gaia
            drawn = word(seed, 0, crc32(f"Civ {number}".encode()))
            player["Civ"] = game.civs[drawn % len(game.civs)][0]
    return players


def _as_in_game(row: Mapping[str, Any]) -> dict[str, Any]:
    """Return a player's values under the game's names, without those that are not set.

    A colour can be ``Color`` or ``Colour``, an object or ``#rrggbb``; relations a list or its text.
    Raises ProblemError.
    """
    values = {name: value for name, value in row.items() if value is not None and value != ""}
    colour = values.pop("Colour", None)
    colour = values.get("Color", colour)
    if colour is not None:
        values["Color"] = colour
    if values.get("AI") == "false":  # as it is typed in a form
        values["AI"] = False
    _parse_text(values, "Color", colour_of, "#1560d0")
    _parse_text(values, "Diplomacy", _relations, "[1, 2, 2]")
    return values


def _parse_text(
    values: dict[str, Any], name: str, parse: Callable[[str], object], example: str
) -> None:
    """Replace a value that is a text by the value parsed from it. Raises ProblemError."""
    text = values.get(name)
    if not isinstance(text, str):
        return
    try:
        values[name] = parse(text)
    except (ValueError, RecursionError):
        message = f'a player\'s {name} is like {example}, not "{text[:40]}"'
        raise error("zeroad-players", message) from None


def _relations(text: str) -> list[int]:
    """Return a player's relations to all players, from a JSON list. Raises ValueError."""
    numbers = json.loads(text)
    if not isinstance(numbers, list) or not all(type(number) is int for number in numbers):
        raise ValueError(text)
    return numbers
