"""The options of the verbs for battlelands: ``fight``, ``balance``, ``vary`` and ``learn``."""

from __future__ import annotations

import argparse

from randomizer.cli.parser import COUNT, SEED, WholeNumber, read_share
from randomizer.cli.shared_options import add_lock

VARIATION_COUNT = WholeNumber(1, 50)
"""The type of the number of variations, as the setting in ``randomizer.variations`` has it."""


def add_fight_options(parser: argparse.ArgumentParser) -> None:
    """Add the options of ``fight``: the map, the armies, and who fights the battles."""
    parser.add_argument("map", metavar="MAP", help="a battleland in any format that can be read")
    for option in ("--attacker", "--defender"):
        parser.add_argument(option, metavar="ARMY", help='such as "2 Lion+2 Ogre+Troll"')
    parser.add_argument(
        "--armies",
        metavar="standard|FILE",
        help="several pairs: ten usual legions, each against its like, or those of a file",
    )
    parser.add_argument(
        "--side",
        required=True,
        type=str.capitalize,
        choices=(*"012345", "Right", "Bottom", "Left"),
        help="where the attacker enters; in the game it is one of the three that have a name",
    )
    parser.add_argument(
        "--battles", type=COUNT, default=200, metavar="N", help="so many of each pair (200)"
    )
    parser.add_argument("--seed", type=SEED, default=0, metavar="N", help="of the dice (0)")
    parser.add_argument(
        "--game",
        metavar="DIR",
        help="the directory or the jar of Colossus: it fights itself (by Java, without a seed)",
    )
    parser.add_argument(
        "--json",
        action="store_true",
        help="print one JSON object, with --armies a list of them, instead",
    )


def add_balance_options(parser: argparse.ArgumentParser) -> None:
    """Add the options of ``balance``: the map, and what is sought and written."""
    parser.add_argument("map", metavar="MAP", help="a battleland in any format that can be read")
    parser.add_argument(
        "--plains", action="store_true", help="bring them near the share on open ground, too"
    )
    parser.add_argument("--seed", type=SEED, default=0, metavar="N", help="of the search (0)")
    parser.add_argument("--out", metavar="FILE", help="write the map with the edits")
    parser.add_argument("--json", action="store_true", help="print one JSON object instead")


def add_vary_options(parser: argparse.ArgumentParser) -> None:
    """Add the options of ``vary``: the map, how far the others differ, and their files."""
    parser.add_argument("map", metavar="MAP", help="a battleland or a free map")
    parser.add_argument("--out", metavar="FOLDER", required=True, help="for MAP-SEED-NUMBER.SUFFIX")
    parser.add_argument(
        "--number", type=VARIATION_COUNT, default=20, metavar="N", help="how many (20)"
    )
    parser.add_argument(
        "--share",
        type=WholeNumber(1, 100),
        default=20,
        metavar="P",
        help="the percent of hexes that differ (20)",
    )
    parser.add_argument(
        "--fair",
        type=WholeNumber(0, 100),
        metavar="P",
        help="neither side of a battleland gets more than P percent by the ground (15)",
    )
    parser.add_argument("--seed", type=SEED, metavar="N", help="0 to 4294967295; else by chance")
    parser.add_argument("--format", metavar="FORMAT", help="else that of MAP")
    add_lock(parser)


def add_learn_options(parser: argparse.ArgumentParser) -> None:
    """Add the options of ``learn``: the examples, the script, and how much is sought."""
    parser.add_argument("maps", nargs="+", metavar="FOLDER|MAP", help="the battlelands")
    parser.add_argument("--out", required=True, metavar="FILE", help="the script (.rnd) to write")
    parser.add_argument("--name", help="its title (the name of the folder)")
    parser.add_argument(
        "--closeness",
        type=read_share,
        metavar="0..1",
        help="0 few lines, 1 a close fit; without it what the maps bear",
    )
    parser.add_argument("--seed", type=SEED, default=0, metavar="N", help="of the dice (0)")
    parser.add_argument(
        "--seconds",
        type=COUNT,
        default=60,
        metavar="N",
        help="after so much processor time the best so far is taken (60)",
    )
