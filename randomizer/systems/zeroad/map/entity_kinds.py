"""The templates of a map as kinds of things.

    kinds_of(battlemap)             # those that are on the map, and the usual ones
    kinds_of_game(catalog)          # all that the installed game has
    kinds_without_game()            # what can be placed where no game is installed
    kind_of_name(battlemap, "gaia/tree/oak")

Most of a kind follows from the name of its template (``template_groups``). An installed game adds
what its files say of the template, the *facts*: its civilisation, footprint and further names.
"""

from __future__ import annotations

import re
from dataclasses import replace
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from randomizer.model.basics.caches import KB, registered
from randomizer.model.things.thing_kind import Footprint, NewOwner, ThingKind
from randomizer.systems.zeroad.installation.template_catalog import (
    GameCatalog,
    TemplateFacts,
    latest_catalog,
)
from randomizer.systems.zeroad.map.mod_library import library_data
from randomizer.systems.zeroad.map.owners import NO_OWNERS, Owners, owners_on, players_in
from randomizer.systems.zeroad.map.records import settings_of_map
from randomizer.systems.zeroad.map.template_groups import (
    BUILDING,
    OF_CIVILISATIONS,
    OF_GAIA,
    group_of,
    groups,
    sign_of,
    title_of,
)

if TYPE_CHECKING:
    from collections.abc import Mapping

    from randomizer.model.map.battlemap import BattleMap

UNKNOWN = "Not in the installed game"
"""The heading of templates that the installed game lacks."""

SIGN_SIZES = {
    **dict.fromkeys(("centre",), 30),
    **dict.fromkeys(("wonder", "base"), 26),
    **dict.fromkeys(("temple", "market", "barracks", "dock"), 22),
    **dict.fromkeys(("unit",), 20),
    **dict.fromkeys(("stone", "metal"), 19),
    **dict.fromkeys(("building", "storehouse", "farmstead", "tower"), 17),
    **dict.fromkeys(("tree",), 18),
    **dict.fromkeys(("berries", "treasure", "fish"), 14),
}
"""The widths of signs where a map is seen from afar (``ThingKind.sign``), by icons.

Towns are before units, which alone mark where nomads start, these before mines, mines before woods,
and these before what feeds a town.
"""

_SMALLEST_ICON = 0.6
"""The smallest size of a structure's icon; that of a wall segment would be too small to see."""

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

BUILDINGS = (
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
"""The buildings that civilisations have, as releases from 24 on name them."""

_KINDS_OF_BIOMES = ("berries", "chicken", "hunt", "fish", "stone", "metal")
"""What a biome of the package names one template for, beside its trees."""

GAIA_CIVILISATION = "gaia"
"""The civilisation of Gaia, which has no buildings."""

ANY_CIVILISATION = "random"
"""The civilisation of a player who gets one by chance when the game begins."""

USUAL_CIVILISATION = "athen"
"""The civilisation of players for whom none is named."""


def kinds_of(battlemap: BattleMap) -> tuple[ThingKind, ...]:
    """Return the kinds of a map: the templates placed on it and the usual ones, by groups.

    Among these are the civil centres of the players' civilisations: a map by hand begins with them.
    """
    templates = {*USUAL, *_civil_centres(settings_of_map(battlemap))}
    for layer in battlemap.layers:
        templates.update(layer.things.kinds)
    return _kinds_on(battlemap, frozenset(templates))


def kind_of_name(battlemap: BattleMap, name: str) -> ThingKind | None:
    """Return the kind of a template's exact name, known or not; None for what can be no name."""
    if not re.fullmatch(r"[\w.+-]+([/|][\w.+-]+)+", name):
        return None
    return _kinds_on(battlemap, frozenset((name,)))[0]


def kinds_without_game() -> tuple[ThingKind, ...]:
    """Return the usual kinds and those of the civilisations, for whoever has no game installed.

    The units are those with which the scripts of the package begin.
    """
    names = set(USUAL)
    for biome in library_data("biomes.json").values():
        names.update(biome["trees"])
        names.update(biome[kind] for kind in _KINDS_OF_BIOMES)
    for civilisation, units in library_data("civs.json").items():
        names.update(f"structures/{civilisation}/{building}" for building in BUILDINGS)
        names.update(f"units/{civilisation}/{unit}" for unit in units)
    return _make_kinds(frozenset(names), NO_OWNERS, None)


def kinds_of_game(catalog: GameCatalog) -> tuple[ThingKind, ...]:
    """Return the kinds of all templates and actors of a game, by groups."""
    names = frozenset((*catalog.templates, *catalog.actors))
    return _make_kinds(names, NO_OWNERS, catalog)


def usual_owner(battlemap: BattleMap, template: str) -> int | None:
    """Return the number of the first player whose civilisation has a template; None if none has."""
    folders = template.split("/")[:-1]
    for number, player in enumerate(players_in(settings_of_map(battlemap)), 1):
        if isinstance(player, dict) and player.get("Civ") in folders:
            return number
    return None


# --- making kinds ---


def _civil_centres(settings: Mapping[str, Any]) -> tuple[str, ...]:
    """Return the templates of the civil centres of all players, as releases from 24 on name them.

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
        if civilisation not in (GAIA_CIVILISATION, ANY_CIVILISATION):
            civilisations.append(civilisation)
    civilisations = civilisations or [USUAL_CIVILISATION]
    return tuple(f"structures/{civilisation}/civil_centre" for civilisation in civilisations)


def _kinds_on(battlemap: BattleMap, templates: frozenset[str]) -> tuple[ThingKind, ...]:
    """Return the kinds of templates, with the owners and colours of a map's players."""
    owners = owners_on(settings_of_map(battlemap))
    return _kinds(templates, owners, latest_catalog())


@registered(bytes_each=300 * KB)
@lru_cache(maxsize=8)
def _kinds(
    templates: frozenset[str],
    owners: Owners,
    catalog: GameCatalog | None,
) -> tuple[ThingKind, ...]:
    """Return what ``_make_kinds`` returns, from a cache: it is asked for with each drawing."""
    return _make_kinds(templates, owners, catalog)


def _make_kinds(
    templates: frozenset[str],
    owners: Owners,
    catalog: GameCatalog | None,
) -> tuple[ThingKind, ...]:
    """Return the kinds of templates by groups, then by names, with these owners.

    ``catalog`` is that of the installed game, None without a game.
    """
    order = {group: number for number, group in enumerate(groups())}
    names = sorted(templates, key=lambda name: (order[group_of(name)], name))
    return tuple(_kind_of(name, owners, catalog) for name in names)


def _kind_of(name: str, owners: Owners, catalog: GameCatalog | None) -> ThingKind:
    """Return the kind of a template, by its group and by what the game says of it."""
    group_name = group_of(name)
    group = groups()[group_name]
    facts: TemplateFacts | None = None
    civilisation: str | None = None
    if catalog is not None:
        facts = catalog.facts(name)
    if facts is not None and facts.civ:
        civilisation = facts.civ

    # Where it comes from: its civilisation, else its folders, unless the title says so.
    title = title_of(name, civilisation)
    origin = ""
    title_names_origin = title.endswith(")")
    if not title_names_origin:
        origin = civilisation or name.rpartition("/")[0].removeprefix("actor|")

    new_owner = NewOwner.CHOSEN
    if group_name in OF_GAIA:
        new_owner = NewOwner.NOBODY
    elif group_name in OF_CIVILISATIONS:
        new_owner = NewOwner.CHOSEN_OR_FIRST
    kind = ThingKind(
        name,
        title,
        group.colour,
        owners=owners.owners,
        icon=group.icon,
        size=group.size,
        owner_colours=owners.colours,
        group=group.title,
        origin=origin,
        new_owner=new_owner,
    )
    if catalog is not None and not catalog.has(name):
        kind = replace(kind, icon="", size=1.0, symbol="?", group=UNKNOWN)
    elif group_name == BUILDING:
        kind = _as_building(kind, facts)
    kind = replace(kind, sign=SIGN_SIZES.get(kind.icon, 0))
    if facts is not None:
        kind = replace(kind, family=facts.civ, keywords=facts.search_text)
    return kind


def _as_building(kind: ThingKind, facts: TemplateFacts | None) -> ThingKind:
    """Return the kind of a structure with its footprint, and an icon that fits into it."""
    sign = sign_of(kind.name)
    footprint: Footprint | None = sign.footprint
    if facts is not None:
        footprint = facts.footprint
    size = kind.size
    if footprint:
        shorter_side = min(footprint.width, footprint.depth)
        size = min(size, shorter_side / 2)
    return replace(kind, icon=sign.icon, size=max(_SMALLEST_ICON, size), footprint=footprint)
