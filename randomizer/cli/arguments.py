"""The command line of ``randomizer``: its verbs, their options and their help.

``build_parser`` is what ``randomizer`` calls first. A *verb* is the first word after the program's
name, such as ``roll`` in ``randomizer roll Tower``. ``_verbs`` is the table of the verbs. Their
options are in ``roll_options``, ``battleland_options`` and ``file_options``, their help is in
``help_texts``; what a verb does is in the module of its name. None of these files of options
imports more than argparse, so that help and errors come at once.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from typing import NamedTuple

from randomizer.cli.battleland_options import (
    add_balance_options,
    add_fight_options,
    add_learn_options,
    add_vary_options,
)
from randomizer.cli.file_options import (
    add_check_options,
    add_convert_options,
    add_diff_options,
    add_export_options,
    add_list_options,
    add_replace_options,
    add_show_options,
)
from randomizer.cli.help_texts import (
    BALANCE,
    CHECK,
    CONVERT,
    CONVERT_EXAMPLES,
    DESCRIPTION,
    DIFF,
    DIFF_EXAMPLES,
    EXIT_CODES,
    EXPORT,
    EXPORT_EXAMPLES,
    FIGHT,
    FIGHT_EXAMPLES,
    FILTERS,
    FIND,
    LEARN,
    LEARN_EXAMPLES,
    LIST,
    LOCK_SYNTAX,
    LOCKS,
    ODDS,
    ODDS_LOCKS,
    REPLACE,
    REPLACE_EXAMPLES,
    ROLL,
    ROLL_EXAMPLES,
    SHOW,
    VARY,
)
from randomizer.cli.parser import Parser, VersionAction
from randomizer.cli.roll_options import add_find_options, add_odds_options, add_roll_options


def build_parser() -> argparse.ArgumentParser:
    """Return the parser of the whole command line.

    Its result has ``verb``, the name of the verb, and ``usage``, the first lines of its help, for
    errors that are known only when the verb runs.
    """
    parser = Parser("randomizer", description=DESCRIPTION, epilog=EXIT_CODES)
    parser.add_argument("--version", action=VersionAction)
    verbs = parser.add_subparsers(dest="verb", metavar="VERB", required=True, title="verbs")
    for verb in _verbs():
        verb_parser = verbs.add_parser(
            verb.name,
            prog=f"randomizer {verb.name}",
            help=verb.summary,
            description=verb.description,
            epilog=verb.epilog,
        )
        verb.add_options(verb_parser)
        verb_parser.set_defaults(usage=verb_parser.format_usage())
    return parser


class _Verb(NamedTuple):
    """A verb of the command line."""

    name: str
    summary: str
    """What stands beside its name in the list of verbs."""
    description: str
    """The text above the options in its help."""
    epilog: str | None
    """The text below the options in its help."""
    add_options: Callable[[Parser], None]
    """Adds its options to its parser."""


def _verbs() -> tuple[_Verb, ...]:
    """Return all verbs in the order of the help."""
    return (
        _Verb(
            name="roll",
            summary="make maps with a script",
            description=ROLL,
            epilog=f"{LOCKS}\n\n{ROLL_EXAMPLES}",
            add_options=add_roll_options,
        ),
        _Verb(
            name="odds",
            summary="say how likely every hex is to become what",
            description=ODDS,
            epilog=ODDS_LOCKS,
            add_options=add_odds_options,
        ),
        _Verb(
            name="fight",
            summary="fight battles on a battleland",
            description=FIGHT,
            epilog=FIGHT_EXAMPLES,
            add_options=add_fight_options,
        ),
        _Verb(
            name="balance",
            summary="find edits that make a map fair",
            description=BALANCE,
            epilog=None,
            add_options=add_balance_options,
        ),
        _Verb(
            name="find",
            summary="find the maps that pass a filter",
            description=FIND,
            epilog=f"{LOCK_SYNTAX}\n{FILTERS}",
            add_options=add_find_options,
        ),
        _Verb(
            name="check",
            summary="say what is wrong with scripts and maps",
            description=CHECK,
            epilog=None,
            add_options=add_check_options,
        ),
        _Verb(
            name="show",
            summary="show a map",
            description=SHOW,
            epilog=None,
            add_options=add_show_options,
        ),
        _Verb(
            name="convert",
            summary="write a map in another format",
            description=CONVERT,
            epilog=CONVERT_EXAMPLES,
            add_options=add_convert_options,
        ),
        _Verb(
            name="diff",
            summary="say what differs between two maps",
            description=DIFF,
            epilog=DIFF_EXAMPLES,
            add_options=add_diff_options,
        ),
        _Verb(
            name="replace",
            summary="replace terrains, ways or texts in maps",
            description=REPLACE,
            epilog=REPLACE_EXAMPLES,
            add_options=add_replace_options,
        ),
        _Verb(
            name="export",
            summary="export a map into the game, or take it back",
            description=EXPORT,
            epilog=EXPORT_EXAMPLES,
            add_options=add_export_options,
        ),
        _Verb(
            name="vary",
            summary="arrange a map otherwise",
            description=VARY,
            epilog=None,
            add_options=add_vary_options,
        ),
        _Verb(
            name="learn",
            summary="learn a script from battlelands",
            description=LEARN,
            epilog=LEARN_EXAMPLES,
            add_options=add_learn_options,
        ),
        _Verb(
            name="list",
            summary="list the packaged generators and the formats",
            description=LIST,
            epilog=None,
            add_options=add_list_options,
        ),
    )
