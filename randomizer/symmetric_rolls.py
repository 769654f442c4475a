"""Rolls that are made symmetric, by a setting that every generator has beside its own.

A generator knows nothing of symmetry. ``settings_for`` adds a setting named ``SYMMETRY`` to its
own; before a roll ``without_symmetry`` takes it out again, and after the roll ``made_symmetric``
copies the northern part of each layer over the rest:

    settings = {"density": 3, "symmetry": "turn2"}
    without_symmetry(system, settings)      # {"density": 3}: what the generator gets
    is_symmetric(system, settings)      # True

Systems with starts (0 A.D.) have no such setting: their scripts place the players symmetrically.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from randomizer.generator import MapGenerator
from randomizer.model.grid.grid import Grid
from randomizer.model.problems import error
from randomizer.model.rolls.generated import Generated
from randomizer.model.settings.setting import Setting
from randomizer.model.system.system import System
from randomizer.roll_base import Base

SYMMETRY = "symmetry"
"""The name of the setting that ``settings_for`` adds in systems whose maps have no starts."""

NO_SYMMETRY = "none"
"""The value of that setting for maps that are not made symmetric; "" is the same."""


def settings_for(generator: MapGenerator, grid: Grid | None = None) -> tuple[Setting, ...]:
    """Return the settings that a generator is rolled with: its own, then the symmetry of the map.

    With a grid the symmetry is a choice among those that the grid can have; without one it is a
    text, and the roll refuses what its grid cannot have.
    """
    return settings_with_symmetry(generator.system, tuple(generator.settings), grid)


def settings_with_symmetry(
    system: System, settings_of_script: tuple[Setting, ...], grid: Grid | None = None
) -> tuple[Setting, ...]:
    """Return the settings of a script, then the symmetry of the map, as ``settings_for`` does."""
    if system.has_starts:
        return settings_of_script
    if grid is None:
        return (*settings_of_script, _symmetry_as_text())
    symmetries = _symmetries_of(grid)
    if not symmetries:
        return settings_of_script
    choice = replace(_symmetry_as_text(), choices=tuple(symmetries), pattern="", example="")
    return (*settings_of_script, choice)


def _symmetries_of(grid: Grid) -> list[tuple[str, str]]:
    """Return name and title of each symmetry that a map can have; a form leaves "none" unset."""
    from randomizer.geometry.symmetry import kinds

    return [kind for kind in kinds(grid) if kind[0] != NO_SYMMETRY]


def _symmetry_as_text() -> Setting:
    """Return the setting of the symmetry for a map whose grid is not known yet."""
    return Setting(
        SYMMETRY,
        str,
        "The map is made symmetric when it is rolled, its north copied: turn2 (by half a turn), "
        "turn3, turn4, turn6, mirror0 to mirror5 (a line), as its {cells} allow. Odds, filters and "
        "the gallery are of the maps before that. Not with locks.",
        title="Symmetry",
        unset="No symmetry",
        pattern=f"{NO_SYMMETRY}|turn[2346]|mirror[0-5]",
        example="turn2",
    )


def without_symmetry(system: System, settings: Mapping[str, object]) -> dict[str, object]:
    """Return the settings of a roll without the symmetry that ``settings_for`` has added.

    In systems with starts nothing is taken out: there a setting of that name is the generator's.
    """
    if system.has_starts:
        return dict(settings)
    return {name: value for name, value in settings.items() if name != SYMMETRY}


def is_symmetric(system: System, settings: Mapping[str, object]) -> bool:
    """Return whether the maps of a system that are rolled with ``settings`` are made symmetric."""
    if system.has_starts:
        return False
    return settings.get(SYMMETRY, NO_SYMMETRY) not in ("", NO_SYMMETRY)


def symmetry_note(system: System, settings: Mapping[str, object]) -> str:
    """Return the sentence beside odds, filters and pictures of many maps; "" without symmetry."""
    if is_symmetric(system, settings):
        return "These are maps before they are made symmetric."
    return ""


def check_symmetry(base: Base, settings: Mapping[str, object]) -> None:
    """Raise ProblemError if what is locked would not stay in a map that is made symmetric."""
    if base.locked and is_symmetric(base.system, settings):
        raise error(
            "symmetry-locked",
            "a roll that is made symmetric cannot keep what is locked: "
            "unlock it, or set the symmetry to none",
        )


def made_symmetric(base: Base, generated: Generated, kind: str) -> Generated:
    """Return the result with symmetric copies of its layers, which are new objects.

    The ``roll`` of each copy notes the kind of symmetry ("turn2") among its settings. Raises
    ProblemError for a grid that cannot have this kind of symmetry.
    """
    from randomizer.geometry.symmetrize import symmetric_layers
    from randomizer.geometry.symmetry import best_centre, kinds

    grid = generated.grid or base.grid
    offered = [name for name, _words in kinds(grid)]
    if kind not in offered:
        message = f"such a map cannot have the symmetry {kind} (there are: {', '.join(offered)})"
        raise error("no-symmetry", message)
    layers = symmetric_layers(base.system, grid, generated.layers, best_centre(grid, kind))
    for layer in layers:
        assert layer.roll is not None, "the run of the generator gave one to every layer"
        settings = {**layer.roll.settings, SYMMETRY: kind}
        layer.roll = replace(layer.roll, settings=settings)
    return replace(generated, layers=layers)
