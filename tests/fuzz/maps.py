"""Harnesses of the program's own file formats: a map is read, written and read again, or refused.

``format_harness`` is that of a format; the functions ``run_*`` are for projects, for formats that
are only written, and for files whose kind is not known.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from randomizer.catalog.catalog import FORMATS
from randomizer.catalog.file_kinds import is_map, is_metadata_file, is_script
from randomizer.catalog.format_choice import format_for
from randomizer.catalog.generators import generators
from randomizer.catalog.map_formats import formats_of
from randomizer.catalog.scripts import script_host
from randomizer.formats.checked import read_checked
from randomizer.formats.format import Format
from randomizer.installed import load
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.problems import ProblemError
from randomizer.storage.files.project import PROJECT, read_project, write_project
from randomizer.storage.records.encoding import encode_map
from randomizer.systems.colossus.battleland.xml_format import XML
from tests.fuzz.harness import Harness, chance, check_problems, check_read_map, expect, refused
from tests.fuzz.mutators import (
    Mutator,
    mutate_bytes,
    mutate_json,
    mutate_zip,
    text_mutator,
    xml_mutator,
)
from tests.fuzz.samples import sample_maps


def format_harness(
    name: str, mutate: Mutator, *entries: str, encoding: str = "utf-8", tries: int = 300
) -> Harness:
    """Return the harness of the format that is the first of ``entries`` of the catalogue.

    The further entries read the same files. ``encoding`` is that of texts.
    """
    map_format: Format = load(entries[0])
    run = partial(_run_format, map_format, encoding)
    seeds = partial(_seeds_of, map_format)
    return Harness(name, run, seeds, mutate, covers=entries, tries=tries)


def _run_format(map_format: Format, encoding: str, data: bytes) -> object:
    """Read a file, and write what was read."""
    map_format.recognises(data)
    try:
        text = data.decode(encoding)
    except UnicodeDecodeError:
        text = None
    result = read_checked(map_format, data)
    if result.battlemap is None:
        if text and text[0] == "\ufeff":
            text = None  # columns are counted without a byte order mark
        return refused(result.problems, text)
    codes = check_problems(result.problems, text)
    check_read_map(result.battlemap)
    return (*codes, *check_written(map_format, result.battlemap))


def _seeds_of(map_format: Format) -> Iterator[bytes]:
    """Yield the sample maps that a format can hold, as its files."""
    for battlemap in sample_maps().values():
        if not map_format.systems or battlemap.system.name in map_format.systems:
            yield map_format.write(battlemap)


def check_written(map_format: Format, battlemap: BattleMap) -> tuple[str, ...]:
    """Check that a map is written and read as the same one, or refused with a problem.

    Returns what happened, as a part of the answer of a harness.
    """
    try:
        check_problems(map_format.check(battlemap))
        map_format.write_files(battlemap, "name.map")
        written = map_format.write(battlemap)
    except ProblemError as failed:
        return refused(failed.problems)
    reread = read_checked(map_format, written)
    expect(reread.battlemap is not None, f"what was written is not read: {reread.problems}")
    assert reread.battlemap is not None
    rewritten = map_format.write(reread.battlemap)
    if rewritten != written and map_format is XML:
        # Texts that stood between equal unknown elements come to stand beside each other, and are
        # one text from then on: only the next file is the same.
        is_same_map = visible_content(reread.battlemap) == visible_content(battlemap)
        expect(is_same_map, "what was written is another map")
        settled = read_checked(map_format, rewritten).battlemap
        expect(settled is not None and map_format.write(settled) == rewritten, "it never settles")
        return ("settled",)
    expect(rewritten == written, "written again it is another file")
    return ("written",)


def visible_content(battlemap: BattleMap) -> object:
    """Return all that a map shows, to be compared; what only a file's extras hold is not in it."""
    planes = battlemap.composite().planes
    return (
        {name: plane.tobytes() for name, plane in planes.items()},
        [dict(layer.properties) for layer in battlemap.layers],
    )


def run_project(data: bytes) -> object:
    """Read a project, and check that it is the same map and view once written and read again."""
    PROJECT.recognises(data)
    result = read_checked(PROJECT, data)
    if result.battlemap is None:
        return refused(result.problems)
    check_read_map(result.battlemap)
    written = write_project(result.battlemap, result.view)
    reread = read_project(written)
    expect(reread.battlemap is not None, f"what was written is not read: {reread.problems}")
    assert reread.battlemap is not None
    expect(encode_map(reread.battlemap) == encode_map(result.battlemap), "another map is read")
    has_nan = reread.view != reread.view  # NaN is equal to nothing
    expect(reread.view == result.view or has_nan, "another view is read")
    return check_problems(result.problems)


def run_write_only(data: bytes) -> object:
    """Check that formats that are only written recognise nothing, and refuse to read."""
    for entry in FORMATS:
        map_format: Format = load(entry)
        if not map_format.readable:
            expect(not map_format.recognises(data), "a format recognises what it cannot read")
            refused(map_format.read(data).problems)
    return "refused"


def run_any_file(data: bytes) -> object:
    """Tell whether a file of any name is a script, a map or metadata, and which format it has."""
    names = ("a.xml", "a.json", "a.js", "a.rnd", "a.per", "a.map", "a.battlemap", "a", "a.txt")
    name = names[chance(data, len(names))]
    is_script_file = is_script(name, data)
    answer: list[object] = [is_script_file, is_map(name, data), is_metadata_file(data)]
    try:
        answer.append(format_for(data, name).name)
    except ProblemError as failed:
        answer += refused(failed.problems)
    if is_script_file:
        answer.append(script_host(name, content=data).suffixes[0])
    return tuple(answer)


def _any_seeds() -> Iterator[bytes]:
    """Yield the sample maps in all formats of the program, and the beginnings of scripts."""
    for battlemap in sample_maps().values():
        for map_format in formats_of(battlemap.system):
            if map_format.writable and not map_format.foreign:
                yield map_format.write(battlemap)
    for generator in generators():
        yield generator.text[:3_000].encode()


# Words of the languages of formats, which mutators put in.

_XML = (
    *("Battlemap", "battlemap", "hex", "border", "startlist", "battlehex", "terrain", "elevation"),
    *("number", "type", "d", "c", "s", "w", "label", "x", "y", "tower", "title", "subtitle"),
    *("True", "Tree", "Bog", "Plains", "Brambles", "A1", "D4", "0", "1", "2", "encoding", "UTF-16"),
)
_RECORD = ("terrain", "hex", "elevation", "hexsides", "startlist", "tower", "Tree", "A1", "null")
_MAPFILE = (
    *("Xconq", "-++---", "+++-++", "++++++", "Map", "Sides", "Units", "Globals", "Period", "end"),
    *("utype", "ttype", "rtype", "u*", "t*", "begin{notes}", "end{notes}", "*", ".", "+", "2.3+"),
)

HARNESSES = (
    format_harness(
        "battleland-xml",
        xml_mutator(*_XML),
        "randomizer.systems.colossus.battleland.xml_format:XML",
        tries=450,
    ),
    format_harness(
        "battleland-json",
        mutate_json,
        "randomizer.systems.colossus.battleland.record:JSON",
        tries=240,
    ),
    format_harness(
        "table-json", mutate_json, "randomizer.systems.cordery.table_files:JSON", tries=240
    ),
    format_harness(
        "xconq-mapfile",
        text_mutator(*_MAPFILE, encoding="latin-1"),
        "randomizer.systems.xconq.mapfile.mapfile_format:XCONQ",
        encoding="latin-1",
        tries=180,
    ),
    format_harness(
        "zeroad-map-json",
        mutate_json,
        "randomizer.systems.zeroad.map_format.map_json:JSON",
        tries=180,
    ),
    format_harness(
        "zeroad-finished-script",
        text_mutator("size", "height", "null", "-1", '"', "[", "]", "{", "}", ",", ":"),
        "randomizer.systems.zeroad.export.script_format:SCRIPT_27",
        "randomizer.systems.zeroad.export.script_format:SCRIPT_28",
        "randomizer.systems.zeroad.export.script_format:SCRIPT_26",
        tries=180,
    ),
    Harness(
        "project",
        run_project,
        lambda: [
            write_project(sample_map, {"scale": 2.0}) for sample_map in sample_maps().values()
        ],
        mutate_zip,
        ("randomizer.storage.files.project:PROJECT",),
        tries=180,
    ),
    Harness("any-file", run_any_file, _any_seeds, mutate_bytes, tries=180),
    Harness(
        "write-only",
        run_write_only,
        lambda: [b"", b"A map"],
        mutate_bytes,
        (
            "randomizer.systems.colossus.battleland.text:TEXT",
            "randomizer.systems.cordery.table_files:TEXT",
            "randomizer.storage.files.cell_lines:CELLS",
            "randomizer.storage.files.notes_in_markdown:NOTES",
        ),
        tries=30,
    ),
)
