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

from randomizer.cli import help_texts
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
from randomizer.cli.parser import Parser, VersionAction
from randomizer.cli.roll_options import add_find_options, add_odds_options, add_roll_options


def build_parser() -> argparse.ArgumentParser:
    """Return the parser of the whole command line.

    Its result has ``verb``, the name of the verb, and ``usage``, the first lines of its help, for
    errors that are known only when the verb runs.
    """
    parser = Parser("randomizer", description=help_texts.DESCRIPTION, epilog=help_texts.EXIT_CODES)
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
            description=help_texts.ROLL,
            epilog=f"{help_texts.LOCKS}\n\n{help_texts.ROLL_EXAMPLES}",
            add_options=add_roll_options,
        ),
        _Verb(
            name="odds",
            summary="say how likely every hex is to become what",
            description=help_texts.ODDS,
            epilog=help_texts.ODDS_LOCKS,
            add_options=add_odds_options,
        ),
        _Verb(
            name="fight",
            summary="fight battles on a battleland",
            description=help_texts.FIGHT,
            epilog=help_texts.FIGHT_EXAMPLES,
            add_options=add_fight_options,
        ),
        _Verb(
            name="balance",
            summary="find edits that make a map fair",
            description=help_texts.BALANCE,
            epilog=None,
            add_options=add_balance_options,
        ),
        _Verb(
            name="find",
            summary="find the maps that pass a filter",
            description=help_texts.FIND,
            epilog=f"{help_texts.LOCK_SYNTAX}\n{help_texts.FILTERS}",
            add_options=add_find_options,
        ),
        _Verb(
            name="check",
            summary="say what is wrong with scripts and maps",
            description=help_texts.CHECK,
            epilog=None,
            add_options=add_check_options,
        ),
        _Verb(
            name="show",
            summary="show a map",
            description=help_texts.SHOW,
            epilog=None,
            add_options=add_show_options,
        ),
        _Verb(
            name="convert",
            summary="write a map in another format",
            description=help_texts.CONVERT,
            epilog=help_texts.CONVERT_EXAMPLES,
            add_options=add_convert_options,
        ),
        _Verb(
            name="diff",
            summary="say what differs between two maps",
            description=help_texts.DIFF,
            epilog=help_texts.DIFF_EXAMPLES,
            add_options=add_diff_options,
        ),
        _Verb(
            name="replace",
            summary="replace terrains, ways or texts in maps",
            description=help_texts.REPLACE,
            epilog=help_texts.REPLACE_EXAMPLES,
            add_options=add_replace_options,
        ),
        _Verb(
            name="export",
            summary="export a map into the game, or take it back",
            description=help_texts.EXPORT,
            epilog=help_texts.EXPORT_EXAMPLES,
            add_options=add_export_options,
        ),
        _Verb(
            name="vary",
            summary="arrange a map otherwise",
            description=help_texts.VARY,
            epilog=None,
            add_options=add_vary_options,
        ),
        _Verb(
            name="learn",
            summary="learn a script from battlelands",
            description=help_texts.LEARN,
            epilog=help_texts.LEARN_EXAMPLES,
            add_options=add_learn_options,
        ),
        _Verb(
            name="list",
            summary="list the packaged generators and the formats",
            description=help_texts.LIST,
            epilog=None,
            add_options=add_list_options,
        ),
    )
