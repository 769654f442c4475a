"""What the sections of a map hold: as text, and as digests that notice a change."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from randomizer.model.battlemap import BattleMap
from randomizer.model.carrying import carriers_first
from randomizer.model.plurals import counted
from randomizer.model.problems import Problem, ProblemError, Severity
from randomizer.model.things import Thing
from randomizer.systems.xconq.map_period import period_of
from randomizer.systems.xconq.mapfile.globals_section import globals_text
from randomizer.systems.xconq.mapfile.loading import digest
from randomizer.systems.xconq.mapfile.provisional import character_of
from randomizer.systems.xconq.mapfile.rows import Characters, rows_text
from randomizer.systems.xconq.mapfile.sides_section import sides_text
from randomizer.systems.xconq.mapfile.unit_things import kind_character, lines_of
from randomizer.systems.xconq.mapfile.units_section import units_text
from randomizer.systems.xconq.records import (
    globals_of,
    map_facts_of,
    period_texts_of,
    sides_of,
    units_facts_of,
)
from randomizer.systems.xconq.scenario.views import fits_view
from randomizer.systems.xconq.system import TERRAIN
from randomizer.systems.xconq.terrain_set import terrain_set_of
from randomizer.systems.xconq.unit_state import TRANSPORT


def characters_of(battlemap: BattleMap) -> Characters:
    """The characters of the terrain that the visible layers show.

    Raises ProblemError for terrain that the period has no character for.
    """
    period = period_of(battlemap)
    names = [terrain.name for terrain in terrain_set_of(period).terrains]
    characters = dict(zip(names, (terrain.char for terrain in period.terrains), strict=True))
    codes = battlemap.composite().planes[TERRAIN.name]
    table = np.zeros(256, np.uint8)
    counts = np.bincount(codes.reshape(-1), minlength=256)
    for code, terrain in enumerate(battlemap.terrain_set.terrains):
        character = characters.get(terrain.name) or character_of(terrain.name) or ""
        if len(character) == 1 and ord(character) < 256:
            table[code] = ord(character)
        elif code < 256 and counts[code]:
            cells = counted(int(counts[code]), "cell")
            message = (
                f"The period has no terrain “{terrain.name}”, so no file can hold its {cells}: "
                "paint over them, or save a project"
            )
            raise ProblemError(Problem(Severity.ERROR, "terrain-without-character", message))
    return table[codes]


def units_of(battlemap: BattleMap) -> list[Thing]:
    """The units of the visible layers that stand on the map, what carries before the carried."""
    grid = battlemap.grid
    standing = [each for each in battlemap.visible_things() if grid.cell_at(each.x, each.y) >= 0]
    return carriers_first(grid, TRANSPORT, standing)[0]


def section_text(battlemap: BattleMap, letter: str, detail: int) -> str:
    """A section (``m``, ``g``, ``s`` or ``u``) as it is written. Raises ProblemError."""
    grid, facts = battlemap.grid, map_facts_of(battlemap)
    if letter == "m":
        words = grid.width, grid.height, facts.scale, facts.seen, facts.extension
        return f"Map {' '.join(map(str, words))}\n{rows_text(characters_of(battlemap))}"
    if letter == "g":
        return globals_text(globals_of(battlemap))
    if letter == "s":
        unit_types = len(period_of(battlemap).units)
        return sides_text(sides_of(battlemap), detail, grid, unit_types)
    units, about = units_of(battlemap), units_facts_of(battlemap)
    _refuse_unknown(battlemap, units)
    lines = lines_of(units, period_of(battlemap), grid, detail, about.neutral)
    return units_text(lines, detail, about.extension)


def lost_views(battlemap: BattleMap) -> bool:
    """Whether a side has a view that is not one of a map of this size."""
    grid = battlemap.grid
    return any(side.view and not fits_view(side.view, grid) for side in sides_of(battlemap).sides)


def _refuse_unknown(battlemap: BattleMap, units: Iterable[Thing]) -> None:
    """Raises ProblemError if the period has no character for the kind of a unit."""
    period = period_of(battlemap)
    kinds = {each.kind for each in units}
    unknown = sorted(kind for kind in kinds if kind_character(kind, period) is None)
    if unknown:
        message = (
            f"The period has no unit type {', '.join(f'“{kind}”' for kind in unknown)}, so no file "
            "can hold such units: change their type, or save a project"
        )
        raise ProblemError(Problem(Severity.ERROR, "unit-without-character", message))


def digest_of(battlemap: BattleMap, letter: str) -> str:
    """The digest of a section, or of the period (``p``). Raises ProblemError."""
    if letter == "p":
        texts = period_texts_of(battlemap)
        if texts is None:
            return digest()
        return digest(texts[0], *(part for each in sorted(texts[1].items()) for part in each))
    if letter == "m":
        facts = map_facts_of(battlemap)
        size = f"{battlemap.grid.width} {battlemap.grid.height} {facts.scale} {facts.seen}"
        return digest(size, characters_of(battlemap).tobytes().decode("latin-1"))
    return digest(section_text(battlemap, letter, 9))


def digests_of(battlemap: BattleMap, letters: str) -> dict[str, str]:
    """The digests of sections by letter."""
    return {letter: digest_of(battlemap, letter) for letter in letters}
