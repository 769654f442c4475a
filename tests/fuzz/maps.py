"""Harnesses of the file formats: a map that can be written and read again, or problems."""

from __future__ import annotations

from collections.abc import Iterator

from randomizer.catalog.catalog import (
    FORMATS,
    formats_of,
    generators,
    script_host,
)
from randomizer.catalog.file_kinds import (
    format_for,
    is_map,
    is_metadata_file,
    is_script,
)
from randomizer.formats import Format, read_checked
from randomizer.installed import load
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.problems import ProblemError
from randomizer.storage.files.project import PROJECT, read_project, write_project
from randomizer.storage.records.encoding import encode_map
from randomizer.systems.colossus.battleland.xml_reader import XML
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
    """The harness of a format; other entries of the catalogue that read the same are ``covers``."""
    known: Format = load(entries[0])

    def run(data: bytes) -> object:
        known.recognises(data)
        try:
            text = data.decode(encoding)
        except UnicodeDecodeError:
            text = None
        result = read_checked(known, data)
        if result.battlemap is None:
            return refused(result.problems, text if not text or text[0] != "\ufeff" else None)
        codes = check_problems(result.problems, text)
        check_read_map(result.battlemap)
        return (*codes, *check_written(known, result.battlemap))

    def seeds() -> Iterator[bytes]:
        for battlemap in sample_maps().values():
            if not known.systems or battlemap.system.name in known.systems:
                yield known.write(battlemap)

    return Harness(name, run, seeds, mutate, entries, tries)


def check_written(known: Format, battlemap: BattleMap) -> tuple[str, ...]:
    """A map is written and read again as the same, or a problem says why it is not written."""
    try:
        check_problems(known.check(battlemap))
        known.write_files(battlemap, "name.map")
        written = known.write(battlemap)
    except ProblemError as failed:
        return refused(failed.problems)
    again = read_checked(known, written)
    expect(again.battlemap is not None, f"what was written is not read: {again.problems}")
    assert again.battlemap is not None
    twice = known.write(again.battlemap)
    if twice != written and known is XML:
        # Texts that stood between equal unknown elements come to stand beside each other, and are
        # one text from then on.
        expect(shown(again.battlemap) == shown(battlemap), "what was written is another map")
        settled = read_checked(known, twice).battlemap
        expect(settled is not None and known.write(settled) == twice, "it never settles")
        return ("settled",)
    expect(twice == written, "written again it is another file")
    return ("written",)


def shown(battlemap: BattleMap) -> object:
    """All that a map shows, without what only a file's own extras hold."""
    planes = battlemap.composite().planes
    return (
        {name: plane.tobytes() for name, plane in planes.items()},
        [dict(layer.properties) for layer in battlemap.layers],
    )


def run_project(data: bytes) -> object:
    """A project keeps all of a map, and so it is the same map that is read again."""
    PROJECT.recognises(data)
    result = read_checked(PROJECT, data)
    if result.battlemap is None:
        return refused(result.problems)
    check_read_map(result.battlemap)
    written = write_project(result.battlemap, result.view)
    again = read_project(written)
    expect(again.battlemap is not None, f"what was written is not read: {again.problems}")
    assert again.battlemap is not None
    expect(encode_map(again.battlemap) == encode_map(result.battlemap), "another map is read")
    expect(again.view == result.view or again.view != again.view, "another view is read")
    return check_problems(result.problems)


def run_write_only(data: bytes) -> object:
    """Formats that are only written read nothing, and say so."""
    for entry in FORMATS:
        known: Format = load(entry)
        if not known.readable:
            expect(not known.recognises(data), "a format recognises what it cannot read")
            refused(known.read(data).problems)
    return "refused"


def run_any_file(data: bytes) -> object:
    """A file of any kind: whether it is a script, a map or metadata, and which one."""
    names = ("a.xml", "a.json", "a.js", "a.rnd", "a.per", "a.map", "a.battlemap", "a", "a.txt")
    name = names[chance(data, len(names))]
    said: list[object] = [is_script(name, data), is_map(name, data), is_metadata_file(data)]
    try:
        said.append(format_for(data, name).name)
    except ProblemError as failed:
        said += refused(failed.problems)
    if said[0]:
        said.append(script_host(name, content=data).suffixes[0])
    return tuple(said)


def _any_seeds() -> Iterator[bytes]:
    for battlemap in sample_maps().values():
        for known in formats_of(battlemap.system):
            if known.writable and not known.foreign:
                yield known.write(battlemap)
    for generator in generators():
        yield generator.text[:3_000].encode()


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
        "randomizer.systems.colossus.battleland.xml_reader:XML",
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
        180,
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
        30,
    ),
)
