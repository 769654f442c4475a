"""Tells by the words of a template's name what it is: its group, its sign and its title.

    group_of("gaia/tree/oak")                               # "tree"
    title_of("gaia/tree/oak")                               # "Oak"
    title_of("structures/athen/house")                      # "House (Athenians)"
    sign_of("structures/athen/temple").icon                 # "temple"

Templates are named by folders: ``gaia/tree/oak``, ``units/athen/infantry_spearman_b``,
``actor|props/flora/grass_tuft.xml``. The tables of words are ``template_groups.tsv`` and
``structure_signs.tsv``.
"""

from __future__ import annotations

import re
from functools import cache, lru_cache
from typing import TYPE_CHECKING, NamedTuple

from randomizer.model.basics.caches import KB, registered
from randomizer.model.basics.packaged_table import packaged_table
from randomizer.model.things.thing_kind import Footprint
from randomizer.systems.zeroad.installation.game_choices import civ_title
from randomizer.systems.zeroad.installation.template_catalog import METRES_PER_TILE, latest_catalog

if TYPE_CHECKING:
    from collections.abc import Mapping

_PACKAGE = "randomizer.systems.zeroad.map"
"""The package with the tables of words."""

DECORATION = "decoration"
"""The group of the game's actors, which only look good."""

OTHER = "other"
"""The group of templates that belong to no other."""

BUILDING = "building"
"""The group of structures."""

OF_CIVILISATIONS = ("unit", BUILDING)
"""Groups whose titles name a civilisation, or else the folder."""

OF_GAIA = (
    *("tree", "stone", "metal", "hunt", "fowl", "fish", "berries", "treasure"),
    DECORATION,
)
"""Groups whose things belong to no player."""

_OF_LAND = ("tree", "stone", "metal", "hunt", "fowl", "berries", BUILDING, "unit")
"""Groups whose things stand on land, those with ``_OF_WATER`` aside."""

_OF_WATER = (
    *("ship", "boat", "dock", "naval", "cothon", "crannog", "lighthouse", "pier", "bridge"),
    *("trireme", "quinquereme", "bireme", "island_settlement", "whale", "shark", "fish", "dolphin"),
    *("crocodile", "hippopotamus", "walrus"),
)
"""Words in the names of what swims, or stands at the shore, where no installed game tells it."""

_NAMED_GROUPS = ("stone", "metal", "fish", "treasure")
"""Groups whose names do not say what the thing is: ``gaia/rock/desert_small``."""


# --- groups ---


class Group(NamedTuple):
    """A group of templates, whose things look alike."""

    title: str
    """Its heading in lists."""
    colour: str
    """The colour of its things, as in ``ThingKind``."""
    icon: str
    """Their icon, as in ``ThingKind``."""
    size: float
    """The size of the icon, as in ``ThingKind``."""
    folders: tuple[str, ...]
    """Folders whose templates belong to the group; of several the deepest counts."""
    starts: tuple[str, ...]
    """Beginnings of names of templates without folders, as older releases have them.

    Of several the longest counts.
    """


@registered(count=1, bytes_each=10 * KB)
@cache
def groups() -> Mapping[str, Group]:
    """Return all groups, from ``template_groups.tsv``, in the order in which they are offered."""
    rows = packaged_table(_PACKAGE, "template_groups.tsv")
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


@registered(bytes_each=300)
@lru_cache(maxsize=1024)
def group_of(template: str) -> str:
    """Return the name of the group of a template."""
    if template.startswith("actor|"):
        return DECORATION
    *folders, name = template.rsplit("|", 1)[-1].lower().split("/")
    for start, group in _groups_of_starts().items():
        if name.startswith(start):
            return group
    group_of_folder = _groups_of_folders()
    for folder in reversed(folders):
        if folder in group_of_folder:
            return group_of_folder[folder]
    return OTHER


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


# --- signs ---


class Sign(NamedTuple):
    """The icon of a structure, and its usual footprint, in map units."""

    icon: str
    """The name of the icon, as in ``ThingKind``."""
    footprint: Footprint
    """Its width and depth."""


class _SignOfWords(NamedTuple):
    """The sign of structures whose names have one of some words."""

    words: tuple[str, ...]
    """Words of which a name has one; none for the sign of all names."""
    sign: Sign


@registered(count=1, bytes_each=20 * KB)
@cache
def _signs() -> tuple[_SignOfWords, ...]:
    """Return the signs of structures; the last one has no words, and is for the remaining ones.

    ``structure_signs.tsv`` has metres: the most common sizes of release 26.
    """
    signs = []
    rows = packaged_table(_PACKAGE, "structure_signs.tsv")
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


# --- titles ---


def title_of(template: str, civilisation: str | None = None) -> str:
    """Return the name of a template on the screen, such as "Oak" or "House (Athenians)".

    ``civilisation`` is the name of the civilisation; for None it is told by the folder.
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
    if group not in OF_CIVILISATIONS or not folder:
        return title
    if civilisation is None:
        civilisation = civ_title(folder)
    return f"{title} ({civilisation})"
