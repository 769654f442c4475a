"""``battlelands tables``: writes many maps of a generator, a script or a roll into one PDF.

``app.cli`` calls ``main``; the work is that of the dialog of tables (``app.paper.campaign``).
Modules that only a run needs are imported in its functions, so that ``--help`` is quick.
"""

from __future__ import annotations

import argparse
import os
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from app.cli.picture_options import (
    add_paper,
    add_setting,
    add_shown,
    add_size,
    overlays_of,
    request_of,
    run_without_window,
)
from randomizer.cli.help_texts import EXIT_CODES
from randomizer.cli.output import FINE, Console, UsageError
from randomizer.cli.parser import NUMBER, SEED, Parser, WholeNumber
from randomizer.cli.shared_options import add_time_limit

if TYPE_CHECKING:
    from app.paper.campaign import Campaign

DESCRIPTION = """\
Roll maps into one PDF: of each the map, as large as one page of the paper holds or at a true size,
and for tables of a wargame the dice, the pieces to fetch and, if asked for, what stands where.
WHAT is a packaged generator, a script, or a map: more maps like the one it holds are rolled. No
display is needed. OUT is replaced in one step, or not at all."""

EXAMPLES = """\
examples:
  battlelands tables cordery OUT.pdf --set relief=hilly --seed 7 --count 4
  battlelands tables cordery OUT.pdf --set grid=square --hex-mm 60 --paper A3 --areas
  battlelands tables campaign.battlemap OUT.pdf --count 12
  battlelands tables Swamp OUT.pdf --seed 7 --count 10
"""

MAP_HAS_OWN = "the rolled layer of a map has its own"
"""Why --set, --seed and --onto cannot be combined with a map that is to be rolled again."""


def main(argv: Sequence[str]) -> int:
    """Run the command with the arguments after ``battlelands tables``; return the exit code."""
    return run_without_window(build_parser, argv, _run)


def _run(arguments: argparse.Namespace, console: Console) -> int:
    """Roll the maps and write the PDF; return the exit code.

    Raises UsageError for options that contradict one another, ProblemError for files and maps.
    """
    from app.paper.campaign import HEAD_MM, TABLE_LISTS, TableLists, tables_pdf
    from app.paper.steps import run
    from randomizer.cli.output_files import refuse_replacing_input, write_bytes

    if Path(arguments.target).suffix.lower() != ".pdf":
        raise UsageError(f"tables are written as a PDF, not as “{arguments.target}”")
    for source in (arguments.what, arguments.onto):
        refuse_replacing_input(source, Path(arguments.target))

    # A true size can take several pages; without one each map is as large as a page holds.
    has_true_size = arguments.hex_mm is not None or arguments.hex_inches is not None
    paper = arguments.paper or "A4"
    request = request_of(arguments, ".pdf", paper=paper, is_poster=has_true_size)
    request = replace(request, head=HEAD_MM)
    lists = TableLists(
        **{table_list.name: getattr(arguments, table_list.name) for table_list in TABLE_LISTS}
    )
    campaign = _campaign(arguments, console)
    base = campaign.base
    overlays = overlays_of(arguments, base.system, base.terrain_set)
    request = replace(request, overlays=overlays)
    data = run(tables_pdf(campaign, request, lists))
    assert data is not None  # nobody cancels
    write_bytes(Path(arguments.target), data)
    return FINE


def _campaign(arguments: argparse.Namespace, console: Console) -> Campaign:
    """Return what is to be rolled: more maps like the one in a file, or maps of a generator.

    Raises UsageError if the options contradict one another, ProblemError for a map that holds no
    roll.
    """
    from randomizer.catalog.file_kinds import is_script_file

    what = arguments.what
    if os.path.isfile(what) and not is_script_file(what):  # noqa: PTH113
        return _campaign_of_map(arguments, console)
    return _campaign_of_generator(arguments, console)


def _campaign_of_map(arguments: argparse.Namespace, console: Console) -> Campaign:
    """Return more maps like the one in a file, whose roll has settings, seed and number."""
    from app.paper.campaign import campaign_of
    from randomizer.cli.files import as_warnings, read_map
    from randomizer.model.problems import error
    from randomizer.model.rolls.rolled_layers import rolled_layer

    what = arguments.what
    for name in ("set", "seed", "onto"):
        is_given = getattr(arguments, name) not in (None, [])
        if is_given:
            raise UsageError(f"--{name}: {MAP_HAS_OWN}")
    battlemap, problems = read_map(what, console)
    console.report(as_warnings(problems))
    layer = rolled_layer(battlemap)
    if layer is None or layer.roll is None:
        raise error("not-rolled", "nothing on this map was rolled", path=what)
    number = arguments.number
    if number is None:
        number = layer.roll.number
    return campaign_of(battlemap, layer, number, arguments.count)


def _campaign_of_generator(arguments: argparse.Namespace, console: Console) -> Campaign:
    """Return maps of a packaged generator or a script."""
    from app.paper.campaign import Campaign
    from app.rolling.roll_setup import RollSetup
    from randomizer.cli.roll_request import (
        base_above,
        generator_of,
        map_to_roll_onto,
        settings_of,
    )
    from randomizer.model.basics.dice import fresh_seed
    from randomizer.model.rolls.draw_key import DrawKey

    generator = generator_of(arguments.what, console)
    settings = settings_of(generator, arguments.set)
    base = base_above(map_to_roll_onto(arguments, generator, settings, console), arguments.lock)
    seed = arguments.seed
    if seed is None:
        seed = fresh_seed()
        console.say(f"seed {seed}, chosen by the program")
    key = DrawKey(seed, arguments.number or 0).checked()
    # Whoever rolls asks for a generator each time; this one can be asked again.
    setup = RollSetup(generator.text, lambda: generator, settings)
    return Campaign(setup, key, base, arguments.count)


def build_parser() -> argparse.ArgumentParser:
    """Return the parser of ``battlelands tables``."""
    from app.paper.campaign import MAX_TABLES, TABLE_LISTS, USUAL_COUNT

    parser = Parser(
        "battlelands tables", description=DESCRIPTION, epilog=f"{EXAMPLES}\n{EXIT_CODES}"
    )
    parser.add_argument("what", metavar="WHAT", help="a packaged name, a script, or a map")
    parser.add_argument("target", metavar="OUT", help="the PDF to write")
    rolled = parser.add_argument_group("what is rolled")
    rolled.add_argument(
        "--set",
        action="append",
        default=[],
        metavar="KEY=VALUE",
        help='a setting of the generator ("randomizer list" shows them); may be repeated',
    )
    rolled.add_argument("--onto", metavar="MAP", help="roll onto this map")
    rolled.add_argument(
        "--seed", type=SEED, metavar="N", help="0 to 4294967295 (the program chooses one)"
    )
    rolled.add_argument(
        "--number", type=NUMBER, metavar="K", help="the first map's number (0; that of WHAT)"
    )
    rolled.add_argument(
        "--count",
        type=WholeNumber(1, MAX_TABLES),
        default=USUAL_COUNT,
        metavar="N",
        help=f"so many maps ({USUAL_COUNT})",
    )
    add_time_limit(rolled)
    lists = parser.add_argument_group("what goes along")
    for setting in TABLE_LISTS:
        add_setting(lists, setting)
    add_size(parser)
    add_paper(parser, "A4 if none is named; with a size on as many pages as it takes")
    add_shown(parser)
    parser.usage = "battlelands tables WHAT OUT.pdf [OPTIONS]"
    parser.set_defaults(usage=parser.format_usage(), lock=[], pixels=None)
    return parser
