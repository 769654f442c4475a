"""The options of the verbs that roll maps with a generator: ``roll``, ``odds`` and ``find``.

A *generator*, or the script that it executes, makes a series of maps from a *seed*; each map has a
*number* in its series. *Locks* are values that a map must have. The table in ``arguments`` names a
function of this file for each of these verbs; it adds the options to the verb's parser.
"""

from __future__ import annotations

import argparse

from randomizer.cli.help_texts import SAVED_FORMATS
from randomizer.cli.parser import COUNT, NUMBER, SEED
from randomizer.cli.shared_options import add_generator_options, add_lock, add_terrains


def add_roll_options(parser: argparse.ArgumentParser) -> None:
    """Add the options of ``roll``: what is rolled, which maps of it, and where they go."""
    add_generator_options(parser, recipes=True)
    parser.add_argument(
        "--recipe",
        metavar="TEXT|-",
        help="roll what was copied as a recipe (-: from standard input); a SCRIPT beside it is the "
        "one that the recipe names",
    )
    parser.add_argument(
        "--anyway",
        action="store_true",
        help="roll a recipe even if something is not here as it was there; it is said what",
    )
    add_terrains(parser, "the terrain set of a new free map")
    add_lock(parser)
    parser.add_argument(
        "--mod",
        action="append",
        default=[],
        metavar="PATH",
        help="a mod (folder or .zip) that the script may use, over the game's; may be repeated",
    )
    parser.add_argument(
        "--force",
        action="store_true",
        help="if no map keeps the locks, put them back on a free roll, and say what that breaks",
    )
    _add_maps_to_roll(parser)
    _add_output_of_roll(parser)


def _add_maps_to_roll(parser: argparse.ArgumentParser) -> None:
    """Add the options of ``roll`` that say which maps of a generator are made."""
    parser.add_argument(
        "--seed",
        type=SEED,
        metavar="N",
        help="0 to 4294967295; without it the program chooses one and says so",
    )
    parser.add_argument(
        "--number", type=NUMBER, default=0, metavar="K", help="the map's number, from 0 (0)"
    )
    parser.add_argument(
        "--count",
        type=COUNT,
        default=1,
        metavar="N",
        help="make the maps K to K+N-1 (1); XML and maps of 0 A.D. have a file each, and there one "
        "that fails is reported (exit code 1) while the others are made",
    )


def _add_output_of_roll(parser: argparse.ArgumentParser) -> None:
    """Add the options of ``roll`` that say as what, and into which file, maps are written."""
    parser.add_argument(
        "--format",
        metavar="FORMAT",
        help=(
            f"xml, json (an object a line), text, cells, notes, {SAVED_FORMATS} or another one "
            "(see list); else by the suffix of --out, else the first for such maps, as xml for "
            "battlelands"
        ),
    )
    parser.add_argument(
        "--out",
        metavar="PATH",
        help="write into this file instead (with a file for each map: FILE-SEED-NUMBER.SUFFIX), or "
        "into this folder as SCRIPT-SEED-NUMBER.SUFFIX",
    )


def add_odds_options(parser: argparse.ArgumentParser) -> None:
    """Add the options of ``odds``: the generator, and how its chances are told."""
    add_generator_options(parser)
    add_lock(parser)
    parser.add_argument(
        "--sides", action="store_true", help='the hexsides too: "D4:0 c 0.1"; the rest is "none"'
    )
    parser.add_argument(
        "--json",
        action="store_true",
        help="print one JSON object with samples, bound, hex and hexside instead",
    )
    parser.add_argument(
        "--samples",
        type=COUNT,
        metavar="N",
        help="count exactly N maps, even if fewer would do",
    )
    parser.add_argument(
        "--seed", type=SEED, default=0, metavar="N", help="whose maps are counted (0)"
    )


def add_find_options(parser: argparse.ArgumentParser) -> None:
    """Add the options of ``find``: the filter, the maps that are searched, and their order."""
    add_generator_options(parser)
    add_lock(parser)
    parser.add_argument(
        "--where", required=True, metavar="FILTER", help='such as "count(Tree) >= 2"; see below'
    )
    parser.add_argument("--limit", type=COUNT, default=10, metavar="N", help="print N at most (10)")
    parser.add_argument(
        "--budget",
        type=COUNT,
        default=1_000_000,
        metavar="N",
        help="try N maps at most (1000000)",
    )
    parser.add_argument(
        "--seed", type=SEED, default=0, metavar="N", help="whose maps are searched (0)"
    )
    parser.add_argument("--number", type=NUMBER, default=0, metavar="K", help="where to begin (0)")
    parser.add_argument(
        "--sort",
        metavar="MEASURE",
        help="search the whole budget; print the maps with the least of it, and how much that is: "
        '"fairness", "count(Tree)" ...',
    )
    parser.add_argument("--descending", action="store_true", help="with --sort: the most first")
    parser.add_argument(
        "--json",
        action="store_true",
        help="print one JSON object with numbers, tried, found, chance and interval instead",
    )
