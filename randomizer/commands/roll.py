"""``randomizer roll``: maps of any generator of the catalogue, or of a script of the user's own."""

from __future__ import annotations

import argparse
import os
from collections.abc import Iterable
from difflib import get_close_matches
from pathlib import Path, PurePath

from randomizer.battlemap import BattleMap, Layer
from randomizer.catalog import formats, generator_named, generators, script_host
from randomizer.commands.files import (
    as_warnings,
    format_of_suffix,
    read_bytes,
    read_map,
    writable_format,
    write_bytes,
)
from randomizer.commands.locks import with_locks
from randomizer.commands.output import FINE, Console, UsageError
from randomizer.dice import NUMBER_LIMIT, SEED_LIMIT, fresh_seed
from randomizer.formats import Format, Stamp
from randomizer.generator import Base, DrawKey, MapGenerator, checked_settings
from randomizer.generator import run as generate
from randomizer.problems import Problem, ProblemError, error, has_errors


def run(arguments: argparse.Namespace, console: Console) -> int:
    """Roll what is asked for. The first map that cannot be made ends it."""
    seed = arguments.seed
    _check_range(seed or 0, arguments.number, arguments.count)
    known = _format(arguments)
    target = _Target(arguments.out, arguments.count, known, console)
    generator = _generator(arguments.script, console)
    settings = _settings(generator, arguments.set)
    layers = _ground(arguments.onto, generator, console)
    base = with_locks(_base(generator, layers), arguments.lock)
    if seed is None:
        seed = fresh_seed()
        console.say(f"seed {seed}, chosen by the program")
    origin = _Origin(generator, settings, arguments, seed)
    said: set[Problem] = set()
    number = arguments.number
    for _ in range(arguments.count):
        made = generate(generator, settings, DrawKey(seed, number), base)
        assert made is not None, "nobody cancels"
        fresh = [note for note in made.notes if note not in said]
        said.update(fresh)
        console.report(fresh)
        if base.locked:
            console.say(
                f"map {made.number} of seed {seed} keeps the locks (1 map in {made.tried:,})"
            )
        battlemap = BattleMap.new(base.system, base.grid, [*layers, *made.layers])
        stamp = Stamp(seed, made.number, origin.words(made.number))
        name = f"{origin.stem}-{seed}-{made.number}"
        target.take(known.write(battlemap, stamp), name)
        number = made.number + 1
    target.finish()
    return FINE


def _check_range(seed: int, number: int, count: int) -> None:
    if seed >= SEED_LIMIT:
        raise UsageError(f"--seed: a seed is a whole number from 0 to {SEED_LIMIT - 1}")
    if count < 1:
        raise UsageError("--count: at least one map must be made")
    if number + count > NUMBER_LIMIT:
        raise UsageError(f"--number, --count: map numbers go from 0 to {NUMBER_LIMIT - 1}")


def _format(arguments: argparse.Namespace) -> Format:
    """What ``--format`` says, else the suffix of ``--out``, else the catalogue's first."""
    if arguments.format is not None:
        return writable_format(arguments.format)
    if arguments.out is not None and not os.path.isdir(arguments.out):  # noqa: PTH112
        return format_of_suffix(arguments.out) or formats()[0]
    return formats()[0]


# --- what is rolled -----------------------------------------------------------------------------


def _generator(script: str, console: Console) -> MapGenerator:
    """The generator of a script's file, else the packaged one of that name."""
    if os.path.exists(script) and not os.path.isdir(script):  # noqa: PTH110, PTH112
        host = script_host(PurePath(script).name, script)
        text, problems = host.decode(read_bytes(script, console), script)
        if has_errors(problems):
            raise ProblemError(problems)
        return host.from_text(text, PurePath(script).name, script)
    generator = generator_named(script)
    if generator is not None:
        return generator
    if PurePath(script).suffix or PurePath(script).name != script:
        read_bytes(script, console)  # says why not
    names = [generator.name for generator in generators()]
    near = get_close_matches(script.title(), names, 1)
    advice = f"did you mean {near[0]}?" if near else f"there are: {', '.join(names)}"
    raise error("no-generator", f"there is no script and no generator “{script}” ({advice})")


def _settings(generator: MapGenerator, texts: Iterable[str]) -> dict[str, object]:
    chosen: dict[str, object] = {}
    for text in texts:
        key, equals, value = text.partition("=")
        if not equals:
            raise UsageError(f"--set: “{text}” is not KEY=VALUE")
        chosen[key.strip()] = value.strip()
    try:
        return checked_settings(generator.settings, chosen)
    except ProblemError as wrong:
        raise UsageError(f"--set: {wrong}") from wrong


def _ground(onto: str | None, generator: MapGenerator, console: Console) -> list[Layer]:
    """The layers to roll onto, bottom to top."""
    if onto is None:
        return []
    battlemap, problems = read_map(onto, console)
    console.report(as_warnings(problems))
    if battlemap.system is not generator.system:
        raise error(
            "other-system",
            f"this is a {battlemap.system.title}, but the script makes a {generator.system.title}",
            path=onto,
        )
    return battlemap.layers


def _base(generator: MapGenerator, layers: list[Layer]) -> Base:
    battlemap = BattleMap.new(generator.system, layers=layers)
    return Base.under(battlemap, len(layers))


class _Origin:
    """Says where the maps of one command come from."""

    def __init__(
        self,
        generator: MapGenerator,
        settings: dict[str, object],
        arguments: argparse.Namespace,
        seed: int,
    ) -> None:
        script = PurePath(generator.metadata.script).name
        self.stem = PurePath(script).stem
        chosen = " (chosen by the program)" if arguments.seed is None else ""
        self._before = f"Rolled by Battlelands Builder: {script}, seed {seed}{chosen}, map "
        rest = [f"{name} {value}" for name, value in settings.items()]
        if arguments.onto is not None:
            rest.append(f"onto {PurePath(arguments.onto).name}")
        self._after = "".join(f", {each}" for each in rest)

    def words(self, number: int) -> str:
        """All that it takes to make the map again."""
        return f"{self._before}{number}{self._after}"


# --- where it goes ------------------------------------------------------------------------------


class _Target:
    """Standard output, one file or a folder of files. Raises UsageError where one is too few."""

    def __init__(self, out: str | None, count: int, known: Format, console: Console) -> None:
        self._console = console
        self._known = known
        self._pieces: list[bytes] = []
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

    def take(self, data: bytes, name: str) -> None:
        """One map, with the name of its file without suffix."""
        if self._folder is not None:
            if not self._taken:
                self._make_folder(self._folder)
            write_bytes(self._folder / f"{name}{self._known.suffixes[0]}", data)
        elif self._file is not None:
            self._pieces.append(data)
        else:
            joint = self._known.joint if self._taken else b""
            self._console.put((joint or b"") + data)
        self._taken += 1

    def finish(self) -> None:
        """All maps are made: a single file is written now, whole."""
        if self._file is not None:
            write_bytes(self._file, (self._known.joint or b"").join(self._pieces))

    @staticmethod
    def _make_folder(folder: Path) -> None:
        from randomizer.keeping.atomic import make_folders

        if folder.exists() and not folder.is_dir():
            raise error("not-a-folder", "this is a file; a folder is needed", path=str(folder))
        make_folders(folder)
