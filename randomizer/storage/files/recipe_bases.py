"""Recipes (``roll_recipe``) made from rolls, and the bases onto which recipes are rolled."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from randomizer.catalog.generators import generator_named
from randomizer.catalog.scripts import generator_for_script
from randomizer.catalog.systems import system_named
from randomizer.generator import MapGenerator
from randomizer.ground_digest import ground_digest
from randomizer.model.basics.limits import MOST_CELLS
from randomizer.model.gate.gate import check_grid, check_plane
from randomizer.model.gate.plane_values import MapFrame
from randomizer.model.grid.grid import Grid
from randomizer.model.grid.layouts import LAYOUTS
from randomizer.model.map.layer import NO_TEXTS, Roll
from randomizer.model.planes.planes import Element
from randomizer.model.problems import Problem, Severity, error
from randomizer.model.settings.setting import checked_settings
from randomizer.roll_base import Base
from randomizer.storage.files.recipe_generators import digest_of, packaged_scripts
from randomizer.storage.files.roll_recipe import (
    LockedValues,
    RecipeGrid,
    RollRecipe,
    recipe_text,
    script_digest,
)
from randomizer.symmetric_rolls import settings_for

LONGEST_WITH_SCRIPT = 2000
"""A script goes along if the text is no longer than one message of a chat can be."""

_MOST_DEFLATED = 20
"""No script becomes shorter than a twentieth when it is deflated and written in base64."""


# --- from a roll ----------------------------------------------------------------------------------


def recipe_of(roll: Roll, base: Base) -> RollRecipe:
    """Return the recipe of a roll, whose re-roll would start from ``base``.

    Raises ProblemError if it is too long, or if its generator is not here.
    """
    grid = base.grid
    generator = generator_named(roll.generator) if roll.generator else None
    if generator is None:
        generator = generator_for_script(roll.script, roll.script_name, texts=roll.texts)
    base = _base_of_roll(roll, base)
    recipe = RollRecipe(
        system=base.system.name,
        roll=replace(roll, origins=(), part="", ground=roll.ground or ground_digest(base)),
        grid=RecipeGrid(grid.layout.name, grid.width, grid.height, grid.wrap, grid.lean),
        script=script_digest(roll.script, roll.texts),
        roller=generator.roller_version,
        locked=_locked_values(base),
    )
    if _takes_script_along(recipe):
        return recipe
    roll_without_script = replace(recipe.roll, script="", texts=NO_TEXTS)
    return replace(recipe, roll=roll_without_script)


def _base_of_roll(roll: Roll, base: Base) -> Base:
    """Return ``base`` with the locks that the roll was bound by.

    ``Roll.ground`` is the digest of what the roll started from, locks included.
    """
    # A roll that searched map after map was not bound by locks on paint.
    searched_base = base.with_paint_above()
    if roll.ground == ground_digest(searched_base):
        return searched_base
    if roll.ground in ("", ground_digest(base)):
        return base
    # Something has changed since: the recipe keeps the digest of what was there, without locks.
    return base.unlocked()


def _locked_values(base: Base) -> dict[str, LockedValues]:
    """Return the values that are locked in a base, by plane."""
    locked = {}
    for spec in base.system.shown_planes:
        elements = np.flatnonzero(base.locked_mask(spec))
        if len(elements):
            values = base.shown.planes[spec.name].flat[elements]
            locked[spec.name] = LockedValues(tuple(elements.tolist()), tuple(values.tolist()))
    return locked


def _takes_script_along(recipe: RollRecipe) -> bool:
    """Return whether the script, which is in the recipe, stays there.

    It does if it is short, and does not come with this program.
    """
    if any(script_digest(*script) == recipe.script for script in packaged_scripts()):
        return False
    characters = sum(map(len, (recipe.roll.script, *recipe.roll.texts.values())))
    if characters > _MOST_DEFLATED * LONGEST_WITH_SCRIPT:  # it need not be deflated to know
        return False
    return len(recipe_text(recipe)) <= LONGEST_WITH_SCRIPT


# --- back to a roll -------------------------------------------------------------------------------


def recipe_grid(recipe: RollRecipe) -> Grid:
    """Return the grid of a new map for the recipe.

    Raises ProblemError for an unknown kind of map.
    """
    system = system_named(recipe.system)
    layouts = {layout.name: layout for layout in LAYOUTS}
    layout = layouts.get(recipe.grid.layout)
    has_cells = 0 < recipe.grid.width <= MOST_CELLS and recipe.grid.height > 0
    if system is None or layout is None or not has_cells:
        raise error("no-system", f"such maps ({recipe.system:.40}) are not known here")
    if system.fixed_grid:
        return system.new_grid()
    height = min(recipe.grid.height, MOST_CELLS)  # ``check_grid`` refuses what is too large
    grid = Grid(layout, recipe.grid.width, height, wrap=recipe.grid.wrap, lean=recipe.grid.lean)
    check_grid(system, grid)
    return grid


def locked_as_in(recipe: RollRecipe, base: Base) -> Base:
    """Return ``base`` with the recipe's locks instead of its own.

    If the map then differs from what the recipe was rolled onto, it has no locks at all. Raises
    ProblemError for locks that no such map has.
    """
    unlocked = base.unlocked()
    if not recipe.locked or not same_grid(recipe, base):
        return unlocked
    try:
        locked_base = _with_locks(recipe, unlocked)
    except (IndexError, OverflowError, ValueError) as fault:
        raise error("recipe-locks", "no such map has the locks of this recipe") from fault
    if same_ground(recipe, locked_base):
        return locked_base
    return unlocked


def _with_locks(recipe: RollRecipe, unlocked: Base) -> Base:
    """Return a base without locks with those of a recipe.

    Raises IndexError, OverflowError or ValueError for locks that no such map has.
    """
    frame = MapFrame(unlocked.system, unlocked.terrain_set, unlocked.grid)
    locked_cells = unlocked.locked_cells.copy()
    locked_sides = unlocked.locked_sides.copy()
    shown_planes = dict(unlocked.shown.planes)
    covered = {}
    for spec in unlocked.system.shown_planes:
        values = shown_planes[spec.name].copy()
        is_locked = np.zeros(spec.shape(unlocked.grid), np.bool_)
        if spec.name in recipe.locked:
            locked = recipe.locked[spec.name]
            elements = np.array(locked.elements, np.uint64)
            is_locked.reshape(-1)[elements] = True
            values.reshape(-1)[elements] = np.array(locked.values, spec.dtype)
        check_plane(frame, spec, values, "the recipe")
        shown_planes[spec.name] = values
        # Locks of corners follow from those of cells.
        if spec.element is Element.CELL:
            locked_cells |= is_locked
        elif spec.element is Element.SIDE:
            locked_sides |= is_locked
        # A base locks a cell in all its planes, the recipe only in those that it has values of.
        # A lock does not count where the plane is covered, so the others are told as covered.
        covered[spec.name] = ~is_locked
    shown = replace(unlocked.shown, planes=shown_planes)
    return replace(
        unlocked,
        shown=shown,
        locked_cells=locked_cells,
        locked_sides=locked_sides,
        covered=covered,
    )


def same_grid(recipe: RollRecipe, base: Base) -> bool:
    """Return whether a map has the system and the grid of the recipe.

    How the columns of the grid lean is not compared: no roll depends on it.
    """
    grid = base.grid
    grid_of_recipe = recipe.grid
    return (
        base.system.name == recipe.system
        and grid.layout.name == grid_of_recipe.layout
        and (grid.width, grid.height) == (grid_of_recipe.width, grid_of_recipe.height)
        and grid.wrap == grid_of_recipe.wrap
    )


def same_ground(recipe: RollRecipe, base: Base) -> bool:
    """Return whether the recipe was rolled onto the same as ``base`` is, locks included."""
    return ground_digest(base) == recipe.roll.ground


def differences(recipe: RollRecipe, generator: MapGenerator, base: Base) -> tuple[Problem, ...]:
    """Return warnings of all that is not as it was where the recipe was made.

    Each means that the roll may be another layer. ``base`` has the recipe's locks. Raises
    ProblemError for what cannot be rolled at all.
    """
    _check_can_roll(recipe, generator)
    name = recipe.script_name
    warnings = []
    if digest_of(generator) != recipe.script:
        message = f"{name} has another text here than where it was rolled"
        warnings.append(_warning("script", message))
    if generator.roller_version != recipe.roller:
        message = (
            f"it was rolled by version {recipe.roller} of the rules of {name}, "
            f"here they are version {generator.roller_version}"
        )
        warnings.append(_warning("roller", message))
    digests = generator.libraries()
    for library, digest in recipe.roll.libraries.items():
        if library not in digests:
            warnings.append(_warning("library", f"the library {library} is not here"))
        elif digests[library] != digest:
            message = f"the library {library} is not as where it was rolled"
            warnings.append(_warning("library", message))
    if not same_grid(recipe, base):
        grid = recipe.grid
        size = f"{grid.width} x {grid.height}"
        message = f"it was rolled onto another grid ({grid.layout}, {size})"
        warnings.append(_warning("grid", message))
    elif not same_ground(recipe, base):
        message = "it was rolled onto another map than what lies below here"
        if recipe.locked:
            message = f"{message}; its locks are left out"
        warnings.append(_warning("ground", message))
    return tuple(warnings)


def _check_can_roll(recipe: RollRecipe, generator: MapGenerator) -> None:
    """Raise ProblemError if the generator cannot roll the recipe at all."""
    reason = generator.why_not()
    if reason:
        raise error("needs-more", reason)
    if generator.system.name != recipe.system:
        raise error("needs-more", f"{recipe.script_name} makes other maps here")
    checked_settings(settings_for(generator), recipe.roll.settings)


def _warning(code: str, message: str) -> Problem:
    return Problem(Severity.WARNING, f"recipe-{code}", message)
