"""``battlelands trace``: takes the terrains of a map from a picture, without a window.

``app.cli`` calls ``main``; the work is that of the desk's panel (``app.paper.tracing``). Modules
that only a run needs are imported in its functions, so that ``--help`` is quick.
"""

from __future__ import annotations

import argparse
import math
import re
from collections.abc import Sequence
from pathlib import Path

from app.cli.picture_options import run_without_window
from randomizer.cli.help_texts import EXIT_CODES
from randomizer.cli.output import FINE, Console, UsageError
from randomizer.cli.parser import Parser
from randomizer.model.grid.layouts import LAYOUTS
from randomizer.model.map.battlemap import BattleMap

DESCRIPTION = """\
Make a map of a picture: each cell gets the terrain that it looks like. The cells of MAP that
somebody has painted over this picture show what terrains look like, and stay; without MAP the
pictures of the terrain set do. A grey picture gives elevations, from black for the lowest to white
for the highest; others give terrains alone, whatever heights they show. Cells that could be of
another terrain are counted on standard error and named."""

EXAMPLES = """\
examples:
  battlelands trace world.png --layout flat --size 40x30 --out world.battlemap
  battlelands trace scan.jpg --layout flat --size 40x30 --learn a.battlemap --out b.battlemap
  battlelands trace old.webp --layout square --size 20x20 --corners 41,38 941,40 39,930 --out o.json
"""

MAX_NAMED = 20
"""The most doubtful cells that are named."""

FARTHEST_PIXEL = 1e6
"""The limit of the coordinates of a point; no picture that is read has so long a side."""


def main(argv: Sequence[str]) -> int:
    """Run the command with the arguments after ``battlelands trace``; return the exit code."""
    return run_without_window(build_parser, argv, _run)


def _run(arguments: argparse.Namespace, console: Console) -> int:
    """Trace the picture and write the map; return the exit code.

    Raises UsageError for options that contradict one another, ProblemError for files.
    """
    from app.paper.steps import run
    from app.paper.tileset import paint_tiles
    from app.paper.tracing import LARGEST_PICTURE, add_traced, trace_picture
    from randomizer.catalog.map_formats import format_of_suffix
    from randomizer.cli.output_files import refuse_replacing_input, write_map_files
    from randomizer.formats.checked import write_files_checked
    from randomizer.reading.files import read_file
    from randomizer.tracing.placement import placement_by_corners

    battlemap = _map_to_trace(arguments, console)

    # The target is checked before the work.
    target = Path(arguments.out)
    map_format = format_of_suffix(arguments.out, battlemap.system)
    if map_format is None or not map_format.writable:
        raise UsageError(
            f"--out: no map can be written as “{target.name}”; .battlemap is a map project, .json "
            "a map of Tiled"
        )
    refuse_replacing_input(arguments.picture, target)
    data = read_file(arguments.picture, LARGEST_PICTURE, pipes=True)
    placement = None  # the grid is searched for
    if arguments.corners:
        placement = placement_by_corners(battlemap.grid, arguments.corners)
    traced = run(trace_picture(data, battlemap, placement))
    assert traced is not None  # nobody cancels
    add_traced(battlemap, traced)
    files = write_files_checked(map_format, battlemap, target.name, painter=paint_tiles)
    write_map_files(target, files, console)
    console.report(traced.problems(battlemap, MAX_NAMED))
    return FINE


def _map_to_trace(arguments: argparse.Namespace, console: Console) -> BattleMap:
    """Return the map that is to be traced: that of --learn, or a new one of the size.

    The size and layout are asked for with --learn, too, so that a map of another grid is not traced
    by mistake. Raises UsageError if the options contradict one another.
    """
    from randomizer.cli.files import as_warnings, read_map
    from randomizer.cli.terrains import terrains_of
    from randomizer.systems.free.system import SYSTEM, free_map

    layout = next(known_layout for known_layout in LAYOUTS if known_layout.name == arguments.layout)
    width, height = arguments.size

    # A new map.
    if arguments.learn is None:
        own_terrains = terrains_of(arguments, SYSTEM, console)
        if own_terrains is None:
            return free_map(layout, width, height)
        return free_map(
            layout, width, height, terrain_set=own_terrains.terrain_set, assets=own_terrains.assets
        )

    # A map that was painted over the picture.
    if arguments.terrains is not None:
        raise UsageError("--terrains: the map of --learn has its own")
    battlemap, problems = read_map(arguments.learn, console)
    console.report(as_warnings(problems))
    grid = battlemap.grid
    if (grid.layout, grid.width, grid.height) != (layout, width, height):
        raise UsageError(
            f"--learn: this map is {grid.layout.name} and has {grid.width}x{grid.height} cells, "
            f"not {layout.name} and {width}x{height}"
        )
    return battlemap


def _size(text: str) -> tuple[int, int]:
    """Return the columns and rows of an argument like 40x30, for argparse."""
    from randomizer.systems.free.system import MAX_CELLS

    numbers = re.fullmatch(r"(\d{1,7})x(\d{1,7})", text.strip().lower())
    width = 0
    height = 0
    if numbers:
        width = int(numbers[1])
        height = int(numbers[2])
    if width == 0 or height == 0:
        raise argparse.ArgumentTypeError(
            f"columns x rows are wanted, like 40x30, not “{text[:40]}”"
        )
    if width * height > MAX_CELLS:
        raise argparse.ArgumentTypeError(f"a map has at most {MAX_CELLS:,} cells, not {text[:40]}")
    return width, height


def _point(text: str) -> tuple[float, float]:
    """Return the pixels of an argument like 41,38, for argparse."""
    try:
        x, y = (float(number) for number in text.split(","))
    except ValueError:
        x = y = math.nan
    # False for NaN as well.
    is_point = abs(x) < FARTHEST_PIXEL and abs(y) < FARTHEST_PIXEL
    if not is_point:
        raise argparse.ArgumentTypeError(f"a point is wanted, like 41,38, not “{text[:40]}”")
    return x, y


def build_parser() -> argparse.ArgumentParser:
    """Return the parser of ``battlelands trace``."""
    parser = Parser(
        "battlelands trace", description=DESCRIPTION, epilog=f"{EXAMPLES}\n{EXIT_CODES}"
    )
    parser.add_argument(
        "picture", metavar="PICTURE", help="a PNG, JPEG or WebP of at most 64 million pixels"
    )
    layouts = [known_layout.name for known_layout in LAYOUTS]
    parser.add_argument(
        "--layout", required=True, choices=layouts, help="how the cells lie beside each other"
    )
    parser.add_argument(
        "--size", required=True, type=_size, metavar="WxH", help="columns x rows of the map"
    )
    parser.add_argument("--terrains", metavar="FILE|NAME", help="the terrain set (Landscape)")
    parser.add_argument(
        "--learn", metavar="MAP", help="a map of this size, partly painted over this picture"
    )
    parser.add_argument(
        "--corners",
        nargs=3,
        type=_point,
        metavar="X,Y",
        help="where in the picture (pixels) the centres of three cells are: those at the top left, "
        "at the top right and at the bottom left; without it they are looked for",
    )
    parser.add_argument(
        "--out", required=True, metavar="MAP", help="the map to write; its suffix says the format"
    )
    parser.usage = (
        "battlelands trace PICTURE --layout L --size WxH [--terrains FILE|NAME] [--learn MAP]\n"
        "       [--corners X,Y X,Y X,Y] --out MAP"
    )
    parser.set_defaults(usage=parser.format_usage())
    return parser
