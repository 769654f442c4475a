"""Warns of templates, actors, textures and civilisations that the installed game does not have.

    names = names_of(templates_on_map, textures_on_map, settings)
    problems = unknown_names(names, mods, script_text, script_path)
    # "the installed game has no template “gaia/tree/oka”; did you mean gaia/tree/oak?"

The checks of scripts and of maps call this. It reads the names of the files in the game's mods, not
the files.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from difflib import get_close_matches
from functools import lru_cache

from randomizer.model.basics.caches import MB, registered
from randomizer.model.basics.plurals import counted, many
from randomizer.model.problems import Fix, Problem, Severity, TextEdit, place_of
from randomizer.systems.zeroad.installation.game_data import CIVS
from randomizer.systems.zeroad.installation.mod_files import ModFiles
from randomizer.systems.zeroad.installation.mod_paths import ACTORS, TERRAINS
from randomizer.systems.zeroad.installation.script_data import TEMPLATES
from randomizer.systems.zeroad.installation.templates import LOOKED_IN

MAX_REPORTED = 5
"""The largest number of unknown names of a kind that get a warning each; the others are counted."""

MIN_LIKENESS = 0.75
"""The least likeness, from 0 to 1, of an unknown name and the known one that is its fix.

With a smaller number the fix is a guess.
"""

TEMPLATE = "template"
"""The kind of names such as "units/athen/infantry_spearman_b"."""

ACTOR = "actor"
"""The kind of names such as "actor|props/flora/grass.xml", which stand for an actor alone."""

TEXTURE = "texture"
"""The kind of names of terrain textures, without their folders."""

CIV = "civilisation"
"""The kind of codes of civilisations, such as "athen"."""

Names = Mapping[str, Iterable[str]]
"""Names by their kind: ``TEMPLATE``, ``ACTOR``, ``TEXTURE`` or ``CIV``."""


def names_of(
    templates: Iterable[str], textures: Iterable[str], settings: Mapping[str, object]
) -> Names:
    """Return the names of a map; ``settings`` are those that its script was given."""
    civs = list[str]()
    players = settings.get("PlayerData")
    if isinstance(players, list):
        for player in players:
            if isinstance(player, dict) and isinstance(player.get("Civ"), str):
                civs.append(player["Civ"])
    return {**templates_of(templates), TEXTURE: textures, CIV: civs}


def templates_of(names: Iterable[str]) -> Names:
    """Return names of templates by their kind: those of templates, and those of actors."""
    all_names = set(names)
    actors = {name for name in all_names if name.startswith("actor|")}
    return {TEMPLATE: all_names - actors, ACTOR: actors}


def unknown_names(
    names: Names, mods: Sequence[ModFiles], text: str = "", path: str | None = None
) -> tuple[Problem, ...]:
    """Return a warning of each name that the installed game does not have.

    ``mods`` are those of the game. If they have no name of a kind at all, they are incomplete, and
    names of that kind get no warning. ``text`` is the script at ``path`` that uses the names: a
    warning of a name that stands in quotes there has its position, and as a fix the nearest name of
    the game.
    """
    # The stamp of a mod changes with any of its files: until then its names are cached.
    game_names = _names_of_game(tuple((mod.spec, mod.stamp()) for mod in mods))
    problems: list[Problem] = []
    for kind, names_of_kind in names.items():
        game_names_of_kind = game_names[kind]
        if not game_names_of_kind:
            continue
        unknown = sorted(
            {name for name in names_of_kind if not _is_known(name, game_names_of_kind)}
        )
        for name in unknown[:MAX_REPORTED]:
            problems.append(_problem(kind, name, game_names_of_kind, text, path))
        if len(unknown) > MAX_REPORTED:
            more = len(unknown) - MAX_REPORTED
            verb = many(more, "is", "are")
            message = f"{counted(more, f'more {kind}')} {verb} unknown to the installed game"
            problems.append(Problem(Severity.WARNING, f"unknown-{kind}", message, path))
    return tuple(problems)


def _is_known(name: str, game_names: frozenset[str]) -> bool:
    """Return whether the game has a name, or all templates of one such as "foundation|house".

    Such a name stands for a template that is overridden by another (``templates``).
    """
    if name in game_names:
        return True
    *filters, base_name = name.split("|")
    if not filters or base_name not in game_names:
        return False
    # The name "foundation" before a bar is that of the file special/filter/foundation.xml.
    for filter_name in filters:
        if not any(f"{folder}{filter_name}" in game_names for folder in LOOKED_IN):
            return False
    return True


def _problem(
    kind: str, name: str, game_names: frozenset[str], text: str, path: str | None
) -> Problem:
    """Return the warning of an unknown name; the parameters are those of ``unknown_names``."""
    code = f"unknown-{kind}"
    message = f"the installed game has no {kind} “{name}”"
    matches = get_close_matches(name, game_names, n=1, cutoff=MIN_LIKENESS)
    if matches:
        message += f"; did you mean {matches[0]}?"
    quoted = re.search(rf"""(["'`]){re.escape(name)}\1""", text)
    if quoted is None:
        return Problem(Severity.WARNING, code, message, path)
    # From behind the opening quote to the closing one.
    span = (*place_of(text, quoted.start() + 1), *place_of(text, quoted.end() - 1))
    fix: Fix | None = None
    if matches:
        fix = Fix(f"Change it to {matches[0]}", (TextEdit(*span, matches[0]),))
    return Problem(Severity.WARNING, code, message, path, *span, fix)


@registered(bytes_each=1.5 * MB)
@lru_cache(maxsize=1)
def _names_of_game(stamped_mods: tuple[tuple[str, str], ...]) -> dict[str, frozenset[str]]:
    """Return all names that mods have by their kind; a mod is given by its spec and its stamp."""
    mods = [ModFiles.from_spec(spec) for spec, _stamp in stamped_mods]
    actors = (f"actor|{name}.xml" for name in _names_in_folder(mods, ACTORS, ".xml"))
    textures = (path.rpartition("/")[2] for path in _names_in_folder(mods, TERRAINS, ".xml"))
    civs = frozenset(_names_in_folder(mods, CIVS, ".json"))
    if civs:
        civs |= {"gaia", "random"}  # these two have no file
    return {
        TEMPLATE: frozenset(_names_in_folder(mods, TEMPLATES, ".xml")),
        ACTOR: frozenset(actors),
        TEXTURE: frozenset(textures),
        CIV: civs,
    }


def _names_in_folder(mods: Sequence[ModFiles], folder: str, suffix: str) -> Iterator[str]:
    """Yield the paths of the files with a suffix below a folder, without both.

    Files may be packed: the game adds ".xmb" to the names of those.
    """
    for mod in mods:
        for file in mod.list(folder):
            path = file.removesuffix(".xmb")
            if path.endswith(suffix):
                yield path[len(folder) : -len(suffix)]
