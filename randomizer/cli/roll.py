"""``randomizer roll``: maps of a generator of the catalogue, or of a script of the user's own.

``run`` finds out what is rolled and where the maps go; a ``MapRoller`` makes them.
"""

from __future__ import annotations

import argparse
from pathlib import Path, PurePath
from typing import TYPE_CHECKING

from randomizer.catalog.map_formats import preferred_format
from randomizer.cli.file_formats import format_by_suffix, writable_format
from randomizer.cli.map_roller import MapRoller, Origin
from randomizer.cli.output import Console, UsageError
from randomizer.cli.output_files import (
    is_device,
    refuse_replacing_input,
    refuse_replacing_other_format,
)
from randomizer.cli.roll_request import (
    base_above,
    generator_of,
    map_to_roll_onto,
    settings_of,
)
from randomizer.cli.roll_target import names_folder, target_of
from randomizer.formats.format import Format
from randomizer.model.basics.dice import NUMBER_LIMIT, fresh_seed
from randomizer.model.problems import error
from randomizer.model.system.system import System
from randomizer.scripts.script_folders import use_mods

if TYPE_CHECKING:
    from randomizer.storage.files.roll_recipe import RollRecipe


def run(arguments: argparse.Namespace, console: Console) -> int:
    """Roll the requested maps; a file of several maps is written only if all can be made."""
    use_mods(_existing_mod(path) for path in arguments.mod)

    # The generator: that of a script, or of a recipe, which sets seed and number, too.
    recipe: RollRecipe | None = None
    if arguments.recipe is not None:
        from randomizer.cli.roll_recipe import apply_recipe

        recipe, generator = apply_recipe(arguments, console)
    elif arguments.script is None:
        raise UsageError("name a script, or give the text of a --recipe")
    else:
        generator = generator_of(arguments.script, console)

    # Where the maps go. Wrong options are reported before anything is rolled.
    _check_range(arguments.number, arguments.count)
    map_format = _format_to_write(arguments, generator.system)
    if arguments.out:
        refuse_replacing_input(arguments.script, Path(arguments.out))
        refuse_replacing_other_format(arguments.onto, Path(arguments.out), map_format)
    target = target_of(arguments.out, arguments.count, map_format, console)

    # What the maps are made of.
    if recipe is None:
        settings = settings_of(generator, arguments.set)
        onto = map_to_roll_onto(arguments, generator, settings, console)
        base = base_above(onto, arguments.lock)
    else:
        from randomizer.cli.roll_recipe import recipe_base

        settings, base, onto = recipe_base(recipe, generator, arguments, console)
    seed = arguments.seed
    if seed is None:
        seed = fresh_seed(generator.usual_seeds)
        console.say(f"seed {seed}, chosen by the program")

    origin = Origin(
        generator.metadata.script or generator.name,
        seed,
        settings,
        arguments.onto,
        is_seed_chosen_by_user=arguments.seed is not None,
    )
    roller = MapRoller(
        generator=generator,
        settings=settings,
        base=base,
        onto=onto,
        onto_path=arguments.onto,
        script_path=arguments.script,
        seed=seed,
        first_number=arguments.number,
        count=arguments.count,
        is_forcing_locks=arguments.force,
        origin=origin,
        target=target,
        console=console,
    )
    with target:
        return roller.roll_all()


def _check_range(number: int, count: int) -> None:
    """Raise UsageError unless all maps from ``number`` on have a number."""
    if number + count > NUMBER_LIMIT:
        raise UsageError(f"--number, --count: map numbers go from 0 to {NUMBER_LIMIT - 1}")


def _existing_mod(path: str) -> Path:
    """Return the path of a mod. Raises ProblemError if nothing is there."""
    if not Path(path).exists():
        raise error("no-mod", "there is no such folder or file", path=path)
    return Path(path)


def _format_to_write(arguments: argparse.Namespace, system: System) -> Format:
    """Return the format of ``--format``, else of the suffix of ``--out``, else the system's own.

    Raises UsageError where the suffix says nothing.
    """
    out = arguments.out
    if arguments.format is not None:
        return writable_format(arguments.format, system)
    if not out or names_folder(out) or is_device(out):
        return preferred_format(system)
    if arguments.count > 1 and not PurePath(out).suffix:  # a folder that is not there yet
        return preferred_format(system)
    return format_by_suffix(out, system, "--format")
