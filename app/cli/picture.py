"""``battlelands picture``: makes a picture file of a map, without a window or a display.

``main`` is called with the arguments and returns the exit code; ``build_parser`` describes the
options, ``_run`` does the work. The options that other commands have, too, are in
picture_options.py.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from app.cli.picture_options import (
    add_paper,
    add_setting,
    add_shown,
    add_size,
    ineffective_options,
    length,
    overlays_of,
    request_of,
    run_without_window,
)
from randomizer.cli.help_texts import EXIT_CODES
from randomizer.cli.output import FINE, Console, UsageError
from randomizer.cli.parser import Parser, WholeNumber

if TYPE_CHECKING:
    from app.paper.picture_request import PictureRequest
    from app.paper.virtual_table import TableExport
    from randomizer.model.map.battlemap import BattleMap

DESCRIPTION = """\
Make a picture of a map: a PNG at a chosen scale, an SVG or a PDF at a true size. The size of a hex
is its width from flat to flat; for squares it is the side. No display is needed. OUT is replaced in
one step, or not at all. Files for virtual tables hold the picture and the map: OUT.json is a scene
for Foundry, with OUT.png and a text beside it, OUT.uvtt is Universal VTT. They show what players
may see, or with --no-players all."""

EXAMPLES = """\
examples:
  battlelands picture Swamp.xml Swamp.png --pixels 150
  battlelands picture Swamp.xml Swamp.svg --hex-mm 38
  battlelands picture Swamp.xml Swamp.pdf --paper A4
  battlelands picture Swamp.xml Swamp.pdf --paper Letter --poster --hex-inches 1.5
  battlelands picture Swamp.xml Swamp.pdf --hex-mm 38 --colours print --no-labels
  battlelands picture Moor.battlemap Moor.json --folder worlds/moor
"""


def main(argv: Sequence[str]) -> int:
    """Run the command with the arguments after ``battlelands picture``; return the exit code."""
    return run_without_window(build_parser, argv, _run)


def _run(arguments: argparse.Namespace, console: Console) -> int:
    """Write the picture of a map, or its files for a virtual table; return the exit code."""
    from app.paper.picture_request import TABLES, usual_hex_pixels
    from randomizer.cli.files import as_warnings, read_map
    from randomizer.cli.output_files import refuse_replacing_input

    kind = _kind_of(arguments)
    is_table = kind in TABLES
    if is_table:
        _choose_for_table(arguments)
    request = request_of(
        arguments,
        kind,
        paper=arguments.paper,
        pixels=arguments.pixels,
        is_poster=arguments.poster,
    )
    has_size = request.pixels is not None or request.hex_mm is not None
    if arguments.thumbnail is not None and has_size:
        raise UsageError("--thumbnail says how large the picture is")

    target = Path(arguments.target)
    refuse_replacing_input(arguments.map, target)
    battlemap, problems = read_map(arguments.map, console)
    overlays = overlays_of(arguments, battlemap.system, battlemap.terrain_set)
    request = replace(request, overlays=overlays, name=Path(arguments.map).stem)
    if kind == ".png" and not has_size:
        request = replace(request, pixels=usual_hex_pixels(battlemap.grid.size))
    console.report(as_warnings(problems))
    console.report(ineffective_options(arguments, battlemap))
    if is_table:
        _write_for_table(battlemap, request, arguments.folder, target, console)
    else:
        _write_picture(battlemap, request, kind, arguments.thumbnail, target)
    return FINE


def _kind_of(arguments: argparse.Namespace) -> str:
    """Return the kind of file to write, a suffix in lower case; thumbnails are PNG.

    Raises UsageError for a suffix that is no kind.
    """
    from app.paper.picture_request import KINDS, TABLES

    if arguments.thumbnail is not None:
        return ".png"
    kind = Path(arguments.target).suffix.lower()
    if kind not in (*KINDS, *TABLES):
        names = ", ".join((*KINDS, *TABLES))
        raise UsageError(
            f"what “{arguments.target}” is to be cannot be told from its suffix ({names})"
        )
    return kind


def _choose_for_table(arguments: argparse.Namespace) -> None:
    """Set the options that were not given to what is usual for a virtual table.

    That is what players see, and no grid beside the table's own.
    """
    if arguments.players is None:
        arguments.players = True
    if arguments.grid_lines is None:
        arguments.grid_lines = False


def _write_for_table(
    battlemap: BattleMap, request: PictureRequest, folder: str, target: Path, console: Console
) -> None:
    """Write the files of a map for a virtual table, and report what they hold and lose."""
    from app.paper.virtual_table import table_request, table_work
    from randomizer.formats.losses import IN_FILE, NOT_KEPT
    from randomizer.model.problems import Problem, Severity

    work = table_work(battlemap, table_request(request), folder, target)

    def report_no_progress(_percent: int) -> None:
        pass

    def is_never_cancelled() -> bool:
        return False

    export: TableExport = work(report_no_progress, is_never_cancelled)
    path = str(export.path)
    console.report(Problem(Severity.HINT, NOT_KEPT, loss, path) for loss in export.losses)
    console.report([Problem(Severity.HINT, IN_FILE, export.summary, path)])


def _write_picture(
    battlemap: BattleMap,
    request: PictureRequest,
    kind: str,
    thumbnail_side: int | None,
    target: Path,
) -> None:
    """Write a picture of a map, or a thumbnail whose longer side has so many pixels."""
    from app.paper.export import picture
    from app.paper.preview import thumbnail
    from app.paper.steps import run
    from randomizer.cli.output_files import write_bytes

    if thumbnail_side is not None:
        data = run(thumbnail(request, battlemap, thumbnail_side))
    else:
        data = run(picture(kind, request, battlemap, battlemap.composite()))
    assert data is not None  # nobody cancels
    write_bytes(target, data)


def build_parser() -> argparse.ArgumentParser:
    """Return the parser of ``battlelands picture``."""
    from app.paper.picture_request import HEX_PIXELS
    from app.paper.picture_settings import FOLDER, KEY, WALLS

    parser = Parser(
        "battlelands picture", description=DESCRIPTION, epilog=f"{EXAMPLES}\n{EXIT_CODES}"
    )
    parser.add_argument("map", metavar="MAP", help="the map, in any format that can be read")
    parser.add_argument(
        "target", metavar="OUT", help="the file to write: .png, .svg, .pdf, .json or .uvtt"
    )
    table = parser.add_argument_group("virtual tables (.json, .uvtt)")
    table.add_argument("--folder", default="", metavar="PATH", help=FOLDER.help)
    add_setting(table, WALLS)
    size = add_size(parser)
    size.add_argument(
        "--pixels",
        type=length,
        metavar="N",
        help=f"PNG: so many pixels a hex ({HEX_PIXELS}, fewer for large maps, or 300 an inch with "
        "--hex-mm)",
    )
    size.add_argument(
        "--thumbnail",
        type=WholeNumber(16, 4096),
        metavar="N",
        help="a PNG of the whole map, N pixels at its longer side, whatever the suffix of OUT",
    )
    paper = add_paper(parser, "without --paper a page as large as the map")
    add_setting(paper, KEY)
    paper.add_argument(
        "--poster", action="store_true", help="on as many pages as it takes (A4 if none is named)"
    )
    add_shown(parser)
    parser.usage = "battlelands picture MAP OUT.png|OUT.svg|OUT.pdf|OUT.json|OUT.uvtt [OPTIONS]"
    parser.set_defaults(usage=parser.format_usage())
    return parser
