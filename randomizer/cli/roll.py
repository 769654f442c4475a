"""``randomizer roll``: maps of a generator of the catalogue, or of a script of the user's own.

``run`` finds out what is rolled and where the maps go; ``_Rolling`` makes them, one by one or in
batches, and reports about them.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterable
from contextlib import closing
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path, PurePath
from typing import TYPE_CHECKING

from randomizer.catalog.catalog import preferred_format
from randomizer.cli.files import format_by_suffix, is_device, keep_input, writable_format
from randomizer.cli.output import BAD_INPUT, FINE, Console, UsageError
from randomizer.cli.roll_request import base_of, generator_of, settings_of
from randomizer.cli.roll_target import JointTarget, Target, names_folder, target_of
from randomizer.forced_roll import can_be_forced, force
from randomizer.formats import Format, Provenance
from randomizer.generator import NO_MORE_MAPS, DrawKey, MapGenerator, is_symmetric, tried_by
from randomizer.generator import run as generate
from randomizer.model.basics.dice import NUMBER_LIMIT, fresh_seed
from randomizer.model.basics.log_line import PRINT, LogLine
from randomizer.model.basics.plurals import counted
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.map.layer import Layer
from randomizer.model.problems import Problem, ProblemError, error
from randomizer.model.rolls.generated import Generated
from randomizer.model.rolls.rolled_things import place_things
from randomizer.model.system.system import System
from randomizer.roll_base import Base
from randomizer.scripts.script_folders import use_mods

if TYPE_CHECKING:
    from randomizer.storage.files.roll_recipe import RollRecipe


def run(arguments: argparse.Namespace, console: Console) -> int:
    """Roll the requested maps; a file of several maps is written only if all can be made."""
    use_mods(_mod(path) for path in arguments.mod)

    # The generator: that of a script, or of a recipe.
    recipe: RollRecipe | None = None
    if arguments.recipe is not None:
        from randomizer.cli import roll_recipe

        recipe, generator = roll_recipe.recipe_of(arguments, console)
    elif arguments.script is None:
        raise UsageError("name a script, or give the text of a --recipe")
    else:
        generator = generator_of(arguments.script, console)

    # Where the maps go. Wrong options are reported before anything is rolled.
    _check_range(arguments.number, arguments.count)
    map_format = _format(arguments, generator.system)
    if arguments.out:
        keep_input(arguments.script, Path(arguments.out))
        keep_input(arguments.onto, Path(arguments.out), map_format)
    target = target_of(arguments.out, arguments.count, map_format, console)

    # What the maps are made of.
    if recipe is None:
        settings = settings_of(generator, arguments.set)
        base, onto = base_of(arguments, generator, settings, console)
    else:
        settings, base, onto = roll_recipe.recipe_base(recipe, generator, arguments, console)
    seed = arguments.seed
    if seed is None:
        seed = fresh_seed(generator.usual_seeds)
        console.say(f"seed {seed}, chosen by the program")

    origin = _Origin(generator, settings, arguments, seed)
    rolling = _Rolling(
        arguments=arguments,
        console=console,
        generator=generator,
        settings=settings,
        base=base,
        onto=onto,
        seed=seed,
        origin=origin,
    )
    with target:
        return rolling.roll_all(target)


@dataclass
class _Rolling:
    """Makes the maps of one command, and reports about them; begin at ``roll_all``."""

    arguments: argparse.Namespace
    console: Console
    generator: MapGenerator
    settings: dict[str, object]
    base: Base
    """What the generator gets: grid, locks and what lies below the roll."""
    onto: BattleMap
    """The map to roll onto, without layers if it is new; it is not changed."""
    seed: int
    """The seed of all maps; they differ by their numbers."""
    origin: _Origin
    """The sentences on where the maps come from."""
    reported: set[Problem] = field(default_factory=set)
    """The problems that were told: most maps of a script have the same."""

    def roll_all(self, target: Target) -> int:
        """Roll all maps, and return the exit code.

        Raises ProblemError for the first map that fails, unless each map has a file of its own:
        then the failure is reported, and the others are made.
        """
        count = self.arguments.count
        first = self.arguments.number
        if count > 1 and not isinstance(target, JointTarget) and not self.base.locked:
            return self.roll_each(range(first, first + count), target)

        # The first map is rolled by itself: it shows that such maps can be written.
        number = self.roll_one(first, target) + 1
        rolled_count = 1
        if count > 1 and isinstance(target, JointTarget) and not self.base.locked:
            number = self.roll_batches(number, first + count, target)
            rolled_count = number - first
        # Under locks the next map is the next one that keeps them, whatever its number.
        for maps_rolled in range(rolled_count, count):
            self.console.progress(f"{maps_rolled:,} of {counted(count, 'map')}")
            number = self.roll_one(number, target) + 1
        return FINE

    def roll_each(self, numbers: range, target: Target) -> int:
        """Roll maps that go each into a file of its own; return ``BAD_INPUT`` if one failed."""
        code = FINE
        for maps_tried, number in enumerate(numbers):
            self.console.progress(f"{maps_tried:,} of {counted(len(numbers), 'map')}")
            try:
                generated = self.generate_map(number)
            except ProblemError as failed:
                code = BAD_INPUT
                self.say_log(failed.log)
                self.console.say(f"map {number} of seed {self.seed} could not be made")
                self.report_once(failed.problems)
                if failed.problems[0].code == NO_MORE_MAPS:
                    break
            else:
                self.take(generated, target)
        return code

    def roll_batches(self, number: int, end: int, target: JointTarget) -> int:
        """Roll maps from ``number`` on, thousands at a time; return the number of the next map.

        That is ``end`` if all were made, else the first that could not be. If the generator or the
        format makes only one map at a time, it is ``number``: nothing was rolled.
        """
        from randomizer.batches.batch_generator import rolls_many
        from randomizer.batches.map_stream import MapStream

        map_format = target.format
        generator = self.generator
        if is_symmetric(generator.system, self.settings):
            return number
        if not map_format.writes_batches or not rolls_many(generator):
            return number
        stream = MapStream(generator, self.settings, self.base, self.seed)
        with closing(stream.blocks(range(number, end))) as blocks:
            for batch in blocks:
                maps_rolled = number - self.arguments.number
                maps = counted(self.arguments.count, "map")
                self.console.progress(f"{maps_rolled:,} of {maps}")
                if batch.failed.any():
                    sound_count = int(batch.failed.argmax())
                else:
                    sound_count = len(batch)
                if sound_count:
                    rows = batch.rows(slice(sound_count))
                    properties = generator.batch_properties(self.settings, rows)
                    target.put(map_format.write_batch(rows, properties), sound_count)
                    number += sound_count
                if sound_count < len(batch):
                    break
        return number

    def roll_one(self, number: int, target: Target) -> int:
        """Roll the map ``number``, under locks the first from there on; return its number."""
        try:
            generated = self.generate_map(number)
        except ProblemError as failed:
            self.say_log(failed.log)
            raise
        return self.take(generated, target)

    def say_log(self, log: Iterable[LogLine]) -> None:
        """Print the lines that a script wrote into its log."""
        if not self.generator.text:
            return  # without a script the log tells how the generator made the map
        for line in log:
            if line.level == PRINT:
                self.console.say(line.text)
            else:
                self.console.say(f"{line.level}: {line.text}")

    def report_once(self, problems: Iterable[Problem]) -> None:
        """Report the problems that were not reported before."""
        new_problems = [problem for problem in problems if problem not in self.reported]
        self.reported.update(new_problems)
        self.console.report(_in_script(new_problems, self.arguments.script))

    def take(self, generated: Generated, target: Target) -> int:
        """Write a map into the target, and report what its script did; return its number."""
        number = generated.number
        self.say_log(generated.log)
        self.report_once(generated.notes)
        put_back = ""
        if generated.put_back:
            put_back = f"{', '.join(generated.put_back)} put back by force"
            self.console.say(f"map {number} of seed {self.seed}, {put_back}")
        elif self.base.locked:
            message = f"map {number} of seed {self.seed} keeps the locks"
            if generated.rarity:
                message += f": {generated.rarity}"
            self.console.say(message)
        battlemap = _with_roll(self.onto, self.base, generated, self.arguments.onto)
        roll_number: int | None = number
        if put_back:
            roll_number = None  # no number makes a map with forced locks again
        provenance = Provenance(self.seed, roll_number, self.origin.words(number, put_back))
        target.take(battlemap, provenance, self.origin.stem, number)
        return number

    def generate_map(self, number: int) -> Generated:
        """Return the map; with ``--force``, if no map keeps the locks, one with forced locks."""
        key = DrawKey(self.seed, number)
        progress = partial(self.show_progress, number)
        try:
            generated = generate(self.generator, self.settings, key, self.base, progress)
        except ProblemError as failed:
            if not self.arguments.force or not can_be_forced(failed.problems):
                raise
            generated = force(self.generator, self.settings, key, self.base)
        except KeyboardInterrupt:
            if self.base.locked:
                message = f"no map from number {number} on was found that keeps the locks"
                self.console.say(f"interrupted; seed {self.seed}: {message}")
            raise
        assert generated is not None, "nobody cancels"
        return generated

    def show_progress(self, number: int, percent: int) -> None:
        """Show the progress of one map; under locks how many maps from ``number`` on were tried."""
        if self.base.locked:
            tried = f"{counted(tried_by(percent), 'map')} from number {number} on tried"
            self.console.progress(f"{tried} for the locks (Ctrl-C ends it)")
        elif self.arguments.count == 1 and percent:
            self.console.progress(f"{percent} %")
        elif self.arguments.count == 1:
            self.console.progress("rolling")


def _in_script(notes: list[Problem], script: str) -> list[Problem]:
    """Return the notes of a roll, with the path of the script in those that have a line of it."""
    located_notes = list[Problem]()
    for note in notes:
        if note.line is not None and note.path is None:
            note = note.at_path(script)
        located_notes.append(note)
    return located_notes


def _with_roll(onto: BattleMap, base: Base, generated: Generated, path: str | None) -> BattleMap:
    """Return a new map without locks: the layers of ``onto``, and the roll above them.

    What a hand had painted in those layers lies above the roll. Raises ProblemError, with ``path``,
    if the roll has another grid than a map that holds something.
    """
    locked = replace(onto.snapshot(), locked_cells=base.locked_cells.copy())
    # Most scripts bring layers only: without edits, which are not imported then, they start sooner.
    if generated.layers_only:
        layers = _layers_with_roll(onto, locked, generated)
    elif not onto.layers:
        from randomizer.model.rolls.put_roll import new_map

        return new_map(base.system, base.grid, base.terrain_set, generated, base.assets)
    else:
        _put_onto(locked, generated, path)
        layers = locked.layers
    free = BattleMap.new(base.system, locked.grid)
    return replace(
        locked, layers=layers, locked_cells=free.locked_cells, locked_sides=free.locked_sides
    )


def _layers_with_roll(onto: BattleMap, locked: BattleMap, generated: Generated) -> list[Layer]:
    """Return the layers of ``onto``, those of the roll, and the copies of what was painted."""
    first_id = onto.free_layer_id()
    rolled = [layer.copy(id=first_id + number) for number, layer in enumerate(generated.layers)]
    place_things(locked, (), rolled)
    layers = [*onto.layers, *rolled]
    if any(layer.planes for layer in onto.layers):  # a new map holds nothing
        from randomizer.model.rolls.touch_ups import copy_painted

        free_id = first_id + len(rolled)
        layers += copy_painted(locked, len(onto.layers), rolled, free_id).layers
    return layers


def _put_onto(battlemap: BattleMap, generated: Generated, path: str | None) -> None:
    """Put a roll that brings more than layers (terrains, records) above those of a map."""
    from randomizer.model.rolls.put_roll import fits_grid, put_roll

    top_id = battlemap.layers[-1].id
    if not fits_grid(battlemap, top_id, generated, replaces=False):
        raise error(
            "other-grid",
            "the script makes a map on another grid, which cannot lie on what this map holds; "
            "roll it without --onto",
            path=path,
        )
    put_roll(battlemap, top_id, generated, replaces=False).edit.apply(battlemap)


def _check_range(number: int, count: int) -> None:
    """Raise UsageError unless all maps from ``number`` on have a number."""
    if number + count > NUMBER_LIMIT:
        raise UsageError(f"--number, --count: map numbers go from 0 to {NUMBER_LIMIT - 1}")


def _mod(path: str) -> Path:
    """Return the path of a mod. Raises ProblemError if nothing is there."""
    if not Path(path).exists():
        raise error("no-mod", "there is no such folder or file", path=path)
    return Path(path)


def _format(arguments: argparse.Namespace, system: System) -> Format:
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


class _Origin:
    """Says where the maps of one command come from: all that is needed to make one again.

    For instance "Rolled by Battlelands Builder: Swamp.rnd, seed 17, map 3, onto Plain.xml".
    """

    def __init__(
        self,
        generator: MapGenerator,
        settings: dict[str, object],
        arguments: argparse.Namespace,
        seed: int,
    ) -> None:
        script = PurePath(generator.metadata.script or generator.name).name
        self.stem = PurePath(script).stem
        """The beginning of the names of files."""
        self._seed = f"{script}, seed {seed}"
        if arguments.seed is None:
            self._seed += " (chosen by the program)"
        self._choices = [f"{name} {value}" for name, value in settings.items()]
        if arguments.onto is not None:
            self._choices.append(f"onto {PurePath(arguments.onto).name}")

    def words(self, number: int, put_back: str) -> str:
        """Return the origin of one map; ``put_back`` tells of locks that were forced."""
        parts = [f"Rolled by Battlelands Builder: {self._seed}", f"map {number}", *self._choices]
        if put_back:
            parts.append(put_back)
        return ", ".join(parts)
