"""The map settings of 0 A.D.: what a person can choose, and the object that a script gets.

Names are 0 A.D.'s. Where a metadata file offers a choice (biome, landscape ...) and nobody makes
it, the seed does: the game draws it before it starts the script, so the log says what was drawn.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
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
)
from randomizer.systems.zeroad.map.map_data import MOST_PLAYERS
from randomizer.systems.zeroad.map.planes import MOST_ALONG, STEP, is_edge
from randomizer.systems.zeroad.map.records import BY_HAND, PLAYERS

SCRIPT = "script"
"""The value of a choice that is left to the script: it is not among the settings."""

RANDOM = "random"
"""The value of a choice, and of a player's civilisation, that the game draws."""


class Offer(NamedTuple):
    """A choice that a metadata file offers, under the name that a script gets.

    ``values`` have labels; ``groups`` are values that stand for several of them.
    """

    name: str
    title: str
    values: tuple[tuple[str, str], ...]
    groups: Mapping[str, tuple[str, tuple[str, ...]]] = {}
    usual: str = ""
    optional: bool = False
    """Whether it can be left to the script."""

    def setting(self) -> Setting:
        """Return the choice in a form; "" is for a draw."""
        drawn = () if self.usual else (("", "random (drawn by the seed)"),)
        groups = tuple((name, label) for name, (label, _values) in self.groups.items())
        help_text = f"{self.title} of the map. Nothing: the seed draws it, and the log says which."
        left = ((SCRIPT, "left to the script"),) if self.optional else ()
        choices = (*drawn, *left, *groups, *self.values)
        return Setting(self.name, str, help_text, self.usual, choices, title=self.title)

    def value_for(self, chosen: object, seed: int) -> str:
        """Return the value that a script gets."""
        text = str(chosen or self.usual)
        among = [value for value, _label in self.values]
        if text in among:
            return text
        if text in self.groups:
            among = list(self.groups[text][1])
        else:
            among = among
        return among[word(seed, 0, crc32(self.name.encode())) % len(among)]


def offers(metadata: Metadata, game: GameData = USUAL) -> tuple[Offer, ...]:
    """Return the choices that a metadata file offers; those without values are left out."""
    return tuple(offer for offer in _offers(metadata.others, game) if offer.values)


def _offers(others: Mapping[str, object], game: GameData) -> Iterator[Offer]:
    yield Offer("Biome", "Biome", _biomes(others.get("SupportedBiomes"), game))
    landscapes = [each for each in _list(others.get("Landscapes")) if isinstance(each, dict)]
    items = {str(landscape.get("Id")): _items(landscape.get("Items")) for landscape in landscapes}
    values = tuple(item for group in items.values() for item in group)
    groups = {
        str(landscape["Id"]): (
            str(landscape.get("Name", landscape["Id"])),
            tuple(value for value, _label in items[str(landscape["Id"])]),
        )
        for landscape in landscapes
        if landscape.get("Id") and items[str(landscape["Id"])]
    }
    yield Offer("Landscape", "Landscape", values, groups)
    yield Offer("Daytime", "Time of day", _items(others.get("Daytime")))
    for name in ("PlayerPlacement", "TeamPlacement"):
        placements = _items(others.get(f"{name}s"))
        left = name == "TeamPlacement"
        yield Offer(name, "Placement of players", placements, optional=left)
    levels = [each for each in _list(others.get("WaterLevels")) if isinstance(each, dict)]
    usual = next(
        (str(level["Name"]) for level in levels if level.get("Default") and "Name" in level), ""
    )
    names = tuple((str(level["Name"]),) * 2 for level in levels if "Name" in level)
    yield Offer("waterLevel", "Water level", names, usual=usual)


def _biomes(supported: object, game: GameData) -> tuple[tuple[str, str], ...]:
    """Return the biomes that ``SupportedBiomes`` names: ids, or the start of ids (a family)."""
    if isinstance(supported, str) and supported:
        family = supported.rstrip("/") + "/"
        matching = [
            biome for biome in game.biomes if biome[0] == supported or biome[0].startswith(family)
        ]
        return tuple(matching)
    labels = dict(game.biomes)
    names = [each for each in _list(supported) if isinstance(each, str) and each]
    return tuple((name, labels.get(name) or _title_of(name)) for name in names)


def _title_of(biome: str) -> str:
    """Return a title for a biome that the game does not name: ``Temperate (generic/temperate)``."""
    words = biome.rsplit("/", 1)[-1].replace("_", " ").replace("-", " ")
    return f"{words.capitalize()} ({biome})"


def _items(value: object) -> tuple[tuple[str, str], ...]:
    """Return the ids with names of a list of objects, or of a list of texts."""
    result = []
    for each in _list(value):
        if isinstance(each, dict) and each.get("Id"):
            result.append((str(each["Id"]), str(each.get("Name", each["Id"]))))
        elif isinstance(each, str) and each:
            result.append((each, each))
    return tuple(result)


def _list(value: object) -> list[Any]:
    return value if isinstance(value, list) else []


def settings_of(metadata: Metadata, game: GameData = USUAL) -> tuple[Setting, ...]:
    """Return what a person can choose before a map is made."""
    size = _usual_size(metadata, game)
    sizes = dict(game.sizes)
    if size not in sizes:
        sizes[size] = "the script's own"
    choices = tuple((tiles, f"{name} ({tiles})") for tiles, name in sorted(sizes.items()))
    players = min(MOST_PLAYERS, max(2, len(_own_players(metadata))))
    others = metadata.others
    return (
        Setting(
            "Size",
            int,
            f"Tiles along the map: one of the game's sizes, or any multiple of {STEP}.",
            size,
            choices,
            STEP,
            MOST_ALONG,
            title="Size",
            step=STEP,
        ),
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
            others.get("Nomad") is True,
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
            help="The team from 0 on, -1 for none.",
            least=-1,
            most=7,
            title="Team",
        ),
        replace(usual, name="AI", help="The computer player's name; false: a human.", title="AI"),
        replace(
            usual,
            name="Diplomacy",
            help="Relations to all players: a JSON list.",
            title="Diplomacy",
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

    Unknown keys of the metadata are kept.

    ``chosen`` are values of ``settings_of``. PlayerData begins with Gaia; Seed is that of the key
    plus its number. The players of a map that were changed ``by_hand`` (``players_by_hand``) decide
    how many there are, and keep what was changed. Raises ProblemError for player data that are
    none.
    """
    seed = (key.seed + key.number) % SEED_LIMIT
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
    for offer in offers(metadata, game):
        if not (offer.optional and chosen.get(offer.name) == SCRIPT):
            values[offer.name] = offer.value_for(chosen.get(offer.name, ""), seed)
    usual = next(each.default for each in settings_of(metadata, game) if each.name == "Players")
    count = len(by_hand) - 1 if by_hand else chosen.get("Players", usual)
    assert isinstance(count, int)
    players = _asked_players(metadata, chosen, count, game, by_hand)
    values[PLAYERS] = _with_civs(players, seed, game)
    return values


def drawn_choices(
    metadata: Metadata,
    chosen: Mapping[str, object],
    settings: Mapping[str, Any],
    game: GameData = USUAL,
    by_hand: Sequence[Mapping[str, Any]] = (),
) -> tuple[LogLine, ...]:
    """Lines of the log: what the seed drew because nobody chose it."""
    drawn = []
    for offer in offers(metadata, game):
        value = settings.get(offer.name)
        if value is not None and value != (chosen.get(offer.name) or offer.usual):
            drawn.append((offer.title, _with_id(dict(offer.values).get(value, value), value)))
    civ_titles = dict(civ_choices(game.civs))
    players = settings[PLAYERS]
    asked_players = _asked_players(metadata, chosen, len(players) - 1, game, by_hand)
    for number, asked in enumerate(asked_players):
        if number and asked.get("Civ") == RANDOM:
            civ = players[number]["Civ"]
            drawn.append((f"Civilisation of player {number}", civ_titles.get(civ, civ)))
    return tuple(LogLine(LOG, f"{what}: {value}, drawn by the seed") for what, value in drawn)


def _with_id(label: str, value: str) -> str:
    """Return the label of a value with the value itself, as scripts and ``--set`` know it."""
    if value in label:
        return label
    return f"{label} ({value})"


def grid_of(settings: Iterable[Setting], chosen: Mapping[str, object]) -> Grid:
    """Return the grid of a new map: the chosen size, else that which the settings begin with."""
    usual = next(setting.default for setting in settings if setting.name == "Size")
    size = chosen.get("Size", usual)
    assert isinstance(size, int)
    return Grid(SQUARE, size, size)


def _usual_size(metadata: Metadata, game: GameData) -> int:
    size = metadata.others.get("Size")
    return size if isinstance(size, int) and is_edge(size) else game.size


# --- players --------------------------------------------------------------------------------------


def _own_players(metadata: Metadata) -> list[Mapping[str, Any]]:
    """Return the players of a metadata file from the first on; it may or may not begin with Gaia.

    Values of the wrong kind, which the check of the file names, are left out.
    """
    rows = _list(metadata.others.get("PlayerData"))
    if rows and (rows[0] is None or (isinstance(rows[0], dict) and rows[0].get("Civ") == GAIA)):
        rows = rows[1:]
    players: list[Mapping[str, Any]] = []
    for row in rows:
        values = row if isinstance(row, dict) else {}
        players.append({name: value for name, value in values.items() if _is_usable(name, value)})
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


def _asked_players(
    metadata: Metadata,
    chosen: Mapping[str, object],
    count: int,
    game: GameData,
    by_hand: Sequence[Mapping[str, Any]],
) -> list[dict[str, Any]]:
    """Gaia and ``count`` players.

    Values changed by hand come first, then the chosen ones, the metadata's and the defaults.
    """
    table = next(each for each in settings_of(metadata, game) if each.name == PLAYERS)
    chosen_rows = table_rows(table, str(chosen.get(PLAYERS, "")))
    changed_rows = [_changed_values(row) for row in by_hand[1:]]
    sources = (_own_players(metadata), chosen_rows, changed_rows)
    players = [dict(game.players[0])]
    for number in range(count):
        defaults = game.players[1:]
        if number < len(defaults):
            usual = defaults[number]
        else:
            usual = USUAL.players[1 + number]
        player: dict[str, Any] = {"Team": -1, **usual}
        for rows in sources:
            player.update(_as_in_game(rows[number] if number < len(rows) else {}))
        players.append(player)
    return players


def _changed_values(player: Mapping[str, Any]) -> dict[str, Any]:
    """Return the values of a player that a hand changed, and the list of their names."""
    names = _list(player.get(BY_HAND))
    return {name: player[name] for name in (*names, BY_HAND) if name in player}


def _with_civs(players: list[dict[str, Any]], seed: int, game: GameData) -> list[dict[str, Any]]:
    """Players, Gaia first, with the civilisations that the seed draws."""
    for number, player in enumerate(players):
        if number and player.get("Civ") == RANDOM:
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
    for name, read, example in (
        ("Color", colour_of, "#1560d0"),
        ("Diplomacy", _relations, "[1, 2, 2]"),
    ):
        if isinstance(values.get(name), str):
            try:
                values[name] = read(values[name])
            except (ValueError, RecursionError):
                message = f'a player\'s {name} is like {example}, not "{values[name][:40]}"'
                raise error("zeroad-players", message) from None
    return values


def _relations(text: str) -> list[int]:
    """Relations to all players. Raises ValueError."""
    numbers = json.loads(text)
    if not isinstance(numbers, list) or not all(type(number) is int for number in numbers):
        raise ValueError(text)
    return numbers
