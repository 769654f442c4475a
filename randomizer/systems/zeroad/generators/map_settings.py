"""The map settings of 0 A.D.: what a person can choose, and the object that a script gets.

A generator asks three functions in turn::

    settings_of         what a person can choose in a form, by the metadata file
    map_settings        the object that the script gets, by what was chosen
    drawn_choices       after the roll: lines of its log that say what the seed has drawn

Names are 0 A.D.'s. The choices that a metadata file offers, such as the biome, are in
offered_choices.py, the players in player_data.py.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from randomizer.model.basics.dice import SEED_LIMIT
from randomizer.model.basics.log_line import LOG, LogLine
from randomizer.model.grid.grid import Grid
from randomizer.model.grid.layouts import SQUARE
from randomizer.model.rolls.draw_key import DrawKey
from randomizer.model.settings.metadata import Metadata
from randomizer.model.settings.setting import Setting
from randomizer.systems.zeroad.generators.offered_choices import SCRIPT, offers
from randomizer.systems.zeroad.generators.player_data import (
    RANDOM,
    default_player_count,
    player_table,
    undrawn_players,
    with_drawn_civilisations,
)
from randomizer.systems.zeroad.installation.game_choices import USUAL, GameData, civ_choices
from randomizer.systems.zeroad.map.map_data import MAX_PLAYERS
from randomizer.systems.zeroad.map.planes import MAX_ALONG, STEP, is_edge
from randomizer.systems.zeroad.map.records import PLAYERS


def settings_of(metadata: Metadata, game: GameData = USUAL) -> tuple[Setting, ...]:
    """Return the settings that a person can choose before a map is made."""
    players = default_player_count(metadata)
    return (
        _size_setting(metadata, game),
        Setting(
            "Players",
            int,
            "Players on the map.",
            players,
            minimum=1,
            maximum=MAX_PLAYERS,
            title="Players",
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
        player_table(game),
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
        maximum=MAX_ALONG,
        title="Size",
        step=STEP,
    )


def _usual_size(metadata: Metadata, game: GameData) -> int:
    """Return the size in tiles that a metadata file names, that of the game for none."""
    size = metadata.others.get("Size")
    if isinstance(size, int) and is_edge(size):
        return size
    return game.size


def grid_of(settings: Iterable[Setting], chosen: Mapping[str, object]) -> Grid:
    """Return the grid of a new map: a square of the chosen size, or of the default of ``Size``."""
    usual = next(setting.default for setting in settings if setting.name == "Size")
    size = chosen.get("Size", usual)
    assert isinstance(size, int), "chosen settings are checked before"
    return Grid(SQUARE, size, size)


def map_settings(
    metadata: Metadata,
    chosen: Mapping[str, object],
    key: DrawKey,
    game: GameData = USUAL,
    by_hand: Sequence[Mapping[str, Any]] = (),
) -> dict[str, Any]:
    """Return the object that a script gets, as plain JSON values.

    Keys of the metadata that the game does not know stay. Raises ProblemError for damaged player
    data.

    Args:
        metadata: The metadata file of the script.
        chosen: The chosen values of ``settings_of``, by name.
        key: The key of the map; the game's seed is its seed plus its number.
        game: The game's biomes, civilisations and defaults.
        by_hand: Gaia and the players of a map of which some were changed by hand
            (``recorded_players``): as many play, and keep the changed values. () for none.
    """
    # The game has seeds only: the maps of one seed, which are numbered here, need a seed each.
    seed = (key.seed + key.number) % SEED_LIMIT
    values = _values_of_game(metadata, chosen, game, seed)
    for offer in offers(metadata, game):
        is_left_to_script = offer.is_optional and chosen.get(offer.name) == SCRIPT
        if not is_left_to_script:
            values[offer.name] = offer.value_for(chosen.get(offer.name, ""), seed)
    player_count = _player_count(metadata, chosen, by_hand)
    players = undrawn_players(metadata, chosen, player_count, game, by_hand)
    values[PLAYERS] = with_drawn_civilisations(players, seed, game)
    return values


def _values_of_game(
    metadata: Metadata, chosen: Mapping[str, object], game: GameData, seed: int
) -> dict[str, Any]:
    """Return the values of a script's settings but the offered choices and the players.

    These are the keys that the game's own setup gives a script.
    """
    defaults: dict[str, Any] = {
        "Name": metadata.name,
        "mapName": metadata.name,
        "Script": metadata.script,
        "Description": metadata.description,
        "Keywords": list(metadata.keywords),
        "VictoryConditions": [],
        "RevealMap": False,
        "LockTeams": False,
        "StartingResources": game.resources,
    }
    chosen_values: dict[str, Any] = {
        "CircularMap": bool(chosen.get("CircularMap", metadata.circular_map)),
        "Nomad": bool(chosen.get("Nomad", metadata.others.get("Nomad") is True)),
        "Size": chosen.get("Size", _usual_size(metadata, game)),
        "Seed": seed,
    }
    # What the file says goes before the defaults, what a person has chosen before the file.
    values = {**defaults, **metadata.others, **chosen_values}
    if metadata.base_terrain:
        values["BaseTerrain"] = list(metadata.base_terrain)
    if metadata.base_height is not None:
        values["BaseHeight"] = metadata.base_height
    if metadata.preview:
        values["Preview"] = metadata.preview
    rise = metadata.others.get("SeaLevelRise")
    if isinstance(rise, dict) and "Default" in rise:
        values["SeaLevelRiseTime"] = rise["Default"]
    # The file has the list of choices by this name, the script gets one of them by the same.
    values.pop("Daytime", None)
    return values


def _player_count(
    metadata: Metadata, chosen: Mapping[str, object], by_hand: Sequence[Mapping[str, Any]]
) -> int:
    """Return the number of players without Gaia."""
    if by_hand:
        return len(by_hand) - 1
    count = chosen.get("Players", default_player_count(metadata))
    assert isinstance(count, int)
    return count


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
        # A value that nobody has asked for was drawn; one that is left to the script is not there.
        requested_value = chosen.get(offer.name) or offer.usual
        if value is not None and value != requested_value:
            label = dict(offer.values).get(value, value)
            lines.append(f"{offer.title}: {_with_id(label, value)}, drawn by the seed")

    # Which civilisations were drawn is no longer seen in ``settings``: the players are made again.
    civ_titles = dict(civ_choices(game.civs))
    players = settings[PLAYERS]
    players_before_draw = undrawn_players(metadata, chosen, len(players) - 1, game, by_hand)
    for number, player in enumerate(players_before_draw):
        if number and player.get("Civ") == RANDOM:  # 0 is Gaia
            civ = players[number]["Civ"]
            title = civ_titles.get(civ, civ)
            lines.append(f"Civilisation of player {number}: {title}, drawn by the seed")
    return tuple(LogLine(LOG, line) for line in lines)


def _with_id(label: str, value: str) -> str:
    """Return the label of a value with the value itself, as scripts and ``--set`` know it.

    Some labels have it already, as "Athenians (athen)" has.
    """
    if value in label:
        return label
    return f"{label} ({value})"
