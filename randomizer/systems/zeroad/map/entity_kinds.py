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
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from randomizer.model.basics.caches import KB, registered
from randomizer.model.things.thing_kind import Footprint, NewOwner, ThingKind
from randomizer.systems.zeroad.installation.template_catalog import (
    GameCatalog,
    TemplateFacts,
    latest_catalog,
)
from randomizer.systems.zeroad.map.owners import NO_OWNERS, Owners, owners_on
from randomizer.systems.zeroad.map.records import settings_of_map
from randomizer.systems.zeroad.map.template_groups import (
    BUILDING,
    OF_CIVILISATIONS,
    OF_GAIA,
    Group,
    group_of,
    groups,
    sign_of,
    title_of,
)
from randomizer.systems.zeroad.map.usual_templates import templates_without_game, usual_templates

if TYPE_CHECKING:
    from randomizer.model.map.battlemap import BattleMap

UNKNOWN = "Not in the installed game"
"""The heading of templates that the installed game lacks."""

SIGN_SIZES = {
    # Towns are the largest signs: where signs meet, the larger one is drawn.
    "centre": 30,
    "wonder": 26,
    "base": 26,
    "temple": 22,
    "market": 22,
    "barracks": 22,
    "dock": 22,
    # Before mines, since units alone mark where nomads start.
    "unit": 20,
    "stone": 19,
    "metal": 19,
    "tree": 18,
    "building": 17,
    "storehouse": 17,
    "farmstead": 17,
    "tower": 17,
    # What feeds a town is nearly everywhere.
    "berries": 14,
    "treasure": 14,
    "fish": 14,
}
"""The widths of signs where a map is seen from afar (``ThingKind.sign``), by icons."""

_SMALLEST_ICON = 0.6
"""The smallest size of a structure's icon; that of a wall segment would be too small to see."""

_TEMPLATE_NAME = re.compile(r"[\w.+-]+([/|][\w.+-]+)+")
"""What can be the name of a template: "gaia/tree/oak", "foundation|structures/athen/house"."""


def kinds_of(battlemap: BattleMap) -> tuple[ThingKind, ...]:
    """Return the kinds of a map: the templates placed on it and the usual ones, by groups."""
    names = usual_templates(battlemap)
    for layer in battlemap.layers:
        names.update(layer.things.kinds)
    return _kinds_with_owners(battlemap, frozenset(names))


def kind_of_name(battlemap: BattleMap, name: str) -> ThingKind | None:
    """Return the kind of a template's exact name, known or not; None for what can be no name."""
    if not _TEMPLATE_NAME.fullmatch(name):
        return None
    return _kinds_with_owners(battlemap, frozenset((name,)))[0]


def kinds_of_game(catalog: GameCatalog) -> tuple[ThingKind, ...]:
    """Return the kinds of all templates and actors of a game, by groups."""
    names = frozenset((*catalog.templates, *catalog.actors))
    return _make_kinds(names, NO_OWNERS, catalog)


def kinds_without_game() -> tuple[ThingKind, ...]:
    """Return the kinds that can be placed where no game is installed, by groups."""
    return _make_kinds(frozenset(templates_without_game()), NO_OWNERS, None)


# --- making kinds -------------------------------------------------------------------------------


def _kinds_with_owners(battlemap: BattleMap, names: frozenset[str]) -> tuple[ThingKind, ...]:
    """Return the kinds of templates, with the owners and colours of a map's players."""
    owners = owners_on(settings_of_map(battlemap))
    return _cached_kinds(names, owners, latest_catalog())


@registered(bytes_each=300 * KB)
@lru_cache(maxsize=8)
def _cached_kinds(
    names: frozenset[str], owners: Owners, catalog: GameCatalog | None
) -> tuple[ThingKind, ...]:
    """Return what ``_make_kinds`` returns, from a cache: it is asked for with each drawing."""
    return _make_kinds(names, owners, catalog)


def _make_kinds(
    names: frozenset[str], owners: Owners, catalog: GameCatalog | None
) -> tuple[ThingKind, ...]:
    """Return the kinds of templates by groups, then by names, with these owners.

    ``catalog`` is that of the installed game, None without a game.
    """
    order = {group: index for index, group in enumerate(groups())}
    sorted_names = sorted(names, key=lambda name: (order[group_of(name)], name))
    return tuple(_make_kind(name, owners, catalog) for name in sorted_names)


def _make_kind(name: str, owners: Owners, catalog: GameCatalog | None) -> ThingKind:
    """Return the kind of a template, by its group and by what the game says of it."""
    group_name = group_of(name)
    group = groups()[group_name]
    facts: TemplateFacts | None = None
    is_unknown = False
    if catalog is not None:
        facts = catalog.facts(name)
        is_unknown = not catalog.has(name)

    # What it looks like. The sign of a structure is told by its name, all others look like their
    # group.
    symbol = ""
    heading = group.title
    if is_unknown:
        look = _Look(icon="", size=1.0, footprint=None)
        symbol = "?"
        heading = UNKNOWN
    elif group_name == BUILDING:
        look = _look_of_structure(name, group, facts)
    else:
        look = _Look(group.icon, group.size, footprint=None)

    # Where it comes from: its civilisation, else its folders. Titles of some groups name that
    # already, such as "House (Athenians)".
    civilisation: str | None = None
    if facts is not None and facts.civ:
        civilisation = facts.civ
    folders, _slash, _file_name = name.rpartition("/")
    origin = ""
    if group_name not in OF_CIVILISATIONS or not folders:
        origin = civilisation or folders.removeprefix("actor|")

    new_owner = NewOwner.CHOSEN
    if group_name in OF_GAIA:
        new_owner = NewOwner.NOBODY
    elif group_name in OF_CIVILISATIONS:
        new_owner = NewOwner.CHOSEN_OR_FIRST

    family = ""
    keywords = ""
    if facts is not None:
        family = facts.civ
        keywords = facts.search_text
    return ThingKind(
        name,
        title_of(name, civilisation),
        group.colour,
        symbol=symbol,
        owners=owners.owners,
        icon=look.icon,
        size=look.size,
        owner_colours=owners.colours,
        group=heading,
        family=family,
        keywords=keywords,
        footprint=look.footprint,
        origin=origin,
        sign=SIGN_SIZES.get(look.icon, 0),
        new_owner=new_owner,
    )


class _Look(NamedTuple):
    """What things of a kind look like; the fields are those of ``ThingKind``."""

    icon: str
    size: float
    footprint: Footprint | None


def _look_of_structure(name: str, group: Group, facts: TemplateFacts | None) -> _Look:
    """Return the look of a structure: its footprint, and an icon that fits into it.

    The footprint is that of the installed game, or else the usual one of its name.
    """
    sign = sign_of(name)
    footprint: Footprint | None = sign.footprint
    if facts is not None:
        footprint = facts.footprint
    size = group.size
    if footprint is not None:
        shorter_side = min(footprint.width, footprint.depth)
        size = max(_SMALLEST_ICON, min(size, shorter_side / 2))
    return _Look(sign.icon, size, footprint)
