"""``battlelands picture``: makes a picture file of a map, without a window or a display.

``main`` is called with the arguments and returns the exit code; ``build_parser`` describes the
options, ``_run`` does the work. The other verbs of this room share its options of sizes, paper and
overlays (``add_size``, ``add_paper``, ``add_shown``).
"""

from __future__ import annotations

import argparse
import math
import os
import sys
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from randomizer.cli.help_texts import EXIT_CODES
from randomizer.cli.output import FINE, Console, UsageError
from randomizer.cli.parser import Parser, WholeNumber
from randomizer.cli.running import carry_out
from randomizer.model.settings.setting import Setting

if TYPE_CHECKING:
    from app.paper.picture_request import PictureRequest
    from app.paper.virtual_table import TableExport
    from app.render.overlay_options import Overlays
    from randomizer.model.map.battlemap import BattleMap
    from randomizer.model.system.system import System
    from randomizer.model.terrain.terrain import TerrainSet

DESCRIPTION = """\
Make a picture of a map: a PNG at a chosen scale, an SVG or a PDF at a true size. The size of a hex
is its width from flat to flat; for squares it is the side. No display is needed. OUT is replaced in
one step, or not at all. With a picture for a virtual table goes the map: OUT.json is a scene for
Foundry, with OUT.png and a text beside it, OUT.uvtt Universal VTT; players read in them what
they may see, or with --no-players all."""

LENGTH_LIMIT = 1e6
"""Lengths of options are below this number of millimetres, inches or pixels."""

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


def run_without_window(
    parser: Callable[[], argparse.ArgumentParser],
    argv: Sequence[str],
    run: Callable[[argparse.Namespace, Console], int],
) -> int:
    """Run a command that draws without a display; return the exit code."""
    if sys.platform == "linux":  # elsewhere there always is a display
        os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    from PySide6.QtGui import QGuiApplication

    application = QGuiApplication.instance() or QGuiApplication(["battlelands"])
    code = carry_out(Console("battlelands"), parser(), argv, run)
    del application  # Qt needs it until here, for fonts
    return code


def _run(arguments: argparse.Namespace, console: Console) -> int:
    """Write the picture of a map, or its files for a virtual table; return the exit code."""
    from app.paper.picture_request import TABLES, usual_hex_pixels
    from randomizer.cli.files import as_warnings, read_map
    from randomizer.cli.output_files import refuse_replacing_input

    kind = _kind_of(arguments)
    is_table = kind in TABLES
    if is_table:
        _choose_for_table(arguments)
    request = request_of(arguments, kind)
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
    from randomizer.formats import IN_FILE, NOT_KEPT
    from randomizer.model.problems import Problem, Severity

    work = table_work(battlemap, table_request(request), folder, target)
    export: TableExport = work(lambda _percent: None, lambda: False)
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


def request_of(arguments: argparse.Namespace, kind: str) -> PictureRequest:
    """Return the picture that options ask for. Raises UsageError if they contradict one another."""
    from app.paper.page_plan import MM_PER_INCH
    from app.paper.picture_settings import PAPER, WayOntoPaper, make_request

    paper = arguments.paper
    pixels = arguments.pixels
    size = arguments.hex_mm
    if arguments.hex_inches is not None:
        size = arguments.hex_inches * MM_PER_INCH
    if pixels is not None and kind in (".svg", ".pdf"):
        raise UsageError("--pixels is for PNG pictures")
    if paper is not None and kind != ".pdf":
        raise UsageError("--paper is for PDF")
    if arguments.poster and kind != ".pdf":
        raise UsageError("--poster is for PDF")
    # How the map lies on paper: on many pages, on a page of its own size, as large as one page of
    # the paper holds, or on one page at a true size.
    if arguments.poster:
        way = WayOntoPaper.POSTER
    elif paper is None:
        way = WayOntoPaper.OWN
    elif size is None:
        way = WayOntoPaper.FIT
    else:
        way = WayOntoPaper.PAGE
    more = {"way": way, "size": size, "paper": paper or PAPER.default}
    return make_request(kind, {**vars(arguments), **more})


def overlays_of(arguments: argparse.Namespace, system: System, terrain_set: TerrainSet) -> Overlays:
    """Return the usual overlays of a kind of map, changed as the options ask."""
    from app.paper.picture_request import paper_overlays
    from app.render.overlay_options import OVERLAYS

    overlays = paper_overlays(system, terrain_set)
    for name in OVERLAYS:
        is_drawn = getattr(arguments, name)
        if is_drawn is not None:
            overlays = overlays.having(name, is_drawn)
    return overlays


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
        type=_length,
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


def add_size(parser: argparse.ArgumentParser) -> argparse._ArgumentGroup:
    """Add the options for the size of a hex."""
    from app.paper.picture_request import HEX_MM

    size = parser.add_argument_group("size")
    units = size.add_mutually_exclusive_group()
    units.add_argument(
        "--hex-mm",
        type=_length,
        metavar="MM",
        help=f"the size of a hex in millimetres ({HEX_MM:g}; on one page of paper: the largest "
        "that fits)",
    )
    units.add_argument("--hex-inches", type=_length, metavar="IN", help="the same in inches")
    return size


def add_paper(parser: argparse.ArgumentParser, without: str) -> argparse._ArgumentGroup:
    """Add the options for the paper; ``without`` says what happens without ``--paper``."""
    from app.paper.picture_settings import ORIENTATION, OVERLAP, OVERVIEW, PAPER, PAPER_MARGIN

    paper = parser.add_argument_group("paper (PDF)", without)
    paper.add_argument("--paper", choices=PAPER.values, help="put the map on one page of this")
    add_setting(paper, ORIENTATION)
    add_setting(paper, PAPER_MARGIN, "--margin-mm")
    add_setting(paper, OVERLAP, "--overlap-mm")
    add_setting(paper, OVERVIEW)
    return paper


def add_shown(parser: argparse.ArgumentParser) -> None:
    """Add the options for colours and overlays; an overlay that is not named is None."""
    from app.paper.picture_request import paper_overlays
    from app.paper.picture_settings import COLOURS, overlay_settings
    from app.render.overlay_options import OVERLAYS
    from randomizer.model.grid.layouts import FLAT
    from randomizer.systems.free.system import SYSTEM

    group = parser.add_argument_group("what is drawn")
    add_setting(group, COLOURS)
    landscapes = paper_overlays(SYSTEM, SYSTEM.terrain_set)
    for setting in overlay_settings(FLAT):
        usual = _yes_or_no(setting.default)
        if landscapes.shows(setting.name) != setting.default:
            usual = f"{usual}; landscapes: {_yes_or_no(not setting.default)}"
        option = ""
        if setting.name == "thing_names":
            option = "--texts"
        add_setting(group, setting, option, usual)
    group.set_defaults(**dict.fromkeys(OVERLAYS))


def add_setting(
    group: argparse._ArgumentGroup, setting: Setting, option: str = "", usual: str = ""
) -> None:
    """Add an option for a setting, by its name if none is given; numbers are millimetres.

    ``usual`` says what holds without the option, "" for the setting's default.
    """
    options: dict[str, Any] = {"choices": setting.values}
    default = str(setting.default)
    if setting.kind is bool:
        options = {"action": argparse.BooleanOptionalAction}
        default = _yes_or_no(setting.default)
    elif setting.kind is float:
        options = {"type": _length, "metavar": "MM"}
        default = f"{setting.default:g}"
    group.add_argument(
        option or f"--{setting.name.replace('_', '-')}",
        dest=setting.name,
        default=setting.default,
        help=f"{setting.help[0].lower()}{setting.help[1:]} ({usual or default})",
        **options,
    )


def _yes_or_no(value: object) -> str:
    """Return the word for a value that is True or False."""
    if value:
        return "yes"
    return "no"


def _length(text: str) -> float:
    """Return the length of an option, from 0 on. Raises ArgumentTypeError for any other text."""
    try:
        value = float(text)
    except ValueError:
        value = math.nan
    if not 0 <= value < LENGTH_LIMIT:
        raise argparse.ArgumentTypeError(f"a length is wanted, not “{text[:40]}”")
    return value
