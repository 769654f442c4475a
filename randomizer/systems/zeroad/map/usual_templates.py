"""The names of the templates that can be placed on a map before any installed game is asked.

    usual_templates(battlemap)           # {"gaia/tree/oak", ..., "structures/athen/civil_centre"}
    templates_without_game()             # these of all civilisations and biomes

They are named as in releases from 24 on.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from randomizer.systems.zeroad.map.mod_library import library_data
from randomizer.systems.zeroad.map.owners import players_in
from randomizer.systems.zeroad.map.records import settings_of_map

if TYPE_CHECKING:
    from collections.abc import Mapping

    from randomizer.model.map.battlemap import BattleMap

USUAL = (
    "gaia/tree/oak",
    "gaia/tree/pine",
    "gaia/tree/poplar",
    "gaia/tree/cretan_date_palm_tall",
    "gaia/fruit/berry_01",
    "gaia/fauna_chicken",
    "gaia/fauna_deer",
    "gaia/fauna_sheep",
    "gaia/fish/generic",
    "gaia/rock/mediterranean_large",
    "gaia/rock/mediterranean_small",
    "gaia/ore/mediterranean_large",
    "gaia/ore/mediterranean_small",
    "gaia/treasure/wood",
    "gaia/treasure/food_bin",
)
"""Templates that can be placed on every map."""

_BUILDINGS = (
    "civil_centre",
    "house",
    "storehouse",
    "farmstead",
    "field",
    "corral",
    "barracks",
    "stable",
    "market",
    "forge",
    "temple",
    "dock",
    "outpost",
    "sentry_tower",
    "defense_tower",
    "fortress",
    "wonder",
)
"""The buildings that every civilisation has, without its folder."""

_THINGS_OF_BIOMES = ("berries", "chicken", "hunt", "fish", "stone", "metal")
"""What a biome of the package names one template for, beside its trees."""

_GAIA = "gaia"
"""The civilisation of Gaia, which has no buildings."""

_ANY_CIVILISATION = "random"
"""The civilisation of a player who gets one by chance when the game begins."""

_USUAL_CIVILISATION = "athen"
"""The civilisation of players for whom none is named."""


def usual_templates(battlemap: BattleMap) -> set[str]:
    """Return ``USUAL`` and the civil centres of the players, with which a map by hand begins."""
    return {*USUAL, *_civil_centres(settings_of_map(battlemap))}


def templates_without_game() -> set[str]:
    """Return the templates that are offered where no game is installed.

    They are the usual ones, those of the biomes of the package, and the buildings and first units
    of all civilisations.
    """
    names = set(USUAL)
    for biome in library_data("biomes.json").values():
        names.update(biome["trees"])
        for thing in _THINGS_OF_BIOMES:
            names.add(biome[thing])
    for civilisation, first_units in library_data("civs.json").items():
        names.update(f"structures/{civilisation}/{building}" for building in _BUILDINGS)
        names.update(f"units/{civilisation}/{unit}" for unit in first_units)
    return names


def _civil_centres(settings: Mapping[str, Any]) -> list[str]:
    """Return the templates of the civil centres of all players.

    Where no civilisation is named it is that which the game gives a player.
    """
    civilisations = list[str]()
    for player in players_in(settings):
        if not isinstance(player, dict):
            continue
        civilisation = player.get("Civ")
        # It becomes a part of a template's name, so it is checked like one.
        if not isinstance(civilisation, str) or not re.fullmatch(r"[a-z]+", civilisation):
            continue
        if civilisation not in (_GAIA, _ANY_CIVILISATION):
            civilisations.append(civilisation)
    if not civilisations:
        civilisations.append(_USUAL_CIVILISATION)
    return [f"structures/{civilisation}/civil_centre" for civilisation in civilisations]
