"""The options of the verbs that take any files of maps or scripts, and of ``list``.

A *verb* is the first word of a command line, such as ``check`` in ``randomizer check vale.board``.
The table in ``arguments`` names a function of this file for each of these verbs; the function adds
the options to the verb's parser. A verb with two forms (``convert``, ``diff``, ``export``) has its
own usage text: argparse cannot tell which of its options go together.
"""

from __future__ import annotations

import argparse

from randomizer.cli.help_texts import SAVED_FORMATS
from randomizer.cli.parser import Parser
from randomizer.cli.shared_options import MAP_TERRAINS, add_players, add_terrains


def add_check_options(parser: argparse.ArgumentParser) -> None:
    """Add the options of ``check``: any files that the program can judge."""
    parser.add_argument(
        "files",
        nargs="+",
        metavar="FILE",
        help="a script, metadata, a map or a terrain set (.terrains)",
    )
    parser.add_argument(
        "--json",
        action="store_true",
        help="print a list of {path, line, column, severity, code, message, fix} instead",
    )


def add_show_options(parser: argparse.ArgumentParser) -> None:
    """Add the options of ``show``: a map or a period, and as what it is printed."""
    parser.add_argument(
        "file", metavar="FILE", help="a map in any format that can be read, or a period (.per)"
    )
    parser.add_argument(
        "--format",
        default="text",
        metavar="FORMAT",
        help=f"cells (a line each), notes, json, xml, {SAVED_FORMATS} or text (text)",
    )
    parser.add_argument(
        "--trace", action="store_true", help="the words of a period as they are executed"
    )
    add_terrains(parser, MAP_TERRAINS)
    add_players(parser)


def add_convert_options(parser: argparse.ArgumentParser) -> None:
    """Add the options of ``convert``, which has two forms."""
    parser.usage = (
        "randomizer convert IN OUT [--from FORMAT] [--to FORMAT] [--terrains FILE|NAME]\n"
        "                          [--players] [--dry-run]\n"
        "       randomizer convert --folder OUT --to FORMAT FILE|FOLDER ... [--overwrite]"
    )
    parser.add_argument("files", nargs="+", metavar="IN OUT", help="a map, and the file to write")
    parser.add_argument("--folder", metavar="OUT", help="the folder that converted maps come into")
    parser.add_argument(
        "--overwrite", action="store_true", help="replace what is in the folder already"
    )
    add_players(parser)
    add_terrains(parser, MAP_TERRAINS)
    parser.add_argument(
        "--dry-run", action="store_true", help="say what OUT would lose, and write nothing"
    )
    parser.add_argument(
        "--from",
        dest="from_format",
        metavar="FORMAT",
        help=f"the format of IN (xml, json, wxx, azgaar, {SAVED_FORMATS}), else by its "
        "content or suffix",
    )
    parser.add_argument(
        "--to",
        dest="to_format",
        metavar="FORMAT",
        help=f"the format of OUT (xml, json, text, cells, notes, {SAVED_FORMATS}), else by its "
        "suffix",
    )


def add_diff_options(parser: argparse.ArgumentParser) -> None:
    """Add the options of ``diff``, which git calls as well."""
    parser.usage = (
        "randomizer diff A B [--shown] [--format text|json] [--brief] [--path PATH]\n"
        "       randomizer diff [--exit-code] ...  (as git calls it)"
    )
    parser.add_argument(
        "files", nargs="+", metavar="A B", help="the maps; /dev/null for none on this side"
    )
    parser.add_argument(
        "--shown", action="store_true", help="only what the maps show, whatever their layers are"
    )
    parser.add_argument(
        "--format", choices=("text", "json"), default="text", help="json: one object (text)"
    )
    parser.add_argument("--brief", action="store_true", help="say only whether they differ")
    parser.add_argument(
        "--path",
        default="",
        metavar="PATH",
        help="where A and B belong: tilesets and pictures that they name are sought from there",
    )
    parser.add_argument(
        "--exit-code",
        action="store_true",
        help="called by git: say by the exit code, too, whether maps differ (its trustExitCode)",
    )


SUBJECTS = ("terrain", "hexside", "elevation", "way", "text")
"""The kinds of things that ``replace`` replaces: the values of ``geometry.replacement.Subject``.

They are repeated here, since that module needs numpy, which is slow to import.
"""


def add_replace_options(parser: argparse.ArgumentParser) -> None:
    """Add the options of ``replace``: one for each subject, and what is done with it."""
    help_texts = {
        "text": "a part of the labels of things, and of titles",
        "hexside": "by its name; nothing behind the = takes it away",
        "way": "by its name; nothing behind the = takes it away",
    }
    parser.add_argument("files", nargs="+", metavar="FILE|FOLDER", help="the maps")
    for subject in SUBJECTS:
        parser.add_argument(
            f"--{subject}",
            action="append",
            default=[],
            metavar="OLD=NEW",
            help=help_texts.get(subject, "may be given several times"),
        )
    parser.add_argument(
        "--add", action="store_true", help="add a NEW that the map lacks, as a copy of OLD"
    )
    parser.add_argument(
        "--dry-run", action="store_true", help="say what would be replaced; write nothing"
    )


def add_export_options(parser: Parser) -> None:
    """Add the options of ``export``, which has two forms."""
    parser.usage = (
        "randomizer export MAP --game DIR --PLACE NAME [--PLACE NAME] [--for VERSION]\n"
        "                         [--players] [--yes]\n"
        "       randomizer export --take-back --game DIR [--yes]"
    )
    # ``--PLACE``: each game has options of its own for the place to which a map is exported, such
    # as ``--variant`` and ``--terrain``. Which they are is known when the map is read.
    parser.takes_places = True
    # Optional, since ``--take-back`` needs no map.
    parser.add_argument("map", nargs="?", metavar="MAP", help="a map in any format")
    parser.add_argument(
        "--game",
        required=True,
        metavar="DIR",
        help="the folder from which the game is started, its jar, or where its maps are",
    )
    parser.add_argument(
        "--for",
        dest="version",
        default="",
        metavar="VERSION",
        help="the version of the game; else the one that is installed",
    )
    parser.add_argument(
        "--take-back", action="store_true", help="undo the newest export into this game"
    )
    add_players(parser)
    parser.add_argument("--yes", action="store_true", help="do it; else the plan is only printed")


def add_list_options(parser: argparse.ArgumentParser) -> None:
    """Add the options of ``list``, which takes no file."""
    parser.add_argument("--json", action="store_true", help="print one JSON object instead")
