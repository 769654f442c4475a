"""The templates of a map as kinds of things, told by the words of their names.

``system`` asks ``kinds_of`` a map, and ``kinds_of_game`` or ``kinds_without_game`` for what else
can be placed. Templates are named by folders: ``gaia/tree/oak``,
``units/athen/infantry_spearman_b``, ``actor|props/flora/grass_tuft.xml``.
"""

from __future__ import annotations

import re
from dataclasses import replace
from functools import cache, lru_cache
from typing import TYPE_CHECKING, Any, NamedTuple

from randomizer.model.basics.caches import KB, registered
from randomizer.model.basics.packaged_table import packaged_table
from randomizer.model.things.thing_kind import Footprint, NewOwner, ThingKind
from randomizer.systems.zeroad.installation.game_data import civ_title
from randomizer.systems.zeroad.installation.template_catalog import (
    METRES_PER_TILE,
    GameCatalog,
    TemplateFacts,
    latest_catalog,
)
from randomizer.systems.zeroad.map.map_data import MOST_PLAYERS
from randomizer.systems.zeroad.map.mod_library import library_data
from randomizer.systems.zeroad.map.records import settings_of_map

if TYPE_CHECKING:
    from collections.abc import Mapping

    from randomizer.model.map.battlemap import BattleMap


class Group(NamedTuple):
    """A group of templates, whose things look alike."""

    title: str
    colour: str
    """As in ``ThingKind``, likewise the next two."""
    icon: str
    size: float
    folders: tuple[str, ...]
    """Folders whose templates belong to the group; of several the deepest counts."""
    starts: tuple[str, ...]
    """Beginnings of names of templates without folders, as older releases have them.

    Of several the longest counts.
    """


DECORATION = "decoration"
"""The group of the game's actors, which only look good."""

OTHER = "other"
"""The group of templates that belong to no other."""

BUILDING = "building"
"""The group of structures."""

UNKNOWN = "Not in the installed game"
"""The heading of templates that the installed game lacks."""


@registered(count=1, bytes_each=10 * KB)
@cache
def groups() -> Mapping[str, Group]:
    """Return all groups, from ``template_groups.tsv``, in the order in which they are offered."""
    rows = packaged_table("randomizer.systems.zeroad.map", "template_groups.tsv")
    return {
        name: Group(title, colour, icon, float(size), tuple(folders.split()), tuple(starts.split()))
        for name, title, colour, icon, size, folders, starts in rows
    }


@registered(count=1, bytes_each=5 * KB)
@cache
def _groups_of_folders() -> Mapping[str, str]:
    """Return the name of the group of each folder."""
    names = {}
    for name, group in groups().items():
        names.update(dict.fromkeys(group.folders, name))
    return names


@registered(count=1, bytes_each=5 * KB)
@cache
def _groups_of_starts() -> Mapping[str, str]:
    """Return the name of the group of each beginning of a name, the longest beginning first."""
    names = {}
    for name, group in groups().items():
        names.update(dict.fromkeys(group.starts, name))
    return dict(sorted(names.items(), key=lambda pair: -len(pair[0])))


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
"""By icons the widths of signs where a map is seen from afar (``ThingKind.sign``): towns before
units, which alone mark where nomads start, these before mines, mines before woods, these before
what feeds a town."""


class Sign(NamedTuple):
    """The icon of a structure, and its usual footprint, in map units."""

    icon: str
    footprint: Footprint


class _SignOfWords(NamedTuple):
    """The sign of structures whose names have one of some words."""

    words: tuple[str, ...]
    sign: Sign


@registered(count=1, bytes_each=20 * KB)
@cache
def _signs() -> tuple[_SignOfWords, ...]:
    """Return the signs of structures; the last one has no words, and is for the remaining ones.

    ``structure_signs.tsv`` has metres: the most common sizes of release 26.
    """
    signs = []
    rows = packaged_table("randomizer.systems.zeroad.map", "structure_signs.tsv")
    for icon, width, depth, words in rows:
        footprint = Footprint(float(width) / METRES_PER_TILE, float(depth) / METRES_PER_TILE)
        signs.append(_SignOfWords(tuple(words.split()), Sign(icon, footprint)))
    return tuple(signs)


def sign_of(template: str) -> Sign:
    """Return the sign of a structure, told by its name: the first row of the table counts."""
    name = template.rpartition("/")[2]
    signs = _signs()
    for words, sign in signs:
        if any(word in name for word in words):
            return sign
    return signs[-1].sign


_NAMED_GROUPS = ("stone", "metal", "fish", "treasure")
"""Groups whose names do not say what the thing is: ``gaia/rock/desert_small``."""

_OF_CIVILISATIONS = ("unit", BUILDING)
"""Groups whose titles name a civilisation, or else the folder."""

_OF_GAIA = (
    *("tree", "stone", "metal", "hunt", "fowl", "fish", "berries", "treasure"),
    DECORATION,
)
"""Groups whose things belong to no player."""

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

GAIA = "Gaia"

GAIA_CIVILISATION = "gaia"
ANY_CIVILISATION = "random"
"""What a player's civilisation can be beside a real one."""

USUAL_CIVILISATION = "athen"
"""The civilisation of players for whom none is named."""


@registered(bytes_each=300)
@lru_cache(maxsize=1024)
def group_of(template: str) -> str:
    """Return the name of the group of a template."""
    if template.startswith("actor|"):
        return DECORATION
    parts = template.rsplit("|", 1)[-1].lower().split("/")
    for start, group in _groups_of_starts().items():
        if parts[-1].startswith(start):
            return group
    of_folders = _groups_of_folders()
    matching = [of_folders[part] for part in parts[:-1] if part in of_folders]
    if matching:
        return matching[-1]
    return OTHER


_OF_LAND = ("tree", "stone", "metal", "hunt", "fowl", "berries", BUILDING, "unit")
"""Groups whose things stand on land, those with ``_OF_WATER`` aside."""

_OF_WATER = (
    *("ship", "boat", "dock", "naval", "cothon", "crannog", "lighthouse", "pier", "bridge"),
    *("trireme", "quinquereme", "bireme", "island_settlement", "whale", "shark", "fish", "dolphin"),
    *("crocodile", "hippopotamus", "walrus"),
)
"""Words in the names of what swims, or stands at the shore, where no installed game tells it."""


def stands_on_land(template: str) -> bool:
    """Return whether the things of a template need land, or water in which a unit can wade.

    Ruins, treasures, decorations and what is not known can lie in the sea.
    """
    if group_of(template) not in _OF_LAND or "ruins" in template:
        return False
    catalog = latest_catalog()
    if catalog is not None:
        facts = catalog.facts(template)
        if facts is not None and facts.is_of_water:
            return False
    return not any(word in template for word in _OF_WATER)


def title_of(template: str, civilisation: str = "") -> str:
    """Return the name of a template on the screen, such as "Oak" or "House (Athenians)".

    ``civilisation`` is the name of the civilisation; for "" it is told by the folder.
    """
    folders, _slash, name = template.rpartition("/")
    name = re.sub(r"\.xml$", "", name)
    name = re.sub("^(fauna|flora|geology|special)_", "", name)
    words = [word for word in re.split(r"[_\s|]+", name) if word]
    group = group_of(template)
    if group in _NAMED_GROUPS and group not in words:
        words.insert(0, group)
    folder = folders.rpartition("/")[2]
    title = " ".join(words)
    if not title:
        return template
    title = title[:1].upper() + title[1:]
    if group in _OF_CIVILISATIONS and folder:
        return f"{title} ({civilisation or civ_title(folder)})"
    return title


def kinds_of(battlemap: BattleMap) -> tuple[ThingKind, ...]:
    """Return the kinds of a map: the templates placed on it and the usual ones, by groups.

    Among these are the civil centres of the players' civilisations: a map by hand begins with them.
    """
    templates = {*USUAL, *_civil_centres(settings_of_map(battlemap))}
    for layer in battlemap.layers:
        templates.update(layer.things.kinds)
    return _kinds_on(battlemap, frozenset(templates))


def usual_owner(battlemap: BattleMap, template: str) -> int | None:
    """Return the number of the first player whose civilisation has a template; None if none has."""
    folders = template.split("/")[:-1]
    players = _list_of(settings_of_map(battlemap).get("PlayerData"))
    for number, player in enumerate(players):
        if number > 0 and isinstance(player, dict) and player.get("Civ") in folders:
            return number
    return None


def _civil_centres(settings: Mapping[str, Any]) -> tuple[str, ...]:
    """Return the templates of the civil centres of all players, as releases from 24 on name them.

    Where no civilisation is named it is that which the game gives a player.
    """
    civilisations = list[str]()
    for player in _list_of(settings.get("PlayerData")):
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


def _list_of(value: object) -> list[Any]:
    """Return a value that is a list, [] for another value."""
    if isinstance(value, list):
        return value
    return []


def kind_of_name(battlemap: BattleMap, name: str) -> ThingKind | None:
    """Return the kind of a template's exact name, known or not; None for what can be no name."""
    if not re.fullmatch(r"[\w.+-]+([/|][\w.+-]+)+", name):
        return None
    return _kinds_on(battlemap, frozenset((name,)))[0]


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
    return _make_kinds(frozenset(names), (), (), None)


def kinds_of_game(catalog: GameCatalog) -> tuple[ThingKind, ...]:
    """Return the kinds of all templates and actors of a game, by groups."""
    names = frozenset((*catalog.templates, *catalog.actors))
    return _make_kinds(names, (), (), catalog)


def _kinds_on(battlemap: BattleMap, templates: frozenset[str]) -> tuple[ThingKind, ...]:
    """Return the kinds of templates, with the owners and colours of a map's players."""
    settings = settings_of_map(battlemap)
    return _kinds(templates, owners_of(settings), colours_of(settings), latest_catalog())


@registered(bytes_each=300 * KB)
@lru_cache(maxsize=8)
def _kinds(
    templates: frozenset[str],
    owners: tuple[tuple[int, str], ...],
    colours: tuple[str, ...],
    catalog: GameCatalog | None,
) -> tuple[ThingKind, ...]:
    """Return what ``_make_kinds`` returns, from a cache: it is asked for with each drawing."""
    return _make_kinds(templates, owners, colours, catalog)


def _make_kinds(
    templates: frozenset[str],
    owners: tuple[tuple[int, str], ...],
    colours: tuple[str, ...],
    catalog: GameCatalog | None,
) -> tuple[ThingKind, ...]:
    """Return the kinds of templates by groups, then by names, with these owners and colours.

    ``catalog`` is that of the installed game, None without a game.
    """
    order = {group: number for number, group in enumerate(groups())}
    names = sorted(templates, key=lambda name: (order[group_of(name)], name))
    return tuple(_kind_of(name, owners, colours, catalog) for name in names)


def _kind_of(
    name: str,
    owners: tuple[tuple[int, str], ...],
    colours: tuple[str, ...],
    catalog: GameCatalog | None,
) -> ThingKind:
    """Return the kind of a template, by its group and by what the game says of it."""
    # What is said of it: its group, the game's facts, its title and where it comes from.
    group_name = group_of(name)
    group = groups()[group_name]
    facts = None
    civilisation = ""
    if catalog is not None:
        facts = catalog.facts(name)
    if facts is not None:
        civilisation = facts.civ
    title = title_of(name, civilisation)
    origin = ""
    title_names_origin = title.endswith(")")
    if not title_names_origin:
        origin = civilisation or name.rpartition("/")[0].removeprefix("actor|")

    new_owner = NewOwner.CHOSEN
    if group_name in _OF_GAIA:
        new_owner = NewOwner.NOBODY
    elif group_name in _OF_CIVILISATIONS:
        new_owner = NewOwner.CHOSEN_OR_FIRST
    kind = ThingKind(
        name,
        title,
        group.colour,
        owners=owners,
        icon=group.icon,
        size=group.size,
        owner_colours=colours,
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
        kind = replace(kind, family=facts.civ, keywords=facts.names)
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


_SMALLEST_ICON = 0.6
"""The smallest size of a structure's icon; that of a wall segment would be too small to see."""


def owners_of(settings: Mapping[str, Any]) -> tuple[tuple[int, str], ...]:
    """Return the numbers and names of the possible owners on a map with these settings.

    Gaia is 0. If no players are named, there are all eight.
    """
    players = _list_of(settings.get("PlayerData"))[1:] or [None] * MOST_PLAYERS
    owners = [(0, GAIA)]
    for number, player in enumerate(players, 1):
        owners.append((number, _player_name(player, number)))
    return tuple(owners)


PLAYER_COLOURS = (
    "#1e46b4",
    "#b41e1e",
    "#4fae26",
    "#e6c40a",
    "#2ba8a8",
    "#8c46c8",
    "#dc7310",
    "#5a5a5a",
)
"""The colours of players 1, 2 ... where the settings name none."""


def colours_of(settings: Mapping[str, Any]) -> tuple[str, ...]:
    """Return the colours of players 1, 2 ... on a map with these settings."""
    players = _list_of(settings.get("PlayerData"))[1:]
    colours = list(PLAYER_COLOURS)
    for number, player in enumerate(players[:MOST_PLAYERS]):
        if not isinstance(player, dict):
            continue
        colour = player.get("Color", player.get("Colour"))
        if not isinstance(colour, dict):
            continue
        parts = [colour.get(part) for part in "rgb"]
        levels = [part for part in parts if type(part) is int and 0 <= part <= 255]
        if len(levels) == 3:
            colours[number] = "#" + bytes(levels).hex()
    return tuple(colours)


def _player_name(player: object, number: int) -> str:
    """Return the name in the data of a player, else one with its number."""
    if isinstance(player, dict):
        name = player.get("Name")
        if isinstance(name, str) and name.strip():
            return name
    return f"Player {number}"
