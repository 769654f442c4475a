"""Recipes (``roll_recipe``) made from rolls, and the bases onto which recipes are rolled.

A *base* (``Base``) is what a roll starts from: the layers below it, and the locked values that it
must keep. Its *ground digest* is a checksum of all that of it on which the roll depends; each roll
remembers the digest of the base from which it was made (``Roll.ground``). A recipe holds that, and
the locked values themselves, but not the layers below: who pastes it needs a map that looks alike.
What is done with them::

    recipe = recipe_of(layer.roll, base)         # copied: the base as it would be rolled again now

    base = locked_as_in(recipe, base)            # pasted: the base of the map there
    same_ground(recipe, base)                    # True: it will be the very same layer
    differences(recipe, generator, base)         # else: warnings of why it may not be
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from randomizer.base_locks import with_locked_values, with_paint_above
from randomizer.catalog.generators import generator_named
from randomizer.catalog.scripts import generator_for_script
from randomizer.catalog.systems import system_named
from randomizer.generator import MapGenerator
from randomizer.ground_digest import ground_digest
from randomizer.model.basics.limits import MAX_CELLS
from randomizer.model.gate.gate import check_grid, check_plane
from randomizer.model.gate.plane_values import MapFrame
from randomizer.model.grid.grid import Grid
from randomizer.model.grid.layouts import LAYOUTS
from randomizer.model.map.layer import NO_TEXTS, Roll
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

_MAX_DEFLATED = 20
"""No script becomes shorter than a twentieth when it is deflated and written in base64.

A larger number only costs time: longer scripts are then deflated to see that they are too long.
"""


# --- from a roll ----------------------------------------------------------------------------------


def recipe_of(roll: Roll, base: Base) -> RollRecipe:
    """Return the recipe of a roll, whose re-roll would start from ``base``.

    Raises ProblemError if it is too long, or if its generator is not here.
    """
    grid = base.grid
    generator = generator_named(roll.generator) if roll.generator else None
    if generator is None:
        generator = generator_for_script(roll.script, roll.script_name, texts=roll.texts)
    rolled_base = _base_with_locks_of_roll(roll, base)
    ground = roll.ground or ground_digest(rolled_base)
    recipe = RollRecipe(
        system=base.system.name,
        roll=replace(roll, origins=(), part="", ground=ground),
        grid=RecipeGrid(grid.layout.name, grid.width, grid.height, grid.wrap, grid.lean),
        script=script_digest(roll.script, roll.texts),
        roller=generator.roller_version,
        locked=_locked_values(rolled_base),
    )
    if not _is_packaged(recipe) and _has_room_for_script(recipe):
        return recipe
    roll_without_script = replace(recipe.roll, script="", texts=NO_TEXTS)
    return replace(recipe, roll=roll_without_script)


def _base_with_locks_of_roll(roll: Roll, base: Base) -> Base:
    """Return the base as it is now, with the locks that the roll was bound by.

    Which these were is not stored. But they are part of the ground digest: so it is tried which
    locks give the digest that the roll has remembered.
    """
    # 1. A roll that searched map after map: locked paint did not bind it, but lies above it.
    base_of_search = with_paint_above(base)
    if roll.ground == ground_digest(base_of_search):
        return base_of_search
    # 2. A roll that was bound by all locks, or that has no digest.
    if roll.ground in ("", ground_digest(base)):
        return base
    # 3. The map or its locks have changed since. The recipe keeps the digest of what was there, so
    #    that a map which still is like that is recognised; the locks of today would be wrong.
    return base.unlocked()


def _locked_values(base: Base) -> dict[str, LockedValues]:
    """Return the values that are locked in a base, by the name of their plane."""
    locked = {}
    for spec in base.system.shown_planes:
        elements = np.flatnonzero(base.locked_mask(spec))
        if len(elements):
            values = base.shown.planes[spec.name].flat[elements]
            locked[spec.name] = LockedValues(tuple(elements.tolist()), tuple(values.tolist()))
    return locked


def _is_packaged(recipe: RollRecipe) -> bool:
    """Return whether the script of a recipe comes with this program, so that everybody has it."""
    return any(script_digest(*script) == recipe.script for script in packaged_scripts())


def _has_room_for_script(recipe: RollRecipe) -> bool:
    """Return whether the text of a recipe is short enough with the script that is in it."""
    characters = sum(map(len, (recipe.roll.script, *recipe.roll.texts.values())))
    if characters > _MAX_DEFLATED * LONGEST_WITH_SCRIPT:  # it need not be deflated to know
        return False
    return len(recipe_text(recipe)) <= LONGEST_WITH_SCRIPT


# --- back to a roll -------------------------------------------------------------------------------


def recipe_grid(recipe: RollRecipe) -> Grid:
    """Return the grid of a new map for the recipe.

    Raises ProblemError for an unknown kind of map, an unknown layout, and an impossible size.
    """
    system = system_named(recipe.system)
    if system is None:
        raise error("no-system", f"such maps ({recipe.system:.40}) are not known here")
    layouts = {layout.name: layout for layout in LAYOUTS}
    layout = layouts.get(recipe.grid.layout)
    if layout is None:
        raise error("no-layout", f"grids like this ({recipe.grid.layout:.40}) are not known here")
    if not 0 < recipe.grid.width <= MAX_CELLS or recipe.grid.height < 1:
        size = f"{recipe.grid.width} x {recipe.grid.height}"
        raise error("recipe-size", f"no map has the size of this recipe, {size}")
    if system.fixed_grid:
        return system.new_grid()
    height = min(recipe.grid.height, MAX_CELLS)  # ``check_grid`` refuses what is too large
    grid = Grid(layout, recipe.grid.width, height, wrap=recipe.grid.wrap, lean=recipe.grid.lean)
    check_grid(system, grid)
    return grid


def locked_as_in(recipe: RollRecipe, base: Base) -> Base:
    """Return ``base`` with the recipe's locks instead of its own.

    Returns a base without any locks if the map with those of the recipe differs from what the
    recipe was rolled onto: it will be another layer in any case, which need not be bound by them.
    Raises ProblemError for locks that no such map has.
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
    planes = {}
    masks = {}
    for spec in unlocked.system.shown_planes:
        values = unlocked.shown.planes[spec.name].copy()
        is_locked = np.zeros(spec.shape(unlocked.grid), np.bool_)
        if spec.name in recipe.locked:
            locked = recipe.locked[spec.name]
            elements = np.array(locked.elements, np.uint64)
            is_locked.reshape(-1)[elements] = True
            values.reshape(-1)[elements] = np.array(locked.values, spec.dtype)
        check_plane(frame, spec, values, "the recipe")
        planes[spec.name] = values
        masks[spec.name] = is_locked
    return with_locked_values(unlocked, planes, masks)


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

    With any of them the roll may be another layer. ``base`` is that of ``locked_as_in``. Raises
    ProblemError if the generator cannot roll the recipe at all.
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
    warnings += _warnings_of_libraries(recipe, generator)
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


def _warnings_of_libraries(recipe: RollRecipe, generator: MapGenerator) -> list[Problem]:
    """Return a warning for each library of the script that is missing here or another one."""
    warnings = []
    digests_here = generator.libraries()
    for library, digest in recipe.roll.libraries.items():
        if library not in digests_here:
            warnings.append(_warning("library", f"the library {library} is not here"))
        elif digests_here[library] != digest:
            message = f"the library {library} is not as where it was rolled"
            warnings.append(_warning("library", message))
    return warnings


def _check_can_roll(recipe: RollRecipe, generator: MapGenerator) -> None:
    """Raise ProblemError if the generator cannot roll the recipe at all."""
    reason = generator.why_not()
    if reason:
        raise error("needs-more", reason)
    if generator.system.name != recipe.system:
        raise error("needs-more", f"{recipe.script_name} makes other maps here")
    checked_settings(settings_for(generator), recipe.roll.settings)


def _warning(code: str, message: str) -> Problem:
    """Return a warning with the code ``recipe-`` and ``code``."""
    return Problem(Severity.WARNING, f"recipe-{code}", message)
