"""Options that several verbs have.

Each function adds one option, or those that belong together, to the parser of a verb.
"""

from __future__ import annotations

import argparse

from randomizer.cli.parser import WholeNumber

TIME_LIMIT_OPTION = "--time-limit"
"""The option with the processor time of a script; messages about the limit name it."""

TIME_LIMIT_S = 60
"""The processor time that a script has for a map without that option, in seconds."""

LONGEST_TIME_LIMIT_S = 24 * 3600
"""The longest time that can be chosen: a day, in seconds."""

MAP_TERRAINS = (
    "the terrain set that a free map gets, by the names of terrains; for a map of another program "
    "by the codes"
)
"""The help of ``--terrains`` for verbs that read a map."""


def add_generator_options(parser: argparse.ArgumentParser, *, recipes: bool = False) -> None:
    """Add the options of all verbs that roll: the generator, its settings and the map below.

    With ``recipes`` the script can be left out, since a recipe can name it.
    """
    nargs: str | None = None  # exactly one script
    if recipes:
        nargs = "?"  # one or none
    parser.add_argument(
        "script",
        metavar="SCRIPT|NAME",
        nargs=nargs,
        help="a script's path or a packaged name",
    )
    parser.add_argument(
        "--onto", metavar="MAP", help="roll onto this map; only what the script places changes"
    )
    parser.add_argument(
        "--set",
        action="append",
        default=[],
        metavar="KEY=VALUE",
        help='a setting of the generator ("randomizer list" shows them); may be repeated',
    )
    add_time_limit(parser)


def add_time_limit(parser: argparse._ActionsContainer) -> None:
    """Add the option of all verbs that run scripts; ``running.carry_out`` makes it hold."""
    parser.add_argument(
        TIME_LIMIT_OPTION,
        type=WholeNumber(1, LONGEST_TIME_LIMIT_S),
        default=TIME_LIMIT_S,
        metavar="SECONDS",
        help=f"how much processor time a map script has for each map ({TIME_LIMIT_S}); one that "
        "needs more is stopped",
    )


def add_terrains(parser: argparse.ArgumentParser, help_text: str) -> None:
    """Add the option that names a terrain set; ``help_text`` says for what."""
    parser.add_argument(
        "--terrains",
        metavar="FILE|NAME",
        help=f"{help_text}: a file (.terrains), or a packaged one by its name (see list)",
    )


def add_lock(parser: argparse.ArgumentParser) -> None:
    """Add the option of verbs that keep values of the map below."""
    parser.add_argument(
        "--lock", action="append", default=[], metavar="LOCKS", help="see below; may be repeated"
    )


def add_players(parser: argparse.ArgumentParser) -> None:
    """Add the option of verbs that can hide what players may not see."""
    parser.add_argument(
        "--players", action="store_true", help="without secret layers, notes and other things"
    )
