"""Harnesses of what a person types or a text file says: filters, decisions, metadata, commands."""

from __future__ import annotations

import atexit
import io
import shutil
from collections.abc import Iterator
from contextlib import chdir, redirect_stderr, redirect_stdout
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

from randomizer.__main__ import main
from randomizer.batches.batch import Batch, Measure, batch_of
from randomizer.batches.counts import measures_of
from randomizer.batches.filters.conditions import without_hexsides
from randomizer.batches.filters.language import FilterLanguage
from randomizer.batches.filters.parser import parse_filter, parse_quantity
from randomizer.catalog.generators import generators_of
from randomizer.cli.arguments import build_parser
from randomizer.languages.language import SourceText
from randomizer.model.basics.bounded_json import fault_in_data, parse_json
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.problems import ProblemError, has_errors, split_lines
from randomizer.model.records.map_records import MapRecord
from randomizer.model.rolls.draw_key import DrawKey
from randomizer.model.settings.metadata import is_metadata, read_metadata
from randomizer.model.settings.setting import checked_settings
from randomizer.systems.colossus.game.variant import read_ter_file, read_var_file
from randomizer.systems.colossus.system import SYSTEM as COLOSSUS
from randomizer.systems.cordery.dice.decisions import read_fixed
from randomizer.systems.cordery.table.pieces import read_box
from randomizer.systems.xconq.records import GLOBALS, HEADER, MAP, SIDES, UNITS, record_problems
from randomizer.systems.xconq.system import SYSTEM as XCONQ
from randomizer.systems.zeroad.generators.map_settings import map_settings, settings_of
from randomizer.systems.zeroad.script.metadata_check import check_map_metadata
from tests.fuzz.harness import Harness, chance, check_problems, expect, refused
from tests.fuzz.mutators import mutate_json, text_mutator, xml_mutator
from tests.fuzz.samples import sample_map, sample_maps
from tests.fuzz.storage import scratch


@cache
def _measured(name: str) -> tuple[BattleMap, Batch, tuple[Measure, ...]]:
    battlemap = sample_map(name)
    generator = generators_of(battlemap.system)[0]
    shown = battlemap.composite()
    return (
        battlemap,
        batch_of(battlemap.system, battlemap.grid, shown),
        tuple(measures_of(generator, battlemap.terrain_set)),
    )


_OF_MAPS = ("colossus", "cordery", "xconq")


def run_filter(data: bytes) -> object:
    """A filter or a quantity; its text is the same filter, and it can be evaluated."""
    text = data.decode("utf-8", "replace")
    battlemap, batch, measures = _measured(_OF_MAPS[chance(data, len(_OF_MAPS))])
    known = battlemap.system, measures, battlemap.grid, battlemap.terrain_set
    lines = split_lines(text)
    line = chance(data, len(lines)) + 1
    column = chance(data, len(lines[line - 1]) + 1) + 1
    FilterLanguage(*known).completions(SourceText(text), line, column)
    try:
        parse_quantity(text, *known)
    except ProblemError as failed:
        refused(failed.problems, text)
    try:
        found = parse_filter(text, *known)
    except ProblemError as failed:
        return refused(failed.problems, text)
    again = parse_filter(str(found), *known)
    expect(str(again) == str(found), f"its text is another filter: {again}")
    early = without_hexsides(found)
    if early is not None:
        early.matches(batch)
    passed = found.matches(batch).tolist()
    expect(again.matches(batch).tolist() == passed, "its text passes other maps")
    return ("filter", *passed)


def run_decisions(data: bytes) -> object:
    """Cordery's fixed decisions, and the pieces of a box."""
    text = data.decode("utf-8", "replace")
    said: list[object] = []
    for read in (read_fixed, read_box):
        try:
            found = read(text)
        except ProblemError as failed:
            said += refused(failed.problems, text)
            continue
        words = "\n".join(f"{name} = {value}" for name, value in found.items())
        expect(read(words) == found, "written again they are read as others")
        said.append(len(found) > 0)
    return tuple(said)


def run_table_rolled_with(data: bytes) -> object:
    """A table of Cordery that is rolled with fixed decisions: the table, or why not."""
    from randomizer.generator_run import run
    from randomizer.roll_base import Base
    from randomizer.systems.cordery.generator import CorderyGenerator
    from randomizer.systems.cordery.system import SYSTEM, table_grid

    battlemap = BattleMap.new(SYSTEM, table_grid("square", 5, 5))
    settings = {"fixed": data.decode("utf-8", "replace")}
    try:
        run(CorderyGenerator(), settings, DrawKey(1, 2), Base.under(battlemap, 0))
    except ProblemError as failed:
        return refused(failed.problems)
    return "rolled"


def run_metadata(data: bytes) -> object:
    """A metadata file: its problems, its settings, and what a script of 0 A.D. is given."""
    is_metadata(data)
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError:
        text = None
    problems = check_map_metadata(data)
    codes = check_problems(problems, text)
    try:
        metadata = read_metadata(data)
    except ProblemError as failed:
        expect(has_errors(problems), f"what cannot be read has no error: {failed}")
        return refused(failed.problems, text), codes
    try:
        settings = settings_of(metadata)
        chosen = checked_settings(settings, {**metadata.ground, "Players": 3, "Size": 128})
        given = map_settings(metadata, chosen, DrawKey(1, 2))
    except ProblemError as failed:
        return refused(failed.problems), codes
    expect(not fault_in_data(given), "a script cannot be given these settings")
    return codes


def _metadata_seeds() -> Iterator[bytes]:
    folder = Path(main.__code__.co_filename).parent / "systems"
    for file in sorted(folder.glob("*/scripts/**/*.json")):
        yield file.read_bytes()


def run_variant(data: bytes) -> object:
    """The Var and Ter files of a variant of Colossus."""
    variant = read_var_file(data)
    terrains = read_ter_file(data)
    return check_problems((*variant.problems, *terrains.problems))


_VARIANT = (
    b'<?xml version="1.0"?>\n<!DOCTYPE variant SYSTEM "Variant.dtd">\n<variant name="Own">\n'
    b'<creatures files="OwnCre.xml"/><terrains files="OwnTer.xml"/><hint name="H"/>\n</variant>\n',
    b'<terrains>\n<terrain name="Brush" display_name="Thicket" color="green"><recruit name="a"/>\n'
    b'</terrain><terrain name="Hills"/></terrains>\n',
)


def run_bounded_json(data: bytes) -> object:
    """JSON from outside: a value that is as deep and large as allowed, or why not."""
    try:
        value = parse_json(data, largest=100_000, deepest=20, max_values=2_000)
    except (ValueError, RecursionError) as failed:
        expect(str(failed), "no reason is given")
        return type(failed).__name__
    fault_in_data(value)
    return type(value).__name__


def run_xconq_records(data: bytes) -> object:
    """The records of a map of Xconq; the first byte chooses which one it is."""
    battlemap = sample_map("xconq")
    names = (HEADER, MAP, GLOBALS, SIDES, UNITS)
    name = names[(data[0] if data else 0) % len(names)]
    text = data[1:].decode("utf-8", "replace")
    battlemap.records[name] = MapRecord(text)
    problems = record_problems(battlemap)
    from randomizer.systems.xconq.mapfile.mapfile_format import XCONQ as FORMAT

    try:
        check_problems(FORMAT.check(battlemap))
        FORMAT.write(battlemap)
    except ProblemError as failed:
        return name, refused(failed.problems)
    return name, check_problems(problems)


def _record_seeds() -> Iterator[bytes]:
    records = sample_maps()["xconq"].records
    for number, name in enumerate((HEADER, MAP, GLOBALS, SIDES, UNITS)):
        if name in records:
            yield bytes([number]) + records[name].text.encode()


def _mutate_record(data: bytes, draw: Random, others: Any) -> bytes:
    return data[:1] + mutate_json(data[1:], draw, [each[1:] for each in others])


# --- commands -------------------------------------------------------------------------------------

_WORDS = (
    *("roll", "odds", "find", "check", "show", "convert", "export", "list", "--help", "--version"),
    *("Swamp", "own.rnd", "map.xml", "map.json", "table.json", "own.per", "world.map", "nothing.x"),
    *("--seed", "--number", "--format", "json", "xml", "text", "--set", "size=3", "--where", "--"),
    *(
        "count(Tree) >= 2",
        "--json",
        "--from",
        "--to",
        "-",
        "--lock",
        "A1=Tree",
        "--onto",
        "1",
        "-1",
    ),
    *("--variant", "Default", "--game", "--trace", "--output", "new.xml", "new.json", "", "é", "="),
)
_RUN = ("check", "show", "convert", "list")


@cache
def _commands_folder() -> Path:
    """A folder with a file of each kind."""
    folder = scratch()
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    from randomizer.catalog.map_formats import preferred_format

    maps = sample_maps()
    files = {
        "own.rnd": generators_of(COLOSSUS)[0].text.encode(),
        "own.per": generators_of(XCONQ)[0].text.encode("latin-1"),
    }
    names = {"map.xml": "colossus", "table.json": "cordery", "world.map": "xconq"}
    for name, kind in (names | {"map.json": "zeroad"}).items():
        files[name] = preferred_format(maps[kind].system).write(maps[kind])
    for name, content in files.items():
        (folder / name).write_bytes(content)
    return folder


def run_command(data: bytes) -> object:
    """Words of a command line (parted by NUL): what they mean, or which of them is wrong.

    Commands that only read, or write where they are told, are carried out in a folder of their own.
    """
    words = data.decode("utf-8", "replace").split("\0")
    said = io.StringIO()
    errors = io.StringIO()
    with redirect_stdout(said), redirect_stderr(errors):
        try:
            build_parser().parse_args(words)
        except SystemExit as stop:
            expect(stop.code in (0, 2), f"exit code {stop.code}")
            expect(stop.code == 0 or errors.getvalue().strip(), "an error without a word")
            return stop.code
        outside = any("/" in word or "\\" in word or ".." in word for word in words)
        if words[0] not in _RUN or outside:
            return words[0]
        with chdir(_commands_folder()):
            code = main(words)
    expect(code in (0, 1, 2), f"exit code {code}")
    return words[0], code


def _command_seeds() -> Iterator[bytes]:
    for line in (
        "check own.rnd map.xml",
        "show own.per --trace",
        "show map.xml --json",
        "convert map.xml new.json",
        "convert table.json - --to text",
        "convert world.map new.scn",
        "roll Swamp --seed 3 --number 4 --format json",
        "find Hills --where x --json",
        "export map.xml --game colossus --variant Default --terrain Brush",
        "list",
    ):
        yield line.replace(" ", "\0").encode()


def _mutate_command(data: bytes, draw: Random, others: Any) -> bytes:
    words = data.split(b"\0")
    at = draw.randrange(len(words) + 1)
    match draw.randrange(5):
        case 0:
            words[at:at] = [draw.choice(_WORDS).encode()]
        case 1:
            words[at : at + 1] = [draw.choice(_WORDS).encode()]
        case 2:
            del words[at : at + 1]
        case 3 if others:
            words += draw.choice(others).split(b"\0")[1:]
        case _:
            changed = text_mutator(*_WORDS)(words[at - 1], draw, ())
            words[at - 1] = changed.replace(b"\0", b"")
    return b"\0".join(words)[:2_000]


_FILTER = (
    *("count", "(", ")", "and", "or", "not", "in", ">=", "<=", "=", "!=", "<", ">", "+", "-", "*"),
    *("Tree", "Bog", "A1", "C4", "elevation", "hexside", "terrain", "edge", '"Wall"', ".", "1.5"),
    *("≥", "≠", "start", "0101", "River", "sea", "near", "between", "/", "%", ","),
)

HARNESSES = (
    Harness(
        "filter",
        run_filter,
        lambda: [
            b"count(Tree) >= 2 and not C4 = Bog",
            b"count(Tree) + count(Bog) > 3 or A1 in (Tree, Bog)",
            b'elevation(D4) = 1 and count("Slope") != 0',
            b"not (count(River) < 2 and count(Woods) * 2 <= 7)",
            b"balance < 1.3",
        ],
        text_mutator(*_FILTER),
        tries=450,
    ),
    Harness(
        "cordery-decisions",
        run_decisions,
        lambda: [b"hill = 5; bridge = 2\nroad straight = 7", b"1.1 relief = hilly\n", b";;\n ="],
        text_mutator("hill", "bridge", "=", ";", "road straight", "999", "1000", "lake"),
        tries=600,
    ),
    Harness(
        "cordery-table",
        run_table_rolled_with,
        lambda: [
            b"cover = wooded",
            b"number of rivers = 2",
            b"river 1 = 3; road 1 = 2",
            b"hills 1 = 6",
        ],
        text_mutator("river 1", "hill 1", "=", ";", "1", "6", "7", "none", "wooded", "number"),
        tries=75,
    ),
    Harness("metadata", run_metadata, _metadata_seeds, mutate_json, tries=300),
    Harness(
        "variant-files",
        run_variant,
        lambda: _VARIANT,
        xml_mutator(
            "variant", "terrain", "terrains", "files", "name", "display_name", "../x", "a/b"
        ),
        tries=450,
    ),
    Harness(
        "bounded-json",
        run_bounded_json,
        lambda: [b'{"a": [1, 2.5, "x\\"[", null], "b": {"c": true}}', b"[" * 19 + b"]" * 19],
        mutate_json,
        tries=900,
    ),
    Harness("xconq-records", run_xconq_records, _record_seeds, _mutate_record, tries=120),
    Harness("command-line", run_command, _command_seeds, _mutate_command, tries=120),
)
