"""``randomizer roll``: maps of a generator of the catalogue, or of a script of the user's own."""

from __future__ import annotations

import argparse
import os
from dataclasses import replace
from pathlib import Path, PurePath

from randomizer.catalog import format_of_suffix, preferred_format
from randomizer.cli.files import writable_format, write_map_files
from randomizer.cli.output import FINE, Console, UsageError
from randomizer.cli.roll_request import base_of, check_seed, generator_of, settings_of
from randomizer.forcing import can_be_forced, force
from randomizer.formats import Format, Provenance, write_checked, write_files_checked
from randomizer.generator import (
    Base,
    DrawKey,
    Generated,
    MapGenerator,
    Progress,
    tried_by,
    usual_seeds_of,
)
from randomizer.generator import run as generate
from randomizer.model.battlemap import BattleMap
from randomizer.model.dice import NUMBER_LIMIT, fresh_seed
from randomizer.model.map_parts import MapParts
from randomizer.model.plurals import counted
from randomizer.model.problems import Problem, ProblemError, error
from randomizer.model.rolled_things import place_things
from randomizer.model.system import System


def run(arguments: argparse.Namespace, console: Console) -> int:
    """Roll the requested maps. The first map that cannot be made ends it."""
    seed = arguments.seed
    _check_range(seed or 0, arguments.number, arguments.count)
    generator = generator_of(arguments.script, console)
    known = _format(arguments, generator.system)
    target = _Target(arguments.out, arguments.count, known, console)
    settings = settings_of(generator, arguments.set)
    base, onto = base_of(arguments, generator, settings, console)
    if seed is None:
        seed = fresh_seed(usual_seeds_of(generator))
        console.say(f"seed {seed}, chosen by the program")
    origin = _Origin(generator, settings, arguments, seed)
    said: set[Problem] = set()
    number = arguments.number
    for done in range(arguments.count):
        console.progress(f"{done:,} of {counted(arguments.count, 'map')}")

        def hear(percent: int, number: int = number) -> None:
            if base.locked:
                tried = f"{counted(tried_by(percent), 'map')} from number {number} on tried"
                console.progress(f"{tried} for the locks (Ctrl-C ends it)")

        try:
            made = _made(generator, settings, DrawKey(seed, number), base, arguments.force, hear)
        except KeyboardInterrupt:
            if base.locked:
                kept = f"no map from number {number} on was found that keeps the locks"
                console.say(f"interrupted; seed {seed}: {kept}")
            raise
        fresh = [note for note in made.notes if note not in said]
        said.update(fresh)
        console.report(_in_script(fresh, arguments.script))
        put_back = f"{', '.join(made.put_back)} put back by force" if made.put_back else ""
        if put_back:
            console.say(f"map {made.number} of seed {seed}, {put_back}")
        elif base.locked:
            rarity = f": {made.rarity}" if made.rarity else ""
            console.say(f"map {made.number} of seed {seed} keeps the locks{rarity}")
        battlemap = _with_roll(onto, base, made, arguments.onto)
        key = None if put_back else made.number
        provenance = Provenance(seed, key, origin.words(made.number, put_back))
        name = f"{origin.stem}-{seed}-{made.number}"
        target.take(battlemap, provenance, name)
        number = made.number + 1
    target.finish()
    return FINE


def _in_script(notes: list[Problem], script: str) -> list[Problem]:
    """The notes of a roll; those with a line of the script name it."""
    return [
        note.at_path(script) if note.line is not None and note.path is None else note
        for note in notes
    ]


def _with_roll(onto: BattleMap, base: Base, made: Generated, path: str | None) -> BattleMap:
    """A map without locks: the layers of ``onto``, which stays as it is, and the roll above them.

    Raises ProblemError if the roll has another grid than a map that holds something.
    """
    brings = made.parts != MapParts()
    if brings:  # most scripts bring nothing: they start sooner without edits
        from randomizer.model.source_roll import fits_grid, new_map, put_roll
    if brings and not onto.layers:
        return new_map(base.system, base.grid, base.terrain_set, made.layers, made.parts)
    locked = replace(onto.snapshot(), locked_cells=base.locked_cells.copy())
    if brings:
        if not fits_grid(locked, None, made.parts):
            raise error(
                "other-grid",
                "the script makes a map on another grid, which cannot lie on what this map holds; "
                "roll it without --onto",
                path=path,
            )
        top = onto.layers[-1].id
        put_roll(locked, top, made.layers, made.parts, replaces=False).edit.apply(locked)
        layers = locked.layers
    else:
        first = onto.free_layer_id()
        rolled = [layer.copy(id=first + number) for number, layer in enumerate(made.layers)]
        place_things(locked, (), rolled)
        layers = [*onto.layers, *rolled]
    free = BattleMap.new(base.system, locked.grid)
    return replace(
        locked, layers=layers, locked_cells=free.locked_cells, locked_sides=free.locked_sides
    )


def _made(
    generator: MapGenerator,
    settings: dict[str, object],
    key: DrawKey,
    base: Base,
    forced: bool,
    progress: Progress,
) -> Generated:
    """The map; with ``--force``, if no map keeps the locks, one with forced locks."""
    try:
        made = generate(generator, settings, key, base, progress)
    except ProblemError as failed:
        if not forced or not can_be_forced(failed.problems):
            raise
        made = force(generator, settings, key, base)
    assert made is not None, "nobody cancels"
    return made


def _check_range(seed: int, number: int, count: int) -> None:
    check_seed(seed)
    if count < 1:
        raise UsageError("--count: at least one map must be made")
    if number + count > NUMBER_LIMIT:
        raise UsageError(f"--number, --count: map numbers go from 0 to {NUMBER_LIMIT - 1}")


def _format(arguments: argparse.Namespace, system: System) -> Format:
    """The format of ``--format``, else of the suffix of ``--out``, else the system's own."""
    if arguments.format is not None:
        return writable_format(arguments.format, system)
    if arguments.out is not None and not os.path.isdir(arguments.out):  # noqa: PTH112
        return format_of_suffix(arguments.out, system) or preferred_format(system)
    return preferred_format(system)


class _Origin:
    """Describes the provenance of the maps of one command."""

    def __init__(
        self,
        generator: MapGenerator,
        settings: dict[str, object],
        arguments: argparse.Namespace,
        seed: int,
    ) -> None:
        script = PurePath(generator.metadata.script or generator.name).name
        self.stem = PurePath(script).stem
        chosen = " (chosen by the program)" if arguments.seed is None else ""
        self._before = f"Rolled by Battlelands Builder: {script}, seed {seed}{chosen}, map "
        rest = [f"{name} {value}" for name, value in settings.items()]
        if arguments.onto is not None:
            rest.append(f"onto {PurePath(arguments.onto).name}")
        self._after = "".join(f", {each}" for each in rest)

    def words(self, number: int, put_back: str) -> str:
        """Everything needed to make the map again."""
        return f"{self._before}{number}{self._after}{put_back and f', {put_back}'}"


# --- where it goes ------------------------------------------------------------------------------


class _Target:
    """Standard output, one file or a folder of files.

    Raises UsageError if there are several maps and only room for one.
    """

    def __init__(self, out: str | None, count: int, known: Format, console: Console) -> None:
        self._console = console
        self._known = known
        self._pieces: list[bytes] = []
        self._beside: dict[str, bytes] = {}
        self._file: Path | None = None
        self._folder: Path | None = None
        self._taken = 0
        if count > 1 and known.joint is None and out is None:
            raise UsageError(f"--count {count}: as {known.name}, the maps need a folder: --out DIR")
        if out is None:
            return
        if not out:
            raise UsageError("--out: an empty name names no file")
        is_folder = out.endswith(("/", os.sep)) or os.path.isdir(out)  # noqa: PTH112
        if is_folder or (count > 1 and known.joint is None):
            self._folder = Path(out)
        else:
            self._file = Path(out)

    def take(self, battlemap: BattleMap, provenance: Provenance, name: str) -> None:
        """Write one map, with the name of its file without suffix."""
        if self._folder is not None:
            path = self._folder / f"{name}{self._known.suffixes[0]}"
            files = write_files_checked(self._known, battlemap, path.name, provenance)
            if not self._taken:
                self._make_folder(self._folder)
            write_map_files(path, files, self._console)
        elif self._file is not None:
            files = write_files_checked(self._known, battlemap, self._file.name, provenance)
            self._pieces.append(files.pop(self._file.name))
            self._beside |= files
        else:
            joint = self._known.joint if self._taken else b""
            data = write_checked(self._known, battlemap, provenance)
            self._console.put((joint or b"") + data)
        self._taken += 1

    def finish(self) -> None:
        """Write a single file, whole, after all maps are made."""
        if self._file is not None:
            data = (self._known.joint or b"").join(self._pieces)
            files = {self._file.name: data, **self._beside}
            write_map_files(self._file, files, self._console)

    @staticmethod
    def _make_folder(folder: Path) -> None:
        from randomizer.storage.atomic import make_folders

        if folder.exists() and not folder.is_dir():
            raise error("not-a-folder", "this is a file; a folder is needed", path=str(folder))
        make_folders(folder)
