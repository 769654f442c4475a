"""Which templates, textures and civilisations an installed game has, and warnings of others."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from difflib import get_close_matches
from functools import lru_cache

from randomizer.model.basics.caches import MB, registered
from randomizer.model.basics.plurals import counted, many
from randomizer.model.problems import Fix, Problem, Severity, TextEdit, place_of
from randomizer.systems.zeroad.installation.game_data import CIVS
from randomizer.systems.zeroad.installation.mod_files import ACTORS, TERRAINS, ModFiles
from randomizer.systems.zeroad.installation.script_data import TEMPLATES

TOLD = 5
"""So many unknown names of a kind are told, with the nearest that the game has."""

LIKENESS = 0.75
"""How like the nearest name is at least, from 0 to 1: below it the fix would be a guess."""

TEMPLATE = "template"
ACTOR = "actor"
TEXTURE = "texture"
CIV = "civilisation"

Names = Mapping[str, Iterable[str]]
"""Names by their kind: ``TEMPLATE``, ``ACTOR``, ``TEXTURE`` or ``CIV``."""


def names_of(
    templates: Iterable[str], textures: Iterable[str], settings: Mapping[str, object]
) -> Names:
    """Return the names of a map; ``settings`` are those that its script was given."""
    players = settings.get("PlayerData")
    rows = players if isinstance(players, list) else []
    civs = [row.get("Civ") for row in rows if isinstance(row, dict)]
    return {
        **templates_of(templates),
        TEXTURE: textures,
        CIV: [civ for civ in civs if isinstance(civ, str)],
    }


def templates_of(names: Iterable[str]) -> Names:
    """Return the names of templates, and those that stand for actors."""
    all_names = set(names)
    actors = {name for name in all_names if name.startswith("actor|")}
    return {TEMPLATE: all_names - actors, ACTOR: actors}


def unknown_names(
    names: Names, mods: Sequence[ModFiles], text: str = "", path: str | None = None
) -> tuple[Problem, ...]:
    """Return a warning of each name that the installed game lacks.

    ``mods`` are those of the game. Of a kind of names of which they have none at all nothing is
    known, so none is warned of. Where a name stands in quotes in ``text``, the script at ``path``,
    the warning has that place, and the nearest name of the game as its fix.
    """
    # What the files of a mod name is cached until one of them changes: that is in its stamp.
    names_by_kind = _known(tuple((mod.spec, mod.stamp()) for mod in mods))
    problems: list[Problem] = []
    for kind, names_of_kind in names.items():
        has = names_by_kind[kind]
        if not has:
            lacking = []
        else:
            lacking = sorted({name for name in names_of_kind if not _is_there(name, has)})
        problems += (_problem(kind, name, has, text, path) for name in lacking[:TOLD])
        if len(lacking) > TOLD:
            more = len(lacking) - TOLD
            verb = many(more, "is", "are")
            message = f"{counted(more, f'more {kind}')} {verb} unknown to the installed game"
            problems.append(Problem(Severity.WARNING, f"unknown-{kind}", message, path))
    return tuple(problems)


def _is_there(name: str, names: frozenset[str]) -> bool:
    parts = name.split("|")  # templates laid over another
    return name in names or (len(parts) > 1 and all(part in names for part in parts))


def _problem(kind: str, name: str, names: frozenset[str], text: str, path: str | None) -> Problem:
    near = next(iter(get_close_matches(name, names, 1, LIKENESS)), "")
    message = f"the installed game has no {kind} “{name}”"
    if near:
        message += f"; did you mean {near}?"
    quoted = re.search(rf"""(["'`]){re.escape(name)}\1""", text)
    if quoted is None:
        return Problem(Severity.WARNING, f"unknown-{kind}", message, path)
    span = (*place_of(text, quoted.start() + 1), *place_of(text, quoted.end() - 1))
    if near:
        fix = Fix(f"Change it to {near}", (TextEdit(*span, near),))
    else:
        fix = None
    return Problem(Severity.WARNING, f"unknown-{kind}", message, path, *span, fix)


@registered(bytes_each=1.5 * MB)
@lru_cache(maxsize=1)
def _known(stamped: tuple[tuple[str, str], ...]) -> dict[str, frozenset[str]]:
    mods = [ModFiles(spec) for spec, _stamp in stamped]
    actors = (f"actor|{name}.xml" for name in _below(mods, ACTORS, ".xml"))
    textures = (name.rpartition("/")[2] for name in _below(mods, TERRAINS, ".xml"))
    civs = frozenset(_below(mods, CIVS, ".json"))
    return {
        TEMPLATE: frozenset(_below(mods, TEMPLATES, ".xml")),
        ACTOR: frozenset(actors),
        TEXTURE: frozenset(textures),
        CIV: civs.union(("gaia", "random")) if civs else civs,
    }


def _below(mods: Sequence[ModFiles], folder: str, suffix: str) -> Iterator[str]:
    """Yield the names of the files below a folder, or of packed ones: paths without it and the
    suffix.
    """
    for mod in mods:
        for file in mod.list(folder):
            path = file.removesuffix(".xmb")
            if path.endswith(suffix):
                yield path[len(folder) : -len(suffix)]
